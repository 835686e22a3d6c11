// Generated from api/openapi.yaml by sdk/generate. Do not edit.
import { createClient } from "@moothall/client";

declare const process: { env: Record<string, string | undefined> };
declare const picture: Blob, calendar: Blob, guests: Blob;

export async function getHealth(): Promise<void> {
  const moothall = createClient({ url: "https://moothall.example.org" });
  const { data } = await moothall.GET("/healthz");
  console.log(data);
}

export async function startDevSignIn(): Promise<void> {
  const moothall = createClient({ url: "https://moothall.example.org" });
  const { data } = await moothall.POST("/auth/dev/start", { body: {"email": "anna@example.org"} });
  console.log(data);
}

export async function verifyDevSignIn(): Promise<void> {
  const moothall = createClient({ url: "https://moothall.example.org" });
  const { data } = await moothall.POST("/auth/dev/verify", { body: {"email": "anna@example.org", "code": "493027"} });
  console.log(data);
}

export async function startEmailSignIn(): Promise<void> {
  const moothall = createClient({ url: "https://moothall.example.org" });
  const { data } = await moothall.POST("/auth/email/start", { body: {"email": "anna@example.org", "return_to": "/events"} });
  console.log(data);
}

export async function verifyEmailSignIn(): Promise<void> {
  const moothall = createClient({ url: "https://moothall.example.org" });
  const { data } = await moothall.POST("/auth/email/verify", { body: {
    "email": "anna@example.org",
    "code": "493027",
    "challenge": "es_Zk3vS0m9o0m1a7cWcS4nB2yq8r5t6u7v8w9x0y1z2A3"
  } });
  console.log(data);
}

export async function getEmailSignInStatus(): Promise<void> {
  const moothall = createClient({ url: "https://moothall.example.org" });
  const { data } = await moothall.POST("/auth/email/status", { body: {"challenge": "es_Zk3vS0m9o0m1a7cWcS4nB2yq8r5t6u7v8w9x0y1z2A3"} });
  console.log(data);
}

export async function startPhoneCall(): Promise<void> {
  const moothall = createClient({ url: "https://moothall.example.org" });
  const { data } = await moothall.POST("/auth/phone/call/start", { body: {"phone": "+49 30 901820"} });
  console.log(data);
}

export async function getPhoneCallStatus(): Promise<void> {
  const moothall = createClient({ url: "https://moothall.example.org" });
  const { data } = await moothall.POST("/auth/phone/call/status", { body: {"challenge_id": "5f0f1a52-93a4-4a43-8d55-6a35c7f1e0d2"} });
  console.log(data);
}

export async function startPasskeySignIn(): Promise<void> {
  const moothall = createClient({ url: "https://moothall.example.org" });
  const { data } = await moothall.POST("/auth/passkey/options", { body: {} });
  console.log(data);
}

export async function verifyPasskeySignIn(): Promise<void> {
  const moothall = createClient({ url: "https://moothall.example.org" });
  const { data } = await moothall.POST("/auth/passkey/verify", { body: {
    "id": "AQIDBA",
    "rawId": "AQIDBA",
    "type": "public-key",
    "response": {
      "clientDataJSON": "e30",
      "authenticatorData": "AA",
      "signature": "AA",
      "userHandle": "AA"
    }
  } });
  console.log(data);
}

export async function signInWithIdpToken(): Promise<void> {
  const moothall = createClient({ url: "https://moothall.example.org" });
  const { data } = await moothall.POST("/auth/idp/mobile", { body: {"oauth_token": "ya29.a0AfH6SMBx"} });
  console.log(data);
}

export async function refreshSession(): Promise<void> {
  const moothall = createClient({ url: "https://moothall.example.org" });
  const { data } = await moothall.POST("/auth/refresh", { body: {"refresh_token": "rt_kQ3vS0m9o0m1a7cWcS4nB2yq8r5t6u7v8w9x0y1z2A3"} });
  console.log(data);
}

export async function listSessions(): Promise<void> {
  const moothall = createClient({ url: "https://moothall.example.org", apiKey: process.env.MOOTHALL_TOKEN });
  const { data } = await moothall.GET("/auth/sessions");
  console.log(data);
}

export async function revokeSession(): Promise<void> {
  const moothall = createClient({ url: "https://moothall.example.org", apiKey: process.env.MOOTHALL_TOKEN });
  await moothall.DELETE("/auth/sessions/{session_id}", { params: { path: { session_id: "018f3b0a-5c1d-7000-8000-0000000000b1" } } });
}

export async function revokeOtherSessions(): Promise<void> {
  const moothall = createClient({ url: "https://moothall.example.org", apiKey: process.env.MOOTHALL_TOKEN });
  await moothall.POST("/auth/sessions/revoke-others");
}

export async function logout(): Promise<void> {
  const moothall = createClient({ url: "https://moothall.example.org" });
  await moothall.POST("/auth/logout", { body: {"refresh_token": "rt_kQ3vS0m9o0m1a7cWcS4nB2yq8r5t6u7v8w9x0y1z2A3"} });
}

export async function getMe(): Promise<void> {
  const moothall = createClient({ url: "https://moothall.example.org", apiKey: process.env.MOOTHALL_TOKEN });
  const { data } = await moothall.GET("/me");
  console.log(data);
}

export async function deleteMe(): Promise<void> {
  const moothall = createClient({ url: "https://moothall.example.org", apiKey: process.env.MOOTHALL_TOKEN });
  await moothall.DELETE("/me");
}

export async function exportMe(): Promise<void> {
  const moothall = createClient({ url: "https://moothall.example.org", apiKey: process.env.MOOTHALL_TOKEN });
  const { data } = await moothall.GET("/me/export");
  console.log(data);
}

export async function updateMyProfile(): Promise<void> {
  const moothall = createClient({ url: "https://moothall.example.org", apiKey: process.env.MOOTHALL_TOKEN });
  const { data } = await moothall.PATCH("/me/profile", { body: {"display_name": "Anna", "city": "Berlin", "interests": ["games", "hiking"]} });
  console.log(data);
}

export async function listProfiles(): Promise<void> {
  const moothall = createClient({ url: "https://moothall.example.org" });
  const { data } = await moothall.GET("/users/profiles");
  console.log(data);
}

export async function getProfileByUsername(): Promise<void> {
  const moothall = createClient({ url: "https://moothall.example.org" });
  const { data } = await moothall.GET("/users/by-username/{username}", { params: { path: { username: "anna" } } });
  console.log(data);
}

export async function getProfile(): Promise<void> {
  const moothall = createClient({ url: "https://moothall.example.org" });
  const { data } = await moothall.GET("/users/{user_id}/profile", { params: { path: { user_id: "018e3b0a-5c1d-7000-8000-0000000000a2" } } });
  console.log(data);
}

export async function getFollow(): Promise<void> {
  const moothall = createClient({ url: "https://moothall.example.org", apiKey: process.env.MOOTHALL_TOKEN });
  const { data } = await moothall.GET("/users/{user_id}/follow", { params: { path: { user_id: "018e3b0a-5c1d-7000-8000-0000000000a2" } } });
  console.log(data);
}

export async function followUser(): Promise<void> {
  const moothall = createClient({ url: "https://moothall.example.org", apiKey: process.env.MOOTHALL_TOKEN });
  const { data } = await moothall.POST("/users/{user_id}/follow", { params: { path: { user_id: "018e3b0a-5c1d-7000-8000-0000000000a2" } } });
  console.log(data);
}

export async function unfollowUser(): Promise<void> {
  const moothall = createClient({ url: "https://moothall.example.org", apiKey: process.env.MOOTHALL_TOKEN });
  const { data } = await moothall.DELETE("/users/{user_id}/follow", { params: { path: { user_id: "018e3b0a-5c1d-7000-8000-0000000000a2" } } });
  console.log(data);
}

export async function getBlock(): Promise<void> {
  const moothall = createClient({ url: "https://moothall.example.org", apiKey: process.env.MOOTHALL_TOKEN });
  const { data } = await moothall.GET("/users/{user_id}/block", { params: { path: { user_id: "018e3b0a-5c1d-7000-8000-0000000000a2" } } });
  console.log(data);
}

export async function blockUser(): Promise<void> {
  const moothall = createClient({ url: "https://moothall.example.org", apiKey: process.env.MOOTHALL_TOKEN });
  const { data } = await moothall.POST("/users/{user_id}/block", { params: { path: { user_id: "018e3b0a-5c1d-7000-8000-0000000000a2" } } });
  console.log(data);
}

export async function unblockUser(): Promise<void> {
  const moothall = createClient({ url: "https://moothall.example.org", apiKey: process.env.MOOTHALL_TOKEN });
  await moothall.DELETE("/users/{user_id}/block", { params: { path: { user_id: "018e3b0a-5c1d-7000-8000-0000000000a2" } } });
}

export async function listEvents(): Promise<void> {
  const moothall = createClient({ url: "https://moothall.example.org" });
  const { data } = await moothall.GET("/events");
  console.log(data);
}

export async function createEvent(): Promise<void> {
  const moothall = createClient({ url: "https://moothall.example.org", apiKey: process.env.MOOTHALL_TOKEN });
  const { data } = await moothall.POST("/events", { body: {
    "title": "Board games",
    "description": "Bring your own.",
    "starts_at": "2026-12-05T17:00:00+01:00",
    "ends_at": "2026-12-05T20:00:00+01:00",
    "timezone": "Europe/Berlin",
    "category": "games",
    "capacity": 12,
    "city": "Berlin",
    "location_text": "Spielwiese, Kopernikusstraße 24",
    "lat": 52.5131,
    "lng": 13.4549
  } });
  console.log(data);
}

export async function mapEvents(): Promise<void> {
  const moothall = createClient({ url: "https://moothall.example.org" });
  const { data } = await moothall.GET("/events/map");
  console.log(data);
}

export async function listPlaces(): Promise<void> {
  const moothall = createClient({ url: "https://moothall.example.org" });
  const { data } = await moothall.GET("/places");
  console.log(data);
}

export async function listAddresses(): Promise<void> {
  const moothall = createClient({ url: "https://moothall.example.org", apiKey: process.env.MOOTHALL_TOKEN });
  const { data } = await moothall.GET("/places/addresses", { params: { query: { q: "Unter den Linden 1" } } });
  console.log(data);
}

export async function getEventByCode(): Promise<void> {
  const moothall = createClient({ url: "https://moothall.example.org" });
  const { data } = await moothall.GET("/events/by-code/{code}", { params: { path: { code: "Demo1111" } } });
  console.log(data);
}

export async function getEvent(): Promise<void> {
  const moothall = createClient({ url: "https://moothall.example.org" });
  const { data } = await moothall.GET("/events/{event_id}", { params: { path: { event_id: "018f3b0a-5c1d-7000-8000-0000000000e1" } } });
  console.log(data);
}

export async function updateEvent(): Promise<void> {
  const moothall = createClient({ url: "https://moothall.example.org", apiKey: process.env.MOOTHALL_TOKEN });
  const { data } = await moothall.PATCH("/events/{event_id}", { params: { path: { event_id: "018f3b0a-5c1d-7000-8000-0000000000e1" } }, body: {"title": "Board games and tea", "capacity": 16} });
  console.log(data);
}

export async function publishEvent(): Promise<void> {
  const moothall = createClient({ url: "https://moothall.example.org", apiKey: process.env.MOOTHALL_TOKEN });
  const { data } = await moothall.POST("/events/{event_id}/publish", { params: { path: { event_id: "018f3b0a-5c1d-7000-8000-0000000000e1" } } });
  console.log(data);
}

export async function cancelEvent(): Promise<void> {
  const moothall = createClient({ url: "https://moothall.example.org", apiKey: process.env.MOOTHALL_TOKEN });
  const { data } = await moothall.POST("/events/{event_id}/cancel", { params: { path: { event_id: "018f3b0a-5c1d-7000-8000-0000000000e1" } }, body: {"message": "The hall is flooded. We will meet in January."} });
  console.log(data);
}

export async function cloneEvent(): Promise<void> {
  const moothall = createClient({ url: "https://moothall.example.org", apiKey: process.env.MOOTHALL_TOKEN });
  const { data } = await moothall.POST("/events/{event_id}/clone", { params: { path: { event_id: "018f3b0a-5c1d-7000-8000-0000000000e1" } } });
  console.log(data);
}

export async function listGroups(): Promise<void> {
  const moothall = createClient({ url: "https://moothall.example.org" });
  const { data } = await moothall.GET("/groups");
  console.log(data);
}

export async function createGroup(): Promise<void> {
  const moothall = createClient({ url: "https://moothall.example.org", apiKey: process.env.MOOTHALL_TOKEN });
  const { data } = await moothall.POST("/groups", { body: {
    "name": "Board games Berlin",
    "description": "Every Thursday.",
    "city": "Berlin",
    "lat": 52.52,
    "lng": 13.405
  } });
  console.log(data);
}

export async function listMyGroups(): Promise<void> {
  const moothall = createClient({ url: "https://moothall.example.org", apiKey: process.env.MOOTHALL_TOKEN });
  const { data } = await moothall.GET("/me/groups");
  console.log(data);
}

export async function getGroup(): Promise<void> {
  const moothall = createClient({ url: "https://moothall.example.org" });
  const { data } = await moothall.GET("/groups/{group_id}", { params: { path: { group_id: "018f3b0a-5c1d-7000-8000-0000000000d1" } } });
  console.log(data);
}

export async function updateGroup(): Promise<void> {
  const moothall = createClient({ url: "https://moothall.example.org", apiKey: process.env.MOOTHALL_TOKEN });
  const { data } = await moothall.PATCH("/groups/{group_id}", { params: { path: { group_id: "018f3b0a-5c1d-7000-8000-0000000000d1" } }, body: {"description": "Every Thursday at seven.", "member_list": "public"} });
  console.log(data);
}

export async function deleteGroup(): Promise<void> {
  const moothall = createClient({ url: "https://moothall.example.org", apiKey: process.env.MOOTHALL_TOKEN });
  await moothall.DELETE("/groups/{group_id}", { params: { path: { group_id: "018f3b0a-5c1d-7000-8000-0000000000d1" } } });
}

export async function setGroupImage(): Promise<void> {
  const moothall = createClient({ url: "https://moothall.example.org", apiKey: process.env.MOOTHALL_TOKEN });
  const { data } = await moothall.PUT("/groups/{group_id}/image", { params: { path: { group_id: "018f3b0a-5c1d-7000-8000-0000000000d1" } }, body: picture as unknown as string, headers: { "Content-Type": picture.type } });
  console.log(data);
}

export async function deleteGroupImage(): Promise<void> {
  const moothall = createClient({ url: "https://moothall.example.org", apiKey: process.env.MOOTHALL_TOKEN });
  await moothall.DELETE("/groups/{group_id}/image", { params: { path: { group_id: "018f3b0a-5c1d-7000-8000-0000000000d1" } } });
}

export async function joinGroup(): Promise<void> {
  const moothall = createClient({ url: "https://moothall.example.org", apiKey: process.env.MOOTHALL_TOKEN });
  const { data } = await moothall.POST("/groups/{group_id}/membership", { params: { path: { group_id: "018f3b0a-5c1d-7000-8000-0000000000d1" } }, body: {"visibility": "public"} });
  console.log(data);
}

export async function leaveGroup(): Promise<void> {
  const moothall = createClient({ url: "https://moothall.example.org", apiKey: process.env.MOOTHALL_TOKEN });
  await moothall.DELETE("/groups/{group_id}/membership", { params: { path: { group_id: "018f3b0a-5c1d-7000-8000-0000000000d1" } } });
}

export async function listGroupMembers(): Promise<void> {
  const moothall = createClient({ url: "https://moothall.example.org" });
  const { data } = await moothall.GET("/groups/{group_id}/members", { params: { path: { group_id: "018f3b0a-5c1d-7000-8000-0000000000d1" } } });
  console.log(data);
}

export async function updateGroupMember(): Promise<void> {
  const moothall = createClient({ url: "https://moothall.example.org", apiKey: process.env.MOOTHALL_TOKEN });
  const { data } = await moothall.PATCH("/groups/{group_id}/members/{user_id}", { params: { path: { group_id: "018f3b0a-5c1d-7000-8000-0000000000d1", user_id: "018e3b0a-5c1d-7000-8000-0000000000a2" } }, body: {"role": "host"} });
  console.log(data);
}

export async function removeGroupMember(): Promise<void> {
  const moothall = createClient({ url: "https://moothall.example.org", apiKey: process.env.MOOTHALL_TOKEN });
  await moothall.DELETE("/groups/{group_id}/members/{user_id}", { params: { path: { group_id: "018f3b0a-5c1d-7000-8000-0000000000d1", user_id: "018e3b0a-5c1d-7000-8000-0000000000a2" } } });
}

export async function inviteToGroup(): Promise<void> {
  const moothall = createClient({ url: "https://moothall.example.org", apiKey: process.env.MOOTHALL_TOKEN });
  const { data } = await moothall.POST("/groups/{group_id}/invitations", { params: { path: { group_id: "018f3b0a-5c1d-7000-8000-0000000000d1" } }, body: {"user_id": "018e3b0a-5c1d-7000-8000-0000000000a2"} });
  console.log(data);
}

export async function listGroupEvents(): Promise<void> {
  const moothall = createClient({ url: "https://moothall.example.org" });
  const { data } = await moothall.GET("/groups/{group_id}/events", { params: { path: { group_id: "018f3b0a-5c1d-7000-8000-0000000000d1" } } });
  console.log(data);
}

export async function listGroupAnnouncements(): Promise<void> {
  const moothall = createClient({ url: "https://moothall.example.org", apiKey: process.env.MOOTHALL_TOKEN });
  const { data } = await moothall.GET("/groups/{group_id}/announcements", { params: { path: { group_id: "018f3b0a-5c1d-7000-8000-0000000000d1" } } });
  console.log(data);
}

export async function announceToGroup(): Promise<void> {
  const moothall = createClient({ url: "https://moothall.example.org", apiKey: process.env.MOOTHALL_TOKEN });
  const { data } = await moothall.POST("/groups/{group_id}/announcements", { params: { path: { group_id: "018f3b0a-5c1d-7000-8000-0000000000d1" } }, body: {"body": "We meet in the garden from now on."} });
  console.log(data);
}

export async function listGroupSources(): Promise<void> {
  const moothall = createClient({ url: "https://moothall.example.org", apiKey: process.env.MOOTHALL_TOKEN });
  const { data } = await moothall.GET("/groups/{group_id}/sources", { params: { path: { group_id: "018f3b0a-5c1d-7000-8000-0000000000d1" } } });
  console.log(data);
}

export async function addGroupSource(): Promise<void> {
  const moothall = createClient({ url: "https://moothall.example.org", apiKey: process.env.MOOTHALL_TOKEN });
  const { data } = await moothall.PUT("/groups/{group_id}/sources", { params: { path: { group_id: "018f3b0a-5c1d-7000-8000-0000000000d1" } }, body: {"url": "https://calendar.example.com/chess.ics"} });
  console.log(data);
}

export async function removeGroupSource(): Promise<void> {
  const moothall = createClient({ url: "https://moothall.example.org", apiKey: process.env.MOOTHALL_TOKEN });
  await moothall.DELETE("/groups/{group_id}/sources/{source_id}", { params: { path: { group_id: "018f3b0a-5c1d-7000-8000-0000000000d1", source_id: "018f3b0a-5c1d-7000-8000-0000000000d3" } } });
}

export async function transferGroup(): Promise<void> {
  const moothall = createClient({ url: "https://moothall.example.org", apiKey: process.env.MOOTHALL_TOKEN });
  const { data } = await moothall.POST("/groups/{group_id}/transfer", { params: { path: { group_id: "018f3b0a-5c1d-7000-8000-0000000000d1" } }, body: {"user_id": "018e3b0a-5c1d-7000-8000-0000000000a2"} });
  console.log(data);
}

export async function createEventSeries(): Promise<void> {
  const moothall = createClient({ url: "https://moothall.example.org", apiKey: process.env.MOOTHALL_TOKEN });
  const { data } = await moothall.POST("/event-series", { body: {
    "rrule": "FREQ=WEEKLY;BYDAY=TH",
    "starts_at": "2038-12-02T19:00:00",
    "timezone": "Europe/Berlin",
    "duration_minutes": 120,
    "template": {
      "title": "Reading circle",
      "category": "books",
      "city": "Berlin",
      "capacity": 12
    }
  } });
  console.log(data);
}

export async function previewEventSeries(): Promise<void> {
  const moothall = createClient({ url: "https://moothall.example.org", apiKey: process.env.MOOTHALL_TOKEN });
  const { data } = await moothall.GET("/event-series/preview", { params: { query: { rrule: "FREQ=WEEKLY;BYDAY=TH", starts_at: "2038-12-02T19:00:00", timezone: "Europe/Berlin" } } });
  console.log(data);
}

export async function getEventSeries(): Promise<void> {
  const moothall = createClient({ url: "https://moothall.example.org" });
  const { data } = await moothall.GET("/event-series/{series_id}", { params: { path: { series_id: "018f3b0a-5c1d-7000-8000-0000000000c1" } } });
  console.log(data);
}

export async function updateEventSeries(): Promise<void> {
  const moothall = createClient({ url: "https://moothall.example.org", apiKey: process.env.MOOTHALL_TOKEN });
  const { data } = await moothall.PATCH("/event-series/{series_id}", { params: { path: { series_id: "018f3b0a-5c1d-7000-8000-0000000000c1" } }, body: {"template": {"location_text": "Back room"}, "apply": "untouched_upcoming"} });
  console.log(data);
}

export async function listSeriesEvents(): Promise<void> {
  const moothall = createClient({ url: "https://moothall.example.org" });
  const { data } = await moothall.GET("/event-series/{series_id}/events", { params: { path: { series_id: "018f3b0a-5c1d-7000-8000-0000000000c1" } } });
  console.log(data);
}

export async function listSeriesDates(): Promise<void> {
  const moothall = createClient({ url: "https://moothall.example.org", apiKey: process.env.MOOTHALL_TOKEN });
  const { data } = await moothall.GET("/event-series/{series_id}/dates", { params: { path: { series_id: "018f3b0a-5c1d-7000-8000-0000000000c1" } } });
  console.log(data);
}

export async function skipSeriesDate(): Promise<void> {
  const moothall = createClient({ url: "https://moothall.example.org", apiKey: process.env.MOOTHALL_TOKEN });
  const { data } = await moothall.POST("/event-series/{series_id}/skip", { params: { path: { series_id: "018f3b0a-5c1d-7000-8000-0000000000c1" } }, body: {"occurrence_at": "2038-12-23T03:00:00"} });
  console.log(data);
}

export async function splitEventSeries(): Promise<void> {
  const moothall = createClient({ url: "https://moothall.example.org", apiKey: process.env.MOOTHALL_TOKEN });
  const { data } = await moothall.POST("/event-series/{series_id}/split", { params: { path: { series_id: "018f3b0a-5c1d-7000-8000-0000000000c1" } }, body: {
    "from": "2038-12-09T03:00:00",
    "rrule": "FREQ=WEEKLY;BYDAY=FR",
    "starts_at": "2038-12-10T18:30:00"
  } });
  console.log(data);
}

export async function pauseEventSeries(): Promise<void> {
  const moothall = createClient({ url: "https://moothall.example.org", apiKey: process.env.MOOTHALL_TOKEN });
  const { data } = await moothall.POST("/event-series/{series_id}/pause", { params: { path: { series_id: "018f3b0a-5c1d-7000-8000-0000000000c1" } } });
  console.log(data);
}

export async function resumeEventSeries(): Promise<void> {
  const moothall = createClient({ url: "https://moothall.example.org", apiKey: process.env.MOOTHALL_TOKEN });
  const { data } = await moothall.POST("/event-series/{series_id}/resume", { params: { path: { series_id: "018f3b0a-5c1d-7000-8000-0000000000c1" } } });
  console.log(data);
}

export async function endEventSeries(): Promise<void> {
  const moothall = createClient({ url: "https://moothall.example.org", apiKey: process.env.MOOTHALL_TOKEN });
  const { data } = await moothall.POST("/event-series/{series_id}/end", { params: { path: { series_id: "018f3b0a-5c1d-7000-8000-0000000000c1" } } });
  console.log(data);
}

export async function joinEventSeries(): Promise<void> {
  const moothall = createClient({ url: "https://moothall.example.org", apiKey: process.env.MOOTHALL_TOKEN });
  const { data } = await moothall.POST("/event-series/{series_id}/join", { params: { path: { series_id: "018f3b0a-5c1d-7000-8000-0000000000c1" } }, body: {"participation_visibility": "public"} });
  console.log(data);
}

export async function leaveEventSeries(): Promise<void> {
  const moothall = createClient({ url: "https://moothall.example.org", apiKey: process.env.MOOTHALL_TOKEN });
  await moothall.DELETE("/event-series/{series_id}/join", { params: { path: { series_id: "018f3b0a-5c1d-7000-8000-0000000000c1" } } });
}

export async function joinEvent(): Promise<void> {
  const moothall = createClient({ url: "https://moothall.example.org", apiKey: process.env.MOOTHALL_TOKEN });
  const { data } = await moothall.POST("/events/{event_id}/join", { params: { path: { event_id: "018f3b0a-5c1d-7000-8000-0000000000e1" } }, body: {"participation_visibility": "incognito"} });
  console.log(data);
}

export async function leaveEvent(): Promise<void> {
  const moothall = createClient({ url: "https://moothall.example.org", apiKey: process.env.MOOTHALL_TOKEN });
  const { data } = await moothall.DELETE("/events/{event_id}/join", { params: { path: { event_id: "018f3b0a-5c1d-7000-8000-0000000000e1" } } });
  console.log(data);
}

export async function downloadEventCalendar(): Promise<void> {
  const moothall = createClient({ url: "https://moothall.example.org" });
  const { data } = await moothall.GET("/events/{event_id}/calendar.ics", { params: { path: { event_id: "018f3b0a-5c1d-7000-8000-0000000000e1" } }, parseAs: "stream" });
  for await (const chunk of data!) console.log(chunk);
}

export async function listParticipants(): Promise<void> {
  const moothall = createClient({ url: "https://moothall.example.org", apiKey: process.env.MOOTHALL_TOKEN });
  const { data } = await moothall.GET("/events/{event_id}/participants", { params: { path: { event_id: "018f3b0a-5c1d-7000-8000-0000000000e1" } } });
  console.log(data);
}

export async function downloadParticipants(): Promise<void> {
  const moothall = createClient({ url: "https://moothall.example.org", apiKey: process.env.MOOTHALL_TOKEN });
  const { data } = await moothall.GET("/events/{event_id}/participants.csv", { params: { path: { event_id: "018f3b0a-5c1d-7000-8000-0000000000e1" } }, parseAs: "stream" });
  for await (const chunk of data!) console.log(chunk);
}

export async function approveRequests(): Promise<void> {
  const moothall = createClient({ url: "https://moothall.example.org", apiKey: process.env.MOOTHALL_TOKEN });
  const { data } = await moothall.POST("/events/{event_id}/participants/approve", { params: { path: { event_id: "018f3b0a-5c1d-7000-8000-0000000000e1" } } });
  console.log(data);
}

export async function removeParticipant(): Promise<void> {
  const moothall = createClient({ url: "https://moothall.example.org", apiKey: process.env.MOOTHALL_TOKEN });
  await moothall.DELETE("/events/{event_id}/participants/{participant_id}", { params: { path: { event_id: "018f3b0a-5c1d-7000-8000-0000000000e1", participant_id: "018f3b0a-5c1d-7000-8000-0000000000d1" } } });
}

export async function approveParticipant(): Promise<void> {
  const moothall = createClient({ url: "https://moothall.example.org", apiKey: process.env.MOOTHALL_TOKEN });
  const { data } = await moothall.POST("/events/{event_id}/participants/{participant_id}/approve", { params: { path: { event_id: "018f3b0a-5c1d-7000-8000-0000000000e1", participant_id: "018f3b0a-5c1d-7000-8000-0000000000d1" } } });
  console.log(data);
}

export async function declineParticipant(): Promise<void> {
  const moothall = createClient({ url: "https://moothall.example.org", apiKey: process.env.MOOTHALL_TOKEN });
  const { data } = await moothall.POST("/events/{event_id}/participants/{participant_id}/decline", { params: { path: { event_id: "018f3b0a-5c1d-7000-8000-0000000000e1", participant_id: "018f3b0a-5c1d-7000-8000-0000000000d1" } } });
  console.log(data);
}

export async function listInvitations(): Promise<void> {
  const moothall = createClient({ url: "https://moothall.example.org", apiKey: process.env.MOOTHALL_TOKEN });
  const { data } = await moothall.GET("/events/{event_id}/invitations", { params: { path: { event_id: "018f3b0a-5c1d-7000-8000-0000000000e7" } } });
  console.log(data);
}

export async function inviteToEvent(): Promise<void> {
  const moothall = createClient({ url: "https://moothall.example.org", apiKey: process.env.MOOTHALL_TOKEN });
  const { data } = await moothall.POST("/events/{event_id}/invitations", { params: { path: { event_id: "018f3b0a-5c1d-7000-8000-0000000000e7" } }, body: {"email": "farid@example.org", "message": "Would love to see you there."} });
  console.log(data);
}

export async function listHosts(): Promise<void> {
  const moothall = createClient({ url: "https://moothall.example.org", apiKey: process.env.MOOTHALL_TOKEN });
  const { data } = await moothall.GET("/events/{event_id}/hosts", { params: { path: { event_id: "018f3b0a-5c1d-7000-8000-0000000000e1" } } });
  console.log(data);
}

export async function inviteHost(): Promise<void> {
  const moothall = createClient({ url: "https://moothall.example.org", apiKey: process.env.MOOTHALL_TOKEN });
  const { data } = await moothall.POST("/events/{event_id}/hosts", { params: { path: { event_id: "018f3b0a-5c1d-7000-8000-0000000000e1" } }, body: {"user_id": "018e3b0a-5c1d-7000-8000-0000000000a2"} });
  console.log(data);
}

export async function updateHost(): Promise<void> {
  const moothall = createClient({ url: "https://moothall.example.org", apiKey: process.env.MOOTHALL_TOKEN });
  const { data } = await moothall.PATCH("/events/{event_id}/hosts/{user_id}", { params: { path: { event_id: "018f3b0a-5c1d-7000-8000-0000000000e1", user_id: "018e3b0a-5c1d-7000-8000-0000000000a2" } }, body: {"status": "active"} });
  console.log(data);
}

export async function removeHost(): Promise<void> {
  const moothall = createClient({ url: "https://moothall.example.org", apiKey: process.env.MOOTHALL_TOKEN });
  await moothall.DELETE("/events/{event_id}/hosts/{user_id}", { params: { path: { event_id: "018f3b0a-5c1d-7000-8000-0000000000e1", user_id: "018e3b0a-5c1d-7000-8000-0000000000a2" } } });
}

export async function transferEvent(): Promise<void> {
  const moothall = createClient({ url: "https://moothall.example.org", apiKey: process.env.MOOTHALL_TOKEN });
  const { data } = await moothall.POST("/events/{event_id}/transfer", { params: { path: { event_id: "018f3b0a-5c1d-7000-8000-0000000000e1" } }, body: {"user_id": "018e3b0a-5c1d-7000-8000-0000000000a2"} });
  console.log(data);
}

export async function enterWaitlist(): Promise<void> {
  const moothall = createClient({ url: "https://moothall.example.org", apiKey: process.env.MOOTHALL_TOKEN });
  const { data } = await moothall.POST("/events/{event_id}/waitlist", { params: { path: { event_id: "018f3b0a-5c1d-7000-8000-0000000000e1" } }, body: {"party_size": 2, "participation_visibility": "public"} });
  console.log(data);
}

export async function getWaitlistEntry(): Promise<void> {
  const moothall = createClient({ url: "https://moothall.example.org", apiKey: process.env.MOOTHALL_TOKEN });
  const { data } = await moothall.GET("/events/{event_id}/waitlist", { params: { path: { event_id: "018f3b0a-5c1d-7000-8000-0000000000e1" } } });
  console.log(data);
}

export async function leaveWaitlist(): Promise<void> {
  const moothall = createClient({ url: "https://moothall.example.org", apiKey: process.env.MOOTHALL_TOKEN });
  await moothall.DELETE("/events/{event_id}/waitlist", { params: { path: { event_id: "018f3b0a-5c1d-7000-8000-0000000000e1" } } });
}

export async function listWaitlistEntries(): Promise<void> {
  const moothall = createClient({ url: "https://moothall.example.org", apiKey: process.env.MOOTHALL_TOKEN });
  const { data } = await moothall.GET("/events/{event_id}/waitlist/entries", { params: { path: { event_id: "018f3b0a-5c1d-7000-8000-0000000000e1" } } });
  console.log(data);
}

export async function removeWaitlistEntry(): Promise<void> {
  const moothall = createClient({ url: "https://moothall.example.org", apiKey: process.env.MOOTHALL_TOKEN });
  await moothall.DELETE("/events/{event_id}/waitlist/entries/{entry_id}", { params: { path: { event_id: "018f3b0a-5c1d-7000-8000-0000000000e1", entry_id: "018f3b0a-5c1d-7000-8000-0000000000b1" } } });
}

export async function offerSeats(): Promise<void> {
  const moothall = createClient({ url: "https://moothall.example.org", apiKey: process.env.MOOTHALL_TOKEN });
  const { data } = await moothall.POST("/events/{event_id}/waitlist/entries/{entry_id}/offer", { params: { path: { event_id: "018f3b0a-5c1d-7000-8000-0000000000e1", entry_id: "018f3b0a-5c1d-7000-8000-0000000000b1" } } });
  console.log(data);
}

export async function listQuestions(): Promise<void> {
  const moothall = createClient({ url: "https://moothall.example.org", apiKey: process.env.MOOTHALL_TOKEN });
  const { data } = await moothall.GET("/events/{event_id}/questions", { params: { path: { event_id: "018f3b0a-5c1d-7000-8000-0000000000e1" } } });
  console.log(data);
}

export async function setQuestions(): Promise<void> {
  const moothall = createClient({ url: "https://moothall.example.org", apiKey: process.env.MOOTHALL_TOKEN });
  const { data } = await moothall.PUT("/events/{event_id}/questions", { params: { path: { event_id: "018f3b0a-5c1d-7000-8000-0000000000e1" } }, body: {
    "items": [
      {
        "kind": "choice",
        "label": "What do you eat?",
        "options": [
          "everything",
          "vegetarian"
        ]
      }
    ]
  } });
  console.log(data);
}

export async function listAnswers(): Promise<void> {
  const moothall = createClient({ url: "https://moothall.example.org", apiKey: process.env.MOOTHALL_TOKEN });
  const { data } = await moothall.GET("/events/{event_id}/answers", { params: { path: { event_id: "018f3b0a-5c1d-7000-8000-0000000000e1" } } });
  console.log(data);
}

export async function downloadAnswers(): Promise<void> {
  const moothall = createClient({ url: "https://moothall.example.org", apiKey: process.env.MOOTHALL_TOKEN });
  const { data } = await moothall.GET("/events/{event_id}/answers.csv", { params: { path: { event_id: "018f3b0a-5c1d-7000-8000-0000000000e1" } }, parseAs: "stream" });
  for await (const chunk of data!) console.log(chunk);
}

export async function listEmailInvitations(): Promise<void> {
  const moothall = createClient({ url: "https://moothall.example.org", apiKey: process.env.MOOTHALL_TOKEN });
  const { data } = await moothall.GET("/events/{event_id}/email-invitations", { params: { path: { event_id: "018f3b0a-5c1d-7000-8000-0000000000e1" } } });
  console.log(data);
}

export async function inviteByEmail(): Promise<void> {
  const moothall = createClient({ url: "https://moothall.example.org", apiKey: process.env.MOOTHALL_TOKEN });
  const { data } = await moothall.POST("/events/{event_id}/email-invitations", { params: { path: { event_id: "018f3b0a-5c1d-7000-8000-0000000000e1" } }, body: {"emails": ["anna@example.org"], "message": "Would love to see you there."} });
  console.log(data);
}

export async function readGuestList(): Promise<void> {
  const moothall = createClient({ url: "https://moothall.example.org", apiKey: process.env.MOOTHALL_TOKEN });
  const { data } = await moothall.POST("/events/{event_id}/guest-lists", { params: { path: { event_id: "018f3b0a-5c1d-7000-8000-0000000000e1" } }, body: guests as unknown as string, headers: { "Content-Type": guests.type } });
  console.log(data);
}

export async function withdrawEmailInvitation(): Promise<void> {
  const moothall = createClient({ url: "https://moothall.example.org", apiKey: process.env.MOOTHALL_TOKEN });
  await moothall.DELETE("/events/{event_id}/email-invitations/{invitation_id}", { params: { path: { event_id: "018f3b0a-5c1d-7000-8000-0000000000e1", invitation_id: "018f3b0a-5c1d-7000-8000-000000000171" } } });
}

export async function listInviteLinks(): Promise<void> {
  const moothall = createClient({ url: "https://moothall.example.org", apiKey: process.env.MOOTHALL_TOKEN });
  const { data } = await moothall.GET("/events/{event_id}/invite-links", { params: { path: { event_id: "018f3b0a-5c1d-7000-8000-0000000000e7" } } });
  console.log(data);
}

export async function createInviteLink(): Promise<void> {
  const moothall = createClient({ url: "https://moothall.example.org", apiKey: process.env.MOOTHALL_TOKEN });
  const { data } = await moothall.POST("/events/{event_id}/invite-links", { params: { path: { event_id: "018f3b0a-5c1d-7000-8000-0000000000e7" } }, body: {"max_uses": 20, "expires_at": "2026-12-01T18:00:00Z"} });
  console.log(data);
}

export async function endInviteLink(): Promise<void> {
  const moothall = createClient({ url: "https://moothall.example.org", apiKey: process.env.MOOTHALL_TOKEN });
  await moothall.DELETE("/events/{event_id}/invite-links/{link_id}", { params: { path: { event_id: "018f3b0a-5c1d-7000-8000-0000000000e7", link_id: "018f3b0a-5c1d-7000-8000-000000000181" } } });
}

export async function getInviteLink(): Promise<void> {
  const moothall = createClient({ url: "https://moothall.example.org" });
  const { data } = await moothall.GET("/invite-links/{token}", { params: { path: { token: "AY87ClwdcACAAAAAAAABgXPyTi2iMKZ9qYsXtP0m4cA" } } });
  console.log(data);
}

export async function acceptInviteLink(): Promise<void> {
  const moothall = createClient({ url: "https://moothall.example.org", apiKey: process.env.MOOTHALL_TOKEN });
  const { data } = await moothall.POST("/invite-links/{token}/accept", { params: { path: { token: "AY87ClwdcACAAAAAAAABgXPyTi2iMKZ9qYsXtP0m4cA" } }, body: {"status": "accepted"} });
  console.log(data);
}

export async function answerInvitation(): Promise<void> {
  const moothall = createClient({ url: "https://moothall.example.org", apiKey: process.env.MOOTHALL_TOKEN });
  const { data } = await moothall.PATCH("/events/{event_id}/rsvp", { params: { path: { event_id: "018f3b0a-5c1d-7000-8000-0000000000e9" } }, body: {"status": "accepted"} });
  console.log(data);
}

export async function listPostThreads(): Promise<void> {
  const moothall = createClient({ url: "https://moothall.example.org" });
  const { data } = await moothall.GET("/events/posts", { params: { query: { event_id: ["018f3b0a-5c1d-7000-8000-0000000000e1"] } } });
  console.log(data);
}

export async function listEventPosts(): Promise<void> {
  const moothall = createClient({ url: "https://moothall.example.org" });
  const { data } = await moothall.GET("/events/{event_id}/posts", { params: { path: { event_id: "018f3b0a-5c1d-7000-8000-0000000000e1" } } });
  console.log(data);
}

export async function createEventPost(): Promise<void> {
  const moothall = createClient({ url: "https://moothall.example.org", apiKey: process.env.MOOTHALL_TOKEN });
  const { data } = await moothall.POST("/events/{event_id}/posts", { params: { path: { event_id: "018f3b0a-5c1d-7000-8000-0000000000e1" } }, body: {"body": "The back room is ours.", "kind": "announcement"} });
  console.log(data);
}

export async function deleteEventPost(): Promise<void> {
  const moothall = createClient({ url: "https://moothall.example.org", apiKey: process.env.MOOTHALL_TOKEN });
  await moothall.DELETE("/events/{event_id}/posts/{post_id}", { params: { path: { event_id: "018f3b0a-5c1d-7000-8000-0000000000e1", post_id: "018f3b0a-5c1d-7000-8000-0000000000f1" } } });
}

export async function listPostComments(): Promise<void> {
  const moothall = createClient({ url: "https://moothall.example.org" });
  const { data } = await moothall.GET("/events/{event_id}/posts/{post_id}/comments", { params: { path: { event_id: "018f3b0a-5c1d-7000-8000-0000000000e1", post_id: "018f3b0a-5c1d-7000-8000-0000000000f1" } } });
  console.log(data);
}

export async function createPostComment(): Promise<void> {
  const moothall = createClient({ url: "https://moothall.example.org", apiKey: process.env.MOOTHALL_TOKEN });
  const { data } = await moothall.POST("/events/{event_id}/posts/{post_id}/comments", { params: { path: { event_id: "018f3b0a-5c1d-7000-8000-0000000000e1", post_id: "018f3b0a-5c1d-7000-8000-0000000000f1" } }, body: {"body": "Great, see you there!", "parent_comment_id": null} });
  console.log(data);
}

export async function updatePostComment(): Promise<void> {
  const moothall = createClient({ url: "https://moothall.example.org", apiKey: process.env.MOOTHALL_TOKEN });
  const { data } = await moothall.PATCH("/events/{event_id}/posts/{post_id}/comments/{comment_id}", { params: { path: { event_id: "018f3b0a-5c1d-7000-8000-0000000000e1", post_id: "018f3b0a-5c1d-7000-8000-0000000000f1", comment_id: "018f3b0a-5c1d-7000-8000-0000000000f3" } }, body: {"body": "Great, see you all there!"} });
  console.log(data);
}

export async function deletePostComment(): Promise<void> {
  const moothall = createClient({ url: "https://moothall.example.org", apiKey: process.env.MOOTHALL_TOKEN });
  await moothall.DELETE("/events/{event_id}/posts/{post_id}/comments/{comment_id}", { params: { path: { event_id: "018f3b0a-5c1d-7000-8000-0000000000e1", post_id: "018f3b0a-5c1d-7000-8000-0000000000f1", comment_id: "018f3b0a-5c1d-7000-8000-0000000000f3" } } });
}

export async function likePost(): Promise<void> {
  const moothall = createClient({ url: "https://moothall.example.org", apiKey: process.env.MOOTHALL_TOKEN });
  const { data } = await moothall.POST("/events/{event_id}/posts/{post_id}/like", { params: { path: { event_id: "018f3b0a-5c1d-7000-8000-0000000000e1", post_id: "018f3b0a-5c1d-7000-8000-0000000000f1" } } });
  console.log(data);
}

export async function unlikePost(): Promise<void> {
  const moothall = createClient({ url: "https://moothall.example.org", apiKey: process.env.MOOTHALL_TOKEN });
  const { data } = await moothall.DELETE("/events/{event_id}/posts/{post_id}/like", { params: { path: { event_id: "018f3b0a-5c1d-7000-8000-0000000000e1", post_id: "018f3b0a-5c1d-7000-8000-0000000000f1" } } });
  console.log(data);
}

export async function repostPost(): Promise<void> {
  const moothall = createClient({ url: "https://moothall.example.org", apiKey: process.env.MOOTHALL_TOKEN });
  const { data } = await moothall.POST("/events/{event_id}/posts/{post_id}/repost", { params: { path: { event_id: "018f3b0a-5c1d-7000-8000-0000000000e1", post_id: "018f3b0a-5c1d-7000-8000-0000000000f1" } } });
  console.log(data);
}

export async function unrepostPost(): Promise<void> {
  const moothall = createClient({ url: "https://moothall.example.org", apiKey: process.env.MOOTHALL_TOKEN });
  const { data } = await moothall.DELETE("/events/{event_id}/posts/{post_id}/repost", { params: { path: { event_id: "018f3b0a-5c1d-7000-8000-0000000000e1", post_id: "018f3b0a-5c1d-7000-8000-0000000000f1" } } });
  console.log(data);
}

export async function listGuestAudiences(): Promise<void> {
  const moothall = createClient({ url: "https://moothall.example.org", apiKey: process.env.MOOTHALL_TOKEN });
  const { data } = await moothall.GET("/events/{event_id}/guest-audiences", { params: { path: { event_id: "018f3b0a-5c1d-7000-8000-0000000000e1" } } });
  console.log(data);
}

export async function listGuestMessages(): Promise<void> {
  const moothall = createClient({ url: "https://moothall.example.org", apiKey: process.env.MOOTHALL_TOKEN });
  const { data } = await moothall.GET("/events/{event_id}/guest-messages", { params: { path: { event_id: "018f3b0a-5c1d-7000-8000-0000000000e1" } } });
  console.log(data);
}

export async function sendGuestMessage(): Promise<void> {
  const moothall = createClient({ url: "https://moothall.example.org", apiKey: process.env.MOOTHALL_TOKEN });
  const { data } = await moothall.POST("/events/{event_id}/guest-messages", { params: { path: { event_id: "018f3b0a-5c1d-7000-8000-0000000000e1" } }, body: {"audience": "going", "body": "Please bring a warm jacket."} });
  console.log(data);
}

export async function deleteGuestMessage(): Promise<void> {
  const moothall = createClient({ url: "https://moothall.example.org", apiKey: process.env.MOOTHALL_TOKEN });
  await moothall.DELETE("/events/{event_id}/guest-messages/{message_id}", { params: { path: { event_id: "018f3b0a-5c1d-7000-8000-0000000000e1", message_id: "018f3b0a-5c1d-7000-8000-0000000000b7" } } });
}

export async function listPasskeys(): Promise<void> {
  const moothall = createClient({ url: "https://moothall.example.org", apiKey: process.env.MOOTHALL_TOKEN });
  const { data } = await moothall.GET("/me/passkeys");
  console.log(data);
}

export async function createPasskey(): Promise<void> {
  const moothall = createClient({ url: "https://moothall.example.org", apiKey: process.env.MOOTHALL_TOKEN });
  const { data } = await moothall.POST("/me/passkeys", { body: {
    "name": "My laptop",
    "credential": {
      "id": "AQIDBA",
      "rawId": "AQIDBA",
      "type": "public-key",
      "response": {
        "clientDataJSON": "e30",
        "attestationObject": "oA"
      }
    }
  } });
  console.log(data);
}

export async function startPasskeyRegistration(): Promise<void> {
  const moothall = createClient({ url: "https://moothall.example.org", apiKey: process.env.MOOTHALL_TOKEN });
  const { data } = await moothall.POST("/me/passkeys/options");
  console.log(data);
}

export async function updatePasskey(): Promise<void> {
  const moothall = createClient({ url: "https://moothall.example.org", apiKey: process.env.MOOTHALL_TOKEN });
  const { data } = await moothall.PATCH("/me/passkeys/{passkey_id}", { params: { path: { passkey_id: "018f3b0a-5c1d-7000-8000-0000000000f1" } }, body: {"name": "My laptop"} });
  console.log(data);
}

export async function deletePasskey(): Promise<void> {
  const moothall = createClient({ url: "https://moothall.example.org", apiKey: process.env.MOOTHALL_TOKEN });
  await moothall.DELETE("/me/passkeys/{passkey_id}", { params: { path: { passkey_id: "018f3b0a-5c1d-7000-8000-0000000000f1" } } });
}

export async function listApiKeys(): Promise<void> {
  const moothall = createClient({ url: "https://moothall.example.org", apiKey: process.env.MOOTHALL_TOKEN });
  const { data } = await moothall.GET("/me/api-keys");
  console.log(data);
}

export async function createApiKey(): Promise<void> {
  const moothall = createClient({ url: "https://moothall.example.org", apiKey: process.env.MOOTHALL_TOKEN });
  const { data } = await moothall.POST("/me/api-keys", { body: {
    "name": "Ticket printer",
    "scopes": [
      "events:read",
      "attendance:read"
    ],
    "expires_at": "2027-01-01T00:00:00Z"
  } });
  console.log(data);
}

export async function deleteApiKey(): Promise<void> {
  const moothall = createClient({ url: "https://moothall.example.org", apiKey: process.env.MOOTHALL_TOKEN });
  await moothall.DELETE("/me/api-keys/{api_key_id}", { params: { path: { api_key_id: "018f3b0a-5c1d-7000-8000-0000000000f2" } } });
}

export async function listPushSubscriptions(): Promise<void> {
  const moothall = createClient({ url: "https://moothall.example.org", apiKey: process.env.MOOTHALL_TOKEN });
  const { data } = await moothall.GET("/me/push-subscriptions");
  console.log(data);
}

export async function createPushSubscription(): Promise<void> {
  const moothall = createClient({ url: "https://moothall.example.org", apiKey: process.env.MOOTHALL_TOKEN });
  const { data } = await moothall.POST("/me/push-subscriptions", { body: {
    "endpoint": "https://push.example.com/subscription/4d2f",
    "keys": {
      "p256dh": "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4",
      "auth": "BTBZMqHH6r4Tts7J_aSIgg"
    }
  } });
  console.log(data);
}

export async function deletePushSubscription(): Promise<void> {
  const moothall = createClient({ url: "https://moothall.example.org", apiKey: process.env.MOOTHALL_TOKEN });
  await moothall.DELETE("/me/push-subscriptions/{subscription_id}", { params: { path: { subscription_id: "018f3b0a-5c1d-7000-8000-0000000000f4" } } });
}

export async function importFile(): Promise<void> {
  const moothall = createClient({ url: "https://moothall.example.org", apiKey: process.env.MOOTHALL_TOKEN });
  const { data } = await moothall.POST("/me/imports", { body: calendar as unknown as string, headers: { "Content-Type": calendar.type } });
  console.log(data);
}

export async function importAddress(): Promise<void> {
  const moothall = createClient({ url: "https://moothall.example.org", apiKey: process.env.MOOTHALL_TOKEN });
  const { data } = await moothall.POST("/me/imports/fetch", { body: {"url": "https://calendar.example.org/events.ics", "timezone": "Europe/Berlin"} });
  console.log(data);
}

export async function getImport(): Promise<void> {
  const moothall = createClient({ url: "https://moothall.example.org", apiKey: process.env.MOOTHALL_TOKEN });
  const { data } = await moothall.GET("/me/imports/{import_id}", { params: { path: { import_id: "018f3b0a-5c1d-7000-8000-0000000001a1" } } });
  console.log(data);
}

export async function applyImport(): Promise<void> {
  const moothall = createClient({ url: "https://moothall.example.org", apiKey: process.env.MOOTHALL_TOKEN });
  const { data } = await moothall.POST("/me/imports/{import_id}/apply", { params: { path: { import_id: "018f3b0a-5c1d-7000-8000-0000000001a1" } }, body: {"uids": ["1@example.org"]} });
  console.log(data);
}

export async function listWebhooks(): Promise<void> {
  const moothall = createClient({ url: "https://moothall.example.org", apiKey: process.env.MOOTHALL_TOKEN });
  const { data } = await moothall.GET("/me/webhooks");
  console.log(data);
}

export async function createWebhook(): Promise<void> {
  const moothall = createClient({ url: "https://moothall.example.org", apiKey: process.env.MOOTHALL_TOKEN });
  const { data } = await moothall.POST("/me/webhooks", { body: {"url": "https://hooks.example.org/m", "kinds": ["attendance.joined"]} });
  console.log(data);
}

export async function getWebhook(): Promise<void> {
  const moothall = createClient({ url: "https://moothall.example.org", apiKey: process.env.MOOTHALL_TOKEN });
  const { data } = await moothall.GET("/me/webhooks/{webhook_id}", { params: { path: { webhook_id: "018f3b0a-5c1d-7000-8000-0000000000f3" } } });
  console.log(data);
}

export async function updateWebhook(): Promise<void> {
  const moothall = createClient({ url: "https://moothall.example.org", apiKey: process.env.MOOTHALL_TOKEN });
  const { data } = await moothall.PATCH("/me/webhooks/{webhook_id}", { params: { path: { webhook_id: "018f3b0a-5c1d-7000-8000-0000000000f3" } }, body: {"status": "active"} });
  console.log(data);
}

export async function deleteWebhook(): Promise<void> {
  const moothall = createClient({ url: "https://moothall.example.org", apiKey: process.env.MOOTHALL_TOKEN });
  await moothall.DELETE("/me/webhooks/{webhook_id}", { params: { path: { webhook_id: "018f3b0a-5c1d-7000-8000-0000000000f3" } } });
}

export async function rotateWebhookSecret(): Promise<void> {
  const moothall = createClient({ url: "https://moothall.example.org", apiKey: process.env.MOOTHALL_TOKEN });
  const { data } = await moothall.POST("/me/webhooks/{webhook_id}/rotate-secret", { params: { path: { webhook_id: "018f3b0a-5c1d-7000-8000-0000000000f3" } } });
  console.log(data);
}

export async function testWebhook(): Promise<void> {
  const moothall = createClient({ url: "https://moothall.example.org", apiKey: process.env.MOOTHALL_TOKEN });
  const { data } = await moothall.POST("/me/webhooks/{webhook_id}/test", { params: { path: { webhook_id: "018f3b0a-5c1d-7000-8000-0000000000f3" } } });
  console.log(data);
}

export async function listWebhookDeliveries(): Promise<void> {
  const moothall = createClient({ url: "https://moothall.example.org", apiKey: process.env.MOOTHALL_TOKEN });
  const { data } = await moothall.GET("/me/webhooks/{webhook_id}/deliveries", { params: { path: { webhook_id: "018f3b0a-5c1d-7000-8000-0000000000f3" } } });
  console.log(data);
}

export async function replayWebhook(): Promise<void> {
  const moothall = createClient({ url: "https://moothall.example.org", apiKey: process.env.MOOTHALL_TOKEN });
  const { data } = await moothall.POST("/me/webhooks/{webhook_id}/replay", { params: { path: { webhook_id: "018f3b0a-5c1d-7000-8000-0000000000f3" } }, body: {"from": "2026-11-20T10:00:00Z", "to": "2026-11-20T11:00:00Z"} });
  console.log(data);
}

export async function listMyEvents(): Promise<void> {
  const moothall = createClient({ url: "https://moothall.example.org", apiKey: process.env.MOOTHALL_TOKEN });
  const { data } = await moothall.GET("/me/events");
  console.log(data);
}

export async function listMyEventSeries(): Promise<void> {
  const moothall = createClient({ url: "https://moothall.example.org", apiKey: process.env.MOOTHALL_TOKEN });
  const { data } = await moothall.GET("/me/event-series");
  console.log(data);
}

export async function listMyReposts(): Promise<void> {
  const moothall = createClient({ url: "https://moothall.example.org", apiKey: process.env.MOOTHALL_TOKEN });
  const { data } = await moothall.GET("/me/reposts");
  console.log(data);
}

export async function listEventReviews(): Promise<void> {
  const moothall = createClient({ url: "https://moothall.example.org", apiKey: process.env.MOOTHALL_TOKEN });
  const { data } = await moothall.GET("/events/{event_id}/reviews", { params: { path: { event_id: "018f3b0a-5c1d-7000-8000-0000000000ea" } } });
  console.log(data);
}

export async function reviewEvent(): Promise<void> {
  const moothall = createClient({ url: "https://moothall.example.org", apiKey: process.env.MOOTHALL_TOKEN });
  const { data } = await moothall.POST("/events/{event_id}/reviews", { params: { path: { event_id: "018f3b0a-5c1d-7000-8000-0000000000ea" } }, body: {"rating": 5, "body": "A wonderful evening."} });
  console.log(data);
}

export async function createReport(): Promise<void> {
  const moothall = createClient({ url: "https://moothall.example.org", apiKey: process.env.MOOTHALL_TOKEN });
  const { data } = await moothall.POST("/reports", { body: {
    "target_type": "event",
    "target_id": "018f3b0a-5c1d-7000-8000-0000000000e1",
    "reason": "spam",
    "comment": null
  } });
  console.log(data);
}

export async function listReports(): Promise<void> {
  const moothall = createClient({ url: "https://moothall.example.org", apiKey: process.env.MOOTHALL_TOKEN });
  const { data } = await moothall.GET("/admin/reports");
  console.log(data);
}

export async function countOpenReports(): Promise<void> {
  const moothall = createClient({ url: "https://moothall.example.org", apiKey: process.env.MOOTHALL_TOKEN });
  const { data } = await moothall.GET("/admin/reports/open-count");
  console.log(data);
}

export async function updateReport(): Promise<void> {
  const moothall = createClient({ url: "https://moothall.example.org", apiKey: process.env.MOOTHALL_TOKEN });
  const { data } = await moothall.PATCH("/admin/reports/{report_id}", { params: { path: { report_id: "018f3b0a-5c1d-7000-8000-0000000000c1" } }, body: {
    "status": "resolved",
    "action": "cancel_event",
    "note": "Advertising for another site."
  } });
  console.log(data);
}

export async function setEventDateMode(): Promise<void> {
  const moothall = createClient({ url: "https://moothall.example.org", apiKey: process.env.MOOTHALL_TOKEN });
  await moothall.PATCH("/events/{event_id}/date-mode", { params: { path: { event_id: "018f3b0a-5c1d-7000-8000-0000000000e8" } }, body: {"mode": "vote"} });
}

export async function listDateOptions(): Promise<void> {
  const moothall = createClient({ url: "https://moothall.example.org", apiKey: process.env.MOOTHALL_TOKEN });
  const { data } = await moothall.GET("/events/{event_id}/date-options", { params: { path: { event_id: "018f3b0a-5c1d-7000-8000-0000000000e8" } } });
  console.log(data);
}

export async function createDateOption(): Promise<void> {
  const moothall = createClient({ url: "https://moothall.example.org", apiKey: process.env.MOOTHALL_TOKEN });
  const { data } = await moothall.POST("/events/{event_id}/date-options", { params: { path: { event_id: "018f3b0a-5c1d-7000-8000-0000000000e8" } }, body: {"starts_at": "2026-12-12T16:00:00Z", "ends_at": "2026-12-12T19:00:00Z"} });
  console.log(data);
}

export async function voteForDateOption(): Promise<void> {
  const moothall = createClient({ url: "https://moothall.example.org", apiKey: process.env.MOOTHALL_TOKEN });
  const { data } = await moothall.POST("/events/{event_id}/date-options/{option_id}/votes", { params: { path: { event_id: "018f3b0a-5c1d-7000-8000-0000000000e8", option_id: "018f3b0a-5c1d-7000-8000-000000000101" } } });
  console.log(data);
}

export async function withdrawDateVote(): Promise<void> {
  const moothall = createClient({ url: "https://moothall.example.org", apiKey: process.env.MOOTHALL_TOKEN });
  await moothall.DELETE("/events/{event_id}/date-options/{option_id}/votes", { params: { path: { event_id: "018f3b0a-5c1d-7000-8000-0000000000e8", option_id: "018f3b0a-5c1d-7000-8000-000000000101" } } });
}

export async function selectDateOption(): Promise<void> {
  const moothall = createClient({ url: "https://moothall.example.org", apiKey: process.env.MOOTHALL_TOKEN });
  const { data } = await moothall.POST("/events/{event_id}/date-options/{option_id}/select", { params: { path: { event_id: "018f3b0a-5c1d-7000-8000-0000000000e8", option_id: "018f3b0a-5c1d-7000-8000-000000000101" } } });
  console.log(data);
}

export async function listChatMessages(): Promise<void> {
  const moothall = createClient({ url: "https://moothall.example.org", apiKey: process.env.MOOTHALL_TOKEN });
  const { data } = await moothall.GET("/events/{event_id}/messages", { params: { path: { event_id: "018f3b0a-5c1d-7000-8000-0000000000e1" } } });
  console.log(data);
}

export async function sendChatMessage(): Promise<void> {
  const moothall = createClient({ url: "https://moothall.example.org", apiKey: process.env.MOOTHALL_TOKEN });
  const { data } = await moothall.POST("/events/{event_id}/messages", { params: { path: { event_id: "018f3b0a-5c1d-7000-8000-0000000000e1" } }, body: {
    "body": "I am five minutes late.",
    "client_message_id": "9b2f6c1e-2f0e-4c53-9a3e-0f8c2d1b7a55"
  } });
  console.log(data);
}

export async function markChatRead(): Promise<void> {
  const moothall = createClient({ url: "https://moothall.example.org", apiKey: process.env.MOOTHALL_TOKEN });
  const { data } = await moothall.POST("/events/{event_id}/messages/read", { params: { path: { event_id: "018f3b0a-5c1d-7000-8000-0000000000e1" } }, body: {"position": "1795290000123456"} });
  console.log(data);
}

export async function listMyChats(): Promise<void> {
  const moothall = createClient({ url: "https://moothall.example.org", apiKey: process.env.MOOTHALL_TOKEN });
  const { data } = await moothall.GET("/me/chats");
  console.log(data);
}

export async function muteEvent(): Promise<void> {
  const moothall = createClient({ url: "https://moothall.example.org", apiKey: process.env.MOOTHALL_TOKEN });
  const { data } = await moothall.PUT("/events/{event_id}/mute", { params: { path: { event_id: "018f3b0a-5c1d-7000-8000-0000000000e1" } } });
  console.log(data);
}

export async function unmuteEvent(): Promise<void> {
  const moothall = createClient({ url: "https://moothall.example.org", apiKey: process.env.MOOTHALL_TOKEN });
  const { data } = await moothall.DELETE("/events/{event_id}/mute", { params: { path: { event_id: "018f3b0a-5c1d-7000-8000-0000000000e1" } } });
  console.log(data);
}

export async function authorizeChatSocket(): Promise<void> {
  const moothall = createClient({ url: "https://moothall.example.org", apiKey: process.env.MOOTHALL_TOKEN });
  const { data } = await moothall.GET("/events/{event_id}/ws", { params: { path: { event_id: "018f3b0a-5c1d-7000-8000-0000000000e1" } } });
  console.log(data);
}

export async function openRealtimeStream(): Promise<void> {
  const moothall = createClient({ url: "https://moothall.example.org", apiKey: process.env.MOOTHALL_TOKEN });
  const { data } = await moothall.GET("/realtime/stream", { params: { query: { topic: ["me"] } }, parseAs: "stream" });
  for await (const chunk of data!) console.log(chunk);
}

export async function createRealtimeTicket(): Promise<void> {
  const moothall = createClient({ url: "https://moothall.example.org", apiKey: process.env.MOOTHALL_TOKEN });
  const { data } = await moothall.POST("/realtime/tickets");
  console.log(data);
}

export async function getReminderSettings(): Promise<void> {
  const moothall = createClient({ url: "https://moothall.example.org", apiKey: process.env.MOOTHALL_TOKEN });
  const { data } = await moothall.GET("/events/{event_id}/reminders", { params: { path: { event_id: "018f3b0a-5c1d-7000-8000-0000000000e1" } } });
  console.log(data);
}

export async function setReminderSettings(): Promise<void> {
  const moothall = createClient({ url: "https://moothall.example.org", apiKey: process.env.MOOTHALL_TOKEN });
  const { data } = await moothall.PATCH("/events/{event_id}/reminders", { params: { path: { event_id: "018f3b0a-5c1d-7000-8000-0000000000e1" } }, body: {
    "enabled": true,
    "offsets_minutes": [
      1440,
      60
    ],
    "channels": [
      "in_app",
      "email"
    ]
  } });
  console.log(data);
}

export async function getFeed(): Promise<void> {
  const moothall = createClient({ url: "https://moothall.example.org" });
  const { data } = await moothall.GET("/feed");
  console.log(data);
}

export async function getFeedPreferences(): Promise<void> {
  const moothall = createClient({ url: "https://moothall.example.org", apiKey: process.env.MOOTHALL_TOKEN });
  const { data } = await moothall.GET("/feed/preferences");
  console.log(data);
}

export async function setFeedPreferences(): Promise<void> {
  const moothall = createClient({ url: "https://moothall.example.org", apiKey: process.env.MOOTHALL_TOKEN });
  const { data } = await moothall.POST("/feed/preferences", { body: {"categories": ["games", "hiking"], "price": "free"} });
  console.log(data);
}

export async function listCalendarEntries(): Promise<void> {
  const moothall = createClient({ url: "https://moothall.example.org", apiKey: process.env.MOOTHALL_TOKEN });
  const { data } = await moothall.GET("/calendar/entries");
  console.log(data);
}

export async function createCalendarEntry(): Promise<void> {
  const moothall = createClient({ url: "https://moothall.example.org", apiKey: process.env.MOOTHALL_TOKEN });
  const { data } = await moothall.POST("/calendar/entries", { body: {
    "title": "Dinner",
    "starts_at": "2026-12-06T18:00:00Z",
    "timezone": "Europe/Berlin"
  } });
  console.log(data);
}

export async function updateCalendarEntry(): Promise<void> {
  const moothall = createClient({ url: "https://moothall.example.org", apiKey: process.env.MOOTHALL_TOKEN });
  const { data } = await moothall.PATCH("/calendar/entries/{entry_id}", { params: { path: { entry_id: "018f3b0a-5c1d-7000-8000-0000000000e2" } }, body: {"notes": "Bring the dice."} });
  console.log(data);
}

export async function cancelCalendarEntry(): Promise<void> {
  const moothall = createClient({ url: "https://moothall.example.org", apiKey: process.env.MOOTHALL_TOKEN });
  const { data } = await moothall.DELETE("/calendar/entries/{entry_id}", { params: { path: { entry_id: "018f3b0a-5c1d-7000-8000-0000000000e2" } } });
  console.log(data);
}

export async function getCalendarFeed(): Promise<void> {
  const moothall = createClient({ url: "https://moothall.example.org", apiKey: process.env.MOOTHALL_TOKEN });
  const { data } = await moothall.GET("/calendar/feed");
  console.log(data);
}

export async function openCalendarFeed(): Promise<void> {
  const moothall = createClient({ url: "https://moothall.example.org", apiKey: process.env.MOOTHALL_TOKEN });
  const { data } = await moothall.POST("/calendar/feed");
  console.log(data);
}

export async function closeCalendarFeed(): Promise<void> {
  const moothall = createClient({ url: "https://moothall.example.org", apiKey: process.env.MOOTHALL_TOKEN });
  await moothall.DELETE("/calendar/feed");
}

export async function readCalendarFeed(): Promise<void> {
  const moothall = createClient({ url: "https://moothall.example.org" });
  const { data } = await moothall.GET("/calendar/feeds/{feed}", { params: { path: { feed: "C1KkUHZp4oHLwQ5oM9k1y7TNcVtKp0nQk1mYbO3yJ0s.ics" } }, parseAs: "stream" });
  for await (const chunk of data!) console.log(chunk);
}

export async function listCalendarInvites(): Promise<void> {
  const moothall = createClient({ url: "https://moothall.example.org", apiKey: process.env.MOOTHALL_TOKEN });
  const { data } = await moothall.GET("/calendar/invites");
  console.log(data);
}

export async function getCalendarInvite(): Promise<void> {
  const moothall = createClient({ url: "https://moothall.example.org", apiKey: process.env.MOOTHALL_TOKEN });
  const { data } = await moothall.GET("/calendar/invites/{invite_id}", { params: { path: { invite_id: "018f3b0a-5c1d-7000-8000-000000000121" } } });
  console.log(data);
}

export async function answerCalendarInvite(): Promise<void> {
  const moothall = createClient({ url: "https://moothall.example.org", apiKey: process.env.MOOTHALL_TOKEN });
  const { data } = await moothall.PATCH("/calendar/invites/{invite_id}", { params: { path: { invite_id: "018f3b0a-5c1d-7000-8000-000000000121" } }, body: {"status": "tentative"} });
  console.log(data);
}

export async function listNotifications(): Promise<void> {
  const moothall = createClient({ url: "https://moothall.example.org", apiKey: process.env.MOOTHALL_TOKEN });
  const { data } = await moothall.GET("/notifications");
  console.log(data);
}

export async function countUnreadNotifications(): Promise<void> {
  const moothall = createClient({ url: "https://moothall.example.org", apiKey: process.env.MOOTHALL_TOKEN });
  const { data } = await moothall.GET("/notifications/unread-count");
  console.log(data);
}

export async function readAllNotifications(): Promise<void> {
  const moothall = createClient({ url: "https://moothall.example.org", apiKey: process.env.MOOTHALL_TOKEN });
  const { data } = await moothall.POST("/notifications/read-all");
  console.log(data);
}

export async function readNotification(): Promise<void> {
  const moothall = createClient({ url: "https://moothall.example.org", apiKey: process.env.MOOTHALL_TOKEN });
  const { data } = await moothall.POST("/notifications/{notification_id}/read", { params: { path: { notification_id: "018f3b0a-5c1d-7000-8000-000000000131" } } });
  console.log(data);
}

export async function getPushKey(): Promise<void> {
  const moothall = createClient({ url: "https://moothall.example.org", apiKey: process.env.MOOTHALL_TOKEN });
  const { data } = await moothall.GET("/push/key");
  console.log(data);
}

export async function getNotificationPreferences(): Promise<void> {
  const moothall = createClient({ url: "https://moothall.example.org", apiKey: process.env.MOOTHALL_TOKEN });
  const { data } = await moothall.GET("/me/notification-preferences");
  console.log(data);
}

export async function updateNotificationPreferences(): Promise<void> {
  const moothall = createClient({ url: "https://moothall.example.org", apiKey: process.env.MOOTHALL_TOKEN });
  const { data } = await moothall.PATCH("/me/notification-preferences", { body: {
    "rules": [
      {
        "kind": "event_joined",
        "channel": "email",
        "mode": "off"
      }
    ],
    "quiet_hours": {
      "from": "22:00",
      "to": "08:00"
    },
    "timezone": "Europe/Berlin",
    "digest": {
      "hour": 8,
      "weekdays": [
        1,
        5
      ]
    },
    "language": "de"
  } });
  console.log(data);
}

export async function getPaymentProfile(): Promise<void> {
  const moothall = createClient({ url: "https://moothall.example.org", apiKey: process.env.MOOTHALL_TOKEN });
  const { data } = await moothall.GET("/me/payment-profile");
  console.log(data);
}

export async function updatePaymentProfile(): Promise<void> {
  const moothall = createClient({ url: "https://moothall.example.org", apiKey: process.env.MOOTHALL_TOKEN });
  const { data } = await moothall.PATCH("/me/payment-profile", { body: {"status": "verified"} });
  console.log(data);
}

export async function createPaymentIntent(): Promise<void> {
  const moothall = createClient({ url: "https://moothall.example.org", apiKey: process.env.MOOTHALL_TOKEN });
  const { data } = await moothall.POST("/events/{event_id}/payment-intents", { params: { path: { event_id: "018f3b0a-5c1d-7000-8000-0000000000e1" } } });
  console.log(data);
}

export async function getPaymentIntent(): Promise<void> {
  const moothall = createClient({ url: "https://moothall.example.org", apiKey: process.env.MOOTHALL_TOKEN });
  const { data } = await moothall.GET("/payments/intents/{payment_intent_id}", { params: { path: { payment_intent_id: "018f3b0a-5c1d-7000-8000-000000000141" } } });
  console.log(data);
}

export async function receivePaymentWebhook(): Promise<void> {
  const moothall = createClient({ url: "https://moothall.example.org" });
  const { data } = await moothall.POST("/payments/webhooks/{provider}", { params: { path: { provider: "development" } }, body: {
    "id": "evt_1",
    "type": "payment.succeeded",
    "provider_payment_id": "dev_0f1e2d3c4b5a69788796a5b4"
  } });
  console.log(data);
}

export async function receiveMailEvents(): Promise<void> {
  const moothall = createClient({ url: "https://moothall.example.org" });
  const { data } = await moothall.POST("/mail/events/{provider}", { params: { path: { provider: "mailgun" } }, body: {
    "signature": {
      "timestamp": "1795168800",
      "token": "e0b5477167110d68991efc6b9f89f0a11066af27834600e123",
      "signature": "12d99f5a15355c180971bed7494d578b093c958f57766f3fe750761baed12345"
    },
    "event-data": {
      "event": "failed",
      "severity": "permanent",
      "recipient": "anna@example.org",
      "delivery-status": {
        "enhanced-code": "5.1.1",
        "message": "No such user"
      },
      "message": {
        "headers": {
          "message-id": "0f1e2d3c4b5a69788796a5b4c3d2e1f0@example.org"
        }
      }
    }
  } });
  console.log(data);
}

export async function proxyImage(): Promise<void> {
  const moothall = createClient({ url: "https://moothall.example.org" });
  const { data } = await moothall.GET("/images/proxy", { params: { query: { url: "https://images.example.com/cover.jpg" } }, parseAs: "stream" });
  for await (const chunk of data!) console.log(chunk);
}

export async function setEventCover(): Promise<void> {
  const moothall = createClient({ url: "https://moothall.example.org", apiKey: process.env.MOOTHALL_TOKEN });
  const { data } = await moothall.PUT("/events/{event_id}/cover", { params: { path: { event_id: "018f3b0a-5c1d-7000-8000-0000000000e1" } }, body: picture as unknown as string, headers: { "Content-Type": picture.type } });
  console.log(data);
}

export async function deleteEventCover(): Promise<void> {
  const moothall = createClient({ url: "https://moothall.example.org", apiKey: process.env.MOOTHALL_TOKEN });
  await moothall.DELETE("/events/{event_id}/cover", { params: { path: { event_id: "018f3b0a-5c1d-7000-8000-0000000000e1" } } });
}

export async function setAvatar(): Promise<void> {
  const moothall = createClient({ url: "https://moothall.example.org", apiKey: process.env.MOOTHALL_TOKEN });
  const { data } = await moothall.PUT("/me/avatar", { body: picture as unknown as string, headers: { "Content-Type": picture.type } });
  console.log(data);
}

export async function deleteAvatar(): Promise<void> {
  const moothall = createClient({ url: "https://moothall.example.org", apiKey: process.env.MOOTHALL_TOKEN });
  await moothall.DELETE("/me/avatar");
}
