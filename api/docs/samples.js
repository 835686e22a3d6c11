// Generated from api/openapi.yaml by sdk/generate. Do not edit.
const samples = {
 "acceptInviteLink": {
  "curl": "curl -X POST 'https://moothall.example.org/invite-links/AY87ClwdcACAAAAAAAABgXPyTi2iMKZ9qYsXtP0m4cA/accept' \\\n  -H \"Authorization: Bearer $MOOTHALL_TOKEN\" \\\n  -H 'Content-Type: application/json' \\\n  -d '{\"status\": \"accepted\"}'\n",
  "Go": "client := moothall.New(moothall.Options{URL: \"https://moothall.example.org\", APIKey: os.Getenv(\"MOOTHALL_TOKEN\")})\nresult, err := client.AcceptInviteLink(ctx, \"AY87ClwdcACAAAAAAAABgXPyTi2iMKZ9qYsXtP0m4cA\", moothall.AcceptInviteLinkRequest{Status: new(\"accepted\")})\nif err != nil {\n\tlog.Fatal(err)\n}\nfmt.Printf(\"%+v\\n\", result)\n",
  "TypeScript": "const moothall = createClient({ url: \"https://moothall.example.org\", apiKey: process.env.MOOTHALL_TOKEN });\nconst { data } = await moothall.POST(\"/invite-links/{token}/accept\", { params: { path: { token: \"AY87ClwdcACAAAAAAAABgXPyTi2iMKZ9qYsXtP0m4cA\" } }, body: {\"status\": \"accepted\"} });\nconsole.log(data);\n"
 },
 "addGroupSource": {
  "curl": "curl -X PUT 'https://moothall.example.org/groups/018f3b0a-5c1d-7000-8000-0000000000d1/sources' \\\n  -H \"Authorization: Bearer $MOOTHALL_TOKEN\" \\\n  -H 'Content-Type: application/json' \\\n  -d '{\"url\": \"https://calendar.example.com/chess.ics\"}'\n",
  "Go": "client := moothall.New(moothall.Options{URL: \"https://moothall.example.org\", APIKey: os.Getenv(\"MOOTHALL_TOKEN\")})\nresult, err := client.AddGroupSource(ctx, \"018f3b0a-5c1d-7000-8000-0000000000d1\", moothall.AddGroupSourceRequest{URL: \"https://calendar.example.com/chess.ics\"})\nif err != nil {\n\tlog.Fatal(err)\n}\nfmt.Printf(\"%+v\\n\", result)\n",
  "TypeScript": "const moothall = createClient({ url: \"https://moothall.example.org\", apiKey: process.env.MOOTHALL_TOKEN });\nconst { data } = await moothall.PUT(\"/groups/{group_id}/sources\", { params: { path: { group_id: \"018f3b0a-5c1d-7000-8000-0000000000d1\" } }, body: {\"url\": \"https://calendar.example.com/chess.ics\"} });\nconsole.log(data);\n"
 },
 "announceToGroup": {
  "curl": "curl -X POST 'https://moothall.example.org/groups/018f3b0a-5c1d-7000-8000-0000000000d1/announcements' \\\n  -H \"Authorization: Bearer $MOOTHALL_TOKEN\" \\\n  -H \"Idempotency-Key: $(uuidgen)\" \\\n  -H 'Content-Type: application/json' \\\n  -d '{\"body\": \"We meet in the garden from now on.\"}'\n",
  "Go": "client := moothall.New(moothall.Options{URL: \"https://moothall.example.org\", APIKey: os.Getenv(\"MOOTHALL_TOKEN\")})\nresult, err := client.AnnounceToGroup(ctx, \"018f3b0a-5c1d-7000-8000-0000000000d1\", moothall.AnnounceToGroupRequest{Body: \"We meet in the garden from now on.\"})\nif err != nil {\n\tlog.Fatal(err)\n}\nfmt.Printf(\"%+v\\n\", result)\n",
  "TypeScript": "const moothall = createClient({ url: \"https://moothall.example.org\", apiKey: process.env.MOOTHALL_TOKEN });\nconst { data } = await moothall.POST(\"/groups/{group_id}/announcements\", { params: { path: { group_id: \"018f3b0a-5c1d-7000-8000-0000000000d1\" } }, body: {\"body\": \"We meet in the garden from now on.\"} });\nconsole.log(data);\n"
 },
 "answerCalendarInvite": {
  "curl": "curl -X PATCH 'https://moothall.example.org/calendar/invites/018f3b0a-5c1d-7000-8000-000000000121' \\\n  -H \"Authorization: Bearer $MOOTHALL_TOKEN\" \\\n  -H 'Content-Type: application/json' \\\n  -d '{\"status\": \"tentative\"}'\n",
  "Go": "client := moothall.New(moothall.Options{URL: \"https://moothall.example.org\", APIKey: os.Getenv(\"MOOTHALL_TOKEN\")})\nresult, err := client.AnswerCalendarInvite(ctx, \"018f3b0a-5c1d-7000-8000-000000000121\", moothall.AnswerCalendarInviteRequest{Status: moothall.InvitationAnswerTentative})\nif err != nil {\n\tlog.Fatal(err)\n}\nfmt.Printf(\"%+v\\n\", result)\n",
  "TypeScript": "const moothall = createClient({ url: \"https://moothall.example.org\", apiKey: process.env.MOOTHALL_TOKEN });\nconst { data } = await moothall.PATCH(\"/calendar/invites/{invite_id}\", { params: { path: { invite_id: \"018f3b0a-5c1d-7000-8000-000000000121\" } }, body: {\"status\": \"tentative\"} });\nconsole.log(data);\n"
 },
 "answerInvitation": {
  "curl": "curl -X PATCH 'https://moothall.example.org/events/018f3b0a-5c1d-7000-8000-0000000000e9/rsvp' \\\n  -H \"Authorization: Bearer $MOOTHALL_TOKEN\" \\\n  -H 'Content-Type: application/json' \\\n  -d '{\"status\": \"accepted\"}'\n",
  "Go": "client := moothall.New(moothall.Options{URL: \"https://moothall.example.org\", APIKey: os.Getenv(\"MOOTHALL_TOKEN\")})\nresult, err := client.AnswerInvitation(ctx, \"018f3b0a-5c1d-7000-8000-0000000000e9\", moothall.RSVPEventInvitationRequest{Status: moothall.InvitationAnswerAccepted})\nif err != nil {\n\tlog.Fatal(err)\n}\nfmt.Printf(\"%+v\\n\", result)\n",
  "TypeScript": "const moothall = createClient({ url: \"https://moothall.example.org\", apiKey: process.env.MOOTHALL_TOKEN });\nconst { data } = await moothall.PATCH(\"/events/{event_id}/rsvp\", { params: { path: { event_id: \"018f3b0a-5c1d-7000-8000-0000000000e9\" } }, body: {\"status\": \"accepted\"} });\nconsole.log(data);\n"
 },
 "applyImport": {
  "curl": "curl -X POST 'https://moothall.example.org/me/imports/018f3b0a-5c1d-7000-8000-0000000001a1/apply' \\\n  -H \"Authorization: Bearer $MOOTHALL_TOKEN\" \\\n  -H 'Content-Type: application/json' \\\n  -d '{\"uids\": [\"1@example.org\"]}'\n",
  "Go": "client := moothall.New(moothall.Options{URL: \"https://moothall.example.org\", APIKey: os.Getenv(\"MOOTHALL_TOKEN\")})\nresult, err := client.ApplyImport(ctx, \"018f3b0a-5c1d-7000-8000-0000000001a1\", moothall.ApplyImportRequest{Uids: []string{\"1@example.org\"}})\nif err != nil {\n\tlog.Fatal(err)\n}\nfmt.Printf(\"%+v\\n\", result)\n",
  "TypeScript": "const moothall = createClient({ url: \"https://moothall.example.org\", apiKey: process.env.MOOTHALL_TOKEN });\nconst { data } = await moothall.POST(\"/me/imports/{import_id}/apply\", { params: { path: { import_id: \"018f3b0a-5c1d-7000-8000-0000000001a1\" } }, body: {\"uids\": [\"1@example.org\"]} });\nconsole.log(data);\n"
 },
 "approveParticipant": {
  "curl": "curl -X POST 'https://moothall.example.org/events/018f3b0a-5c1d-7000-8000-0000000000e1/participants/018f3b0a-5c1d-7000-8000-0000000000d1/approve' \\\n  -H \"Authorization: Bearer $MOOTHALL_TOKEN\"\n",
  "Go": "client := moothall.New(moothall.Options{URL: \"https://moothall.example.org\", APIKey: os.Getenv(\"MOOTHALL_TOKEN\")})\nresult, err := client.ApproveParticipant(ctx, \"018f3b0a-5c1d-7000-8000-0000000000e1\", \"018f3b0a-5c1d-7000-8000-0000000000d1\")\nif err != nil {\n\tlog.Fatal(err)\n}\nfmt.Printf(\"%+v\\n\", result)\n",
  "TypeScript": "const moothall = createClient({ url: \"https://moothall.example.org\", apiKey: process.env.MOOTHALL_TOKEN });\nconst { data } = await moothall.POST(\"/events/{event_id}/participants/{participant_id}/approve\", { params: { path: { event_id: \"018f3b0a-5c1d-7000-8000-0000000000e1\", participant_id: \"018f3b0a-5c1d-7000-8000-0000000000d1\" } } });\nconsole.log(data);\n"
 },
 "approveRequests": {
  "curl": "curl -X POST 'https://moothall.example.org/events/018f3b0a-5c1d-7000-8000-0000000000e1/participants/approve' \\\n  -H \"Authorization: Bearer $MOOTHALL_TOKEN\"\n",
  "Go": "client := moothall.New(moothall.Options{URL: \"https://moothall.example.org\", APIKey: os.Getenv(\"MOOTHALL_TOKEN\")})\nresult, err := client.ApproveRequests(ctx, \"018f3b0a-5c1d-7000-8000-0000000000e1\")\nif err != nil {\n\tlog.Fatal(err)\n}\nfmt.Printf(\"%+v\\n\", result)\n",
  "TypeScript": "const moothall = createClient({ url: \"https://moothall.example.org\", apiKey: process.env.MOOTHALL_TOKEN });\nconst { data } = await moothall.POST(\"/events/{event_id}/participants/approve\", { params: { path: { event_id: \"018f3b0a-5c1d-7000-8000-0000000000e1\" } } });\nconsole.log(data);\n"
 },
 "authorizeChatSocket": {
  "curl": "curl 'https://moothall.example.org/events/018f3b0a-5c1d-7000-8000-0000000000e1/ws' \\\n  -H \"Authorization: Bearer $MOOTHALL_TOKEN\" \\\n  -H 'Connection: Upgrade' -H 'Upgrade: websocket' \\\n  -H 'Sec-WebSocket-Version: 13' -H 'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ=='\n",
  "Go": "client := moothall.New(moothall.Options{URL: \"https://moothall.example.org\", APIKey: os.Getenv(\"MOOTHALL_TOKEN\")})\nresult, err := client.AuthorizeChatSocket(ctx, \"018f3b0a-5c1d-7000-8000-0000000000e1\", moothall.AuthorizeChatSocketParams{})\nif err != nil {\n\tlog.Fatal(err)\n}\nfmt.Printf(\"%+v\\n\", result)\n",
  "TypeScript": "const moothall = createClient({ url: \"https://moothall.example.org\", apiKey: process.env.MOOTHALL_TOKEN });\nconst { data } = await moothall.GET(\"/events/{event_id}/ws\", { params: { path: { event_id: \"018f3b0a-5c1d-7000-8000-0000000000e1\" } } });\nconsole.log(data);\n"
 },
 "blockUser": {
  "curl": "curl -X POST 'https://moothall.example.org/users/018e3b0a-5c1d-7000-8000-0000000000a2/block' \\\n  -H \"Authorization: Bearer $MOOTHALL_TOKEN\"\n",
  "Go": "client := moothall.New(moothall.Options{URL: \"https://moothall.example.org\", APIKey: os.Getenv(\"MOOTHALL_TOKEN\")})\nresult, err := client.BlockUser(ctx, \"018e3b0a-5c1d-7000-8000-0000000000a2\")\nif err != nil {\n\tlog.Fatal(err)\n}\nfmt.Printf(\"%+v\\n\", result)\n",
  "TypeScript": "const moothall = createClient({ url: \"https://moothall.example.org\", apiKey: process.env.MOOTHALL_TOKEN });\nconst { data } = await moothall.POST(\"/users/{user_id}/block\", { params: { path: { user_id: \"018e3b0a-5c1d-7000-8000-0000000000a2\" } } });\nconsole.log(data);\n"
 },
 "cancelCalendarEntry": {
  "curl": "curl -X DELETE 'https://moothall.example.org/calendar/entries/018f3b0a-5c1d-7000-8000-0000000000e2' \\\n  -H \"Authorization: Bearer $MOOTHALL_TOKEN\"\n",
  "Go": "client := moothall.New(moothall.Options{URL: \"https://moothall.example.org\", APIKey: os.Getenv(\"MOOTHALL_TOKEN\")})\nresult, err := client.CancelCalendarEntry(ctx, \"018f3b0a-5c1d-7000-8000-0000000000e2\")\nif err != nil {\n\tlog.Fatal(err)\n}\nfmt.Printf(\"%+v\\n\", result)\n",
  "TypeScript": "const moothall = createClient({ url: \"https://moothall.example.org\", apiKey: process.env.MOOTHALL_TOKEN });\nconst { data } = await moothall.DELETE(\"/calendar/entries/{entry_id}\", { params: { path: { entry_id: \"018f3b0a-5c1d-7000-8000-0000000000e2\" } } });\nconsole.log(data);\n"
 },
 "cancelEvent": {
  "curl": "curl -X POST 'https://moothall.example.org/events/018f3b0a-5c1d-7000-8000-0000000000e1/cancel' \\\n  -H \"Authorization: Bearer $MOOTHALL_TOKEN\" \\\n  -H 'Content-Type: application/json' \\\n  -d '{\"message\": \"The hall is flooded. We will meet in January.\"}'\n",
  "Go": "client := moothall.New(moothall.Options{URL: \"https://moothall.example.org\", APIKey: os.Getenv(\"MOOTHALL_TOKEN\")})\nresult, err := client.CancelEvent(ctx, \"018f3b0a-5c1d-7000-8000-0000000000e1\", moothall.CancelEventRequest{Message: new(\"The hall is flooded. We will meet in January.\")})\nif err != nil {\n\tlog.Fatal(err)\n}\nfmt.Printf(\"%+v\\n\", result)\n",
  "TypeScript": "const moothall = createClient({ url: \"https://moothall.example.org\", apiKey: process.env.MOOTHALL_TOKEN });\nconst { data } = await moothall.POST(\"/events/{event_id}/cancel\", { params: { path: { event_id: \"018f3b0a-5c1d-7000-8000-0000000000e1\" } }, body: {\"message\": \"The hall is flooded. We will meet in January.\"} });\nconsole.log(data);\n"
 },
 "cloneEvent": {
  "curl": "curl -X POST 'https://moothall.example.org/events/018f3b0a-5c1d-7000-8000-0000000000e1/clone' \\\n  -H \"Authorization: Bearer $MOOTHALL_TOKEN\" \\\n  -H \"Idempotency-Key: $(uuidgen)\"\n",
  "Go": "client := moothall.New(moothall.Options{URL: \"https://moothall.example.org\", APIKey: os.Getenv(\"MOOTHALL_TOKEN\")})\nresult, err := client.CloneEvent(ctx, \"018f3b0a-5c1d-7000-8000-0000000000e1\")\nif err != nil {\n\tlog.Fatal(err)\n}\nfmt.Printf(\"%+v\\n\", result)\n",
  "TypeScript": "const moothall = createClient({ url: \"https://moothall.example.org\", apiKey: process.env.MOOTHALL_TOKEN });\nconst { data } = await moothall.POST(\"/events/{event_id}/clone\", { params: { path: { event_id: \"018f3b0a-5c1d-7000-8000-0000000000e1\" } } });\nconsole.log(data);\n"
 },
 "closeCalendarFeed": {
  "curl": "curl -X DELETE 'https://moothall.example.org/calendar/feed' \\\n  -H \"Authorization: Bearer $MOOTHALL_TOKEN\"\n",
  "Go": "client := moothall.New(moothall.Options{URL: \"https://moothall.example.org\", APIKey: os.Getenv(\"MOOTHALL_TOKEN\")})\nif err := client.CloseCalendarFeed(ctx); err != nil {\n\tlog.Fatal(err)\n}\n",
  "TypeScript": "const moothall = createClient({ url: \"https://moothall.example.org\", apiKey: process.env.MOOTHALL_TOKEN });\nawait moothall.DELETE(\"/calendar/feed\");\n"
 },
 "countOpenReports": {
  "curl": "curl 'https://moothall.example.org/admin/reports/open-count' \\\n  -H \"Authorization: Bearer $MOOTHALL_TOKEN\"\n",
  "Go": "client := moothall.New(moothall.Options{URL: \"https://moothall.example.org\", APIKey: os.Getenv(\"MOOTHALL_TOKEN\")})\nresult, err := client.CountOpenReports(ctx)\nif err != nil {\n\tlog.Fatal(err)\n}\nfmt.Printf(\"%+v\\n\", result)\n",
  "TypeScript": "const moothall = createClient({ url: \"https://moothall.example.org\", apiKey: process.env.MOOTHALL_TOKEN });\nconst { data } = await moothall.GET(\"/admin/reports/open-count\");\nconsole.log(data);\n"
 },
 "countUnreadNotifications": {
  "curl": "curl 'https://moothall.example.org/notifications/unread-count' \\\n  -H \"Authorization: Bearer $MOOTHALL_TOKEN\"\n",
  "Go": "client := moothall.New(moothall.Options{URL: \"https://moothall.example.org\", APIKey: os.Getenv(\"MOOTHALL_TOKEN\")})\nresult, err := client.CountUnreadNotifications(ctx)\nif err != nil {\n\tlog.Fatal(err)\n}\nfmt.Printf(\"%+v\\n\", result)\n",
  "TypeScript": "const moothall = createClient({ url: \"https://moothall.example.org\", apiKey: process.env.MOOTHALL_TOKEN });\nconst { data } = await moothall.GET(\"/notifications/unread-count\");\nconsole.log(data);\n"
 },
 "createApiKey": {
  "curl": "curl -X POST 'https://moothall.example.org/me/api-keys' \\\n  -H \"Authorization: Bearer $MOOTHALL_TOKEN\" \\\n  -H \"Idempotency-Key: $(uuidgen)\" \\\n  -H 'Content-Type: application/json' \\\n  -d '{\n  \"name\": \"Ticket printer\",\n  \"scopes\": [\n    \"events:read\",\n    \"attendance:read\"\n  ],\n  \"expires_at\": \"2027-01-01T00:00:00Z\"\n}'\n",
  "Go": "client := moothall.New(moothall.Options{URL: \"https://moothall.example.org\", APIKey: os.Getenv(\"MOOTHALL_TOKEN\")})\nresult, err := client.CreateAPIKey(ctx, moothall.CreateAPIKeyRequest{\n\tName:      \"Ticket printer\",\n\tScopes:    []moothall.APIKeyScope{moothall.APIKeyScopeEventsRead, moothall.APIKeyScopeAttendanceRead},\n\tExpiresAt: new(time.Date(2027, 1, 1, 0, 0, 0, 0, time.UTC)),\n})\nif err != nil {\n\tlog.Fatal(err)\n}\nfmt.Printf(\"%+v\\n\", result)\n",
  "TypeScript": "const moothall = createClient({ url: \"https://moothall.example.org\", apiKey: process.env.MOOTHALL_TOKEN });\nconst { data } = await moothall.POST(\"/me/api-keys\", { body: {\n  \"name\": \"Ticket printer\",\n  \"scopes\": [\n    \"events:read\",\n    \"attendance:read\"\n  ],\n  \"expires_at\": \"2027-01-01T00:00:00Z\"\n} });\nconsole.log(data);\n"
 },
 "createCalendarEntry": {
  "curl": "curl -X POST 'https://moothall.example.org/calendar/entries' \\\n  -H \"Authorization: Bearer $MOOTHALL_TOKEN\" \\\n  -H \"Idempotency-Key: $(uuidgen)\" \\\n  -H 'Content-Type: application/json' \\\n  -d '{\n  \"title\": \"Dinner\",\n  \"starts_at\": \"2026-12-06T18:00:00Z\",\n  \"timezone\": \"Europe/Berlin\"\n}'\n",
  "Go": "client := moothall.New(moothall.Options{URL: \"https://moothall.example.org\", APIKey: os.Getenv(\"MOOTHALL_TOKEN\")})\nresult, err := client.CreateCalendarEntry(ctx, moothall.CreateCalendarEntryRequest{\n\tTitle:    \"Dinner\",\n\tStartsAt: time.Date(2026, 12, 6, 18, 0, 0, 0, time.UTC),\n\tTimezone: new(\"Europe/Berlin\"),\n})\nif err != nil {\n\tlog.Fatal(err)\n}\nfmt.Printf(\"%+v\\n\", result)\n",
  "TypeScript": "const moothall = createClient({ url: \"https://moothall.example.org\", apiKey: process.env.MOOTHALL_TOKEN });\nconst { data } = await moothall.POST(\"/calendar/entries\", { body: {\n  \"title\": \"Dinner\",\n  \"starts_at\": \"2026-12-06T18:00:00Z\",\n  \"timezone\": \"Europe/Berlin\"\n} });\nconsole.log(data);\n"
 },
 "createDateOption": {
  "curl": "curl -X POST 'https://moothall.example.org/events/018f3b0a-5c1d-7000-8000-0000000000e8/date-options' \\\n  -H \"Authorization: Bearer $MOOTHALL_TOKEN\" \\\n  -H \"Idempotency-Key: $(uuidgen)\" \\\n  -H 'Content-Type: application/json' \\\n  -d '{\"starts_at\": \"2026-12-12T16:00:00Z\", \"ends_at\": \"2026-12-12T19:00:00Z\"}'\n",
  "Go": "client := moothall.New(moothall.Options{URL: \"https://moothall.example.org\", APIKey: os.Getenv(\"MOOTHALL_TOKEN\")})\nresult, err := client.CreateDateOption(ctx, \"018f3b0a-5c1d-7000-8000-0000000000e8\", moothall.CreateEventDateOptionRequest{StartsAt: time.Date(2026, 12, 12, 16, 0, 0, 0, time.UTC), EndsAt: new(time.Date(2026, 12, 12, 19, 0, 0, 0, time.UTC))})\nif err != nil {\n\tlog.Fatal(err)\n}\nfmt.Printf(\"%+v\\n\", result)\n",
  "TypeScript": "const moothall = createClient({ url: \"https://moothall.example.org\", apiKey: process.env.MOOTHALL_TOKEN });\nconst { data } = await moothall.POST(\"/events/{event_id}/date-options\", { params: { path: { event_id: \"018f3b0a-5c1d-7000-8000-0000000000e8\" } }, body: {\"starts_at\": \"2026-12-12T16:00:00Z\", \"ends_at\": \"2026-12-12T19:00:00Z\"} });\nconsole.log(data);\n"
 },
 "createEvent": {
  "curl": "curl -X POST 'https://moothall.example.org/events' \\\n  -H \"Authorization: Bearer $MOOTHALL_TOKEN\" \\\n  -H \"Idempotency-Key: $(uuidgen)\" \\\n  -H 'Content-Type: application/json' \\\n  -d '{\n  \"title\": \"Board games\",\n  \"description\": \"Bring your own.\",\n  \"starts_at\": \"2026-12-05T17:00:00+01:00\",\n  \"ends_at\": \"2026-12-05T20:00:00+01:00\",\n  \"timezone\": \"Europe/Berlin\",\n  \"category\": \"games\",\n  \"capacity\": 12,\n  \"city\": \"Berlin\",\n  \"location_text\": \"Spielwiese, Kopernikusstraße 24\",\n  \"lat\": 52.5131,\n  \"lng\": 13.4549\n}'\n",
  "Go": "client := moothall.New(moothall.Options{URL: \"https://moothall.example.org\", APIKey: os.Getenv(\"MOOTHALL_TOKEN\")})\nresult, err := client.CreateEvent(ctx, moothall.CreateEventRequest{\n\tTitle:        new(\"Board games\"),\n\tDescription:  new(\"Bring your own.\"),\n\tStartsAt:     time.Date(2026, 12, 5, 16, 0, 0, 0, time.UTC),\n\tEndsAt:       new(time.Date(2026, 12, 5, 19, 0, 0, 0, time.UTC)),\n\tTimezone:     new(\"Europe/Berlin\"),\n\tCategory:     new(\"games\"),\n\tCapacity:     new(12),\n\tCity:         new(\"Berlin\"),\n\tLocationText: new(\"Spielwiese, Kopernikusstraße 24\"),\n\tLat:          new(52.5131),\n\tLng:          new(13.4549),\n})\nif err != nil {\n\tlog.Fatal(err)\n}\nfmt.Printf(\"%+v\\n\", result)\n",
  "TypeScript": "const moothall = createClient({ url: \"https://moothall.example.org\", apiKey: process.env.MOOTHALL_TOKEN });\nconst { data } = await moothall.POST(\"/events\", { body: {\n  \"title\": \"Board games\",\n  \"description\": \"Bring your own.\",\n  \"starts_at\": \"2026-12-05T17:00:00+01:00\",\n  \"ends_at\": \"2026-12-05T20:00:00+01:00\",\n  \"timezone\": \"Europe/Berlin\",\n  \"category\": \"games\",\n  \"capacity\": 12,\n  \"city\": \"Berlin\",\n  \"location_text\": \"Spielwiese, Kopernikusstraße 24\",\n  \"lat\": 52.5131,\n  \"lng\": 13.4549\n} });\nconsole.log(data);\n"
 },
 "createEventPost": {
  "curl": "curl -X POST 'https://moothall.example.org/events/018f3b0a-5c1d-7000-8000-0000000000e1/posts' \\\n  -H \"Authorization: Bearer $MOOTHALL_TOKEN\" \\\n  -H \"Idempotency-Key: $(uuidgen)\" \\\n  -H 'Content-Type: application/json' \\\n  -d '{\"body\": \"The back room is ours.\", \"kind\": \"announcement\"}'\n",
  "Go": "client := moothall.New(moothall.Options{URL: \"https://moothall.example.org\", APIKey: os.Getenv(\"MOOTHALL_TOKEN\")})\nresult, err := client.CreateEventPost(ctx, \"018f3b0a-5c1d-7000-8000-0000000000e1\", moothall.CreateEventPostRequest{Body: \"The back room is ours.\", Kind: new(moothall.EventPostKindAnnouncement)})\nif err != nil {\n\tlog.Fatal(err)\n}\nfmt.Printf(\"%+v\\n\", result)\n",
  "TypeScript": "const moothall = createClient({ url: \"https://moothall.example.org\", apiKey: process.env.MOOTHALL_TOKEN });\nconst { data } = await moothall.POST(\"/events/{event_id}/posts\", { params: { path: { event_id: \"018f3b0a-5c1d-7000-8000-0000000000e1\" } }, body: {\"body\": \"The back room is ours.\", \"kind\": \"announcement\"} });\nconsole.log(data);\n"
 },
 "createEventSeries": {
  "curl": "curl -X POST 'https://moothall.example.org/event-series' \\\n  -H \"Authorization: Bearer $MOOTHALL_TOKEN\" \\\n  -H \"Idempotency-Key: $(uuidgen)\" \\\n  -H 'Content-Type: application/json' \\\n  -d '{\n  \"rrule\": \"FREQ=WEEKLY;BYDAY=TH\",\n  \"starts_at\": \"2038-12-02T19:00:00\",\n  \"timezone\": \"Europe/Berlin\",\n  \"duration_minutes\": 120,\n  \"template\": {\n    \"title\": \"Reading circle\",\n    \"category\": \"books\",\n    \"city\": \"Berlin\",\n    \"capacity\": 12\n  }\n}'\n",
  "Go": "client := moothall.New(moothall.Options{URL: \"https://moothall.example.org\", APIKey: os.Getenv(\"MOOTHALL_TOKEN\")})\nresult, err := client.CreateEventSeries(ctx, moothall.CreateEventSeriesRequest{\n\tRrule:           \"FREQ=WEEKLY;BYDAY=TH\",\n\tStartsAt:        \"2038-12-02T19:00:00\",\n\tTimezone:        \"Europe/Berlin\",\n\tDurationMinutes: new(120),\n\tTemplate: moothall.SeriesTemplate{\n\t\tTitle:    new(\"Reading circle\"),\n\t\tCategory: new(\"books\"),\n\t\tCity:     new(\"Berlin\"),\n\t\tCapacity: new(12),\n\t},\n})\nif err != nil {\n\tlog.Fatal(err)\n}\nfmt.Printf(\"%+v\\n\", result)\n",
  "TypeScript": "const moothall = createClient({ url: \"https://moothall.example.org\", apiKey: process.env.MOOTHALL_TOKEN });\nconst { data } = await moothall.POST(\"/event-series\", { body: {\n  \"rrule\": \"FREQ=WEEKLY;BYDAY=TH\",\n  \"starts_at\": \"2038-12-02T19:00:00\",\n  \"timezone\": \"Europe/Berlin\",\n  \"duration_minutes\": 120,\n  \"template\": {\n    \"title\": \"Reading circle\",\n    \"category\": \"books\",\n    \"city\": \"Berlin\",\n    \"capacity\": 12\n  }\n} });\nconsole.log(data);\n"
 },
 "createGroup": {
  "curl": "curl -X POST 'https://moothall.example.org/groups' \\\n  -H \"Authorization: Bearer $MOOTHALL_TOKEN\" \\\n  -H \"Idempotency-Key: $(uuidgen)\" \\\n  -H 'Content-Type: application/json' \\\n  -d '{\n  \"name\": \"Board games Berlin\",\n  \"description\": \"Every Thursday.\",\n  \"city\": \"Berlin\",\n  \"lat\": 52.52,\n  \"lng\": 13.405\n}'\n",
  "Go": "client := moothall.New(moothall.Options{URL: \"https://moothall.example.org\", APIKey: os.Getenv(\"MOOTHALL_TOKEN\")})\nresult, err := client.CreateGroup(ctx, moothall.CreateGroupRequest{\n\tName:        \"Board games Berlin\",\n\tDescription: new(\"Every Thursday.\"),\n\tCity:        new(\"Berlin\"),\n\tLat:         new(52.52),\n\tLng:         new(13.405),\n})\nif err != nil {\n\tlog.Fatal(err)\n}\nfmt.Printf(\"%+v\\n\", result)\n",
  "TypeScript": "const moothall = createClient({ url: \"https://moothall.example.org\", apiKey: process.env.MOOTHALL_TOKEN });\nconst { data } = await moothall.POST(\"/groups\", { body: {\n  \"name\": \"Board games Berlin\",\n  \"description\": \"Every Thursday.\",\n  \"city\": \"Berlin\",\n  \"lat\": 52.52,\n  \"lng\": 13.405\n} });\nconsole.log(data);\n"
 },
 "createInviteLink": {
  "curl": "curl -X POST 'https://moothall.example.org/events/018f3b0a-5c1d-7000-8000-0000000000e7/invite-links' \\\n  -H \"Authorization: Bearer $MOOTHALL_TOKEN\" \\\n  -H \"Idempotency-Key: $(uuidgen)\" \\\n  -H 'Content-Type: application/json' \\\n  -d '{\"max_uses\": 20, \"expires_at\": \"2026-12-01T18:00:00Z\"}'\n",
  "Go": "client := moothall.New(moothall.Options{URL: \"https://moothall.example.org\", APIKey: os.Getenv(\"MOOTHALL_TOKEN\")})\nresult, err := client.CreateInviteLink(ctx, \"018f3b0a-5c1d-7000-8000-0000000000e7\", moothall.CreateInviteLinkRequest{MaxUses: new(20), ExpiresAt: new(time.Date(2026, 12, 1, 18, 0, 0, 0, time.UTC))})\nif err != nil {\n\tlog.Fatal(err)\n}\nfmt.Printf(\"%+v\\n\", result)\n",
  "TypeScript": "const moothall = createClient({ url: \"https://moothall.example.org\", apiKey: process.env.MOOTHALL_TOKEN });\nconst { data } = await moothall.POST(\"/events/{event_id}/invite-links\", { params: { path: { event_id: \"018f3b0a-5c1d-7000-8000-0000000000e7\" } }, body: {\"max_uses\": 20, \"expires_at\": \"2026-12-01T18:00:00Z\"} });\nconsole.log(data);\n"
 },
 "createPasskey": {
  "curl": "curl -X POST 'https://moothall.example.org/me/passkeys' \\\n  -H \"Authorization: Bearer $MOOTHALL_TOKEN\" \\\n  -H \"Idempotency-Key: $(uuidgen)\" \\\n  -H 'Content-Type: application/json' \\\n  -d '{\n  \"name\": \"My laptop\",\n  \"credential\": {\n    \"id\": \"AQIDBA\",\n    \"rawId\": \"AQIDBA\",\n    \"type\": \"public-key\",\n    \"response\": {\n      \"clientDataJSON\": \"e30\",\n      \"attestationObject\": \"oA\"\n    }\n  }\n}'\n",
  "Go": "client := moothall.New(moothall.Options{URL: \"https://moothall.example.org\", APIKey: os.Getenv(\"MOOTHALL_TOKEN\")})\nresult, err := client.CreatePasskey(ctx, moothall.CreatePasskeyRequest{Name: new(\"My laptop\"), Credential: moothall.PasskeyAttestation{\n\tID:       \"AQIDBA\",\n\tRawID:    \"AQIDBA\",\n\tType:     \"public-key\",\n\tResponse: moothall.PasskeyAttestationData{ClientDataJSON: \"e30\", AttestationObject: \"oA\"},\n}})\nif err != nil {\n\tlog.Fatal(err)\n}\nfmt.Printf(\"%+v\\n\", result)\n",
  "TypeScript": "const moothall = createClient({ url: \"https://moothall.example.org\", apiKey: process.env.MOOTHALL_TOKEN });\nconst { data } = await moothall.POST(\"/me/passkeys\", { body: {\n  \"name\": \"My laptop\",\n  \"credential\": {\n    \"id\": \"AQIDBA\",\n    \"rawId\": \"AQIDBA\",\n    \"type\": \"public-key\",\n    \"response\": {\n      \"clientDataJSON\": \"e30\",\n      \"attestationObject\": \"oA\"\n    }\n  }\n} });\nconsole.log(data);\n"
 },
 "createPaymentIntent": {
  "curl": "curl -X POST 'https://moothall.example.org/events/018f3b0a-5c1d-7000-8000-0000000000e1/payment-intents' \\\n  -H \"Authorization: Bearer $MOOTHALL_TOKEN\" \\\n  -H \"Idempotency-Key: $(uuidgen)\"\n",
  "Go": "client := moothall.New(moothall.Options{URL: \"https://moothall.example.org\", APIKey: os.Getenv(\"MOOTHALL_TOKEN\")})\nresult, err := client.CreatePaymentIntent(ctx, \"018f3b0a-5c1d-7000-8000-0000000000e1\")\nif err != nil {\n\tlog.Fatal(err)\n}\nfmt.Printf(\"%+v\\n\", result)\n",
  "TypeScript": "const moothall = createClient({ url: \"https://moothall.example.org\", apiKey: process.env.MOOTHALL_TOKEN });\nconst { data } = await moothall.POST(\"/events/{event_id}/payment-intents\", { params: { path: { event_id: \"018f3b0a-5c1d-7000-8000-0000000000e1\" } } });\nconsole.log(data);\n"
 },
 "createPostComment": {
  "curl": "curl -X POST 'https://moothall.example.org/events/018f3b0a-5c1d-7000-8000-0000000000e1/posts/018f3b0a-5c1d-7000-8000-0000000000f1/comments' \\\n  -H \"Authorization: Bearer $MOOTHALL_TOKEN\" \\\n  -H \"Idempotency-Key: $(uuidgen)\" \\\n  -H 'Content-Type: application/json' \\\n  -d '{\"body\": \"Great, see you there!\", \"parent_comment_id\": null}'\n",
  "Go": "client := moothall.New(moothall.Options{URL: \"https://moothall.example.org\", APIKey: os.Getenv(\"MOOTHALL_TOKEN\")})\nresult, err := client.CreatePostComment(ctx, \"018f3b0a-5c1d-7000-8000-0000000000e1\", \"018f3b0a-5c1d-7000-8000-0000000000f1\", moothall.CreateEventPostCommentRequest{Body: \"Great, see you there!\", ParentCommentID: nil})\nif err != nil {\n\tlog.Fatal(err)\n}\nfmt.Printf(\"%+v\\n\", result)\n",
  "TypeScript": "const moothall = createClient({ url: \"https://moothall.example.org\", apiKey: process.env.MOOTHALL_TOKEN });\nconst { data } = await moothall.POST(\"/events/{event_id}/posts/{post_id}/comments\", { params: { path: { event_id: \"018f3b0a-5c1d-7000-8000-0000000000e1\", post_id: \"018f3b0a-5c1d-7000-8000-0000000000f1\" } }, body: {\"body\": \"Great, see you there!\", \"parent_comment_id\": null} });\nconsole.log(data);\n"
 },
 "createPushSubscription": {
  "curl": "curl -X POST 'https://moothall.example.org/me/push-subscriptions' \\\n  -H \"Authorization: Bearer $MOOTHALL_TOKEN\" \\\n  -H \"Idempotency-Key: $(uuidgen)\" \\\n  -H 'Content-Type: application/json' \\\n  -d '{\n  \"endpoint\": \"https://push.example.com/subscription/4d2f\",\n  \"keys\": {\n    \"p256dh\": \"BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4\",\n    \"auth\": \"BTBZMqHH6r4Tts7J_aSIgg\"\n  }\n}'\n",
  "Go": "client := moothall.New(moothall.Options{URL: \"https://moothall.example.org\", APIKey: os.Getenv(\"MOOTHALL_TOKEN\")})\nresult, err := client.CreatePushSubscription(ctx, moothall.CreatePushSubscriptionRequest{Endpoint: \"https://push.example.com/subscription/4d2f\", Keys: moothall.PushSubscriptionKeys{P256DH: \"BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4\", Auth: \"BTBZMqHH6r4Tts7J_aSIgg\"}})\nif err != nil {\n\tlog.Fatal(err)\n}\nfmt.Printf(\"%+v\\n\", result)\n",
  "TypeScript": "const moothall = createClient({ url: \"https://moothall.example.org\", apiKey: process.env.MOOTHALL_TOKEN });\nconst { data } = await moothall.POST(\"/me/push-subscriptions\", { body: {\n  \"endpoint\": \"https://push.example.com/subscription/4d2f\",\n  \"keys\": {\n    \"p256dh\": \"BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4\",\n    \"auth\": \"BTBZMqHH6r4Tts7J_aSIgg\"\n  }\n} });\nconsole.log(data);\n"
 },
 "createRealtimeTicket": {
  "curl": "curl -X POST 'https://moothall.example.org/realtime/tickets' \\\n  -H \"Authorization: Bearer $MOOTHALL_TOKEN\"\n",
  "Go": "client := moothall.New(moothall.Options{URL: \"https://moothall.example.org\", APIKey: os.Getenv(\"MOOTHALL_TOKEN\")})\nresult, err := client.CreateRealtimeTicket(ctx)\nif err != nil {\n\tlog.Fatal(err)\n}\nfmt.Printf(\"%+v\\n\", result)\n",
  "TypeScript": "const moothall = createClient({ url: \"https://moothall.example.org\", apiKey: process.env.MOOTHALL_TOKEN });\nconst { data } = await moothall.POST(\"/realtime/tickets\");\nconsole.log(data);\n"
 },
 "createReport": {
  "curl": "curl -X POST 'https://moothall.example.org/reports' \\\n  -H \"Authorization: Bearer $MOOTHALL_TOKEN\" \\\n  -H \"Idempotency-Key: $(uuidgen)\" \\\n  -H 'Content-Type: application/json' \\\n  -d '{\n  \"target_type\": \"event\",\n  \"target_id\": \"018f3b0a-5c1d-7000-8000-0000000000e1\",\n  \"reason\": \"spam\",\n  \"comment\": null\n}'\n",
  "Go": "client := moothall.New(moothall.Options{URL: \"https://moothall.example.org\", APIKey: os.Getenv(\"MOOTHALL_TOKEN\")})\nresult, err := client.CreateReport(ctx, moothall.CreateReportRequest{\n\tTargetType: moothall.ReportTargetTypeEvent,\n\tTargetID:   \"018f3b0a-5c1d-7000-8000-0000000000e1\",\n\tReason:     moothall.ReportReasonSpam,\n\tComment:    nil,\n})\nif err != nil {\n\tlog.Fatal(err)\n}\nfmt.Printf(\"%+v\\n\", result)\n",
  "TypeScript": "const moothall = createClient({ url: \"https://moothall.example.org\", apiKey: process.env.MOOTHALL_TOKEN });\nconst { data } = await moothall.POST(\"/reports\", { body: {\n  \"target_type\": \"event\",\n  \"target_id\": \"018f3b0a-5c1d-7000-8000-0000000000e1\",\n  \"reason\": \"spam\",\n  \"comment\": null\n} });\nconsole.log(data);\n"
 },
 "createWebhook": {
  "curl": "curl -X POST 'https://moothall.example.org/me/webhooks' \\\n  -H \"Authorization: Bearer $MOOTHALL_TOKEN\" \\\n  -H \"Idempotency-Key: $(uuidgen)\" \\\n  -H 'Content-Type: application/json' \\\n  -d '{\"url\": \"https://hooks.example.org/m\", \"kinds\": [\"attendance.joined\"]}'\n",
  "Go": "client := moothall.New(moothall.Options{URL: \"https://moothall.example.org\", APIKey: os.Getenv(\"MOOTHALL_TOKEN\")})\nresult, err := client.CreateWebhook(ctx, moothall.CreateWebhookRequest{URL: \"https://hooks.example.org/m\", Kinds: []moothall.WebhookKind{moothall.WebhookKindAttendanceJoined}})\nif err != nil {\n\tlog.Fatal(err)\n}\nfmt.Printf(\"%+v\\n\", result)\n",
  "TypeScript": "const moothall = createClient({ url: \"https://moothall.example.org\", apiKey: process.env.MOOTHALL_TOKEN });\nconst { data } = await moothall.POST(\"/me/webhooks\", { body: {\"url\": \"https://hooks.example.org/m\", \"kinds\": [\"attendance.joined\"]} });\nconsole.log(data);\n"
 },
 "declineParticipant": {
  "curl": "curl -X POST 'https://moothall.example.org/events/018f3b0a-5c1d-7000-8000-0000000000e1/participants/018f3b0a-5c1d-7000-8000-0000000000d1/decline' \\\n  -H \"Authorization: Bearer $MOOTHALL_TOKEN\"\n",
  "Go": "client := moothall.New(moothall.Options{URL: \"https://moothall.example.org\", APIKey: os.Getenv(\"MOOTHALL_TOKEN\")})\nresult, err := client.DeclineParticipant(ctx, \"018f3b0a-5c1d-7000-8000-0000000000e1\", \"018f3b0a-5c1d-7000-8000-0000000000d1\")\nif err != nil {\n\tlog.Fatal(err)\n}\nfmt.Printf(\"%+v\\n\", result)\n",
  "TypeScript": "const moothall = createClient({ url: \"https://moothall.example.org\", apiKey: process.env.MOOTHALL_TOKEN });\nconst { data } = await moothall.POST(\"/events/{event_id}/participants/{participant_id}/decline\", { params: { path: { event_id: \"018f3b0a-5c1d-7000-8000-0000000000e1\", participant_id: \"018f3b0a-5c1d-7000-8000-0000000000d1\" } } });\nconsole.log(data);\n"
 },
 "deleteApiKey": {
  "curl": "curl -X DELETE 'https://moothall.example.org/me/api-keys/018f3b0a-5c1d-7000-8000-0000000000f2' \\\n  -H \"Authorization: Bearer $MOOTHALL_TOKEN\"\n",
  "Go": "client := moothall.New(moothall.Options{URL: \"https://moothall.example.org\", APIKey: os.Getenv(\"MOOTHALL_TOKEN\")})\nif err := client.DeleteAPIKey(ctx, \"018f3b0a-5c1d-7000-8000-0000000000f2\", moothall.DeleteAPIKeyParams{}); err != nil {\n\tlog.Fatal(err)\n}\n",
  "TypeScript": "const moothall = createClient({ url: \"https://moothall.example.org\", apiKey: process.env.MOOTHALL_TOKEN });\nawait moothall.DELETE(\"/me/api-keys/{api_key_id}\", { params: { path: { api_key_id: \"018f3b0a-5c1d-7000-8000-0000000000f2\" } } });\n"
 },
 "deleteAvatar": {
  "curl": "curl -X DELETE 'https://moothall.example.org/me/avatar' \\\n  -H \"Authorization: Bearer $MOOTHALL_TOKEN\"\n",
  "Go": "client := moothall.New(moothall.Options{URL: \"https://moothall.example.org\", APIKey: os.Getenv(\"MOOTHALL_TOKEN\")})\nif err := client.DeleteAvatar(ctx); err != nil {\n\tlog.Fatal(err)\n}\n",
  "TypeScript": "const moothall = createClient({ url: \"https://moothall.example.org\", apiKey: process.env.MOOTHALL_TOKEN });\nawait moothall.DELETE(\"/me/avatar\");\n"
 },
 "deleteEventCover": {
  "curl": "curl -X DELETE 'https://moothall.example.org/events/018f3b0a-5c1d-7000-8000-0000000000e1/cover' \\\n  -H \"Authorization: Bearer $MOOTHALL_TOKEN\"\n",
  "Go": "client := moothall.New(moothall.Options{URL: \"https://moothall.example.org\", APIKey: os.Getenv(\"MOOTHALL_TOKEN\")})\nif err := client.DeleteEventCover(ctx, \"018f3b0a-5c1d-7000-8000-0000000000e1\", moothall.DeleteEventCoverParams{}); err != nil {\n\tlog.Fatal(err)\n}\n",
  "TypeScript": "const moothall = createClient({ url: \"https://moothall.example.org\", apiKey: process.env.MOOTHALL_TOKEN });\nawait moothall.DELETE(\"/events/{event_id}/cover\", { params: { path: { event_id: \"018f3b0a-5c1d-7000-8000-0000000000e1\" } } });\n"
 },
 "deleteEventPost": {
  "curl": "curl -X DELETE 'https://moothall.example.org/events/018f3b0a-5c1d-7000-8000-0000000000e1/posts/018f3b0a-5c1d-7000-8000-0000000000f1' \\\n  -H \"Authorization: Bearer $MOOTHALL_TOKEN\"\n",
  "Go": "client := moothall.New(moothall.Options{URL: \"https://moothall.example.org\", APIKey: os.Getenv(\"MOOTHALL_TOKEN\")})\nif err := client.DeleteEventPost(ctx, \"018f3b0a-5c1d-7000-8000-0000000000e1\", \"018f3b0a-5c1d-7000-8000-0000000000f1\"); err != nil {\n\tlog.Fatal(err)\n}\n",
  "TypeScript": "const moothall = createClient({ url: \"https://moothall.example.org\", apiKey: process.env.MOOTHALL_TOKEN });\nawait moothall.DELETE(\"/events/{event_id}/posts/{post_id}\", { params: { path: { event_id: \"018f3b0a-5c1d-7000-8000-0000000000e1\", post_id: \"018f3b0a-5c1d-7000-8000-0000000000f1\" } } });\n"
 },
 "deleteGroup": {
  "curl": "curl -X DELETE 'https://moothall.example.org/groups/018f3b0a-5c1d-7000-8000-0000000000d1' \\\n  -H \"Authorization: Bearer $MOOTHALL_TOKEN\"\n",
  "Go": "client := moothall.New(moothall.Options{URL: \"https://moothall.example.org\", APIKey: os.Getenv(\"MOOTHALL_TOKEN\")})\nif err := client.DeleteGroup(ctx, \"018f3b0a-5c1d-7000-8000-0000000000d1\"); err != nil {\n\tlog.Fatal(err)\n}\n",
  "TypeScript": "const moothall = createClient({ url: \"https://moothall.example.org\", apiKey: process.env.MOOTHALL_TOKEN });\nawait moothall.DELETE(\"/groups/{group_id}\", { params: { path: { group_id: \"018f3b0a-5c1d-7000-8000-0000000000d1\" } } });\n"
 },
 "deleteGroupImage": {
  "curl": "curl -X DELETE 'https://moothall.example.org/groups/018f3b0a-5c1d-7000-8000-0000000000d1/image' \\\n  -H \"Authorization: Bearer $MOOTHALL_TOKEN\"\n",
  "Go": "client := moothall.New(moothall.Options{URL: \"https://moothall.example.org\", APIKey: os.Getenv(\"MOOTHALL_TOKEN\")})\nif err := client.DeleteGroupImage(ctx, \"018f3b0a-5c1d-7000-8000-0000000000d1\"); err != nil {\n\tlog.Fatal(err)\n}\n",
  "TypeScript": "const moothall = createClient({ url: \"https://moothall.example.org\", apiKey: process.env.MOOTHALL_TOKEN });\nawait moothall.DELETE(\"/groups/{group_id}/image\", { params: { path: { group_id: \"018f3b0a-5c1d-7000-8000-0000000000d1\" } } });\n"
 },
 "deleteGuestMessage": {
  "curl": "curl -X DELETE 'https://moothall.example.org/events/018f3b0a-5c1d-7000-8000-0000000000e1/guest-messages/018f3b0a-5c1d-7000-8000-0000000000b7' \\\n  -H \"Authorization: Bearer $MOOTHALL_TOKEN\"\n",
  "Go": "client := moothall.New(moothall.Options{URL: \"https://moothall.example.org\", APIKey: os.Getenv(\"MOOTHALL_TOKEN\")})\nif err := client.DeleteGuestMessage(ctx, \"018f3b0a-5c1d-7000-8000-0000000000e1\", \"018f3b0a-5c1d-7000-8000-0000000000b7\"); err != nil {\n\tlog.Fatal(err)\n}\n",
  "TypeScript": "const moothall = createClient({ url: \"https://moothall.example.org\", apiKey: process.env.MOOTHALL_TOKEN });\nawait moothall.DELETE(\"/events/{event_id}/guest-messages/{message_id}\", { params: { path: { event_id: \"018f3b0a-5c1d-7000-8000-0000000000e1\", message_id: \"018f3b0a-5c1d-7000-8000-0000000000b7\" } } });\n"
 },
 "deleteMe": {
  "curl": "curl -X DELETE 'https://moothall.example.org/me' \\\n  -H \"Authorization: Bearer $MOOTHALL_TOKEN\"\n",
  "Go": "client := moothall.New(moothall.Options{URL: \"https://moothall.example.org\", APIKey: os.Getenv(\"MOOTHALL_TOKEN\")})\nif err := client.DeleteMe(ctx); err != nil {\n\tlog.Fatal(err)\n}\n",
  "TypeScript": "const moothall = createClient({ url: \"https://moothall.example.org\", apiKey: process.env.MOOTHALL_TOKEN });\nawait moothall.DELETE(\"/me\");\n"
 },
 "deletePasskey": {
  "curl": "curl -X DELETE 'https://moothall.example.org/me/passkeys/018f3b0a-5c1d-7000-8000-0000000000f1' \\\n  -H \"Authorization: Bearer $MOOTHALL_TOKEN\"\n",
  "Go": "client := moothall.New(moothall.Options{URL: \"https://moothall.example.org\", APIKey: os.Getenv(\"MOOTHALL_TOKEN\")})\nif err := client.DeletePasskey(ctx, \"018f3b0a-5c1d-7000-8000-0000000000f1\"); err != nil {\n\tlog.Fatal(err)\n}\n",
  "TypeScript": "const moothall = createClient({ url: \"https://moothall.example.org\", apiKey: process.env.MOOTHALL_TOKEN });\nawait moothall.DELETE(\"/me/passkeys/{passkey_id}\", { params: { path: { passkey_id: \"018f3b0a-5c1d-7000-8000-0000000000f1\" } } });\n"
 },
 "deletePostComment": {
  "curl": "curl -X DELETE 'https://moothall.example.org/events/018f3b0a-5c1d-7000-8000-0000000000e1/posts/018f3b0a-5c1d-7000-8000-0000000000f1/comments/018f3b0a-5c1d-7000-8000-0000000000f3' \\\n  -H \"Authorization: Bearer $MOOTHALL_TOKEN\"\n",
  "Go": "client := moothall.New(moothall.Options{URL: \"https://moothall.example.org\", APIKey: os.Getenv(\"MOOTHALL_TOKEN\")})\nif err := client.DeletePostComment(ctx, \"018f3b0a-5c1d-7000-8000-0000000000e1\", \"018f3b0a-5c1d-7000-8000-0000000000f1\", \"018f3b0a-5c1d-7000-8000-0000000000f3\"); err != nil {\n\tlog.Fatal(err)\n}\n",
  "TypeScript": "const moothall = createClient({ url: \"https://moothall.example.org\", apiKey: process.env.MOOTHALL_TOKEN });\nawait moothall.DELETE(\"/events/{event_id}/posts/{post_id}/comments/{comment_id}\", { params: { path: { event_id: \"018f3b0a-5c1d-7000-8000-0000000000e1\", post_id: \"018f3b0a-5c1d-7000-8000-0000000000f1\", comment_id: \"018f3b0a-5c1d-7000-8000-0000000000f3\" } } });\n"
 },
 "deletePushSubscription": {
  "curl": "curl -X DELETE 'https://moothall.example.org/me/push-subscriptions/018f3b0a-5c1d-7000-8000-0000000000f4' \\\n  -H \"Authorization: Bearer $MOOTHALL_TOKEN\"\n",
  "Go": "client := moothall.New(moothall.Options{URL: \"https://moothall.example.org\", APIKey: os.Getenv(\"MOOTHALL_TOKEN\")})\nif err := client.DeletePushSubscription(ctx, \"018f3b0a-5c1d-7000-8000-0000000000f4\"); err != nil {\n\tlog.Fatal(err)\n}\n",
  "TypeScript": "const moothall = createClient({ url: \"https://moothall.example.org\", apiKey: process.env.MOOTHALL_TOKEN });\nawait moothall.DELETE(\"/me/push-subscriptions/{subscription_id}\", { params: { path: { subscription_id: \"018f3b0a-5c1d-7000-8000-0000000000f4\" } } });\n"
 },
 "deleteWebhook": {
  "curl": "curl -X DELETE 'https://moothall.example.org/me/webhooks/018f3b0a-5c1d-7000-8000-0000000000f3' \\\n  -H \"Authorization: Bearer $MOOTHALL_TOKEN\"\n",
  "Go": "client := moothall.New(moothall.Options{URL: \"https://moothall.example.org\", APIKey: os.Getenv(\"MOOTHALL_TOKEN\")})\nif err := client.DeleteWebhook(ctx, \"018f3b0a-5c1d-7000-8000-0000000000f3\"); err != nil {\n\tlog.Fatal(err)\n}\n",
  "TypeScript": "const moothall = createClient({ url: \"https://moothall.example.org\", apiKey: process.env.MOOTHALL_TOKEN });\nawait moothall.DELETE(\"/me/webhooks/{webhook_id}\", { params: { path: { webhook_id: \"018f3b0a-5c1d-7000-8000-0000000000f3\" } } });\n"
 },
 "downloadAnswers": {
  "curl": "curl 'https://moothall.example.org/events/018f3b0a-5c1d-7000-8000-0000000000e1/answers.csv' \\\n  -H \"Authorization: Bearer $MOOTHALL_TOKEN\"\n",
  "Go": "client := moothall.New(moothall.Options{URL: \"https://moothall.example.org\", APIKey: os.Getenv(\"MOOTHALL_TOKEN\")})\ncontent, err := client.DownloadAnswers(ctx, \"018f3b0a-5c1d-7000-8000-0000000000e1\")\nif err != nil {\n\tlog.Fatal(err)\n}\ndefer content.Close()\nio.Copy(os.Stdout, content)\n",
  "TypeScript": "const moothall = createClient({ url: \"https://moothall.example.org\", apiKey: process.env.MOOTHALL_TOKEN });\nconst { data } = await moothall.GET(\"/events/{event_id}/answers.csv\", { params: { path: { event_id: \"018f3b0a-5c1d-7000-8000-0000000000e1\" } }, parseAs: \"stream\" });\nfor await (const chunk of data!) console.log(chunk);\n"
 },
 "downloadEventCalendar": {
  "curl": "curl 'https://moothall.example.org/events/018f3b0a-5c1d-7000-8000-0000000000e1/calendar.ics'\n",
  "Go": "client := moothall.New(moothall.Options{URL: \"https://moothall.example.org\"})\ncontent, err := client.DownloadEventCalendar(ctx, \"018f3b0a-5c1d-7000-8000-0000000000e1\", moothall.DownloadEventCalendarParams{})\nif err != nil {\n\tlog.Fatal(err)\n}\ndefer content.Close()\nio.Copy(os.Stdout, content)\n",
  "TypeScript": "const moothall = createClient({ url: \"https://moothall.example.org\" });\nconst { data } = await moothall.GET(\"/events/{event_id}/calendar.ics\", { params: { path: { event_id: \"018f3b0a-5c1d-7000-8000-0000000000e1\" } }, parseAs: \"stream\" });\nfor await (const chunk of data!) console.log(chunk);\n"
 },
 "downloadParticipants": {
  "curl": "curl 'https://moothall.example.org/events/018f3b0a-5c1d-7000-8000-0000000000e1/participants.csv' \\\n  -H \"Authorization: Bearer $MOOTHALL_TOKEN\"\n",
  "Go": "client := moothall.New(moothall.Options{URL: \"https://moothall.example.org\", APIKey: os.Getenv(\"MOOTHALL_TOKEN\")})\ncontent, err := client.DownloadParticipants(ctx, \"018f3b0a-5c1d-7000-8000-0000000000e1\")\nif err != nil {\n\tlog.Fatal(err)\n}\ndefer content.Close()\nio.Copy(os.Stdout, content)\n",
  "TypeScript": "const moothall = createClient({ url: \"https://moothall.example.org\", apiKey: process.env.MOOTHALL_TOKEN });\nconst { data } = await moothall.GET(\"/events/{event_id}/participants.csv\", { params: { path: { event_id: \"018f3b0a-5c1d-7000-8000-0000000000e1\" } }, parseAs: \"stream\" });\nfor await (const chunk of data!) console.log(chunk);\n"
 },
 "endEventSeries": {
  "curl": "curl -X POST 'https://moothall.example.org/event-series/018f3b0a-5c1d-7000-8000-0000000000c1/end' \\\n  -H \"Authorization: Bearer $MOOTHALL_TOKEN\"\n",
  "Go": "client := moothall.New(moothall.Options{URL: \"https://moothall.example.org\", APIKey: os.Getenv(\"MOOTHALL_TOKEN\")})\nresult, err := client.EndEventSeries(ctx, \"018f3b0a-5c1d-7000-8000-0000000000c1\")\nif err != nil {\n\tlog.Fatal(err)\n}\nfmt.Printf(\"%+v\\n\", result)\n",
  "TypeScript": "const moothall = createClient({ url: \"https://moothall.example.org\", apiKey: process.env.MOOTHALL_TOKEN });\nconst { data } = await moothall.POST(\"/event-series/{series_id}/end\", { params: { path: { series_id: \"018f3b0a-5c1d-7000-8000-0000000000c1\" } } });\nconsole.log(data);\n"
 },
 "endInviteLink": {
  "curl": "curl -X DELETE 'https://moothall.example.org/events/018f3b0a-5c1d-7000-8000-0000000000e7/invite-links/018f3b0a-5c1d-7000-8000-000000000181' \\\n  -H \"Authorization: Bearer $MOOTHALL_TOKEN\"\n",
  "Go": "client := moothall.New(moothall.Options{URL: \"https://moothall.example.org\", APIKey: os.Getenv(\"MOOTHALL_TOKEN\")})\nif err := client.EndInviteLink(ctx, \"018f3b0a-5c1d-7000-8000-0000000000e7\", \"018f3b0a-5c1d-7000-8000-000000000181\"); err != nil {\n\tlog.Fatal(err)\n}\n",
  "TypeScript": "const moothall = createClient({ url: \"https://moothall.example.org\", apiKey: process.env.MOOTHALL_TOKEN });\nawait moothall.DELETE(\"/events/{event_id}/invite-links/{link_id}\", { params: { path: { event_id: \"018f3b0a-5c1d-7000-8000-0000000000e7\", link_id: \"018f3b0a-5c1d-7000-8000-000000000181\" } } });\n"
 },
 "enterWaitlist": {
  "curl": "curl -X POST 'https://moothall.example.org/events/018f3b0a-5c1d-7000-8000-0000000000e1/waitlist' \\\n  -H \"Authorization: Bearer $MOOTHALL_TOKEN\" \\\n  -H \"Idempotency-Key: $(uuidgen)\" \\\n  -H 'Content-Type: application/json' \\\n  -d '{\"party_size\": 2, \"participation_visibility\": \"public\"}'\n",
  "Go": "client := moothall.New(moothall.Options{URL: \"https://moothall.example.org\", APIKey: os.Getenv(\"MOOTHALL_TOKEN\")})\nresult, err := client.EnterWaitlist(ctx, \"018f3b0a-5c1d-7000-8000-0000000000e1\", moothall.EnterWaitlistRequest{PartySize: new(moothall.PartySize(2)), ParticipationVisibility: new(moothall.ParticipationVisibilityPublic)})\nif err != nil {\n\tlog.Fatal(err)\n}\nfmt.Printf(\"%+v\\n\", result)\n",
  "TypeScript": "const moothall = createClient({ url: \"https://moothall.example.org\", apiKey: process.env.MOOTHALL_TOKEN });\nconst { data } = await moothall.POST(\"/events/{event_id}/waitlist\", { params: { path: { event_id: \"018f3b0a-5c1d-7000-8000-0000000000e1\" } }, body: {\"party_size\": 2, \"participation_visibility\": \"public\"} });\nconsole.log(data);\n"
 },
 "exportMe": {
  "curl": "curl 'https://moothall.example.org/me/export' \\\n  -H \"Authorization: Bearer $MOOTHALL_TOKEN\"\n",
  "Go": "client := moothall.New(moothall.Options{URL: \"https://moothall.example.org\", APIKey: os.Getenv(\"MOOTHALL_TOKEN\")})\nresult, err := client.ExportMe(ctx)\nif err != nil {\n\tlog.Fatal(err)\n}\nfmt.Printf(\"%+v\\n\", result)\n",
  "TypeScript": "const moothall = createClient({ url: \"https://moothall.example.org\", apiKey: process.env.MOOTHALL_TOKEN });\nconst { data } = await moothall.GET(\"/me/export\");\nconsole.log(data);\n"
 },
 "finishIdpSignIn": {
  "curl": "curl 'https://moothall.example.org/auth/idp/callback'\n"
 },
 "followUser": {
  "curl": "curl -X POST 'https://moothall.example.org/users/018e3b0a-5c1d-7000-8000-0000000000a2/follow' \\\n  -H \"Authorization: Bearer $MOOTHALL_TOKEN\"\n",
  "Go": "client := moothall.New(moothall.Options{URL: \"https://moothall.example.org\", APIKey: os.Getenv(\"MOOTHALL_TOKEN\")})\nresult, err := client.FollowUser(ctx, \"018e3b0a-5c1d-7000-8000-0000000000a2\")\nif err != nil {\n\tlog.Fatal(err)\n}\nfmt.Printf(\"%+v\\n\", result)\n",
  "TypeScript": "const moothall = createClient({ url: \"https://moothall.example.org\", apiKey: process.env.MOOTHALL_TOKEN });\nconst { data } = await moothall.POST(\"/users/{user_id}/follow\", { params: { path: { user_id: \"018e3b0a-5c1d-7000-8000-0000000000a2\" } } });\nconsole.log(data);\n"
 },
 "getBlock": {
  "curl": "curl 'https://moothall.example.org/users/018e3b0a-5c1d-7000-8000-0000000000a2/block' \\\n  -H \"Authorization: Bearer $MOOTHALL_TOKEN\"\n",
  "Go": "client := moothall.New(moothall.Options{URL: \"https://moothall.example.org\", APIKey: os.Getenv(\"MOOTHALL_TOKEN\")})\nresult, err := client.GetBlock(ctx, \"018e3b0a-5c1d-7000-8000-0000000000a2\")\nif err != nil {\n\tlog.Fatal(err)\n}\nfmt.Printf(\"%+v\\n\", result)\n",
  "TypeScript": "const moothall = createClient({ url: \"https://moothall.example.org\", apiKey: process.env.MOOTHALL_TOKEN });\nconst { data } = await moothall.GET(\"/users/{user_id}/block\", { params: { path: { user_id: \"018e3b0a-5c1d-7000-8000-0000000000a2\" } } });\nconsole.log(data);\n"
 },
 "getCalendarFeed": {
  "curl": "curl 'https://moothall.example.org/calendar/feed' \\\n  -H \"Authorization: Bearer $MOOTHALL_TOKEN\"\n",
  "Go": "client := moothall.New(moothall.Options{URL: \"https://moothall.example.org\", APIKey: os.Getenv(\"MOOTHALL_TOKEN\")})\nresult, err := client.GetCalendarFeed(ctx)\nif err != nil {\n\tlog.Fatal(err)\n}\nfmt.Printf(\"%+v\\n\", result)\n",
  "TypeScript": "const moothall = createClient({ url: \"https://moothall.example.org\", apiKey: process.env.MOOTHALL_TOKEN });\nconst { data } = await moothall.GET(\"/calendar/feed\");\nconsole.log(data);\n"
 },
 "getCalendarInvite": {
  "curl": "curl 'https://moothall.example.org/calendar/invites/018f3b0a-5c1d-7000-8000-000000000121' \\\n  -H \"Authorization: Bearer $MOOTHALL_TOKEN\"\n",
  "Go": "client := moothall.New(moothall.Options{URL: \"https://moothall.example.org\", APIKey: os.Getenv(\"MOOTHALL_TOKEN\")})\nresult, err := client.GetCalendarInvite(ctx, \"018f3b0a-5c1d-7000-8000-000000000121\")\nif err != nil {\n\tlog.Fatal(err)\n}\nfmt.Printf(\"%+v\\n\", result)\n",
  "TypeScript": "const moothall = createClient({ url: \"https://moothall.example.org\", apiKey: process.env.MOOTHALL_TOKEN });\nconst { data } = await moothall.GET(\"/calendar/invites/{invite_id}\", { params: { path: { invite_id: \"018f3b0a-5c1d-7000-8000-000000000121\" } } });\nconsole.log(data);\n"
 },
 "getEmailSignInStatus": {
  "curl": "curl -X POST 'https://moothall.example.org/auth/email/status' \\\n  -H 'Content-Type: application/json' \\\n  -d '{\"challenge\": \"es_Zk3vS0m9o0m1a7cWcS4nB2yq8r5t6u7v8w9x0y1z2A3\"}'\n",
  "Go": "client := moothall.New(moothall.Options{URL: \"https://moothall.example.org\"})\nresult, err := client.GetEmailSignInStatus(ctx, moothall.EmailSignInStatusRequest{Challenge: new(\"es_Zk3vS0m9o0m1a7cWcS4nB2yq8r5t6u7v8w9x0y1z2A3\")})\nif err != nil {\n\tlog.Fatal(err)\n}\nfmt.Printf(\"%+v\\n\", result)\n",
  "TypeScript": "const moothall = createClient({ url: \"https://moothall.example.org\" });\nconst { data } = await moothall.POST(\"/auth/email/status\", { body: {\"challenge\": \"es_Zk3vS0m9o0m1a7cWcS4nB2yq8r5t6u7v8w9x0y1z2A3\"} });\nconsole.log(data);\n"
 },
 "getEvent": {
  "curl": "curl 'https://moothall.example.org/events/018f3b0a-5c1d-7000-8000-0000000000e1'\n",
  "Go": "client := moothall.New(moothall.Options{URL: \"https://moothall.example.org\"})\nresult, err := client.GetEvent(ctx, \"018f3b0a-5c1d-7000-8000-0000000000e1\")\nif err != nil {\n\tlog.Fatal(err)\n}\nfmt.Printf(\"%+v\\n\", result)\n",
  "TypeScript": "const moothall = createClient({ url: \"https://moothall.example.org\" });\nconst { data } = await moothall.GET(\"/events/{event_id}\", { params: { path: { event_id: \"018f3b0a-5c1d-7000-8000-0000000000e1\" } } });\nconsole.log(data);\n"
 },
 "getEventByCode": {
  "curl": "curl 'https://moothall.example.org/events/by-code/Demo1111'\n",
  "Go": "client := moothall.New(moothall.Options{URL: \"https://moothall.example.org\"})\nresult, err := client.GetEventByCode(ctx, \"Demo1111\")\nif err != nil {\n\tlog.Fatal(err)\n}\nfmt.Printf(\"%+v\\n\", result)\n",
  "TypeScript": "const moothall = createClient({ url: \"https://moothall.example.org\" });\nconst { data } = await moothall.GET(\"/events/by-code/{code}\", { params: { path: { code: \"Demo1111\" } } });\nconsole.log(data);\n"
 },
 "getEventSeries": {
  "curl": "curl 'https://moothall.example.org/event-series/018f3b0a-5c1d-7000-8000-0000000000c1'\n",
  "Go": "client := moothall.New(moothall.Options{URL: \"https://moothall.example.org\"})\nresult, err := client.GetEventSeries(ctx, \"018f3b0a-5c1d-7000-8000-0000000000c1\")\nif err != nil {\n\tlog.Fatal(err)\n}\nfmt.Printf(\"%+v\\n\", result)\n",
  "TypeScript": "const moothall = createClient({ url: \"https://moothall.example.org\" });\nconst { data } = await moothall.GET(\"/event-series/{series_id}\", { params: { path: { series_id: \"018f3b0a-5c1d-7000-8000-0000000000c1\" } } });\nconsole.log(data);\n"
 },
 "getFeed": {
  "curl": "curl 'https://moothall.example.org/feed'\n",
  "Go": "client := moothall.New(moothall.Options{URL: \"https://moothall.example.org\"})\nresult, err := client.GetFeed(ctx, moothall.GetFeedParams{})\nif err != nil {\n\tlog.Fatal(err)\n}\nfmt.Printf(\"%+v\\n\", result)\n",
  "TypeScript": "const moothall = createClient({ url: \"https://moothall.example.org\" });\nconst { data } = await moothall.GET(\"/feed\");\nconsole.log(data);\n"
 },
 "getFeedPreferences": {
  "curl": "curl 'https://moothall.example.org/feed/preferences' \\\n  -H \"Authorization: Bearer $MOOTHALL_TOKEN\"\n",
  "Go": "client := moothall.New(moothall.Options{URL: \"https://moothall.example.org\", APIKey: os.Getenv(\"MOOTHALL_TOKEN\")})\nresult, err := client.GetFeedPreferences(ctx)\nif err != nil {\n\tlog.Fatal(err)\n}\nfmt.Printf(\"%+v\\n\", result)\n",
  "TypeScript": "const moothall = createClient({ url: \"https://moothall.example.org\", apiKey: process.env.MOOTHALL_TOKEN });\nconst { data } = await moothall.GET(\"/feed/preferences\");\nconsole.log(data);\n"
 },
 "getFollow": {
  "curl": "curl 'https://moothall.example.org/users/018e3b0a-5c1d-7000-8000-0000000000a2/follow' \\\n  -H \"Authorization: Bearer $MOOTHALL_TOKEN\"\n",
  "Go": "client := moothall.New(moothall.Options{URL: \"https://moothall.example.org\", APIKey: os.Getenv(\"MOOTHALL_TOKEN\")})\nresult, err := client.GetFollow(ctx, \"018e3b0a-5c1d-7000-8000-0000000000a2\")\nif err != nil {\n\tlog.Fatal(err)\n}\nfmt.Printf(\"%+v\\n\", result)\n",
  "TypeScript": "const moothall = createClient({ url: \"https://moothall.example.org\", apiKey: process.env.MOOTHALL_TOKEN });\nconst { data } = await moothall.GET(\"/users/{user_id}/follow\", { params: { path: { user_id: \"018e3b0a-5c1d-7000-8000-0000000000a2\" } } });\nconsole.log(data);\n"
 },
 "getGroup": {
  "curl": "curl 'https://moothall.example.org/groups/018f3b0a-5c1d-7000-8000-0000000000d1'\n",
  "Go": "client := moothall.New(moothall.Options{URL: \"https://moothall.example.org\"})\nresult, err := client.GetGroup(ctx, \"018f3b0a-5c1d-7000-8000-0000000000d1\")\nif err != nil {\n\tlog.Fatal(err)\n}\nfmt.Printf(\"%+v\\n\", result)\n",
  "TypeScript": "const moothall = createClient({ url: \"https://moothall.example.org\" });\nconst { data } = await moothall.GET(\"/groups/{group_id}\", { params: { path: { group_id: \"018f3b0a-5c1d-7000-8000-0000000000d1\" } } });\nconsole.log(data);\n"
 },
 "getHealth": {
  "curl": "curl 'https://moothall.example.org/healthz'\n",
  "Go": "client := moothall.New(moothall.Options{URL: \"https://moothall.example.org\"})\nresult, err := client.GetHealth(ctx)\nif err != nil {\n\tlog.Fatal(err)\n}\nfmt.Printf(\"%+v\\n\", result)\n",
  "TypeScript": "const moothall = createClient({ url: \"https://moothall.example.org\" });\nconst { data } = await moothall.GET(\"/healthz\");\nconsole.log(data);\n"
 },
 "getImport": {
  "curl": "curl 'https://moothall.example.org/me/imports/018f3b0a-5c1d-7000-8000-0000000001a1' \\\n  -H \"Authorization: Bearer $MOOTHALL_TOKEN\"\n",
  "Go": "client := moothall.New(moothall.Options{URL: \"https://moothall.example.org\", APIKey: os.Getenv(\"MOOTHALL_TOKEN\")})\nresult, err := client.GetImport(ctx, \"018f3b0a-5c1d-7000-8000-0000000001a1\", moothall.GetImportParams{})\nif err != nil {\n\tlog.Fatal(err)\n}\nfmt.Printf(\"%+v\\n\", result)\n",
  "TypeScript": "const moothall = createClient({ url: \"https://moothall.example.org\", apiKey: process.env.MOOTHALL_TOKEN });\nconst { data } = await moothall.GET(\"/me/imports/{import_id}\", { params: { path: { import_id: \"018f3b0a-5c1d-7000-8000-0000000001a1\" } } });\nconsole.log(data);\n"
 },
 "getInviteLink": {
  "curl": "curl 'https://moothall.example.org/invite-links/AY87ClwdcACAAAAAAAABgXPyTi2iMKZ9qYsXtP0m4cA'\n",
  "Go": "client := moothall.New(moothall.Options{URL: \"https://moothall.example.org\"})\nresult, err := client.GetInviteLink(ctx, \"AY87ClwdcACAAAAAAAABgXPyTi2iMKZ9qYsXtP0m4cA\")\nif err != nil {\n\tlog.Fatal(err)\n}\nfmt.Printf(\"%+v\\n\", result)\n",
  "TypeScript": "const moothall = createClient({ url: \"https://moothall.example.org\" });\nconst { data } = await moothall.GET(\"/invite-links/{token}\", { params: { path: { token: \"AY87ClwdcACAAAAAAAABgXPyTi2iMKZ9qYsXtP0m4cA\" } } });\nconsole.log(data);\n"
 },
 "getMe": {
  "curl": "curl 'https://moothall.example.org/me' \\\n  -H \"Authorization: Bearer $MOOTHALL_TOKEN\"\n",
  "Go": "client := moothall.New(moothall.Options{URL: \"https://moothall.example.org\", APIKey: os.Getenv(\"MOOTHALL_TOKEN\")})\nresult, err := client.GetMe(ctx)\nif err != nil {\n\tlog.Fatal(err)\n}\nfmt.Printf(\"%+v\\n\", result)\n",
  "TypeScript": "const moothall = createClient({ url: \"https://moothall.example.org\", apiKey: process.env.MOOTHALL_TOKEN });\nconst { data } = await moothall.GET(\"/me\");\nconsole.log(data);\n"
 },
 "getNotificationPreferences": {
  "curl": "curl 'https://moothall.example.org/me/notification-preferences' \\\n  -H \"Authorization: Bearer $MOOTHALL_TOKEN\"\n",
  "Go": "client := moothall.New(moothall.Options{URL: \"https://moothall.example.org\", APIKey: os.Getenv(\"MOOTHALL_TOKEN\")})\nresult, err := client.GetNotificationPreferences(ctx)\nif err != nil {\n\tlog.Fatal(err)\n}\nfmt.Printf(\"%+v\\n\", result)\n",
  "TypeScript": "const moothall = createClient({ url: \"https://moothall.example.org\", apiKey: process.env.MOOTHALL_TOKEN });\nconst { data } = await moothall.GET(\"/me/notification-preferences\");\nconsole.log(data);\n"
 },
 "getPaymentIntent": {
  "curl": "curl 'https://moothall.example.org/payments/intents/018f3b0a-5c1d-7000-8000-000000000141' \\\n  -H \"Authorization: Bearer $MOOTHALL_TOKEN\"\n",
  "Go": "client := moothall.New(moothall.Options{URL: \"https://moothall.example.org\", APIKey: os.Getenv(\"MOOTHALL_TOKEN\")})\nresult, err := client.GetPaymentIntent(ctx, \"018f3b0a-5c1d-7000-8000-000000000141\")\nif err != nil {\n\tlog.Fatal(err)\n}\nfmt.Printf(\"%+v\\n\", result)\n",
  "TypeScript": "const moothall = createClient({ url: \"https://moothall.example.org\", apiKey: process.env.MOOTHALL_TOKEN });\nconst { data } = await moothall.GET(\"/payments/intents/{payment_intent_id}\", { params: { path: { payment_intent_id: \"018f3b0a-5c1d-7000-8000-000000000141\" } } });\nconsole.log(data);\n"
 },
 "getPaymentProfile": {
  "curl": "curl 'https://moothall.example.org/me/payment-profile' \\\n  -H \"Authorization: Bearer $MOOTHALL_TOKEN\"\n",
  "Go": "client := moothall.New(moothall.Options{URL: \"https://moothall.example.org\", APIKey: os.Getenv(\"MOOTHALL_TOKEN\")})\nresult, err := client.GetPaymentProfile(ctx)\nif err != nil {\n\tlog.Fatal(err)\n}\nfmt.Printf(\"%+v\\n\", result)\n",
  "TypeScript": "const moothall = createClient({ url: \"https://moothall.example.org\", apiKey: process.env.MOOTHALL_TOKEN });\nconst { data } = await moothall.GET(\"/me/payment-profile\");\nconsole.log(data);\n"
 },
 "getPhoneCallStatus": {
  "curl": "curl -X POST 'https://moothall.example.org/auth/phone/call/status' \\\n  -H 'Content-Type: application/json' \\\n  -d '{\"challenge_id\": \"5f0f1a52-93a4-4a43-8d55-6a35c7f1e0d2\"}'\n",
  "Go": "client := moothall.New(moothall.Options{URL: \"https://moothall.example.org\"})\nresult, err := client.GetPhoneCallStatus(ctx, moothall.PhoneCallStatusRequest{ChallengeID: \"5f0f1a52-93a4-4a43-8d55-6a35c7f1e0d2\"})\nif err != nil {\n\tlog.Fatal(err)\n}\nfmt.Printf(\"%+v\\n\", result)\n",
  "TypeScript": "const moothall = createClient({ url: \"https://moothall.example.org\" });\nconst { data } = await moothall.POST(\"/auth/phone/call/status\", { body: {\"challenge_id\": \"5f0f1a52-93a4-4a43-8d55-6a35c7f1e0d2\"} });\nconsole.log(data);\n"
 },
 "getProfile": {
  "curl": "curl 'https://moothall.example.org/users/018e3b0a-5c1d-7000-8000-0000000000a2/profile'\n",
  "Go": "client := moothall.New(moothall.Options{URL: \"https://moothall.example.org\"})\nresult, err := client.GetProfile(ctx, \"018e3b0a-5c1d-7000-8000-0000000000a2\", moothall.GetProfileParams{})\nif err != nil {\n\tlog.Fatal(err)\n}\nfmt.Printf(\"%+v\\n\", result)\n",
  "TypeScript": "const moothall = createClient({ url: \"https://moothall.example.org\" });\nconst { data } = await moothall.GET(\"/users/{user_id}/profile\", { params: { path: { user_id: \"018e3b0a-5c1d-7000-8000-0000000000a2\" } } });\nconsole.log(data);\n"
 },
 "getProfileByUsername": {
  "curl": "curl 'https://moothall.example.org/users/by-username/anna'\n",
  "Go": "client := moothall.New(moothall.Options{URL: \"https://moothall.example.org\"})\nresult, err := client.GetProfileByUsername(ctx, \"anna\", moothall.GetProfileByUsernameParams{})\nif err != nil {\n\tlog.Fatal(err)\n}\nfmt.Printf(\"%+v\\n\", result)\n",
  "TypeScript": "const moothall = createClient({ url: \"https://moothall.example.org\" });\nconst { data } = await moothall.GET(\"/users/by-username/{username}\", { params: { path: { username: \"anna\" } } });\nconsole.log(data);\n"
 },
 "getPushKey": {
  "curl": "curl 'https://moothall.example.org/push/key' \\\n  -H \"Authorization: Bearer $MOOTHALL_TOKEN\"\n",
  "Go": "client := moothall.New(moothall.Options{URL: \"https://moothall.example.org\", APIKey: os.Getenv(\"MOOTHALL_TOKEN\")})\nresult, err := client.GetPushKey(ctx)\nif err != nil {\n\tlog.Fatal(err)\n}\nfmt.Printf(\"%+v\\n\", result)\n",
  "TypeScript": "const moothall = createClient({ url: \"https://moothall.example.org\", apiKey: process.env.MOOTHALL_TOKEN });\nconst { data } = await moothall.GET(\"/push/key\");\nconsole.log(data);\n"
 },
 "getReminderSettings": {
  "curl": "curl 'https://moothall.example.org/events/018f3b0a-5c1d-7000-8000-0000000000e1/reminders' \\\n  -H \"Authorization: Bearer $MOOTHALL_TOKEN\"\n",
  "Go": "client := moothall.New(moothall.Options{URL: \"https://moothall.example.org\", APIKey: os.Getenv(\"MOOTHALL_TOKEN\")})\nresult, err := client.GetReminderSettings(ctx, \"018f3b0a-5c1d-7000-8000-0000000000e1\")\nif err != nil {\n\tlog.Fatal(err)\n}\nfmt.Printf(\"%+v\\n\", result)\n",
  "TypeScript": "const moothall = createClient({ url: \"https://moothall.example.org\", apiKey: process.env.MOOTHALL_TOKEN });\nconst { data } = await moothall.GET(\"/events/{event_id}/reminders\", { params: { path: { event_id: \"018f3b0a-5c1d-7000-8000-0000000000e1\" } } });\nconsole.log(data);\n"
 },
 "getWaitlistEntry": {
  "curl": "curl 'https://moothall.example.org/events/018f3b0a-5c1d-7000-8000-0000000000e1/waitlist' \\\n  -H \"Authorization: Bearer $MOOTHALL_TOKEN\"\n",
  "Go": "client := moothall.New(moothall.Options{URL: \"https://moothall.example.org\", APIKey: os.Getenv(\"MOOTHALL_TOKEN\")})\nresult, err := client.GetWaitlistEntry(ctx, \"018f3b0a-5c1d-7000-8000-0000000000e1\")\nif err != nil {\n\tlog.Fatal(err)\n}\nfmt.Printf(\"%+v\\n\", result)\n",
  "TypeScript": "const moothall = createClient({ url: \"https://moothall.example.org\", apiKey: process.env.MOOTHALL_TOKEN });\nconst { data } = await moothall.GET(\"/events/{event_id}/waitlist\", { params: { path: { event_id: \"018f3b0a-5c1d-7000-8000-0000000000e1\" } } });\nconsole.log(data);\n"
 },
 "getWebhook": {
  "curl": "curl 'https://moothall.example.org/me/webhooks/018f3b0a-5c1d-7000-8000-0000000000f3' \\\n  -H \"Authorization: Bearer $MOOTHALL_TOKEN\"\n",
  "Go": "client := moothall.New(moothall.Options{URL: \"https://moothall.example.org\", APIKey: os.Getenv(\"MOOTHALL_TOKEN\")})\nresult, err := client.GetWebhook(ctx, \"018f3b0a-5c1d-7000-8000-0000000000f3\")\nif err != nil {\n\tlog.Fatal(err)\n}\nfmt.Printf(\"%+v\\n\", result)\n",
  "TypeScript": "const moothall = createClient({ url: \"https://moothall.example.org\", apiKey: process.env.MOOTHALL_TOKEN });\nconst { data } = await moothall.GET(\"/me/webhooks/{webhook_id}\", { params: { path: { webhook_id: \"018f3b0a-5c1d-7000-8000-0000000000f3\" } } });\nconsole.log(data);\n"
 },
 "importAddress": {
  "curl": "curl -X POST 'https://moothall.example.org/me/imports/fetch' \\\n  -H \"Authorization: Bearer $MOOTHALL_TOKEN\" \\\n  -H 'Content-Type: application/json' \\\n  -d '{\"url\": \"https://calendar.example.org/events.ics\", \"timezone\": \"Europe/Berlin\"}'\n",
  "Go": "client := moothall.New(moothall.Options{URL: \"https://moothall.example.org\", APIKey: os.Getenv(\"MOOTHALL_TOKEN\")})\nresult, err := client.ImportAddress(ctx, moothall.ImportAddressRequest{URL: \"https://calendar.example.org/events.ics\", Timezone: new(\"Europe/Berlin\")})\nif err != nil {\n\tlog.Fatal(err)\n}\nfmt.Printf(\"%+v\\n\", result)\n",
  "TypeScript": "const moothall = createClient({ url: \"https://moothall.example.org\", apiKey: process.env.MOOTHALL_TOKEN });\nconst { data } = await moothall.POST(\"/me/imports/fetch\", { body: {\"url\": \"https://calendar.example.org/events.ics\", \"timezone\": \"Europe/Berlin\"} });\nconsole.log(data);\n"
 },
 "importFile": {
  "curl": "curl -X POST 'https://moothall.example.org/me/imports' \\\n  -H \"Authorization: Bearer $MOOTHALL_TOKEN\" \\\n  -H 'Content-Type: text/calendar' \\\n  --data-binary @calendar.ics\n",
  "Go": "client := moothall.New(moothall.Options{URL: \"https://moothall.example.org\", APIKey: os.Getenv(\"MOOTHALL_TOKEN\")})\ncalendar, err := os.ReadFile(\"calendar.ics\")\nif err != nil {\n\tlog.Fatal(err)\n}\nresult, err := client.ImportFile(ctx, moothall.ImportFileParams{}, calendar)\nif err != nil {\n\tlog.Fatal(err)\n}\nfmt.Printf(\"%+v\\n\", result)\n",
  "TypeScript": "const moothall = createClient({ url: \"https://moothall.example.org\", apiKey: process.env.MOOTHALL_TOKEN });\nconst { data } = await moothall.POST(\"/me/imports\", { body: calendar as unknown as string, headers: { \"Content-Type\": calendar.type } });\nconsole.log(data);\n"
 },
 "inviteByEmail": {
  "curl": "curl -X POST 'https://moothall.example.org/events/018f3b0a-5c1d-7000-8000-0000000000e1/email-invitations' \\\n  -H \"Authorization: Bearer $MOOTHALL_TOKEN\" \\\n  -H \"Idempotency-Key: $(uuidgen)\" \\\n  -H 'Content-Type: application/json' \\\n  -d '{\"emails\": [\"anna@example.org\"], \"message\": \"Would love to see you there.\"}'\n",
  "Go": "client := moothall.New(moothall.Options{URL: \"https://moothall.example.org\", APIKey: os.Getenv(\"MOOTHALL_TOKEN\")})\nresult, err := client.InviteByEmail(ctx, \"018f3b0a-5c1d-7000-8000-0000000000e1\", moothall.InviteByEmailRequest{Emails: []string{\"anna@example.org\"}, Message: new(\"Would love to see you there.\")})\nif err != nil {\n\tlog.Fatal(err)\n}\nfmt.Printf(\"%+v\\n\", result)\n",
  "TypeScript": "const moothall = createClient({ url: \"https://moothall.example.org\", apiKey: process.env.MOOTHALL_TOKEN });\nconst { data } = await moothall.POST(\"/events/{event_id}/email-invitations\", { params: { path: { event_id: \"018f3b0a-5c1d-7000-8000-0000000000e1\" } }, body: {\"emails\": [\"anna@example.org\"], \"message\": \"Would love to see you there.\"} });\nconsole.log(data);\n"
 },
 "inviteHost": {
  "curl": "curl -X POST 'https://moothall.example.org/events/018f3b0a-5c1d-7000-8000-0000000000e1/hosts' \\\n  -H \"Authorization: Bearer $MOOTHALL_TOKEN\" \\\n  -H 'Content-Type: application/json' \\\n  -d '{\"user_id\": \"018e3b0a-5c1d-7000-8000-0000000000a2\"}'\n",
  "Go": "client := moothall.New(moothall.Options{URL: \"https://moothall.example.org\", APIKey: os.Getenv(\"MOOTHALL_TOKEN\")})\nresult, err := client.InviteHost(ctx, \"018f3b0a-5c1d-7000-8000-0000000000e1\", moothall.InviteHostRequest{UserID: \"018e3b0a-5c1d-7000-8000-0000000000a2\"})\nif err != nil {\n\tlog.Fatal(err)\n}\nfmt.Printf(\"%+v\\n\", result)\n",
  "TypeScript": "const moothall = createClient({ url: \"https://moothall.example.org\", apiKey: process.env.MOOTHALL_TOKEN });\nconst { data } = await moothall.POST(\"/events/{event_id}/hosts\", { params: { path: { event_id: \"018f3b0a-5c1d-7000-8000-0000000000e1\" } }, body: {\"user_id\": \"018e3b0a-5c1d-7000-8000-0000000000a2\"} });\nconsole.log(data);\n"
 },
 "inviteToEvent": {
  "curl": "curl -X POST 'https://moothall.example.org/events/018f3b0a-5c1d-7000-8000-0000000000e7/invitations' \\\n  -H \"Authorization: Bearer $MOOTHALL_TOKEN\" \\\n  -H \"Idempotency-Key: $(uuidgen)\" \\\n  -H 'Content-Type: application/json' \\\n  -d '{\"email\": \"farid@example.org\", \"message\": \"Would love to see you there.\"}'\n",
  "Go": "client := moothall.New(moothall.Options{URL: \"https://moothall.example.org\", APIKey: os.Getenv(\"MOOTHALL_TOKEN\")})\nresult, err := client.InviteToEvent(ctx, \"018f3b0a-5c1d-7000-8000-0000000000e7\", moothall.CreateEventInvitationRequest{Email: new(\"farid@example.org\"), Message: new(\"Would love to see you there.\")})\nif err != nil {\n\tlog.Fatal(err)\n}\nfmt.Printf(\"%+v\\n\", result)\n",
  "TypeScript": "const moothall = createClient({ url: \"https://moothall.example.org\", apiKey: process.env.MOOTHALL_TOKEN });\nconst { data } = await moothall.POST(\"/events/{event_id}/invitations\", { params: { path: { event_id: \"018f3b0a-5c1d-7000-8000-0000000000e7\" } }, body: {\"email\": \"farid@example.org\", \"message\": \"Would love to see you there.\"} });\nconsole.log(data);\n"
 },
 "inviteToGroup": {
  "curl": "curl -X POST 'https://moothall.example.org/groups/018f3b0a-5c1d-7000-8000-0000000000d1/invitations' \\\n  -H \"Authorization: Bearer $MOOTHALL_TOKEN\" \\\n  -H 'Content-Type: application/json' \\\n  -d '{\"user_id\": \"018e3b0a-5c1d-7000-8000-0000000000a2\"}'\n",
  "Go": "client := moothall.New(moothall.Options{URL: \"https://moothall.example.org\", APIKey: os.Getenv(\"MOOTHALL_TOKEN\")})\nresult, err := client.InviteToGroup(ctx, \"018f3b0a-5c1d-7000-8000-0000000000d1\", moothall.InviteToGroupRequest{UserID: \"018e3b0a-5c1d-7000-8000-0000000000a2\"})\nif err != nil {\n\tlog.Fatal(err)\n}\nfmt.Printf(\"%+v\\n\", result)\n",
  "TypeScript": "const moothall = createClient({ url: \"https://moothall.example.org\", apiKey: process.env.MOOTHALL_TOKEN });\nconst { data } = await moothall.POST(\"/groups/{group_id}/invitations\", { params: { path: { group_id: \"018f3b0a-5c1d-7000-8000-0000000000d1\" } }, body: {\"user_id\": \"018e3b0a-5c1d-7000-8000-0000000000a2\"} });\nconsole.log(data);\n"
 },
 "joinEvent": {
  "curl": "curl -X POST 'https://moothall.example.org/events/018f3b0a-5c1d-7000-8000-0000000000e1/join' \\\n  -H \"Authorization: Bearer $MOOTHALL_TOKEN\" \\\n  -H 'Content-Type: application/json' \\\n  -d '{\"participation_visibility\": \"incognito\"}'\n",
  "Go": "client := moothall.New(moothall.Options{URL: \"https://moothall.example.org\", APIKey: os.Getenv(\"MOOTHALL_TOKEN\")})\nresult, err := client.JoinEvent(ctx, \"018f3b0a-5c1d-7000-8000-0000000000e1\", moothall.JoinEventRequest{ParticipationVisibility: new(moothall.ParticipationVisibilityIncognito)})\nif err != nil {\n\tlog.Fatal(err)\n}\nfmt.Printf(\"%+v\\n\", result)\n",
  "TypeScript": "const moothall = createClient({ url: \"https://moothall.example.org\", apiKey: process.env.MOOTHALL_TOKEN });\nconst { data } = await moothall.POST(\"/events/{event_id}/join\", { params: { path: { event_id: \"018f3b0a-5c1d-7000-8000-0000000000e1\" } }, body: {\"participation_visibility\": \"incognito\"} });\nconsole.log(data);\n"
 },
 "joinEventSeries": {
  "curl": "curl -X POST 'https://moothall.example.org/event-series/018f3b0a-5c1d-7000-8000-0000000000c1/join' \\\n  -H \"Authorization: Bearer $MOOTHALL_TOKEN\" \\\n  -H 'Content-Type: application/json' \\\n  -d '{\"participation_visibility\": \"public\"}'\n",
  "Go": "client := moothall.New(moothall.Options{URL: \"https://moothall.example.org\", APIKey: os.Getenv(\"MOOTHALL_TOKEN\")})\nresult, err := client.JoinEventSeries(ctx, \"018f3b0a-5c1d-7000-8000-0000000000c1\", moothall.JoinEventSeriesRequest{ParticipationVisibility: new(moothall.ParticipationVisibilityPublic)})\nif err != nil {\n\tlog.Fatal(err)\n}\nfmt.Printf(\"%+v\\n\", result)\n",
  "TypeScript": "const moothall = createClient({ url: \"https://moothall.example.org\", apiKey: process.env.MOOTHALL_TOKEN });\nconst { data } = await moothall.POST(\"/event-series/{series_id}/join\", { params: { path: { series_id: \"018f3b0a-5c1d-7000-8000-0000000000c1\" } }, body: {\"participation_visibility\": \"public\"} });\nconsole.log(data);\n"
 },
 "joinGroup": {
  "curl": "curl -X POST 'https://moothall.example.org/groups/018f3b0a-5c1d-7000-8000-0000000000d1/membership' \\\n  -H \"Authorization: Bearer $MOOTHALL_TOKEN\" \\\n  -H 'Content-Type: application/json' \\\n  -d '{\"visibility\": \"public\"}'\n",
  "Go": "client := moothall.New(moothall.Options{URL: \"https://moothall.example.org\", APIKey: os.Getenv(\"MOOTHALL_TOKEN\")})\nresult, err := client.JoinGroup(ctx, \"018f3b0a-5c1d-7000-8000-0000000000d1\", moothall.JoinGroupRequest{Visibility: new(moothall.GroupMemberVisibilityPublic)})\nif err != nil {\n\tlog.Fatal(err)\n}\nfmt.Printf(\"%+v\\n\", result)\n",
  "TypeScript": "const moothall = createClient({ url: \"https://moothall.example.org\", apiKey: process.env.MOOTHALL_TOKEN });\nconst { data } = await moothall.POST(\"/groups/{group_id}/membership\", { params: { path: { group_id: \"018f3b0a-5c1d-7000-8000-0000000000d1\" } }, body: {\"visibility\": \"public\"} });\nconsole.log(data);\n"
 },
 "leaveEvent": {
  "curl": "curl -X DELETE 'https://moothall.example.org/events/018f3b0a-5c1d-7000-8000-0000000000e1/join' \\\n  -H \"Authorization: Bearer $MOOTHALL_TOKEN\"\n",
  "Go": "client := moothall.New(moothall.Options{URL: \"https://moothall.example.org\", APIKey: os.Getenv(\"MOOTHALL_TOKEN\")})\nresult, err := client.LeaveEvent(ctx, \"018f3b0a-5c1d-7000-8000-0000000000e1\")\nif err != nil {\n\tlog.Fatal(err)\n}\nfmt.Printf(\"%+v\\n\", result)\n",
  "TypeScript": "const moothall = createClient({ url: \"https://moothall.example.org\", apiKey: process.env.MOOTHALL_TOKEN });\nconst { data } = await moothall.DELETE(\"/events/{event_id}/join\", { params: { path: { event_id: \"018f3b0a-5c1d-7000-8000-0000000000e1\" } } });\nconsole.log(data);\n"
 },
 "leaveEventSeries": {
  "curl": "curl -X DELETE 'https://moothall.example.org/event-series/018f3b0a-5c1d-7000-8000-0000000000c1/join' \\\n  -H \"Authorization: Bearer $MOOTHALL_TOKEN\"\n",
  "Go": "client := moothall.New(moothall.Options{URL: \"https://moothall.example.org\", APIKey: os.Getenv(\"MOOTHALL_TOKEN\")})\nif err := client.LeaveEventSeries(ctx, \"018f3b0a-5c1d-7000-8000-0000000000c1\", moothall.LeaveEventSeriesParams{}); err != nil {\n\tlog.Fatal(err)\n}\n",
  "TypeScript": "const moothall = createClient({ url: \"https://moothall.example.org\", apiKey: process.env.MOOTHALL_TOKEN });\nawait moothall.DELETE(\"/event-series/{series_id}/join\", { params: { path: { series_id: \"018f3b0a-5c1d-7000-8000-0000000000c1\" } } });\n"
 },
 "leaveGroup": {
  "curl": "curl -X DELETE 'https://moothall.example.org/groups/018f3b0a-5c1d-7000-8000-0000000000d1/membership' \\\n  -H \"Authorization: Bearer $MOOTHALL_TOKEN\"\n",
  "Go": "client := moothall.New(moothall.Options{URL: \"https://moothall.example.org\", APIKey: os.Getenv(\"MOOTHALL_TOKEN\")})\nif err := client.LeaveGroup(ctx, \"018f3b0a-5c1d-7000-8000-0000000000d1\"); err != nil {\n\tlog.Fatal(err)\n}\n",
  "TypeScript": "const moothall = createClient({ url: \"https://moothall.example.org\", apiKey: process.env.MOOTHALL_TOKEN });\nawait moothall.DELETE(\"/groups/{group_id}/membership\", { params: { path: { group_id: \"018f3b0a-5c1d-7000-8000-0000000000d1\" } } });\n"
 },
 "leaveWaitlist": {
  "curl": "curl -X DELETE 'https://moothall.example.org/events/018f3b0a-5c1d-7000-8000-0000000000e1/waitlist' \\\n  -H \"Authorization: Bearer $MOOTHALL_TOKEN\"\n",
  "Go": "client := moothall.New(moothall.Options{URL: \"https://moothall.example.org\", APIKey: os.Getenv(\"MOOTHALL_TOKEN\")})\nif err := client.LeaveWaitlist(ctx, \"018f3b0a-5c1d-7000-8000-0000000000e1\"); err != nil {\n\tlog.Fatal(err)\n}\n",
  "TypeScript": "const moothall = createClient({ url: \"https://moothall.example.org\", apiKey: process.env.MOOTHALL_TOKEN });\nawait moothall.DELETE(\"/events/{event_id}/waitlist\", { params: { path: { event_id: \"018f3b0a-5c1d-7000-8000-0000000000e1\" } } });\n"
 },
 "likePost": {
  "curl": "curl -X POST 'https://moothall.example.org/events/018f3b0a-5c1d-7000-8000-0000000000e1/posts/018f3b0a-5c1d-7000-8000-0000000000f1/like' \\\n  -H \"Authorization: Bearer $MOOTHALL_TOKEN\"\n",
  "Go": "client := moothall.New(moothall.Options{URL: \"https://moothall.example.org\", APIKey: os.Getenv(\"MOOTHALL_TOKEN\")})\nresult, err := client.LikePost(ctx, \"018f3b0a-5c1d-7000-8000-0000000000e1\", \"018f3b0a-5c1d-7000-8000-0000000000f1\")\nif err != nil {\n\tlog.Fatal(err)\n}\nfmt.Printf(\"%+v\\n\", result)\n",
  "TypeScript": "const moothall = createClient({ url: \"https://moothall.example.org\", apiKey: process.env.MOOTHALL_TOKEN });\nconst { data } = await moothall.POST(\"/events/{event_id}/posts/{post_id}/like\", { params: { path: { event_id: \"018f3b0a-5c1d-7000-8000-0000000000e1\", post_id: \"018f3b0a-5c1d-7000-8000-0000000000f1\" } } });\nconsole.log(data);\n"
 },
 "listAddresses": {
  "curl": "curl 'https://moothall.example.org/places/addresses?q=Unter+den+Linden+1' \\\n  -H \"Authorization: Bearer $MOOTHALL_TOKEN\"\n",
  "Go": "client := moothall.New(moothall.Options{URL: \"https://moothall.example.org\", APIKey: os.Getenv(\"MOOTHALL_TOKEN\")})\nresult, err := client.ListAddresses(ctx, moothall.ListAddressesParams{Q: \"Unter den Linden 1\"})\nif err != nil {\n\tlog.Fatal(err)\n}\nfmt.Printf(\"%+v\\n\", result)\n",
  "TypeScript": "const moothall = createClient({ url: \"https://moothall.example.org\", apiKey: process.env.MOOTHALL_TOKEN });\nconst { data } = await moothall.GET(\"/places/addresses\", { params: { query: { q: \"Unter den Linden 1\" } } });\nconsole.log(data);\n"
 },
 "listAnswers": {
  "curl": "curl 'https://moothall.example.org/events/018f3b0a-5c1d-7000-8000-0000000000e1/answers' \\\n  -H \"Authorization: Bearer $MOOTHALL_TOKEN\"\n",
  "Go": "client := moothall.New(moothall.Options{URL: \"https://moothall.example.org\", APIKey: os.Getenv(\"MOOTHALL_TOKEN\")})\nresult, err := client.ListAnswers(ctx, \"018f3b0a-5c1d-7000-8000-0000000000e1\", moothall.ListAnswersParams{})\nif err != nil {\n\tlog.Fatal(err)\n}\nfmt.Printf(\"%+v\\n\", result)\n",
  "TypeScript": "const moothall = createClient({ url: \"https://moothall.example.org\", apiKey: process.env.MOOTHALL_TOKEN });\nconst { data } = await moothall.GET(\"/events/{event_id}/answers\", { params: { path: { event_id: \"018f3b0a-5c1d-7000-8000-0000000000e1\" } } });\nconsole.log(data);\n"
 },
 "listApiKeys": {
  "curl": "curl 'https://moothall.example.org/me/api-keys' \\\n  -H \"Authorization: Bearer $MOOTHALL_TOKEN\"\n",
  "Go": "client := moothall.New(moothall.Options{URL: \"https://moothall.example.org\", APIKey: os.Getenv(\"MOOTHALL_TOKEN\")})\nresult, err := client.ListAPIKeys(ctx)\nif err != nil {\n\tlog.Fatal(err)\n}\nfmt.Printf(\"%+v\\n\", result)\n",
  "TypeScript": "const moothall = createClient({ url: \"https://moothall.example.org\", apiKey: process.env.MOOTHALL_TOKEN });\nconst { data } = await moothall.GET(\"/me/api-keys\");\nconsole.log(data);\n"
 },
 "listCalendarEntries": {
  "curl": "curl 'https://moothall.example.org/calendar/entries' \\\n  -H \"Authorization: Bearer $MOOTHALL_TOKEN\"\n",
  "Go": "client := moothall.New(moothall.Options{URL: \"https://moothall.example.org\", APIKey: os.Getenv(\"MOOTHALL_TOKEN\")})\nresult, err := client.ListCalendarEntries(ctx, moothall.ListCalendarEntriesParams{})\nif err != nil {\n\tlog.Fatal(err)\n}\nfmt.Printf(\"%+v\\n\", result)\n",
  "TypeScript": "const moothall = createClient({ url: \"https://moothall.example.org\", apiKey: process.env.MOOTHALL_TOKEN });\nconst { data } = await moothall.GET(\"/calendar/entries\");\nconsole.log(data);\n"
 },
 "listCalendarInvites": {
  "curl": "curl 'https://moothall.example.org/calendar/invites' \\\n  -H \"Authorization: Bearer $MOOTHALL_TOKEN\"\n",
  "Go": "client := moothall.New(moothall.Options{URL: \"https://moothall.example.org\", APIKey: os.Getenv(\"MOOTHALL_TOKEN\")})\nresult, err := client.ListCalendarInvites(ctx, moothall.ListCalendarInvitesParams{})\nif err != nil {\n\tlog.Fatal(err)\n}\nfmt.Printf(\"%+v\\n\", result)\n",
  "TypeScript": "const moothall = createClient({ url: \"https://moothall.example.org\", apiKey: process.env.MOOTHALL_TOKEN });\nconst { data } = await moothall.GET(\"/calendar/invites\");\nconsole.log(data);\n"
 },
 "listChatMessages": {
  "curl": "curl 'https://moothall.example.org/events/018f3b0a-5c1d-7000-8000-0000000000e1/messages' \\\n  -H \"Authorization: Bearer $MOOTHALL_TOKEN\"\n",
  "Go": "client := moothall.New(moothall.Options{URL: \"https://moothall.example.org\", APIKey: os.Getenv(\"MOOTHALL_TOKEN\")})\nresult, err := client.ListChatMessages(ctx, \"018f3b0a-5c1d-7000-8000-0000000000e1\", moothall.ListChatMessagesParams{})\nif err != nil {\n\tlog.Fatal(err)\n}\nfmt.Printf(\"%+v\\n\", result)\n",
  "TypeScript": "const moothall = createClient({ url: \"https://moothall.example.org\", apiKey: process.env.MOOTHALL_TOKEN });\nconst { data } = await moothall.GET(\"/events/{event_id}/messages\", { params: { path: { event_id: \"018f3b0a-5c1d-7000-8000-0000000000e1\" } } });\nconsole.log(data);\n"
 },
 "listDateOptions": {
  "curl": "curl 'https://moothall.example.org/events/018f3b0a-5c1d-7000-8000-0000000000e8/date-options' \\\n  -H \"Authorization: Bearer $MOOTHALL_TOKEN\"\n",
  "Go": "client := moothall.New(moothall.Options{URL: \"https://moothall.example.org\", APIKey: os.Getenv(\"MOOTHALL_TOKEN\")})\nresult, err := client.ListDateOptions(ctx, \"018f3b0a-5c1d-7000-8000-0000000000e8\")\nif err != nil {\n\tlog.Fatal(err)\n}\nfmt.Printf(\"%+v\\n\", result)\n",
  "TypeScript": "const moothall = createClient({ url: \"https://moothall.example.org\", apiKey: process.env.MOOTHALL_TOKEN });\nconst { data } = await moothall.GET(\"/events/{event_id}/date-options\", { params: { path: { event_id: \"018f3b0a-5c1d-7000-8000-0000000000e8\" } } });\nconsole.log(data);\n"
 },
 "listEmailInvitations": {
  "curl": "curl 'https://moothall.example.org/events/018f3b0a-5c1d-7000-8000-0000000000e1/email-invitations' \\\n  -H \"Authorization: Bearer $MOOTHALL_TOKEN\"\n",
  "Go": "client := moothall.New(moothall.Options{URL: \"https://moothall.example.org\", APIKey: os.Getenv(\"MOOTHALL_TOKEN\")})\nresult, err := client.ListEmailInvitations(ctx, \"018f3b0a-5c1d-7000-8000-0000000000e1\", moothall.ListEmailInvitationsParams{})\nif err != nil {\n\tlog.Fatal(err)\n}\nfmt.Printf(\"%+v\\n\", result)\n",
  "TypeScript": "const moothall = createClient({ url: \"https://moothall.example.org\", apiKey: process.env.MOOTHALL_TOKEN });\nconst { data } = await moothall.GET(\"/events/{event_id}/email-invitations\", { params: { path: { event_id: \"018f3b0a-5c1d-7000-8000-0000000000e1\" } } });\nconsole.log(data);\n"
 },
 "listEventPosts": {
  "curl": "curl 'https://moothall.example.org/events/018f3b0a-5c1d-7000-8000-0000000000e1/posts'\n",
  "Go": "client := moothall.New(moothall.Options{URL: \"https://moothall.example.org\"})\nresult, err := client.ListEventPosts(ctx, \"018f3b0a-5c1d-7000-8000-0000000000e1\", moothall.ListEventPostsParams{})\nif err != nil {\n\tlog.Fatal(err)\n}\nfmt.Printf(\"%+v\\n\", result)\n",
  "TypeScript": "const moothall = createClient({ url: \"https://moothall.example.org\" });\nconst { data } = await moothall.GET(\"/events/{event_id}/posts\", { params: { path: { event_id: \"018f3b0a-5c1d-7000-8000-0000000000e1\" } } });\nconsole.log(data);\n"
 },
 "listEventReviews": {
  "curl": "curl 'https://moothall.example.org/events/018f3b0a-5c1d-7000-8000-0000000000ea/reviews' \\\n  -H \"Authorization: Bearer $MOOTHALL_TOKEN\"\n",
  "Go": "client := moothall.New(moothall.Options{URL: \"https://moothall.example.org\", APIKey: os.Getenv(\"MOOTHALL_TOKEN\")})\nresult, err := client.ListEventReviews(ctx, \"018f3b0a-5c1d-7000-8000-0000000000ea\", moothall.ListEventReviewsParams{})\nif err != nil {\n\tlog.Fatal(err)\n}\nfmt.Printf(\"%+v\\n\", result)\n",
  "TypeScript": "const moothall = createClient({ url: \"https://moothall.example.org\", apiKey: process.env.MOOTHALL_TOKEN });\nconst { data } = await moothall.GET(\"/events/{event_id}/reviews\", { params: { path: { event_id: \"018f3b0a-5c1d-7000-8000-0000000000ea\" } } });\nconsole.log(data);\n"
 },
 "listEvents": {
  "curl": "curl 'https://moothall.example.org/events'\n",
  "Go": "client := moothall.New(moothall.Options{URL: \"https://moothall.example.org\"})\nresult, err := client.ListEvents(ctx, moothall.ListEventsParams{})\nif err != nil {\n\tlog.Fatal(err)\n}\nfmt.Printf(\"%+v\\n\", result)\n",
  "TypeScript": "const moothall = createClient({ url: \"https://moothall.example.org\" });\nconst { data } = await moothall.GET(\"/events\");\nconsole.log(data);\n"
 },
 "listGroupAnnouncements": {
  "curl": "curl 'https://moothall.example.org/groups/018f3b0a-5c1d-7000-8000-0000000000d1/announcements' \\\n  -H \"Authorization: Bearer $MOOTHALL_TOKEN\"\n",
  "Go": "client := moothall.New(moothall.Options{URL: \"https://moothall.example.org\", APIKey: os.Getenv(\"MOOTHALL_TOKEN\")})\nresult, err := client.ListGroupAnnouncements(ctx, \"018f3b0a-5c1d-7000-8000-0000000000d1\", moothall.ListGroupAnnouncementsParams{})\nif err != nil {\n\tlog.Fatal(err)\n}\nfmt.Printf(\"%+v\\n\", result)\n",
  "TypeScript": "const moothall = createClient({ url: \"https://moothall.example.org\", apiKey: process.env.MOOTHALL_TOKEN });\nconst { data } = await moothall.GET(\"/groups/{group_id}/announcements\", { params: { path: { group_id: \"018f3b0a-5c1d-7000-8000-0000000000d1\" } } });\nconsole.log(data);\n"
 },
 "listGroupEvents": {
  "curl": "curl 'https://moothall.example.org/groups/018f3b0a-5c1d-7000-8000-0000000000d1/events'\n",
  "Go": "client := moothall.New(moothall.Options{URL: \"https://moothall.example.org\"})\nresult, err := client.ListGroupEvents(ctx, \"018f3b0a-5c1d-7000-8000-0000000000d1\", moothall.ListGroupEventsParams{})\nif err != nil {\n\tlog.Fatal(err)\n}\nfmt.Printf(\"%+v\\n\", result)\n",
  "TypeScript": "const moothall = createClient({ url: \"https://moothall.example.org\" });\nconst { data } = await moothall.GET(\"/groups/{group_id}/events\", { params: { path: { group_id: \"018f3b0a-5c1d-7000-8000-0000000000d1\" } } });\nconsole.log(data);\n"
 },
 "listGroupMembers": {
  "curl": "curl 'https://moothall.example.org/groups/018f3b0a-5c1d-7000-8000-0000000000d1/members'\n",
  "Go": "client := moothall.New(moothall.Options{URL: \"https://moothall.example.org\"})\nresult, err := client.ListGroupMembers(ctx, \"018f3b0a-5c1d-7000-8000-0000000000d1\", moothall.ListGroupMembersParams{})\nif err != nil {\n\tlog.Fatal(err)\n}\nfmt.Printf(\"%+v\\n\", result)\n",
  "TypeScript": "const moothall = createClient({ url: \"https://moothall.example.org\" });\nconst { data } = await moothall.GET(\"/groups/{group_id}/members\", { params: { path: { group_id: \"018f3b0a-5c1d-7000-8000-0000000000d1\" } } });\nconsole.log(data);\n"
 },
 "listGroupSources": {
  "curl": "curl 'https://moothall.example.org/groups/018f3b0a-5c1d-7000-8000-0000000000d1/sources' \\\n  -H \"Authorization: Bearer $MOOTHALL_TOKEN\"\n",
  "Go": "client := moothall.New(moothall.Options{URL: \"https://moothall.example.org\", APIKey: os.Getenv(\"MOOTHALL_TOKEN\")})\nresult, err := client.ListGroupSources(ctx, \"018f3b0a-5c1d-7000-8000-0000000000d1\")\nif err != nil {\n\tlog.Fatal(err)\n}\nfmt.Printf(\"%+v\\n\", result)\n",
  "TypeScript": "const moothall = createClient({ url: \"https://moothall.example.org\", apiKey: process.env.MOOTHALL_TOKEN });\nconst { data } = await moothall.GET(\"/groups/{group_id}/sources\", { params: { path: { group_id: \"018f3b0a-5c1d-7000-8000-0000000000d1\" } } });\nconsole.log(data);\n"
 },
 "listGroups": {
  "curl": "curl 'https://moothall.example.org/groups'\n",
  "Go": "client := moothall.New(moothall.Options{URL: \"https://moothall.example.org\"})\nresult, err := client.ListGroups(ctx, moothall.ListGroupsParams{})\nif err != nil {\n\tlog.Fatal(err)\n}\nfmt.Printf(\"%+v\\n\", result)\n",
  "TypeScript": "const moothall = createClient({ url: \"https://moothall.example.org\" });\nconst { data } = await moothall.GET(\"/groups\");\nconsole.log(data);\n"
 },
 "listGuestAudiences": {
  "curl": "curl 'https://moothall.example.org/events/018f3b0a-5c1d-7000-8000-0000000000e1/guest-audiences' \\\n  -H \"Authorization: Bearer $MOOTHALL_TOKEN\"\n",
  "Go": "client := moothall.New(moothall.Options{URL: \"https://moothall.example.org\", APIKey: os.Getenv(\"MOOTHALL_TOKEN\")})\nresult, err := client.ListGuestAudiences(ctx, \"018f3b0a-5c1d-7000-8000-0000000000e1\")\nif err != nil {\n\tlog.Fatal(err)\n}\nfmt.Printf(\"%+v\\n\", result)\n",
  "TypeScript": "const moothall = createClient({ url: \"https://moothall.example.org\", apiKey: process.env.MOOTHALL_TOKEN });\nconst { data } = await moothall.GET(\"/events/{event_id}/guest-audiences\", { params: { path: { event_id: \"018f3b0a-5c1d-7000-8000-0000000000e1\" } } });\nconsole.log(data);\n"
 },
 "listGuestMessages": {
  "curl": "curl 'https://moothall.example.org/events/018f3b0a-5c1d-7000-8000-0000000000e1/guest-messages' \\\n  -H \"Authorization: Bearer $MOOTHALL_TOKEN\"\n",
  "Go": "client := moothall.New(moothall.Options{URL: \"https://moothall.example.org\", APIKey: os.Getenv(\"MOOTHALL_TOKEN\")})\nresult, err := client.ListGuestMessages(ctx, \"018f3b0a-5c1d-7000-8000-0000000000e1\", moothall.ListGuestMessagesParams{})\nif err != nil {\n\tlog.Fatal(err)\n}\nfmt.Printf(\"%+v\\n\", result)\n",
  "TypeScript": "const moothall = createClient({ url: \"https://moothall.example.org\", apiKey: process.env.MOOTHALL_TOKEN });\nconst { data } = await moothall.GET(\"/events/{event_id}/guest-messages\", { params: { path: { event_id: \"018f3b0a-5c1d-7000-8000-0000000000e1\" } } });\nconsole.log(data);\n"
 },
 "listHosts": {
  "curl": "curl 'https://moothall.example.org/events/018f3b0a-5c1d-7000-8000-0000000000e1/hosts' \\\n  -H \"Authorization: Bearer $MOOTHALL_TOKEN\"\n",
  "Go": "client := moothall.New(moothall.Options{URL: \"https://moothall.example.org\", APIKey: os.Getenv(\"MOOTHALL_TOKEN\")})\nresult, err := client.ListHosts(ctx, \"018f3b0a-5c1d-7000-8000-0000000000e1\")\nif err != nil {\n\tlog.Fatal(err)\n}\nfmt.Printf(\"%+v\\n\", result)\n",
  "TypeScript": "const moothall = createClient({ url: \"https://moothall.example.org\", apiKey: process.env.MOOTHALL_TOKEN });\nconst { data } = await moothall.GET(\"/events/{event_id}/hosts\", { params: { path: { event_id: \"018f3b0a-5c1d-7000-8000-0000000000e1\" } } });\nconsole.log(data);\n"
 },
 "listInvitations": {
  "curl": "curl 'https://moothall.example.org/events/018f3b0a-5c1d-7000-8000-0000000000e7/invitations' \\\n  -H \"Authorization: Bearer $MOOTHALL_TOKEN\"\n",
  "Go": "client := moothall.New(moothall.Options{URL: \"https://moothall.example.org\", APIKey: os.Getenv(\"MOOTHALL_TOKEN\")})\nresult, err := client.ListInvitations(ctx, \"018f3b0a-5c1d-7000-8000-0000000000e7\", moothall.ListInvitationsParams{})\nif err != nil {\n\tlog.Fatal(err)\n}\nfmt.Printf(\"%+v\\n\", result)\n",
  "TypeScript": "const moothall = createClient({ url: \"https://moothall.example.org\", apiKey: process.env.MOOTHALL_TOKEN });\nconst { data } = await moothall.GET(\"/events/{event_id}/invitations\", { params: { path: { event_id: \"018f3b0a-5c1d-7000-8000-0000000000e7\" } } });\nconsole.log(data);\n"
 },
 "listInviteLinks": {
  "curl": "curl 'https://moothall.example.org/events/018f3b0a-5c1d-7000-8000-0000000000e7/invite-links' \\\n  -H \"Authorization: Bearer $MOOTHALL_TOKEN\"\n",
  "Go": "client := moothall.New(moothall.Options{URL: \"https://moothall.example.org\", APIKey: os.Getenv(\"MOOTHALL_TOKEN\")})\nresult, err := client.ListInviteLinks(ctx, \"018f3b0a-5c1d-7000-8000-0000000000e7\", moothall.ListInviteLinksParams{})\nif err != nil {\n\tlog.Fatal(err)\n}\nfmt.Printf(\"%+v\\n\", result)\n",
  "TypeScript": "const moothall = createClient({ url: \"https://moothall.example.org\", apiKey: process.env.MOOTHALL_TOKEN });\nconst { data } = await moothall.GET(\"/events/{event_id}/invite-links\", { params: { path: { event_id: \"018f3b0a-5c1d-7000-8000-0000000000e7\" } } });\nconsole.log(data);\n"
 },
 "listMyChats": {
  "curl": "curl 'https://moothall.example.org/me/chats' \\\n  -H \"Authorization: Bearer $MOOTHALL_TOKEN\"\n",
  "Go": "client := moothall.New(moothall.Options{URL: \"https://moothall.example.org\", APIKey: os.Getenv(\"MOOTHALL_TOKEN\")})\nresult, err := client.ListMyChats(ctx, moothall.ListMyChatsParams{})\nif err != nil {\n\tlog.Fatal(err)\n}\nfmt.Printf(\"%+v\\n\", result)\n",
  "TypeScript": "const moothall = createClient({ url: \"https://moothall.example.org\", apiKey: process.env.MOOTHALL_TOKEN });\nconst { data } = await moothall.GET(\"/me/chats\");\nconsole.log(data);\n"
 },
 "listMyEventSeries": {
  "curl": "curl 'https://moothall.example.org/me/event-series' \\\n  -H \"Authorization: Bearer $MOOTHALL_TOKEN\"\n",
  "Go": "client := moothall.New(moothall.Options{URL: \"https://moothall.example.org\", APIKey: os.Getenv(\"MOOTHALL_TOKEN\")})\nresult, err := client.ListMyEventSeries(ctx, moothall.ListMyEventSeriesParams{})\nif err != nil {\n\tlog.Fatal(err)\n}\nfmt.Printf(\"%+v\\n\", result)\n",
  "TypeScript": "const moothall = createClient({ url: \"https://moothall.example.org\", apiKey: process.env.MOOTHALL_TOKEN });\nconst { data } = await moothall.GET(\"/me/event-series\");\nconsole.log(data);\n"
 },
 "listMyEvents": {
  "curl": "curl 'https://moothall.example.org/me/events' \\\n  -H \"Authorization: Bearer $MOOTHALL_TOKEN\"\n",
  "Go": "client := moothall.New(moothall.Options{URL: \"https://moothall.example.org\", APIKey: os.Getenv(\"MOOTHALL_TOKEN\")})\nresult, err := client.ListMyEvents(ctx, moothall.ListMyEventsParams{})\nif err != nil {\n\tlog.Fatal(err)\n}\nfmt.Printf(\"%+v\\n\", result)\n",
  "TypeScript": "const moothall = createClient({ url: \"https://moothall.example.org\", apiKey: process.env.MOOTHALL_TOKEN });\nconst { data } = await moothall.GET(\"/me/events\");\nconsole.log(data);\n"
 },
 "listMyGroups": {
  "curl": "curl 'https://moothall.example.org/me/groups' \\\n  -H \"Authorization: Bearer $MOOTHALL_TOKEN\"\n",
  "Go": "client := moothall.New(moothall.Options{URL: \"https://moothall.example.org\", APIKey: os.Getenv(\"MOOTHALL_TOKEN\")})\nresult, err := client.ListMyGroups(ctx, moothall.ListMyGroupsParams{})\nif err != nil {\n\tlog.Fatal(err)\n}\nfmt.Printf(\"%+v\\n\", result)\n",
  "TypeScript": "const moothall = createClient({ url: \"https://moothall.example.org\", apiKey: process.env.MOOTHALL_TOKEN });\nconst { data } = await moothall.GET(\"/me/groups\");\nconsole.log(data);\n"
 },
 "listMyReposts": {
  "curl": "curl 'https://moothall.example.org/me/reposts' \\\n  -H \"Authorization: Bearer $MOOTHALL_TOKEN\"\n",
  "Go": "client := moothall.New(moothall.Options{URL: \"https://moothall.example.org\", APIKey: os.Getenv(\"MOOTHALL_TOKEN\")})\nresult, err := client.ListMyReposts(ctx, moothall.ListMyRepostsParams{})\nif err != nil {\n\tlog.Fatal(err)\n}\nfmt.Printf(\"%+v\\n\", result)\n",
  "TypeScript": "const moothall = createClient({ url: \"https://moothall.example.org\", apiKey: process.env.MOOTHALL_TOKEN });\nconst { data } = await moothall.GET(\"/me/reposts\");\nconsole.log(data);\n"
 },
 "listNotifications": {
  "curl": "curl 'https://moothall.example.org/notifications' \\\n  -H \"Authorization: Bearer $MOOTHALL_TOKEN\"\n",
  "Go": "client := moothall.New(moothall.Options{URL: \"https://moothall.example.org\", APIKey: os.Getenv(\"MOOTHALL_TOKEN\")})\nresult, err := client.ListNotifications(ctx, moothall.ListNotificationsParams{})\nif err != nil {\n\tlog.Fatal(err)\n}\nfmt.Printf(\"%+v\\n\", result)\n",
  "TypeScript": "const moothall = createClient({ url: \"https://moothall.example.org\", apiKey: process.env.MOOTHALL_TOKEN });\nconst { data } = await moothall.GET(\"/notifications\");\nconsole.log(data);\n"
 },
 "listParticipants": {
  "curl": "curl 'https://moothall.example.org/events/018f3b0a-5c1d-7000-8000-0000000000e1/participants' \\\n  -H \"Authorization: Bearer $MOOTHALL_TOKEN\"\n",
  "Go": "client := moothall.New(moothall.Options{URL: \"https://moothall.example.org\", APIKey: os.Getenv(\"MOOTHALL_TOKEN\")})\nresult, err := client.ListParticipants(ctx, \"018f3b0a-5c1d-7000-8000-0000000000e1\", moothall.ListParticipantsParams{})\nif err != nil {\n\tlog.Fatal(err)\n}\nfmt.Printf(\"%+v\\n\", result)\n",
  "TypeScript": "const moothall = createClient({ url: \"https://moothall.example.org\", apiKey: process.env.MOOTHALL_TOKEN });\nconst { data } = await moothall.GET(\"/events/{event_id}/participants\", { params: { path: { event_id: \"018f3b0a-5c1d-7000-8000-0000000000e1\" } } });\nconsole.log(data);\n"
 },
 "listPasskeys": {
  "curl": "curl 'https://moothall.example.org/me/passkeys' \\\n  -H \"Authorization: Bearer $MOOTHALL_TOKEN\"\n",
  "Go": "client := moothall.New(moothall.Options{URL: \"https://moothall.example.org\", APIKey: os.Getenv(\"MOOTHALL_TOKEN\")})\nresult, err := client.ListPasskeys(ctx)\nif err != nil {\n\tlog.Fatal(err)\n}\nfmt.Printf(\"%+v\\n\", result)\n",
  "TypeScript": "const moothall = createClient({ url: \"https://moothall.example.org\", apiKey: process.env.MOOTHALL_TOKEN });\nconst { data } = await moothall.GET(\"/me/passkeys\");\nconsole.log(data);\n"
 },
 "listPlaces": {
  "curl": "curl 'https://moothall.example.org/places'\n",
  "Go": "client := moothall.New(moothall.Options{URL: \"https://moothall.example.org\"})\nresult, err := client.ListPlaces(ctx, moothall.ListPlacesParams{})\nif err != nil {\n\tlog.Fatal(err)\n}\nfmt.Printf(\"%+v\\n\", result)\n",
  "TypeScript": "const moothall = createClient({ url: \"https://moothall.example.org\" });\nconst { data } = await moothall.GET(\"/places\");\nconsole.log(data);\n"
 },
 "listPostComments": {
  "curl": "curl 'https://moothall.example.org/events/018f3b0a-5c1d-7000-8000-0000000000e1/posts/018f3b0a-5c1d-7000-8000-0000000000f1/comments'\n",
  "Go": "client := moothall.New(moothall.Options{URL: \"https://moothall.example.org\"})\nresult, err := client.ListPostComments(ctx, \"018f3b0a-5c1d-7000-8000-0000000000e1\", \"018f3b0a-5c1d-7000-8000-0000000000f1\", moothall.ListPostCommentsParams{})\nif err != nil {\n\tlog.Fatal(err)\n}\nfmt.Printf(\"%+v\\n\", result)\n",
  "TypeScript": "const moothall = createClient({ url: \"https://moothall.example.org\" });\nconst { data } = await moothall.GET(\"/events/{event_id}/posts/{post_id}/comments\", { params: { path: { event_id: \"018f3b0a-5c1d-7000-8000-0000000000e1\", post_id: \"018f3b0a-5c1d-7000-8000-0000000000f1\" } } });\nconsole.log(data);\n"
 },
 "listPostThreads": {
  "curl": "curl 'https://moothall.example.org/events/posts?event_id=018f3b0a-5c1d-7000-8000-0000000000e1'\n",
  "Go": "client := moothall.New(moothall.Options{URL: \"https://moothall.example.org\"})\nresult, err := client.ListPostThreads(ctx, moothall.ListPostThreadsParams{EventID: []string{\"018f3b0a-5c1d-7000-8000-0000000000e1\"}})\nif err != nil {\n\tlog.Fatal(err)\n}\nfmt.Printf(\"%+v\\n\", result)\n",
  "TypeScript": "const moothall = createClient({ url: \"https://moothall.example.org\" });\nconst { data } = await moothall.GET(\"/events/posts\", { params: { query: { event_id: [\"018f3b0a-5c1d-7000-8000-0000000000e1\"] } } });\nconsole.log(data);\n"
 },
 "listProfiles": {
  "curl": "curl 'https://moothall.example.org/users/profiles'\n",
  "Go": "client := moothall.New(moothall.Options{URL: \"https://moothall.example.org\"})\nresult, err := client.ListProfiles(ctx, moothall.ListProfilesParams{})\nif err != nil {\n\tlog.Fatal(err)\n}\nfmt.Printf(\"%+v\\n\", result)\n",
  "TypeScript": "const moothall = createClient({ url: \"https://moothall.example.org\" });\nconst { data } = await moothall.GET(\"/users/profiles\");\nconsole.log(data);\n"
 },
 "listPushSubscriptions": {
  "curl": "curl 'https://moothall.example.org/me/push-subscriptions' \\\n  -H \"Authorization: Bearer $MOOTHALL_TOKEN\"\n",
  "Go": "client := moothall.New(moothall.Options{URL: \"https://moothall.example.org\", APIKey: os.Getenv(\"MOOTHALL_TOKEN\")})\nresult, err := client.ListPushSubscriptions(ctx)\nif err != nil {\n\tlog.Fatal(err)\n}\nfmt.Printf(\"%+v\\n\", result)\n",
  "TypeScript": "const moothall = createClient({ url: \"https://moothall.example.org\", apiKey: process.env.MOOTHALL_TOKEN });\nconst { data } = await moothall.GET(\"/me/push-subscriptions\");\nconsole.log(data);\n"
 },
 "listQuestions": {
  "curl": "curl 'https://moothall.example.org/events/018f3b0a-5c1d-7000-8000-0000000000e1/questions' \\\n  -H \"Authorization: Bearer $MOOTHALL_TOKEN\"\n",
  "Go": "client := moothall.New(moothall.Options{URL: \"https://moothall.example.org\", APIKey: os.Getenv(\"MOOTHALL_TOKEN\")})\nresult, err := client.ListQuestions(ctx, \"018f3b0a-5c1d-7000-8000-0000000000e1\")\nif err != nil {\n\tlog.Fatal(err)\n}\nfmt.Printf(\"%+v\\n\", result)\n",
  "TypeScript": "const moothall = createClient({ url: \"https://moothall.example.org\", apiKey: process.env.MOOTHALL_TOKEN });\nconst { data } = await moothall.GET(\"/events/{event_id}/questions\", { params: { path: { event_id: \"018f3b0a-5c1d-7000-8000-0000000000e1\" } } });\nconsole.log(data);\n"
 },
 "listReports": {
  "curl": "curl 'https://moothall.example.org/admin/reports' \\\n  -H \"Authorization: Bearer $MOOTHALL_TOKEN\"\n",
  "Go": "client := moothall.New(moothall.Options{URL: \"https://moothall.example.org\", APIKey: os.Getenv(\"MOOTHALL_TOKEN\")})\nresult, err := client.ListReports(ctx, moothall.ListReportsParams{})\nif err != nil {\n\tlog.Fatal(err)\n}\nfmt.Printf(\"%+v\\n\", result)\n",
  "TypeScript": "const moothall = createClient({ url: \"https://moothall.example.org\", apiKey: process.env.MOOTHALL_TOKEN });\nconst { data } = await moothall.GET(\"/admin/reports\");\nconsole.log(data);\n"
 },
 "listSeriesDates": {
  "curl": "curl 'https://moothall.example.org/event-series/018f3b0a-5c1d-7000-8000-0000000000c1/dates' \\\n  -H \"Authorization: Bearer $MOOTHALL_TOKEN\"\n",
  "Go": "client := moothall.New(moothall.Options{URL: \"https://moothall.example.org\", APIKey: os.Getenv(\"MOOTHALL_TOKEN\")})\nresult, err := client.ListSeriesDates(ctx, \"018f3b0a-5c1d-7000-8000-0000000000c1\", moothall.ListSeriesDatesParams{})\nif err != nil {\n\tlog.Fatal(err)\n}\nfmt.Printf(\"%+v\\n\", result)\n",
  "TypeScript": "const moothall = createClient({ url: \"https://moothall.example.org\", apiKey: process.env.MOOTHALL_TOKEN });\nconst { data } = await moothall.GET(\"/event-series/{series_id}/dates\", { params: { path: { series_id: \"018f3b0a-5c1d-7000-8000-0000000000c1\" } } });\nconsole.log(data);\n"
 },
 "listSeriesEvents": {
  "curl": "curl 'https://moothall.example.org/event-series/018f3b0a-5c1d-7000-8000-0000000000c1/events'\n",
  "Go": "client := moothall.New(moothall.Options{URL: \"https://moothall.example.org\"})\nresult, err := client.ListSeriesEvents(ctx, \"018f3b0a-5c1d-7000-8000-0000000000c1\", moothall.ListSeriesEventsParams{})\nif err != nil {\n\tlog.Fatal(err)\n}\nfmt.Printf(\"%+v\\n\", result)\n",
  "TypeScript": "const moothall = createClient({ url: \"https://moothall.example.org\" });\nconst { data } = await moothall.GET(\"/event-series/{series_id}/events\", { params: { path: { series_id: \"018f3b0a-5c1d-7000-8000-0000000000c1\" } } });\nconsole.log(data);\n"
 },
 "listSessions": {
  "curl": "curl 'https://moothall.example.org/auth/sessions' \\\n  -H \"Authorization: Bearer $MOOTHALL_TOKEN\"\n",
  "Go": "client := moothall.New(moothall.Options{URL: \"https://moothall.example.org\", APIKey: os.Getenv(\"MOOTHALL_TOKEN\")})\nresult, err := client.ListSessions(ctx)\nif err != nil {\n\tlog.Fatal(err)\n}\nfmt.Printf(\"%+v\\n\", result)\n",
  "TypeScript": "const moothall = createClient({ url: \"https://moothall.example.org\", apiKey: process.env.MOOTHALL_TOKEN });\nconst { data } = await moothall.GET(\"/auth/sessions\");\nconsole.log(data);\n"
 },
 "listWaitlistEntries": {
  "curl": "curl 'https://moothall.example.org/events/018f3b0a-5c1d-7000-8000-0000000000e1/waitlist/entries' \\\n  -H \"Authorization: Bearer $MOOTHALL_TOKEN\"\n",
  "Go": "client := moothall.New(moothall.Options{URL: \"https://moothall.example.org\", APIKey: os.Getenv(\"MOOTHALL_TOKEN\")})\nresult, err := client.ListWaitlistEntries(ctx, \"018f3b0a-5c1d-7000-8000-0000000000e1\", moothall.ListWaitlistEntriesParams{})\nif err != nil {\n\tlog.Fatal(err)\n}\nfmt.Printf(\"%+v\\n\", result)\n",
  "TypeScript": "const moothall = createClient({ url: \"https://moothall.example.org\", apiKey: process.env.MOOTHALL_TOKEN });\nconst { data } = await moothall.GET(\"/events/{event_id}/waitlist/entries\", { params: { path: { event_id: \"018f3b0a-5c1d-7000-8000-0000000000e1\" } } });\nconsole.log(data);\n"
 },
 "listWebhookDeliveries": {
  "curl": "curl 'https://moothall.example.org/me/webhooks/018f3b0a-5c1d-7000-8000-0000000000f3/deliveries' \\\n  -H \"Authorization: Bearer $MOOTHALL_TOKEN\"\n",
  "Go": "client := moothall.New(moothall.Options{URL: \"https://moothall.example.org\", APIKey: os.Getenv(\"MOOTHALL_TOKEN\")})\nresult, err := client.ListWebhookDeliveries(ctx, \"018f3b0a-5c1d-7000-8000-0000000000f3\", moothall.ListWebhookDeliveriesParams{})\nif err != nil {\n\tlog.Fatal(err)\n}\nfmt.Printf(\"%+v\\n\", result)\n",
  "TypeScript": "const moothall = createClient({ url: \"https://moothall.example.org\", apiKey: process.env.MOOTHALL_TOKEN });\nconst { data } = await moothall.GET(\"/me/webhooks/{webhook_id}/deliveries\", { params: { path: { webhook_id: \"018f3b0a-5c1d-7000-8000-0000000000f3\" } } });\nconsole.log(data);\n"
 },
 "listWebhooks": {
  "curl": "curl 'https://moothall.example.org/me/webhooks' \\\n  -H \"Authorization: Bearer $MOOTHALL_TOKEN\"\n",
  "Go": "client := moothall.New(moothall.Options{URL: \"https://moothall.example.org\", APIKey: os.Getenv(\"MOOTHALL_TOKEN\")})\nresult, err := client.ListWebhooks(ctx)\nif err != nil {\n\tlog.Fatal(err)\n}\nfmt.Printf(\"%+v\\n\", result)\n",
  "TypeScript": "const moothall = createClient({ url: \"https://moothall.example.org\", apiKey: process.env.MOOTHALL_TOKEN });\nconst { data } = await moothall.GET(\"/me/webhooks\");\nconsole.log(data);\n"
 },
 "logout": {
  "curl": "curl -X POST 'https://moothall.example.org/auth/logout' \\\n  -H 'Content-Type: application/json' \\\n  -d '{\"refresh_token\": \"rt_kQ3vS0m9o0m1a7cWcS4nB2yq8r5t6u7v8w9x0y1z2A3\"}'\n",
  "Go": "client := moothall.New(moothall.Options{URL: \"https://moothall.example.org\"})\nif err := client.Logout(ctx, moothall.RefreshTokenRequest{RefreshToken: new(\"rt_kQ3vS0m9o0m1a7cWcS4nB2yq8r5t6u7v8w9x0y1z2A3\")}); err != nil {\n\tlog.Fatal(err)\n}\n",
  "TypeScript": "const moothall = createClient({ url: \"https://moothall.example.org\" });\nawait moothall.POST(\"/auth/logout\", { body: {\"refresh_token\": \"rt_kQ3vS0m9o0m1a7cWcS4nB2yq8r5t6u7v8w9x0y1z2A3\"} });\n"
 },
 "mapEvents": {
  "curl": "curl 'https://moothall.example.org/events/map'\n",
  "Go": "client := moothall.New(moothall.Options{URL: \"https://moothall.example.org\"})\nresult, err := client.MapEvents(ctx, moothall.MapEventsParams{})\nif err != nil {\n\tlog.Fatal(err)\n}\nfmt.Printf(\"%+v\\n\", result)\n",
  "TypeScript": "const moothall = createClient({ url: \"https://moothall.example.org\" });\nconst { data } = await moothall.GET(\"/events/map\");\nconsole.log(data);\n"
 },
 "markChatRead": {
  "curl": "curl -X POST 'https://moothall.example.org/events/018f3b0a-5c1d-7000-8000-0000000000e1/messages/read' \\\n  -H \"Authorization: Bearer $MOOTHALL_TOKEN\" \\\n  -H 'Content-Type: application/json' \\\n  -d '{\"position\": \"1795290000123456\"}'\n",
  "Go": "client := moothall.New(moothall.Options{URL: \"https://moothall.example.org\", APIKey: os.Getenv(\"MOOTHALL_TOKEN\")})\nresult, err := client.MarkChatRead(ctx, \"018f3b0a-5c1d-7000-8000-0000000000e1\", moothall.MarkChatReadRequest{Position: \"1795290000123456\"})\nif err != nil {\n\tlog.Fatal(err)\n}\nfmt.Printf(\"%+v\\n\", result)\n",
  "TypeScript": "const moothall = createClient({ url: \"https://moothall.example.org\", apiKey: process.env.MOOTHALL_TOKEN });\nconst { data } = await moothall.POST(\"/events/{event_id}/messages/read\", { params: { path: { event_id: \"018f3b0a-5c1d-7000-8000-0000000000e1\" } }, body: {\"position\": \"1795290000123456\"} });\nconsole.log(data);\n"
 },
 "muteEvent": {
  "curl": "curl -X PUT 'https://moothall.example.org/events/018f3b0a-5c1d-7000-8000-0000000000e1/mute' \\\n  -H \"Authorization: Bearer $MOOTHALL_TOKEN\"\n",
  "Go": "client := moothall.New(moothall.Options{URL: \"https://moothall.example.org\", APIKey: os.Getenv(\"MOOTHALL_TOKEN\")})\nresult, err := client.MuteEvent(ctx, \"018f3b0a-5c1d-7000-8000-0000000000e1\")\nif err != nil {\n\tlog.Fatal(err)\n}\nfmt.Printf(\"%+v\\n\", result)\n",
  "TypeScript": "const moothall = createClient({ url: \"https://moothall.example.org\", apiKey: process.env.MOOTHALL_TOKEN });\nconst { data } = await moothall.PUT(\"/events/{event_id}/mute\", { params: { path: { event_id: \"018f3b0a-5c1d-7000-8000-0000000000e1\" } } });\nconsole.log(data);\n"
 },
 "offerSeats": {
  "curl": "curl -X POST 'https://moothall.example.org/events/018f3b0a-5c1d-7000-8000-0000000000e1/waitlist/entries/018f3b0a-5c1d-7000-8000-0000000000b1/offer' \\\n  -H \"Authorization: Bearer $MOOTHALL_TOKEN\"\n",
  "Go": "client := moothall.New(moothall.Options{URL: \"https://moothall.example.org\", APIKey: os.Getenv(\"MOOTHALL_TOKEN\")})\nresult, err := client.OfferSeats(ctx, \"018f3b0a-5c1d-7000-8000-0000000000e1\", \"018f3b0a-5c1d-7000-8000-0000000000b1\")\nif err != nil {\n\tlog.Fatal(err)\n}\nfmt.Printf(\"%+v\\n\", result)\n",
  "TypeScript": "const moothall = createClient({ url: \"https://moothall.example.org\", apiKey: process.env.MOOTHALL_TOKEN });\nconst { data } = await moothall.POST(\"/events/{event_id}/waitlist/entries/{entry_id}/offer\", { params: { path: { event_id: \"018f3b0a-5c1d-7000-8000-0000000000e1\", entry_id: \"018f3b0a-5c1d-7000-8000-0000000000b1\" } } });\nconsole.log(data);\n"
 },
 "openCalendarFeed": {
  "curl": "curl -X POST 'https://moothall.example.org/calendar/feed' \\\n  -H \"Authorization: Bearer $MOOTHALL_TOKEN\" \\\n  -H \"Idempotency-Key: $(uuidgen)\"\n",
  "Go": "client := moothall.New(moothall.Options{URL: \"https://moothall.example.org\", APIKey: os.Getenv(\"MOOTHALL_TOKEN\")})\nresult, err := client.OpenCalendarFeed(ctx)\nif err != nil {\n\tlog.Fatal(err)\n}\nfmt.Printf(\"%+v\\n\", result)\n",
  "TypeScript": "const moothall = createClient({ url: \"https://moothall.example.org\", apiKey: process.env.MOOTHALL_TOKEN });\nconst { data } = await moothall.POST(\"/calendar/feed\");\nconsole.log(data);\n"
 },
 "openRealtimeSocket": {
  "curl": "curl 'https://moothall.example.org/realtime' \\\n  -H \"Authorization: Bearer $MOOTHALL_TOKEN\" \\\n  -H 'Connection: Upgrade' -H 'Upgrade: websocket' \\\n  -H 'Sec-WebSocket-Version: 13' -H 'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ=='\n"
 },
 "openRealtimeStream": {
  "curl": "curl 'https://moothall.example.org/realtime/stream?topic=me' \\\n  -H \"Authorization: Bearer $MOOTHALL_TOKEN\"\n",
  "Go": "client := moothall.New(moothall.Options{URL: \"https://moothall.example.org\", APIKey: os.Getenv(\"MOOTHALL_TOKEN\")})\ncontent, err := client.OpenRealtimeStream(ctx, moothall.OpenRealtimeStreamParams{Topic: []string{\"me\"}})\nif err != nil {\n\tlog.Fatal(err)\n}\ndefer content.Close()\nio.Copy(os.Stdout, content)\n",
  "TypeScript": "const moothall = createClient({ url: \"https://moothall.example.org\", apiKey: process.env.MOOTHALL_TOKEN });\nconst { data } = await moothall.GET(\"/realtime/stream\", { params: { query: { topic: [\"me\"] } }, parseAs: \"stream\" });\nfor await (const chunk of data!) console.log(chunk);\n"
 },
 "pauseEventSeries": {
  "curl": "curl -X POST 'https://moothall.example.org/event-series/018f3b0a-5c1d-7000-8000-0000000000c1/pause' \\\n  -H \"Authorization: Bearer $MOOTHALL_TOKEN\"\n",
  "Go": "client := moothall.New(moothall.Options{URL: \"https://moothall.example.org\", APIKey: os.Getenv(\"MOOTHALL_TOKEN\")})\nresult, err := client.PauseEventSeries(ctx, \"018f3b0a-5c1d-7000-8000-0000000000c1\")\nif err != nil {\n\tlog.Fatal(err)\n}\nfmt.Printf(\"%+v\\n\", result)\n",
  "TypeScript": "const moothall = createClient({ url: \"https://moothall.example.org\", apiKey: process.env.MOOTHALL_TOKEN });\nconst { data } = await moothall.POST(\"/event-series/{series_id}/pause\", { params: { path: { series_id: \"018f3b0a-5c1d-7000-8000-0000000000c1\" } } });\nconsole.log(data);\n"
 },
 "previewEventSeries": {
  "curl": "curl 'https://moothall.example.org/event-series/preview?rrule=FREQ%3DWEEKLY%3BBYDAY%3DTH\u0026starts_at=2038-12-02T19%3A00%3A00\u0026timezone=Europe%2FBerlin' \\\n  -H \"Authorization: Bearer $MOOTHALL_TOKEN\"\n",
  "Go": "client := moothall.New(moothall.Options{URL: \"https://moothall.example.org\", APIKey: os.Getenv(\"MOOTHALL_TOKEN\")})\nresult, err := client.PreviewEventSeries(ctx, moothall.PreviewEventSeriesParams{\n\tRrule:    \"FREQ=WEEKLY;BYDAY=TH\",\n\tStartsAt: \"2038-12-02T19:00:00\",\n\tTimezone: \"Europe/Berlin\",\n})\nif err != nil {\n\tlog.Fatal(err)\n}\nfmt.Printf(\"%+v\\n\", result)\n",
  "TypeScript": "const moothall = createClient({ url: \"https://moothall.example.org\", apiKey: process.env.MOOTHALL_TOKEN });\nconst { data } = await moothall.GET(\"/event-series/preview\", { params: { query: { rrule: \"FREQ=WEEKLY;BYDAY=TH\", starts_at: \"2038-12-02T19:00:00\", timezone: \"Europe/Berlin\" } } });\nconsole.log(data);\n"
 },
 "proxyImage": {
  "curl": "curl 'https://moothall.example.org/images/proxy?url=https%3A%2F%2Fimages.example.com%2Fcover.jpg'\n",
  "Go": "client := moothall.New(moothall.Options{URL: \"https://moothall.example.org\"})\ncontent, err := client.ProxyImage(ctx, moothall.ProxyImageParams{URL: \"https://images.example.com/cover.jpg\"})\nif err != nil {\n\tlog.Fatal(err)\n}\ndefer content.Close()\nio.Copy(os.Stdout, content)\n",
  "TypeScript": "const moothall = createClient({ url: \"https://moothall.example.org\" });\nconst { data } = await moothall.GET(\"/images/proxy\", { params: { query: { url: \"https://images.example.com/cover.jpg\" } }, parseAs: \"stream\" });\nfor await (const chunk of data!) console.log(chunk);\n"
 },
 "publishEvent": {
  "curl": "curl -X POST 'https://moothall.example.org/events/018f3b0a-5c1d-7000-8000-0000000000e1/publish' \\\n  -H \"Authorization: Bearer $MOOTHALL_TOKEN\"\n",
  "Go": "client := moothall.New(moothall.Options{URL: \"https://moothall.example.org\", APIKey: os.Getenv(\"MOOTHALL_TOKEN\")})\nresult, err := client.PublishEvent(ctx, \"018f3b0a-5c1d-7000-8000-0000000000e1\")\nif err != nil {\n\tlog.Fatal(err)\n}\nfmt.Printf(\"%+v\\n\", result)\n",
  "TypeScript": "const moothall = createClient({ url: \"https://moothall.example.org\", apiKey: process.env.MOOTHALL_TOKEN });\nconst { data } = await moothall.POST(\"/events/{event_id}/publish\", { params: { path: { event_id: \"018f3b0a-5c1d-7000-8000-0000000000e1\" } } });\nconsole.log(data);\n"
 },
 "readAllNotifications": {
  "curl": "curl -X POST 'https://moothall.example.org/notifications/read-all' \\\n  -H \"Authorization: Bearer $MOOTHALL_TOKEN\"\n",
  "Go": "client := moothall.New(moothall.Options{URL: \"https://moothall.example.org\", APIKey: os.Getenv(\"MOOTHALL_TOKEN\")})\nresult, err := client.ReadAllNotifications(ctx)\nif err != nil {\n\tlog.Fatal(err)\n}\nfmt.Printf(\"%+v\\n\", result)\n",
  "TypeScript": "const moothall = createClient({ url: \"https://moothall.example.org\", apiKey: process.env.MOOTHALL_TOKEN });\nconst { data } = await moothall.POST(\"/notifications/read-all\");\nconsole.log(data);\n"
 },
 "readCalendarFeed": {
  "curl": "curl 'https://moothall.example.org/calendar/feeds/C1KkUHZp4oHLwQ5oM9k1y7TNcVtKp0nQk1mYbO3yJ0s.ics'\n",
  "Go": "client := moothall.New(moothall.Options{URL: \"https://moothall.example.org\"})\ncontent, err := client.ReadCalendarFeed(ctx, \"C1KkUHZp4oHLwQ5oM9k1y7TNcVtKp0nQk1mYbO3yJ0s.ics\", moothall.ReadCalendarFeedParams{})\nif err != nil {\n\tlog.Fatal(err)\n}\ndefer content.Close()\nio.Copy(os.Stdout, content)\n",
  "TypeScript": "const moothall = createClient({ url: \"https://moothall.example.org\" });\nconst { data } = await moothall.GET(\"/calendar/feeds/{feed}\", { params: { path: { feed: \"C1KkUHZp4oHLwQ5oM9k1y7TNcVtKp0nQk1mYbO3yJ0s.ics\" } }, parseAs: \"stream\" });\nfor await (const chunk of data!) console.log(chunk);\n"
 },
 "readGuestList": {
  "curl": "curl -X POST 'https://moothall.example.org/events/018f3b0a-5c1d-7000-8000-0000000000e1/guest-lists' \\\n  -H \"Authorization: Bearer $MOOTHALL_TOKEN\" \\\n  -H 'Content-Type: text/csv' \\\n  --data-binary @guests.csv\n",
  "Go": "client := moothall.New(moothall.Options{URL: \"https://moothall.example.org\", APIKey: os.Getenv(\"MOOTHALL_TOKEN\")})\nguests, err := os.ReadFile(\"guests.csv\")\nif err != nil {\n\tlog.Fatal(err)\n}\nresult, err := client.ReadGuestList(ctx, \"018f3b0a-5c1d-7000-8000-0000000000e1\", guests)\nif err != nil {\n\tlog.Fatal(err)\n}\nfmt.Printf(\"%+v\\n\", result)\n",
  "TypeScript": "const moothall = createClient({ url: \"https://moothall.example.org\", apiKey: process.env.MOOTHALL_TOKEN });\nconst { data } = await moothall.POST(\"/events/{event_id}/guest-lists\", { params: { path: { event_id: \"018f3b0a-5c1d-7000-8000-0000000000e1\" } }, body: guests as unknown as string, headers: { \"Content-Type\": guests.type } });\nconsole.log(data);\n"
 },
 "readNotification": {
  "curl": "curl -X POST 'https://moothall.example.org/notifications/018f3b0a-5c1d-7000-8000-000000000131/read' \\\n  -H \"Authorization: Bearer $MOOTHALL_TOKEN\"\n",
  "Go": "client := moothall.New(moothall.Options{URL: \"https://moothall.example.org\", APIKey: os.Getenv(\"MOOTHALL_TOKEN\")})\nresult, err := client.ReadNotification(ctx, \"018f3b0a-5c1d-7000-8000-000000000131\")\nif err != nil {\n\tlog.Fatal(err)\n}\nfmt.Printf(\"%+v\\n\", result)\n",
  "TypeScript": "const moothall = createClient({ url: \"https://moothall.example.org\", apiKey: process.env.MOOTHALL_TOKEN });\nconst { data } = await moothall.POST(\"/notifications/{notification_id}/read\", { params: { path: { notification_id: \"018f3b0a-5c1d-7000-8000-000000000131\" } } });\nconsole.log(data);\n"
 },
 "receiveMailEvents": {
  "curl": "curl -X POST 'https://moothall.example.org/mail/events/mailgun' \\\n  -H 'Content-Type: application/json' \\\n  -d '{\n  \"signature\": {\n    \"timestamp\": \"1795168800\",\n    \"token\": \"e0b5477167110d68991efc6b9f89f0a11066af27834600e123\",\n    \"signature\": \"12d99f5a15355c180971bed7494d578b093c958f57766f3fe750761baed12345\"\n  },\n  \"event-data\": {\n    \"event\": \"failed\",\n    \"severity\": \"permanent\",\n    \"recipient\": \"anna@example.org\",\n    \"delivery-status\": {\n      \"enhanced-code\": \"5.1.1\",\n      \"message\": \"No such user\"\n    },\n    \"message\": {\n      \"headers\": {\n        \"message-id\": \"0f1e2d3c4b5a69788796a5b4c3d2e1f0@example.org\"\n      }\n    }\n  }\n}'\n",
  "Go": "client := moothall.New(moothall.Options{URL: \"https://moothall.example.org\"})\nresult, err := client.ReceiveMailEvents(ctx, \"mailgun\", map[string]any{\"signature\": map[string]any{\n\t\"timestamp\": \"1795168800\",\n\t\"token\":     \"e0b5477167110d68991efc6b9f89f0a11066af27834600e123\",\n\t\"signature\": \"12d99f5a15355c180971bed7494d578b093c958f57766f3fe750761baed12345\",\n}, \"event-data\": map[string]any{\n\t\"event\":           \"failed\",\n\t\"severity\":        \"permanent\",\n\t\"recipient\":       \"anna@example.org\",\n\t\"delivery-status\": map[string]any{\"enhanced-code\": \"5.1.1\", \"message\": \"No such user\"},\n\t\"message\":         map[string]any{\"headers\": map[string]any{\"message-id\": \"0f1e2d3c4b5a69788796a5b4c3d2e1f0@example.org\"}},\n}})\nif err != nil {\n\tlog.Fatal(err)\n}\nfmt.Printf(\"%+v\\n\", result)\n",
  "TypeScript": "const moothall = createClient({ url: \"https://moothall.example.org\" });\nconst { data } = await moothall.POST(\"/mail/events/{provider}\", { params: { path: { provider: \"mailgun\" } }, body: {\n  \"signature\": {\n    \"timestamp\": \"1795168800\",\n    \"token\": \"e0b5477167110d68991efc6b9f89f0a11066af27834600e123\",\n    \"signature\": \"12d99f5a15355c180971bed7494d578b093c958f57766f3fe750761baed12345\"\n  },\n  \"event-data\": {\n    \"event\": \"failed\",\n    \"severity\": \"permanent\",\n    \"recipient\": \"anna@example.org\",\n    \"delivery-status\": {\n      \"enhanced-code\": \"5.1.1\",\n      \"message\": \"No such user\"\n    },\n    \"message\": {\n      \"headers\": {\n        \"message-id\": \"0f1e2d3c4b5a69788796a5b4c3d2e1f0@example.org\"\n      }\n    }\n  }\n} });\nconsole.log(data);\n"
 },
 "receivePaymentWebhook": {
  "curl": "curl -X POST 'https://moothall.example.org/payments/webhooks/development' \\\n  -H 'Content-Type: application/json' \\\n  -d '{\n  \"id\": \"evt_1\",\n  \"type\": \"payment.succeeded\",\n  \"provider_payment_id\": \"dev_0f1e2d3c4b5a69788796a5b4\"\n}'\n",
  "Go": "client := moothall.New(moothall.Options{URL: \"https://moothall.example.org\"})\nresult, err := client.ReceivePaymentWebhook(ctx, \"development\", moothall.ReceivePaymentWebhookParams{}, moothall.PaymentWebhookEvent{\n\tID:                new(\"evt_1\"),\n\tType:              new(\"payment.succeeded\"),\n\tProviderPaymentID: new(\"dev_0f1e2d3c4b5a69788796a5b4\"),\n})\nif err != nil {\n\tlog.Fatal(err)\n}\nfmt.Printf(\"%+v\\n\", result)\n",
  "TypeScript": "const moothall = createClient({ url: \"https://moothall.example.org\" });\nconst { data } = await moothall.POST(\"/payments/webhooks/{provider}\", { params: { path: { provider: \"development\" } }, body: {\n  \"id\": \"evt_1\",\n  \"type\": \"payment.succeeded\",\n  \"provider_payment_id\": \"dev_0f1e2d3c4b5a69788796a5b4\"\n} });\nconsole.log(data);\n"
 },
 "refreshSession": {
  "curl": "curl -X POST 'https://moothall.example.org/auth/refresh' \\\n  -H \"Idempotency-Key: $(uuidgen)\" \\\n  -H 'Content-Type: application/json' \\\n  -d '{\"refresh_token\": \"rt_kQ3vS0m9o0m1a7cWcS4nB2yq8r5t6u7v8w9x0y1z2A3\"}'\n",
  "Go": "client := moothall.New(moothall.Options{URL: \"https://moothall.example.org\"})\nresult, err := client.RefreshSession(ctx, moothall.RefreshTokenRequest{RefreshToken: new(\"rt_kQ3vS0m9o0m1a7cWcS4nB2yq8r5t6u7v8w9x0y1z2A3\")})\nif err != nil {\n\tlog.Fatal(err)\n}\nfmt.Printf(\"%+v\\n\", result)\n",
  "TypeScript": "const moothall = createClient({ url: \"https://moothall.example.org\" });\nconst { data } = await moothall.POST(\"/auth/refresh\", { body: {\"refresh_token\": \"rt_kQ3vS0m9o0m1a7cWcS4nB2yq8r5t6u7v8w9x0y1z2A3\"} });\nconsole.log(data);\n"
 },
 "removeGroupMember": {
  "curl": "curl -X DELETE 'https://moothall.example.org/groups/018f3b0a-5c1d-7000-8000-0000000000d1/members/018e3b0a-5c1d-7000-8000-0000000000a2' \\\n  -H \"Authorization: Bearer $MOOTHALL_TOKEN\"\n",
  "Go": "client := moothall.New(moothall.Options{URL: \"https://moothall.example.org\", APIKey: os.Getenv(\"MOOTHALL_TOKEN\")})\nif err := client.RemoveGroupMember(ctx, \"018f3b0a-5c1d-7000-8000-0000000000d1\", \"018e3b0a-5c1d-7000-8000-0000000000a2\"); err != nil {\n\tlog.Fatal(err)\n}\n",
  "TypeScript": "const moothall = createClient({ url: \"https://moothall.example.org\", apiKey: process.env.MOOTHALL_TOKEN });\nawait moothall.DELETE(\"/groups/{group_id}/members/{user_id}\", { params: { path: { group_id: \"018f3b0a-5c1d-7000-8000-0000000000d1\", user_id: \"018e3b0a-5c1d-7000-8000-0000000000a2\" } } });\n"
 },
 "removeGroupSource": {
  "curl": "curl -X DELETE 'https://moothall.example.org/groups/018f3b0a-5c1d-7000-8000-0000000000d1/sources/018f3b0a-5c1d-7000-8000-0000000000d3' \\\n  -H \"Authorization: Bearer $MOOTHALL_TOKEN\"\n",
  "Go": "client := moothall.New(moothall.Options{URL: \"https://moothall.example.org\", APIKey: os.Getenv(\"MOOTHALL_TOKEN\")})\nif err := client.RemoveGroupSource(ctx, \"018f3b0a-5c1d-7000-8000-0000000000d1\", \"018f3b0a-5c1d-7000-8000-0000000000d3\"); err != nil {\n\tlog.Fatal(err)\n}\n",
  "TypeScript": "const moothall = createClient({ url: \"https://moothall.example.org\", apiKey: process.env.MOOTHALL_TOKEN });\nawait moothall.DELETE(\"/groups/{group_id}/sources/{source_id}\", { params: { path: { group_id: \"018f3b0a-5c1d-7000-8000-0000000000d1\", source_id: \"018f3b0a-5c1d-7000-8000-0000000000d3\" } } });\n"
 },
 "removeHost": {
  "curl": "curl -X DELETE 'https://moothall.example.org/events/018f3b0a-5c1d-7000-8000-0000000000e1/hosts/018e3b0a-5c1d-7000-8000-0000000000a2' \\\n  -H \"Authorization: Bearer $MOOTHALL_TOKEN\"\n",
  "Go": "client := moothall.New(moothall.Options{URL: \"https://moothall.example.org\", APIKey: os.Getenv(\"MOOTHALL_TOKEN\")})\nif err := client.RemoveHost(ctx, \"018f3b0a-5c1d-7000-8000-0000000000e1\", \"018e3b0a-5c1d-7000-8000-0000000000a2\"); err != nil {\n\tlog.Fatal(err)\n}\n",
  "TypeScript": "const moothall = createClient({ url: \"https://moothall.example.org\", apiKey: process.env.MOOTHALL_TOKEN });\nawait moothall.DELETE(\"/events/{event_id}/hosts/{user_id}\", { params: { path: { event_id: \"018f3b0a-5c1d-7000-8000-0000000000e1\", user_id: \"018e3b0a-5c1d-7000-8000-0000000000a2\" } } });\n"
 },
 "removeParticipant": {
  "curl": "curl -X DELETE 'https://moothall.example.org/events/018f3b0a-5c1d-7000-8000-0000000000e1/participants/018f3b0a-5c1d-7000-8000-0000000000d1' \\\n  -H \"Authorization: Bearer $MOOTHALL_TOKEN\"\n",
  "Go": "client := moothall.New(moothall.Options{URL: \"https://moothall.example.org\", APIKey: os.Getenv(\"MOOTHALL_TOKEN\")})\nif err := client.RemoveParticipant(ctx, \"018f3b0a-5c1d-7000-8000-0000000000e1\", \"018f3b0a-5c1d-7000-8000-0000000000d1\"); err != nil {\n\tlog.Fatal(err)\n}\n",
  "TypeScript": "const moothall = createClient({ url: \"https://moothall.example.org\", apiKey: process.env.MOOTHALL_TOKEN });\nawait moothall.DELETE(\"/events/{event_id}/participants/{participant_id}\", { params: { path: { event_id: \"018f3b0a-5c1d-7000-8000-0000000000e1\", participant_id: \"018f3b0a-5c1d-7000-8000-0000000000d1\" } } });\n"
 },
 "removeWaitlistEntry": {
  "curl": "curl -X DELETE 'https://moothall.example.org/events/018f3b0a-5c1d-7000-8000-0000000000e1/waitlist/entries/018f3b0a-5c1d-7000-8000-0000000000b1' \\\n  -H \"Authorization: Bearer $MOOTHALL_TOKEN\"\n",
  "Go": "client := moothall.New(moothall.Options{URL: \"https://moothall.example.org\", APIKey: os.Getenv(\"MOOTHALL_TOKEN\")})\nif err := client.RemoveWaitlistEntry(ctx, \"018f3b0a-5c1d-7000-8000-0000000000e1\", \"018f3b0a-5c1d-7000-8000-0000000000b1\"); err != nil {\n\tlog.Fatal(err)\n}\n",
  "TypeScript": "const moothall = createClient({ url: \"https://moothall.example.org\", apiKey: process.env.MOOTHALL_TOKEN });\nawait moothall.DELETE(\"/events/{event_id}/waitlist/entries/{entry_id}\", { params: { path: { event_id: \"018f3b0a-5c1d-7000-8000-0000000000e1\", entry_id: \"018f3b0a-5c1d-7000-8000-0000000000b1\" } } });\n"
 },
 "replayWebhook": {
  "curl": "curl -X POST 'https://moothall.example.org/me/webhooks/018f3b0a-5c1d-7000-8000-0000000000f3/replay' \\\n  -H \"Authorization: Bearer $MOOTHALL_TOKEN\" \\\n  -H 'Content-Type: application/json' \\\n  -d '{\"from\": \"2026-11-20T10:00:00Z\", \"to\": \"2026-11-20T11:00:00Z\"}'\n",
  "Go": "client := moothall.New(moothall.Options{URL: \"https://moothall.example.org\", APIKey: os.Getenv(\"MOOTHALL_TOKEN\")})\nresult, err := client.ReplayWebhook(ctx, \"018f3b0a-5c1d-7000-8000-0000000000f3\", moothall.ReplayWebhookRequest{From: new(time.Date(2026, 11, 20, 10, 0, 0, 0, time.UTC)), To: new(time.Date(2026, 11, 20, 11, 0, 0, 0, time.UTC))})\nif err != nil {\n\tlog.Fatal(err)\n}\nfmt.Printf(\"%+v\\n\", result)\n",
  "TypeScript": "const moothall = createClient({ url: \"https://moothall.example.org\", apiKey: process.env.MOOTHALL_TOKEN });\nconst { data } = await moothall.POST(\"/me/webhooks/{webhook_id}/replay\", { params: { path: { webhook_id: \"018f3b0a-5c1d-7000-8000-0000000000f3\" } }, body: {\"from\": \"2026-11-20T10:00:00Z\", \"to\": \"2026-11-20T11:00:00Z\"} });\nconsole.log(data);\n"
 },
 "repostPost": {
  "curl": "curl -X POST 'https://moothall.example.org/events/018f3b0a-5c1d-7000-8000-0000000000e1/posts/018f3b0a-5c1d-7000-8000-0000000000f1/repost' \\\n  -H \"Authorization: Bearer $MOOTHALL_TOKEN\"\n",
  "Go": "client := moothall.New(moothall.Options{URL: \"https://moothall.example.org\", APIKey: os.Getenv(\"MOOTHALL_TOKEN\")})\nresult, err := client.RepostPost(ctx, \"018f3b0a-5c1d-7000-8000-0000000000e1\", \"018f3b0a-5c1d-7000-8000-0000000000f1\")\nif err != nil {\n\tlog.Fatal(err)\n}\nfmt.Printf(\"%+v\\n\", result)\n",
  "TypeScript": "const moothall = createClient({ url: \"https://moothall.example.org\", apiKey: process.env.MOOTHALL_TOKEN });\nconst { data } = await moothall.POST(\"/events/{event_id}/posts/{post_id}/repost\", { params: { path: { event_id: \"018f3b0a-5c1d-7000-8000-0000000000e1\", post_id: \"018f3b0a-5c1d-7000-8000-0000000000f1\" } } });\nconsole.log(data);\n"
 },
 "resumeEventSeries": {
  "curl": "curl -X POST 'https://moothall.example.org/event-series/018f3b0a-5c1d-7000-8000-0000000000c1/resume' \\\n  -H \"Authorization: Bearer $MOOTHALL_TOKEN\"\n",
  "Go": "client := moothall.New(moothall.Options{URL: \"https://moothall.example.org\", APIKey: os.Getenv(\"MOOTHALL_TOKEN\")})\nresult, err := client.ResumeEventSeries(ctx, \"018f3b0a-5c1d-7000-8000-0000000000c1\")\nif err != nil {\n\tlog.Fatal(err)\n}\nfmt.Printf(\"%+v\\n\", result)\n",
  "TypeScript": "const moothall = createClient({ url: \"https://moothall.example.org\", apiKey: process.env.MOOTHALL_TOKEN });\nconst { data } = await moothall.POST(\"/event-series/{series_id}/resume\", { params: { path: { series_id: \"018f3b0a-5c1d-7000-8000-0000000000c1\" } } });\nconsole.log(data);\n"
 },
 "reviewEvent": {
  "curl": "curl -X POST 'https://moothall.example.org/events/018f3b0a-5c1d-7000-8000-0000000000ea/reviews' \\\n  -H \"Authorization: Bearer $MOOTHALL_TOKEN\" \\\n  -H \"Idempotency-Key: $(uuidgen)\" \\\n  -H 'Content-Type: application/json' \\\n  -d '{\"rating\": 5, \"body\": \"A wonderful evening.\"}'\n",
  "Go": "client := moothall.New(moothall.Options{URL: \"https://moothall.example.org\", APIKey: os.Getenv(\"MOOTHALL_TOKEN\")})\nresult, err := client.ReviewEvent(ctx, \"018f3b0a-5c1d-7000-8000-0000000000ea\", moothall.UpsertEventReviewRequest{Rating: 5, Body: new(\"A wonderful evening.\")})\nif err != nil {\n\tlog.Fatal(err)\n}\nfmt.Printf(\"%+v\\n\", result)\n",
  "TypeScript": "const moothall = createClient({ url: \"https://moothall.example.org\", apiKey: process.env.MOOTHALL_TOKEN });\nconst { data } = await moothall.POST(\"/events/{event_id}/reviews\", { params: { path: { event_id: \"018f3b0a-5c1d-7000-8000-0000000000ea\" } }, body: {\"rating\": 5, \"body\": \"A wonderful evening.\"} });\nconsole.log(data);\n"
 },
 "revokeOtherSessions": {
  "curl": "curl -X POST 'https://moothall.example.org/auth/sessions/revoke-others' \\\n  -H \"Authorization: Bearer $MOOTHALL_TOKEN\"\n",
  "Go": "client := moothall.New(moothall.Options{URL: \"https://moothall.example.org\", APIKey: os.Getenv(\"MOOTHALL_TOKEN\")})\nif err := client.RevokeOtherSessions(ctx); err != nil {\n\tlog.Fatal(err)\n}\n",
  "TypeScript": "const moothall = createClient({ url: \"https://moothall.example.org\", apiKey: process.env.MOOTHALL_TOKEN });\nawait moothall.POST(\"/auth/sessions/revoke-others\");\n"
 },
 "revokeSession": {
  "curl": "curl -X DELETE 'https://moothall.example.org/auth/sessions/018f3b0a-5c1d-7000-8000-0000000000b1' \\\n  -H \"Authorization: Bearer $MOOTHALL_TOKEN\"\n",
  "Go": "client := moothall.New(moothall.Options{URL: \"https://moothall.example.org\", APIKey: os.Getenv(\"MOOTHALL_TOKEN\")})\nif err := client.RevokeSession(ctx, \"018f3b0a-5c1d-7000-8000-0000000000b1\"); err != nil {\n\tlog.Fatal(err)\n}\n",
  "TypeScript": "const moothall = createClient({ url: \"https://moothall.example.org\", apiKey: process.env.MOOTHALL_TOKEN });\nawait moothall.DELETE(\"/auth/sessions/{session_id}\", { params: { path: { session_id: \"018f3b0a-5c1d-7000-8000-0000000000b1\" } } });\n"
 },
 "rotateWebhookSecret": {
  "curl": "curl -X POST 'https://moothall.example.org/me/webhooks/018f3b0a-5c1d-7000-8000-0000000000f3/rotate-secret' \\\n  -H \"Authorization: Bearer $MOOTHALL_TOKEN\"\n",
  "Go": "client := moothall.New(moothall.Options{URL: \"https://moothall.example.org\", APIKey: os.Getenv(\"MOOTHALL_TOKEN\")})\nresult, err := client.RotateWebhookSecret(ctx, \"018f3b0a-5c1d-7000-8000-0000000000f3\")\nif err != nil {\n\tlog.Fatal(err)\n}\nfmt.Printf(\"%+v\\n\", result)\n",
  "TypeScript": "const moothall = createClient({ url: \"https://moothall.example.org\", apiKey: process.env.MOOTHALL_TOKEN });\nconst { data } = await moothall.POST(\"/me/webhooks/{webhook_id}/rotate-secret\", { params: { path: { webhook_id: \"018f3b0a-5c1d-7000-8000-0000000000f3\" } } });\nconsole.log(data);\n"
 },
 "selectDateOption": {
  "curl": "curl -X POST 'https://moothall.example.org/events/018f3b0a-5c1d-7000-8000-0000000000e8/date-options/018f3b0a-5c1d-7000-8000-000000000101/select' \\\n  -H \"Authorization: Bearer $MOOTHALL_TOKEN\"\n",
  "Go": "client := moothall.New(moothall.Options{URL: \"https://moothall.example.org\", APIKey: os.Getenv(\"MOOTHALL_TOKEN\")})\nresult, err := client.SelectDateOption(ctx, \"018f3b0a-5c1d-7000-8000-0000000000e8\", \"018f3b0a-5c1d-7000-8000-000000000101\")\nif err != nil {\n\tlog.Fatal(err)\n}\nfmt.Printf(\"%+v\\n\", result)\n",
  "TypeScript": "const moothall = createClient({ url: \"https://moothall.example.org\", apiKey: process.env.MOOTHALL_TOKEN });\nconst { data } = await moothall.POST(\"/events/{event_id}/date-options/{option_id}/select\", { params: { path: { event_id: \"018f3b0a-5c1d-7000-8000-0000000000e8\", option_id: \"018f3b0a-5c1d-7000-8000-000000000101\" } } });\nconsole.log(data);\n"
 },
 "sendChatMessage": {
  "curl": "curl -X POST 'https://moothall.example.org/events/018f3b0a-5c1d-7000-8000-0000000000e1/messages' \\\n  -H \"Authorization: Bearer $MOOTHALL_TOKEN\" \\\n  -H \"Idempotency-Key: $(uuidgen)\" \\\n  -H 'Content-Type: application/json' \\\n  -d '{\n  \"body\": \"I am five minutes late.\",\n  \"client_message_id\": \"9b2f6c1e-2f0e-4c53-9a3e-0f8c2d1b7a55\"\n}'\n",
  "Go": "client := moothall.New(moothall.Options{URL: \"https://moothall.example.org\", APIKey: os.Getenv(\"MOOTHALL_TOKEN\")})\nresult, err := client.SendChatMessage(ctx, \"018f3b0a-5c1d-7000-8000-0000000000e1\", moothall.SendEventChatMessageRequest{Body: \"I am five minutes late.\", ClientMessageID: new(\"9b2f6c1e-2f0e-4c53-9a3e-0f8c2d1b7a55\")})\nif err != nil {\n\tlog.Fatal(err)\n}\nfmt.Printf(\"%+v\\n\", result)\n",
  "TypeScript": "const moothall = createClient({ url: \"https://moothall.example.org\", apiKey: process.env.MOOTHALL_TOKEN });\nconst { data } = await moothall.POST(\"/events/{event_id}/messages\", { params: { path: { event_id: \"018f3b0a-5c1d-7000-8000-0000000000e1\" } }, body: {\n  \"body\": \"I am five minutes late.\",\n  \"client_message_id\": \"9b2f6c1e-2f0e-4c53-9a3e-0f8c2d1b7a55\"\n} });\nconsole.log(data);\n"
 },
 "sendGuestMessage": {
  "curl": "curl -X POST 'https://moothall.example.org/events/018f3b0a-5c1d-7000-8000-0000000000e1/guest-messages' \\\n  -H \"Authorization: Bearer $MOOTHALL_TOKEN\" \\\n  -H \"Idempotency-Key: $(uuidgen)\" \\\n  -H 'Content-Type: application/json' \\\n  -d '{\"audience\": \"going\", \"body\": \"Please bring a warm jacket.\"}'\n",
  "Go": "client := moothall.New(moothall.Options{URL: \"https://moothall.example.org\", APIKey: os.Getenv(\"MOOTHALL_TOKEN\")})\nresult, err := client.SendGuestMessage(ctx, \"018f3b0a-5c1d-7000-8000-0000000000e1\", moothall.SendGuestMessageRequest{Audience: moothall.GuestAudienceGoing, Body: \"Please bring a warm jacket.\"})\nif err != nil {\n\tlog.Fatal(err)\n}\nfmt.Printf(\"%+v\\n\", result)\n",
  "TypeScript": "const moothall = createClient({ url: \"https://moothall.example.org\", apiKey: process.env.MOOTHALL_TOKEN });\nconst { data } = await moothall.POST(\"/events/{event_id}/guest-messages\", { params: { path: { event_id: \"018f3b0a-5c1d-7000-8000-0000000000e1\" } }, body: {\"audience\": \"going\", \"body\": \"Please bring a warm jacket.\"} });\nconsole.log(data);\n"
 },
 "setAvatar": {
  "curl": "curl -X PUT 'https://moothall.example.org/me/avatar' \\\n  -H \"Authorization: Bearer $MOOTHALL_TOKEN\" \\\n  -H 'Content-Type: image/jpeg' \\\n  --data-binary @picture.jpg\n",
  "Go": "client := moothall.New(moothall.Options{URL: \"https://moothall.example.org\", APIKey: os.Getenv(\"MOOTHALL_TOKEN\")})\npicture, err := os.ReadFile(\"picture.jpg\")\nif err != nil {\n\tlog.Fatal(err)\n}\nresult, err := client.SetAvatar(ctx, picture)\nif err != nil {\n\tlog.Fatal(err)\n}\nfmt.Printf(\"%+v\\n\", result)\n",
  "TypeScript": "const moothall = createClient({ url: \"https://moothall.example.org\", apiKey: process.env.MOOTHALL_TOKEN });\nconst { data } = await moothall.PUT(\"/me/avatar\", { body: picture as unknown as string, headers: { \"Content-Type\": picture.type } });\nconsole.log(data);\n"
 },
 "setEventCover": {
  "curl": "curl -X PUT 'https://moothall.example.org/events/018f3b0a-5c1d-7000-8000-0000000000e1/cover' \\\n  -H \"Authorization: Bearer $MOOTHALL_TOKEN\" \\\n  -H 'Content-Type: image/jpeg' \\\n  --data-binary @picture.jpg\n",
  "Go": "client := moothall.New(moothall.Options{URL: \"https://moothall.example.org\", APIKey: os.Getenv(\"MOOTHALL_TOKEN\")})\npicture, err := os.ReadFile(\"picture.jpg\")\nif err != nil {\n\tlog.Fatal(err)\n}\nresult, err := client.SetEventCover(ctx, \"018f3b0a-5c1d-7000-8000-0000000000e1\", moothall.SetEventCoverParams{}, picture)\nif err != nil {\n\tlog.Fatal(err)\n}\nfmt.Printf(\"%+v\\n\", result)\n",
  "TypeScript": "const moothall = createClient({ url: \"https://moothall.example.org\", apiKey: process.env.MOOTHALL_TOKEN });\nconst { data } = await moothall.PUT(\"/events/{event_id}/cover\", { params: { path: { event_id: \"018f3b0a-5c1d-7000-8000-0000000000e1\" } }, body: picture as unknown as string, headers: { \"Content-Type\": picture.type } });\nconsole.log(data);\n"
 },
 "setEventDateMode": {
  "curl": "curl -X PATCH 'https://moothall.example.org/events/018f3b0a-5c1d-7000-8000-0000000000e8/date-mode' \\\n  -H \"Authorization: Bearer $MOOTHALL_TOKEN\" \\\n  -H 'Content-Type: application/json' \\\n  -d '{\"mode\": \"vote\"}'\n",
  "Go": "client := moothall.New(moothall.Options{URL: \"https://moothall.example.org\", APIKey: os.Getenv(\"MOOTHALL_TOKEN\")})\nif err := client.SetEventDateMode(ctx, \"018f3b0a-5c1d-7000-8000-0000000000e8\", moothall.SetEventDateModeRequest{Mode: moothall.EventDateModeVote}); err != nil {\n\tlog.Fatal(err)\n}\n",
  "TypeScript": "const moothall = createClient({ url: \"https://moothall.example.org\", apiKey: process.env.MOOTHALL_TOKEN });\nawait moothall.PATCH(\"/events/{event_id}/date-mode\", { params: { path: { event_id: \"018f3b0a-5c1d-7000-8000-0000000000e8\" } }, body: {\"mode\": \"vote\"} });\n"
 },
 "setFeedPreferences": {
  "curl": "curl -X POST 'https://moothall.example.org/feed/preferences' \\\n  -H \"Authorization: Bearer $MOOTHALL_TOKEN\" \\\n  -H 'Content-Type: application/json' \\\n  -d '{\"categories\": [\"games\", \"hiking\"], \"price\": \"free\"}'\n",
  "Go": "client := moothall.New(moothall.Options{URL: \"https://moothall.example.org\", APIKey: os.Getenv(\"MOOTHALL_TOKEN\")})\nresult, err := client.SetFeedPreferences(ctx, moothall.SetFeedPreferencesRequest{Categories: []string{\"games\", \"hiking\"}, Price: new(moothall.PriceFilterFree)})\nif err != nil {\n\tlog.Fatal(err)\n}\nfmt.Printf(\"%+v\\n\", result)\n",
  "TypeScript": "const moothall = createClient({ url: \"https://moothall.example.org\", apiKey: process.env.MOOTHALL_TOKEN });\nconst { data } = await moothall.POST(\"/feed/preferences\", { body: {\"categories\": [\"games\", \"hiking\"], \"price\": \"free\"} });\nconsole.log(data);\n"
 },
 "setGroupImage": {
  "curl": "curl -X PUT 'https://moothall.example.org/groups/018f3b0a-5c1d-7000-8000-0000000000d1/image' \\\n  -H \"Authorization: Bearer $MOOTHALL_TOKEN\" \\\n  -H 'Content-Type: image/jpeg' \\\n  --data-binary @picture.jpg\n",
  "Go": "client := moothall.New(moothall.Options{URL: \"https://moothall.example.org\", APIKey: os.Getenv(\"MOOTHALL_TOKEN\")})\npicture, err := os.ReadFile(\"picture.jpg\")\nif err != nil {\n\tlog.Fatal(err)\n}\nresult, err := client.SetGroupImage(ctx, \"018f3b0a-5c1d-7000-8000-0000000000d1\", picture)\nif err != nil {\n\tlog.Fatal(err)\n}\nfmt.Printf(\"%+v\\n\", result)\n",
  "TypeScript": "const moothall = createClient({ url: \"https://moothall.example.org\", apiKey: process.env.MOOTHALL_TOKEN });\nconst { data } = await moothall.PUT(\"/groups/{group_id}/image\", { params: { path: { group_id: \"018f3b0a-5c1d-7000-8000-0000000000d1\" } }, body: picture as unknown as string, headers: { \"Content-Type\": picture.type } });\nconsole.log(data);\n"
 },
 "setQuestions": {
  "curl": "curl -X PUT 'https://moothall.example.org/events/018f3b0a-5c1d-7000-8000-0000000000e1/questions' \\\n  -H \"Authorization: Bearer $MOOTHALL_TOKEN\" \\\n  -H 'Content-Type: application/json' \\\n  -d '{\n  \"items\": [\n    {\n      \"kind\": \"choice\",\n      \"label\": \"What do you eat?\",\n      \"options\": [\n        \"everything\",\n        \"vegetarian\"\n      ]\n    }\n  ]\n}'\n",
  "Go": "client := moothall.New(moothall.Options{URL: \"https://moothall.example.org\", APIKey: os.Getenv(\"MOOTHALL_TOKEN\")})\nresult, err := client.SetQuestions(ctx, \"018f3b0a-5c1d-7000-8000-0000000000e1\", moothall.SetQuestionsRequest{Items: []moothall.QuestionInput{moothall.QuestionInput{\n\tKind:    moothall.QuestionKindChoice,\n\tLabel:   \"What do you eat?\",\n\tOptions: []string{\"everything\", \"vegetarian\"},\n}}})\nif err != nil {\n\tlog.Fatal(err)\n}\nfmt.Printf(\"%+v\\n\", result)\n",
  "TypeScript": "const moothall = createClient({ url: \"https://moothall.example.org\", apiKey: process.env.MOOTHALL_TOKEN });\nconst { data } = await moothall.PUT(\"/events/{event_id}/questions\", { params: { path: { event_id: \"018f3b0a-5c1d-7000-8000-0000000000e1\" } }, body: {\n  \"items\": [\n    {\n      \"kind\": \"choice\",\n      \"label\": \"What do you eat?\",\n      \"options\": [\n        \"everything\",\n        \"vegetarian\"\n      ]\n    }\n  ]\n} });\nconsole.log(data);\n"
 },
 "setReminderSettings": {
  "curl": "curl -X PATCH 'https://moothall.example.org/events/018f3b0a-5c1d-7000-8000-0000000000e1/reminders' \\\n  -H \"Authorization: Bearer $MOOTHALL_TOKEN\" \\\n  -H 'Content-Type: application/json' \\\n  -d '{\n  \"enabled\": true,\n  \"offsets_minutes\": [\n    1440,\n    60\n  ],\n  \"channels\": [\n    \"in_app\",\n    \"email\"\n  ]\n}'\n",
  "Go": "client := moothall.New(moothall.Options{URL: \"https://moothall.example.org\", APIKey: os.Getenv(\"MOOTHALL_TOKEN\")})\nresult, err := client.SetReminderSettings(ctx, \"018f3b0a-5c1d-7000-8000-0000000000e1\", moothall.SetEventReminderSettingsRequest{\n\tEnabled:        new(true),\n\tOffsetsMinutes: []int{1440, 60},\n\tChannels:       []moothall.ReminderChannel{moothall.ReminderChannelInApp, moothall.ReminderChannelEmail},\n})\nif err != nil {\n\tlog.Fatal(err)\n}\nfmt.Printf(\"%+v\\n\", result)\n",
  "TypeScript": "const moothall = createClient({ url: \"https://moothall.example.org\", apiKey: process.env.MOOTHALL_TOKEN });\nconst { data } = await moothall.PATCH(\"/events/{event_id}/reminders\", { params: { path: { event_id: \"018f3b0a-5c1d-7000-8000-0000000000e1\" } }, body: {\n  \"enabled\": true,\n  \"offsets_minutes\": [\n    1440,\n    60\n  ],\n  \"channels\": [\n    \"in_app\",\n    \"email\"\n  ]\n} });\nconsole.log(data);\n"
 },
 "signInWithIdpToken": {
  "curl": "curl -X POST 'https://moothall.example.org/auth/idp/mobile' \\\n  -H 'Content-Type: application/json' \\\n  -d '{\"oauth_token\": \"ya29.a0AfH6SMBx\"}'\n",
  "Go": "client := moothall.New(moothall.Options{URL: \"https://moothall.example.org\"})\nresult, err := client.SignInWithIDPToken(ctx, moothall.IDPTokenRequest{OauthToken: \"ya29.a0AfH6SMBx\"})\nif err != nil {\n\tlog.Fatal(err)\n}\nfmt.Printf(\"%+v\\n\", result)\n",
  "TypeScript": "const moothall = createClient({ url: \"https://moothall.example.org\" });\nconst { data } = await moothall.POST(\"/auth/idp/mobile\", { body: {\"oauth_token\": \"ya29.a0AfH6SMBx\"} });\nconsole.log(data);\n"
 },
 "skipSeriesDate": {
  "curl": "curl -X POST 'https://moothall.example.org/event-series/018f3b0a-5c1d-7000-8000-0000000000c1/skip' \\\n  -H \"Authorization: Bearer $MOOTHALL_TOKEN\" \\\n  -H 'Content-Type: application/json' \\\n  -d '{\"occurrence_at\": \"2038-12-23T03:00:00\"}'\n",
  "Go": "client := moothall.New(moothall.Options{URL: \"https://moothall.example.org\", APIKey: os.Getenv(\"MOOTHALL_TOKEN\")})\nresult, err := client.SkipSeriesDate(ctx, \"018f3b0a-5c1d-7000-8000-0000000000c1\", moothall.SkipSeriesDateRequest{OccurrenceAt: \"2038-12-23T03:00:00\"})\nif err != nil {\n\tlog.Fatal(err)\n}\nfmt.Printf(\"%+v\\n\", result)\n",
  "TypeScript": "const moothall = createClient({ url: \"https://moothall.example.org\", apiKey: process.env.MOOTHALL_TOKEN });\nconst { data } = await moothall.POST(\"/event-series/{series_id}/skip\", { params: { path: { series_id: \"018f3b0a-5c1d-7000-8000-0000000000c1\" } }, body: {\"occurrence_at\": \"2038-12-23T03:00:00\"} });\nconsole.log(data);\n"
 },
 "splitEventSeries": {
  "curl": "curl -X POST 'https://moothall.example.org/event-series/018f3b0a-5c1d-7000-8000-0000000000c1/split' \\\n  -H \"Authorization: Bearer $MOOTHALL_TOKEN\" \\\n  -H \"Idempotency-Key: $(uuidgen)\" \\\n  -H 'Content-Type: application/json' \\\n  -d '{\n  \"from\": \"2038-12-09T03:00:00\",\n  \"rrule\": \"FREQ=WEEKLY;BYDAY=FR\",\n  \"starts_at\": \"2038-12-10T18:30:00\"\n}'\n",
  "Go": "client := moothall.New(moothall.Options{URL: \"https://moothall.example.org\", APIKey: os.Getenv(\"MOOTHALL_TOKEN\")})\nresult, err := client.SplitEventSeries(ctx, \"018f3b0a-5c1d-7000-8000-0000000000c1\", moothall.SplitEventSeriesRequest{\n\tFrom:     \"2038-12-09T03:00:00\",\n\tRrule:    \"FREQ=WEEKLY;BYDAY=FR\",\n\tStartsAt: \"2038-12-10T18:30:00\",\n})\nif err != nil {\n\tlog.Fatal(err)\n}\nfmt.Printf(\"%+v\\n\", result)\n",
  "TypeScript": "const moothall = createClient({ url: \"https://moothall.example.org\", apiKey: process.env.MOOTHALL_TOKEN });\nconst { data } = await moothall.POST(\"/event-series/{series_id}/split\", { params: { path: { series_id: \"018f3b0a-5c1d-7000-8000-0000000000c1\" } }, body: {\n  \"from\": \"2038-12-09T03:00:00\",\n  \"rrule\": \"FREQ=WEEKLY;BYDAY=FR\",\n  \"starts_at\": \"2038-12-10T18:30:00\"\n} });\nconsole.log(data);\n"
 },
 "startDevSignIn": {
  "curl": "curl -X POST 'https://moothall.example.org/auth/dev/start' \\\n  -H 'Content-Type: application/json' \\\n  -d '{\"email\": \"anna@example.org\"}'\n",
  "Go": "client := moothall.New(moothall.Options{URL: \"https://moothall.example.org\"})\nresult, err := client.StartDevSignIn(ctx, moothall.StartDevSignInRequest{Email: \"anna@example.org\"})\nif err != nil {\n\tlog.Fatal(err)\n}\nfmt.Printf(\"%+v\\n\", result)\n",
  "TypeScript": "const moothall = createClient({ url: \"https://moothall.example.org\" });\nconst { data } = await moothall.POST(\"/auth/dev/start\", { body: {\"email\": \"anna@example.org\"} });\nconsole.log(data);\n"
 },
 "startEmailSignIn": {
  "curl": "curl -X POST 'https://moothall.example.org/auth/email/start' \\\n  -H 'Content-Type: application/json' \\\n  -d '{\"email\": \"anna@example.org\", \"return_to\": \"/events\"}'\n",
  "Go": "client := moothall.New(moothall.Options{URL: \"https://moothall.example.org\"})\nresult, err := client.StartEmailSignIn(ctx, moothall.StartEmailSignInRequest{Email: \"anna@example.org\", ReturnTo: new(\"/events\")})\nif err != nil {\n\tlog.Fatal(err)\n}\nfmt.Printf(\"%+v\\n\", result)\n",
  "TypeScript": "const moothall = createClient({ url: \"https://moothall.example.org\" });\nconst { data } = await moothall.POST(\"/auth/email/start\", { body: {\"email\": \"anna@example.org\", \"return_to\": \"/events\"} });\nconsole.log(data);\n"
 },
 "startIdpSignIn": {
  "curl": "curl 'https://moothall.example.org/auth/idp/start'\n"
 },
 "startPasskeyRegistration": {
  "curl": "curl -X POST 'https://moothall.example.org/me/passkeys/options' \\\n  -H \"Authorization: Bearer $MOOTHALL_TOKEN\"\n",
  "Go": "client := moothall.New(moothall.Options{URL: \"https://moothall.example.org\", APIKey: os.Getenv(\"MOOTHALL_TOKEN\")})\nresult, err := client.StartPasskeyRegistration(ctx)\nif err != nil {\n\tlog.Fatal(err)\n}\nfmt.Printf(\"%+v\\n\", result)\n",
  "TypeScript": "const moothall = createClient({ url: \"https://moothall.example.org\", apiKey: process.env.MOOTHALL_TOKEN });\nconst { data } = await moothall.POST(\"/me/passkeys/options\");\nconsole.log(data);\n"
 },
 "startPasskeySignIn": {
  "curl": "curl -X POST 'https://moothall.example.org/auth/passkey/options' \\\n  -H 'Content-Type: application/json' \\\n  -d '{}'\n",
  "Go": "client := moothall.New(moothall.Options{URL: \"https://moothall.example.org\"})\nresult, err := client.StartPasskeySignIn(ctx, moothall.PasskeySignInOptionsRequest{})\nif err != nil {\n\tlog.Fatal(err)\n}\nfmt.Printf(\"%+v\\n\", result)\n",
  "TypeScript": "const moothall = createClient({ url: \"https://moothall.example.org\" });\nconst { data } = await moothall.POST(\"/auth/passkey/options\", { body: {} });\nconsole.log(data);\n"
 },
 "startPhoneCall": {
  "curl": "curl -X POST 'https://moothall.example.org/auth/phone/call/start' \\\n  -H 'Content-Type: application/json' \\\n  -d '{\"phone\": \"+49 30 901820\"}'\n",
  "Go": "client := moothall.New(moothall.Options{URL: \"https://moothall.example.org\"})\nresult, err := client.StartPhoneCall(ctx, moothall.StartPhoneCallRequest{Phone: \"+49 30 901820\"})\nif err != nil {\n\tlog.Fatal(err)\n}\nfmt.Printf(\"%+v\\n\", result)\n",
  "TypeScript": "const moothall = createClient({ url: \"https://moothall.example.org\" });\nconst { data } = await moothall.POST(\"/auth/phone/call/start\", { body: {\"phone\": \"+49 30 901820\"} });\nconsole.log(data);\n"
 },
 "testWebhook": {
  "curl": "curl -X POST 'https://moothall.example.org/me/webhooks/018f3b0a-5c1d-7000-8000-0000000000f3/test' \\\n  -H \"Authorization: Bearer $MOOTHALL_TOKEN\"\n",
  "Go": "client := moothall.New(moothall.Options{URL: \"https://moothall.example.org\", APIKey: os.Getenv(\"MOOTHALL_TOKEN\")})\nresult, err := client.TestWebhook(ctx, \"018f3b0a-5c1d-7000-8000-0000000000f3\")\nif err != nil {\n\tlog.Fatal(err)\n}\nfmt.Printf(\"%+v\\n\", result)\n",
  "TypeScript": "const moothall = createClient({ url: \"https://moothall.example.org\", apiKey: process.env.MOOTHALL_TOKEN });\nconst { data } = await moothall.POST(\"/me/webhooks/{webhook_id}/test\", { params: { path: { webhook_id: \"018f3b0a-5c1d-7000-8000-0000000000f3\" } } });\nconsole.log(data);\n"
 },
 "transferEvent": {
  "curl": "curl -X POST 'https://moothall.example.org/events/018f3b0a-5c1d-7000-8000-0000000000e1/transfer' \\\n  -H \"Authorization: Bearer $MOOTHALL_TOKEN\" \\\n  -H 'Content-Type: application/json' \\\n  -d '{\"user_id\": \"018e3b0a-5c1d-7000-8000-0000000000a2\"}'\n",
  "Go": "client := moothall.New(moothall.Options{URL: \"https://moothall.example.org\", APIKey: os.Getenv(\"MOOTHALL_TOKEN\")})\nresult, err := client.TransferEvent(ctx, \"018f3b0a-5c1d-7000-8000-0000000000e1\", moothall.TransferEventRequest{UserID: \"018e3b0a-5c1d-7000-8000-0000000000a2\"})\nif err != nil {\n\tlog.Fatal(err)\n}\nfmt.Printf(\"%+v\\n\", result)\n",
  "TypeScript": "const moothall = createClient({ url: \"https://moothall.example.org\", apiKey: process.env.MOOTHALL_TOKEN });\nconst { data } = await moothall.POST(\"/events/{event_id}/transfer\", { params: { path: { event_id: \"018f3b0a-5c1d-7000-8000-0000000000e1\" } }, body: {\"user_id\": \"018e3b0a-5c1d-7000-8000-0000000000a2\"} });\nconsole.log(data);\n"
 },
 "transferGroup": {
  "curl": "curl -X POST 'https://moothall.example.org/groups/018f3b0a-5c1d-7000-8000-0000000000d1/transfer' \\\n  -H \"Authorization: Bearer $MOOTHALL_TOKEN\" \\\n  -H 'Content-Type: application/json' \\\n  -d '{\"user_id\": \"018e3b0a-5c1d-7000-8000-0000000000a2\"}'\n",
  "Go": "client := moothall.New(moothall.Options{URL: \"https://moothall.example.org\", APIKey: os.Getenv(\"MOOTHALL_TOKEN\")})\nresult, err := client.TransferGroup(ctx, \"018f3b0a-5c1d-7000-8000-0000000000d1\", moothall.TransferGroupRequest{UserID: \"018e3b0a-5c1d-7000-8000-0000000000a2\"})\nif err != nil {\n\tlog.Fatal(err)\n}\nfmt.Printf(\"%+v\\n\", result)\n",
  "TypeScript": "const moothall = createClient({ url: \"https://moothall.example.org\", apiKey: process.env.MOOTHALL_TOKEN });\nconst { data } = await moothall.POST(\"/groups/{group_id}/transfer\", { params: { path: { group_id: \"018f3b0a-5c1d-7000-8000-0000000000d1\" } }, body: {\"user_id\": \"018e3b0a-5c1d-7000-8000-0000000000a2\"} });\nconsole.log(data);\n"
 },
 "unblockUser": {
  "curl": "curl -X DELETE 'https://moothall.example.org/users/018e3b0a-5c1d-7000-8000-0000000000a2/block' \\\n  -H \"Authorization: Bearer $MOOTHALL_TOKEN\"\n",
  "Go": "client := moothall.New(moothall.Options{URL: \"https://moothall.example.org\", APIKey: os.Getenv(\"MOOTHALL_TOKEN\")})\nif err := client.UnblockUser(ctx, \"018e3b0a-5c1d-7000-8000-0000000000a2\"); err != nil {\n\tlog.Fatal(err)\n}\n",
  "TypeScript": "const moothall = createClient({ url: \"https://moothall.example.org\", apiKey: process.env.MOOTHALL_TOKEN });\nawait moothall.DELETE(\"/users/{user_id}/block\", { params: { path: { user_id: \"018e3b0a-5c1d-7000-8000-0000000000a2\" } } });\n"
 },
 "unfollowUser": {
  "curl": "curl -X DELETE 'https://moothall.example.org/users/018e3b0a-5c1d-7000-8000-0000000000a2/follow' \\\n  -H \"Authorization: Bearer $MOOTHALL_TOKEN\"\n",
  "Go": "client := moothall.New(moothall.Options{URL: \"https://moothall.example.org\", APIKey: os.Getenv(\"MOOTHALL_TOKEN\")})\nresult, err := client.UnfollowUser(ctx, \"018e3b0a-5c1d-7000-8000-0000000000a2\")\nif err != nil {\n\tlog.Fatal(err)\n}\nfmt.Printf(\"%+v\\n\", result)\n",
  "TypeScript": "const moothall = createClient({ url: \"https://moothall.example.org\", apiKey: process.env.MOOTHALL_TOKEN });\nconst { data } = await moothall.DELETE(\"/users/{user_id}/follow\", { params: { path: { user_id: \"018e3b0a-5c1d-7000-8000-0000000000a2\" } } });\nconsole.log(data);\n"
 },
 "unlikePost": {
  "curl": "curl -X DELETE 'https://moothall.example.org/events/018f3b0a-5c1d-7000-8000-0000000000e1/posts/018f3b0a-5c1d-7000-8000-0000000000f1/like' \\\n  -H \"Authorization: Bearer $MOOTHALL_TOKEN\"\n",
  "Go": "client := moothall.New(moothall.Options{URL: \"https://moothall.example.org\", APIKey: os.Getenv(\"MOOTHALL_TOKEN\")})\nresult, err := client.UnlikePost(ctx, \"018f3b0a-5c1d-7000-8000-0000000000e1\", \"018f3b0a-5c1d-7000-8000-0000000000f1\")\nif err != nil {\n\tlog.Fatal(err)\n}\nfmt.Printf(\"%+v\\n\", result)\n",
  "TypeScript": "const moothall = createClient({ url: \"https://moothall.example.org\", apiKey: process.env.MOOTHALL_TOKEN });\nconst { data } = await moothall.DELETE(\"/events/{event_id}/posts/{post_id}/like\", { params: { path: { event_id: \"018f3b0a-5c1d-7000-8000-0000000000e1\", post_id: \"018f3b0a-5c1d-7000-8000-0000000000f1\" } } });\nconsole.log(data);\n"
 },
 "unmuteEvent": {
  "curl": "curl -X DELETE 'https://moothall.example.org/events/018f3b0a-5c1d-7000-8000-0000000000e1/mute' \\\n  -H \"Authorization: Bearer $MOOTHALL_TOKEN\"\n",
  "Go": "client := moothall.New(moothall.Options{URL: \"https://moothall.example.org\", APIKey: os.Getenv(\"MOOTHALL_TOKEN\")})\nresult, err := client.UnmuteEvent(ctx, \"018f3b0a-5c1d-7000-8000-0000000000e1\")\nif err != nil {\n\tlog.Fatal(err)\n}\nfmt.Printf(\"%+v\\n\", result)\n",
  "TypeScript": "const moothall = createClient({ url: \"https://moothall.example.org\", apiKey: process.env.MOOTHALL_TOKEN });\nconst { data } = await moothall.DELETE(\"/events/{event_id}/mute\", { params: { path: { event_id: \"018f3b0a-5c1d-7000-8000-0000000000e1\" } } });\nconsole.log(data);\n"
 },
 "unrepostPost": {
  "curl": "curl -X DELETE 'https://moothall.example.org/events/018f3b0a-5c1d-7000-8000-0000000000e1/posts/018f3b0a-5c1d-7000-8000-0000000000f1/repost' \\\n  -H \"Authorization: Bearer $MOOTHALL_TOKEN\"\n",
  "Go": "client := moothall.New(moothall.Options{URL: \"https://moothall.example.org\", APIKey: os.Getenv(\"MOOTHALL_TOKEN\")})\nresult, err := client.UnrepostPost(ctx, \"018f3b0a-5c1d-7000-8000-0000000000e1\", \"018f3b0a-5c1d-7000-8000-0000000000f1\")\nif err != nil {\n\tlog.Fatal(err)\n}\nfmt.Printf(\"%+v\\n\", result)\n",
  "TypeScript": "const moothall = createClient({ url: \"https://moothall.example.org\", apiKey: process.env.MOOTHALL_TOKEN });\nconst { data } = await moothall.DELETE(\"/events/{event_id}/posts/{post_id}/repost\", { params: { path: { event_id: \"018f3b0a-5c1d-7000-8000-0000000000e1\", post_id: \"018f3b0a-5c1d-7000-8000-0000000000f1\" } } });\nconsole.log(data);\n"
 },
 "updateCalendarEntry": {
  "curl": "curl -X PATCH 'https://moothall.example.org/calendar/entries/018f3b0a-5c1d-7000-8000-0000000000e2' \\\n  -H \"Authorization: Bearer $MOOTHALL_TOKEN\" \\\n  -H 'Content-Type: application/json' \\\n  -d '{\"notes\": \"Bring the dice.\"}'\n",
  "Go": "client := moothall.New(moothall.Options{URL: \"https://moothall.example.org\", APIKey: os.Getenv(\"MOOTHALL_TOKEN\")})\nresult, err := client.UpdateCalendarEntry(ctx, \"018f3b0a-5c1d-7000-8000-0000000000e2\", moothall.UpdateCalendarEntryRequest{Notes: moothall.Set(\"Bring the dice.\")})\nif err != nil {\n\tlog.Fatal(err)\n}\nfmt.Printf(\"%+v\\n\", result)\n",
  "TypeScript": "const moothall = createClient({ url: \"https://moothall.example.org\", apiKey: process.env.MOOTHALL_TOKEN });\nconst { data } = await moothall.PATCH(\"/calendar/entries/{entry_id}\", { params: { path: { entry_id: \"018f3b0a-5c1d-7000-8000-0000000000e2\" } }, body: {\"notes\": \"Bring the dice.\"} });\nconsole.log(data);\n"
 },
 "updateEvent": {
  "curl": "curl -X PATCH 'https://moothall.example.org/events/018f3b0a-5c1d-7000-8000-0000000000e1' \\\n  -H \"Authorization: Bearer $MOOTHALL_TOKEN\" \\\n  -H 'Content-Type: application/json' \\\n  -d '{\"title\": \"Board games and tea\", \"capacity\": 16}'\n",
  "Go": "client := moothall.New(moothall.Options{URL: \"https://moothall.example.org\", APIKey: os.Getenv(\"MOOTHALL_TOKEN\")})\nresult, err := client.UpdateEvent(ctx, \"018f3b0a-5c1d-7000-8000-0000000000e1\", moothall.UpdateEventParams{}, moothall.UpdateEventRequest{Title: new(\"Board games and tea\"), Capacity: moothall.Set(16)})\nif err != nil {\n\tlog.Fatal(err)\n}\nfmt.Printf(\"%+v\\n\", result)\n",
  "TypeScript": "const moothall = createClient({ url: \"https://moothall.example.org\", apiKey: process.env.MOOTHALL_TOKEN });\nconst { data } = await moothall.PATCH(\"/events/{event_id}\", { params: { path: { event_id: \"018f3b0a-5c1d-7000-8000-0000000000e1\" } }, body: {\"title\": \"Board games and tea\", \"capacity\": 16} });\nconsole.log(data);\n"
 },
 "updateEventSeries": {
  "curl": "curl -X PATCH 'https://moothall.example.org/event-series/018f3b0a-5c1d-7000-8000-0000000000c1' \\\n  -H \"Authorization: Bearer $MOOTHALL_TOKEN\" \\\n  -H 'Content-Type: application/json' \\\n  -d '{\"template\": {\"location_text\": \"Back room\"}, \"apply\": \"untouched_upcoming\"}'\n",
  "Go": "client := moothall.New(moothall.Options{URL: \"https://moothall.example.org\", APIKey: os.Getenv(\"MOOTHALL_TOKEN\")})\nresult, err := client.UpdateEventSeries(ctx, \"018f3b0a-5c1d-7000-8000-0000000000c1\", moothall.UpdateEventSeriesRequest{Template: moothall.SeriesTemplate{LocationText: new(\"Back room\")}, Apply: new(\"untouched_upcoming\")})\nif err != nil {\n\tlog.Fatal(err)\n}\nfmt.Printf(\"%+v\\n\", result)\n",
  "TypeScript": "const moothall = createClient({ url: \"https://moothall.example.org\", apiKey: process.env.MOOTHALL_TOKEN });\nconst { data } = await moothall.PATCH(\"/event-series/{series_id}\", { params: { path: { series_id: \"018f3b0a-5c1d-7000-8000-0000000000c1\" } }, body: {\"template\": {\"location_text\": \"Back room\"}, \"apply\": \"untouched_upcoming\"} });\nconsole.log(data);\n"
 },
 "updateGroup": {
  "curl": "curl -X PATCH 'https://moothall.example.org/groups/018f3b0a-5c1d-7000-8000-0000000000d1' \\\n  -H \"Authorization: Bearer $MOOTHALL_TOKEN\" \\\n  -H 'Content-Type: application/json' \\\n  -d '{\"description\": \"Every Thursday at seven.\", \"member_list\": \"public\"}'\n",
  "Go": "client := moothall.New(moothall.Options{URL: \"https://moothall.example.org\", APIKey: os.Getenv(\"MOOTHALL_TOKEN\")})\nresult, err := client.UpdateGroup(ctx, \"018f3b0a-5c1d-7000-8000-0000000000d1\", moothall.UpdateGroupRequest{Description: moothall.Set(\"Every Thursday at seven.\"), MemberList: new(moothall.GroupMemberListPublic)})\nif err != nil {\n\tlog.Fatal(err)\n}\nfmt.Printf(\"%+v\\n\", result)\n",
  "TypeScript": "const moothall = createClient({ url: \"https://moothall.example.org\", apiKey: process.env.MOOTHALL_TOKEN });\nconst { data } = await moothall.PATCH(\"/groups/{group_id}\", { params: { path: { group_id: \"018f3b0a-5c1d-7000-8000-0000000000d1\" } }, body: {\"description\": \"Every Thursday at seven.\", \"member_list\": \"public\"} });\nconsole.log(data);\n"
 },
 "updateGroupMember": {
  "curl": "curl -X PATCH 'https://moothall.example.org/groups/018f3b0a-5c1d-7000-8000-0000000000d1/members/018e3b0a-5c1d-7000-8000-0000000000a2' \\\n  -H \"Authorization: Bearer $MOOTHALL_TOKEN\" \\\n  -H 'Content-Type: application/json' \\\n  -d '{\"role\": \"host\"}'\n",
  "Go": "client := moothall.New(moothall.Options{URL: \"https://moothall.example.org\", APIKey: os.Getenv(\"MOOTHALL_TOKEN\")})\nresult, err := client.UpdateGroupMember(ctx, \"018f3b0a-5c1d-7000-8000-0000000000d1\", \"018e3b0a-5c1d-7000-8000-0000000000a2\", moothall.UpdateGroupMemberRequest{Role: new(\"host\")})\nif err != nil {\n\tlog.Fatal(err)\n}\nfmt.Printf(\"%+v\\n\", result)\n",
  "TypeScript": "const moothall = createClient({ url: \"https://moothall.example.org\", apiKey: process.env.MOOTHALL_TOKEN });\nconst { data } = await moothall.PATCH(\"/groups/{group_id}/members/{user_id}\", { params: { path: { group_id: \"018f3b0a-5c1d-7000-8000-0000000000d1\", user_id: \"018e3b0a-5c1d-7000-8000-0000000000a2\" } }, body: {\"role\": \"host\"} });\nconsole.log(data);\n"
 },
 "updateHost": {
  "curl": "curl -X PATCH 'https://moothall.example.org/events/018f3b0a-5c1d-7000-8000-0000000000e1/hosts/018e3b0a-5c1d-7000-8000-0000000000a2' \\\n  -H \"Authorization: Bearer $MOOTHALL_TOKEN\" \\\n  -H 'Content-Type: application/json' \\\n  -d '{\"status\": \"active\"}'\n",
  "Go": "client := moothall.New(moothall.Options{URL: \"https://moothall.example.org\", APIKey: os.Getenv(\"MOOTHALL_TOKEN\")})\nresult, err := client.UpdateHost(ctx, \"018f3b0a-5c1d-7000-8000-0000000000e1\", \"018e3b0a-5c1d-7000-8000-0000000000a2\", moothall.UpdateHostRequest{Status: \"active\"})\nif err != nil {\n\tlog.Fatal(err)\n}\nfmt.Printf(\"%+v\\n\", result)\n",
  "TypeScript": "const moothall = createClient({ url: \"https://moothall.example.org\", apiKey: process.env.MOOTHALL_TOKEN });\nconst { data } = await moothall.PATCH(\"/events/{event_id}/hosts/{user_id}\", { params: { path: { event_id: \"018f3b0a-5c1d-7000-8000-0000000000e1\", user_id: \"018e3b0a-5c1d-7000-8000-0000000000a2\" } }, body: {\"status\": \"active\"} });\nconsole.log(data);\n"
 },
 "updateMyProfile": {
  "curl": "curl -X PATCH 'https://moothall.example.org/me/profile' \\\n  -H \"Authorization: Bearer $MOOTHALL_TOKEN\" \\\n  -H 'Content-Type: application/json' \\\n  -d '{\"display_name\": \"Anna\", \"city\": \"Berlin\", \"interests\": [\"games\", \"hiking\"]}'\n",
  "Go": "client := moothall.New(moothall.Options{URL: \"https://moothall.example.org\", APIKey: os.Getenv(\"MOOTHALL_TOKEN\")})\nresult, err := client.UpdateMyProfile(ctx, moothall.UpdateProfileRequest{\n\tDisplayName: new(\"Anna\"),\n\tCity:        moothall.Set(\"Berlin\"),\n\tInterests:   []string{\"games\", \"hiking\"},\n})\nif err != nil {\n\tlog.Fatal(err)\n}\nfmt.Printf(\"%+v\\n\", result)\n",
  "TypeScript": "const moothall = createClient({ url: \"https://moothall.example.org\", apiKey: process.env.MOOTHALL_TOKEN });\nconst { data } = await moothall.PATCH(\"/me/profile\", { body: {\"display_name\": \"Anna\", \"city\": \"Berlin\", \"interests\": [\"games\", \"hiking\"]} });\nconsole.log(data);\n"
 },
 "updateNotificationPreferences": {
  "curl": "curl -X PATCH 'https://moothall.example.org/me/notification-preferences' \\\n  -H \"Authorization: Bearer $MOOTHALL_TOKEN\" \\\n  -H 'Content-Type: application/json' \\\n  -d '{\n  \"rules\": [\n    {\n      \"kind\": \"event_joined\",\n      \"channel\": \"email\",\n      \"mode\": \"off\"\n    }\n  ],\n  \"quiet_hours\": {\n    \"from\": \"22:00\",\n    \"to\": \"08:00\"\n  },\n  \"timezone\": \"Europe/Berlin\",\n  \"digest\": {\n    \"hour\": 8,\n    \"weekdays\": [\n      1,\n      5\n    ]\n  },\n  \"language\": \"de\"\n}'\n",
  "Go": "client := moothall.New(moothall.Options{URL: \"https://moothall.example.org\", APIKey: os.Getenv(\"MOOTHALL_TOKEN\")})\nresult, err := client.UpdateNotificationPreferences(ctx, moothall.UpdateNotificationPreferencesRequest{\n\tRules: []moothall.NotificationRuleInput{moothall.NotificationRuleInput{\n\t\tKind:    moothall.NotificationKindEventJoined,\n\t\tChannel: moothall.NotificationChannelEmail,\n\t\tMode:    moothall.NotificationModeOff,\n\t}},\n\tQuietHours: moothall.Set(moothall.QuietHours{From: \"22:00\", To: \"08:00\"}),\n\tTimezone:   moothall.Set(\"Europe/Berlin\"),\n\tDigest:     moothall.Set(moothall.DigestTime{Hour: 8, Weekdays: []int{1, 5}}),\n\tLanguage:   moothall.Set(moothall.NotificationLanguageDe),\n})\nif err != nil {\n\tlog.Fatal(err)\n}\nfmt.Printf(\"%+v\\n\", result)\n",
  "TypeScript": "const moothall = createClient({ url: \"https://moothall.example.org\", apiKey: process.env.MOOTHALL_TOKEN });\nconst { data } = await moothall.PATCH(\"/me/notification-preferences\", { body: {\n  \"rules\": [\n    {\n      \"kind\": \"event_joined\",\n      \"channel\": \"email\",\n      \"mode\": \"off\"\n    }\n  ],\n  \"quiet_hours\": {\n    \"from\": \"22:00\",\n    \"to\": \"08:00\"\n  },\n  \"timezone\": \"Europe/Berlin\",\n  \"digest\": {\n    \"hour\": 8,\n    \"weekdays\": [\n      1,\n      5\n    ]\n  },\n  \"language\": \"de\"\n} });\nconsole.log(data);\n"
 },
 "updatePasskey": {
  "curl": "curl -X PATCH 'https://moothall.example.org/me/passkeys/018f3b0a-5c1d-7000-8000-0000000000f1' \\\n  -H \"Authorization: Bearer $MOOTHALL_TOKEN\" \\\n  -H 'Content-Type: application/json' \\\n  -d '{\"name\": \"My laptop\"}'\n",
  "Go": "client := moothall.New(moothall.Options{URL: \"https://moothall.example.org\", APIKey: os.Getenv(\"MOOTHALL_TOKEN\")})\nresult, err := client.UpdatePasskey(ctx, \"018f3b0a-5c1d-7000-8000-0000000000f1\", moothall.UpdatePasskeyRequest{Name: \"My laptop\"})\nif err != nil {\n\tlog.Fatal(err)\n}\nfmt.Printf(\"%+v\\n\", result)\n",
  "TypeScript": "const moothall = createClient({ url: \"https://moothall.example.org\", apiKey: process.env.MOOTHALL_TOKEN });\nconst { data } = await moothall.PATCH(\"/me/passkeys/{passkey_id}\", { params: { path: { passkey_id: \"018f3b0a-5c1d-7000-8000-0000000000f1\" } }, body: {\"name\": \"My laptop\"} });\nconsole.log(data);\n"
 },
 "updatePaymentProfile": {
  "curl": "curl -X PATCH 'https://moothall.example.org/me/payment-profile' \\\n  -H \"Authorization: Bearer $MOOTHALL_TOKEN\" \\\n  -H 'Content-Type: application/json' \\\n  -d '{\"status\": \"verified\"}'\n",
  "Go": "client := moothall.New(moothall.Options{URL: \"https://moothall.example.org\", APIKey: os.Getenv(\"MOOTHALL_TOKEN\")})\nresult, err := client.UpdatePaymentProfile(ctx, moothall.UpdatePaymentProfileRequest{Status: \"verified\"})\nif err != nil {\n\tlog.Fatal(err)\n}\nfmt.Printf(\"%+v\\n\", result)\n",
  "TypeScript": "const moothall = createClient({ url: \"https://moothall.example.org\", apiKey: process.env.MOOTHALL_TOKEN });\nconst { data } = await moothall.PATCH(\"/me/payment-profile\", { body: {\"status\": \"verified\"} });\nconsole.log(data);\n"
 },
 "updatePostComment": {
  "curl": "curl -X PATCH 'https://moothall.example.org/events/018f3b0a-5c1d-7000-8000-0000000000e1/posts/018f3b0a-5c1d-7000-8000-0000000000f1/comments/018f3b0a-5c1d-7000-8000-0000000000f3' \\\n  -H \"Authorization: Bearer $MOOTHALL_TOKEN\" \\\n  -H 'Content-Type: application/json' \\\n  -d '{\"body\": \"Great, see you all there!\"}'\n",
  "Go": "client := moothall.New(moothall.Options{URL: \"https://moothall.example.org\", APIKey: os.Getenv(\"MOOTHALL_TOKEN\")})\nresult, err := client.UpdatePostComment(ctx, \"018f3b0a-5c1d-7000-8000-0000000000e1\", \"018f3b0a-5c1d-7000-8000-0000000000f1\", \"018f3b0a-5c1d-7000-8000-0000000000f3\", moothall.UpdateEventPostCommentRequest{Body: \"Great, see you all there!\"})\nif err != nil {\n\tlog.Fatal(err)\n}\nfmt.Printf(\"%+v\\n\", result)\n",
  "TypeScript": "const moothall = createClient({ url: \"https://moothall.example.org\", apiKey: process.env.MOOTHALL_TOKEN });\nconst { data } = await moothall.PATCH(\"/events/{event_id}/posts/{post_id}/comments/{comment_id}\", { params: { path: { event_id: \"018f3b0a-5c1d-7000-8000-0000000000e1\", post_id: \"018f3b0a-5c1d-7000-8000-0000000000f1\", comment_id: \"018f3b0a-5c1d-7000-8000-0000000000f3\" } }, body: {\"body\": \"Great, see you all there!\"} });\nconsole.log(data);\n"
 },
 "updateReport": {
  "curl": "curl -X PATCH 'https://moothall.example.org/admin/reports/018f3b0a-5c1d-7000-8000-0000000000c1' \\\n  -H \"Authorization: Bearer $MOOTHALL_TOKEN\" \\\n  -H 'Content-Type: application/json' \\\n  -d '{\n  \"status\": \"resolved\",\n  \"action\": \"cancel_event\",\n  \"note\": \"Advertising for another site.\"\n}'\n",
  "Go": "client := moothall.New(moothall.Options{URL: \"https://moothall.example.org\", APIKey: os.Getenv(\"MOOTHALL_TOKEN\")})\nresult, err := client.UpdateReport(ctx, \"018f3b0a-5c1d-7000-8000-0000000000c1\", moothall.UpdateReportStatusRequest{\n\tStatus: moothall.ReportStatusResolved,\n\tAction: new(moothall.ModerationActionKindCancelEvent),\n\tNote:   moothall.Set(\"Advertising for another site.\"),\n})\nif err != nil {\n\tlog.Fatal(err)\n}\nfmt.Printf(\"%+v\\n\", result)\n",
  "TypeScript": "const moothall = createClient({ url: \"https://moothall.example.org\", apiKey: process.env.MOOTHALL_TOKEN });\nconst { data } = await moothall.PATCH(\"/admin/reports/{report_id}\", { params: { path: { report_id: \"018f3b0a-5c1d-7000-8000-0000000000c1\" } }, body: {\n  \"status\": \"resolved\",\n  \"action\": \"cancel_event\",\n  \"note\": \"Advertising for another site.\"\n} });\nconsole.log(data);\n"
 },
 "updateWebhook": {
  "curl": "curl -X PATCH 'https://moothall.example.org/me/webhooks/018f3b0a-5c1d-7000-8000-0000000000f3' \\\n  -H \"Authorization: Bearer $MOOTHALL_TOKEN\" \\\n  -H 'Content-Type: application/json' \\\n  -d '{\"status\": \"active\"}'\n",
  "Go": "client := moothall.New(moothall.Options{URL: \"https://moothall.example.org\", APIKey: os.Getenv(\"MOOTHALL_TOKEN\")})\nresult, err := client.UpdateWebhook(ctx, \"018f3b0a-5c1d-7000-8000-0000000000f3\", moothall.UpdateWebhookRequest{Status: new(\"active\")})\nif err != nil {\n\tlog.Fatal(err)\n}\nfmt.Printf(\"%+v\\n\", result)\n",
  "TypeScript": "const moothall = createClient({ url: \"https://moothall.example.org\", apiKey: process.env.MOOTHALL_TOKEN });\nconst { data } = await moothall.PATCH(\"/me/webhooks/{webhook_id}\", { params: { path: { webhook_id: \"018f3b0a-5c1d-7000-8000-0000000000f3\" } }, body: {\"status\": \"active\"} });\nconsole.log(data);\n"
 },
 "verifyDevSignIn": {
  "curl": "curl -X POST 'https://moothall.example.org/auth/dev/verify' \\\n  -H 'Content-Type: application/json' \\\n  -d '{\"email\": \"anna@example.org\", \"code\": \"493027\"}'\n",
  "Go": "client := moothall.New(moothall.Options{URL: \"https://moothall.example.org\"})\nresult, err := client.VerifyDevSignIn(ctx, moothall.VerifyDevSignInRequest{Email: \"anna@example.org\", Code: \"493027\"})\nif err != nil {\n\tlog.Fatal(err)\n}\nfmt.Printf(\"%+v\\n\", result)\n",
  "TypeScript": "const moothall = createClient({ url: \"https://moothall.example.org\" });\nconst { data } = await moothall.POST(\"/auth/dev/verify\", { body: {\"email\": \"anna@example.org\", \"code\": \"493027\"} });\nconsole.log(data);\n"
 },
 "verifyEmailSignIn": {
  "curl": "curl -X POST 'https://moothall.example.org/auth/email/verify' \\\n  -H 'Content-Type: application/json' \\\n  -d '{\n  \"email\": \"anna@example.org\",\n  \"code\": \"493027\",\n  \"challenge\": \"es_Zk3vS0m9o0m1a7cWcS4nB2yq8r5t6u7v8w9x0y1z2A3\"\n}'\n",
  "Go": "client := moothall.New(moothall.Options{URL: \"https://moothall.example.org\"})\nresult, err := client.VerifyEmailSignIn(ctx, moothall.VerifyEmailSignInRequest{\n\tEmail:     \"anna@example.org\",\n\tCode:      \"493027\",\n\tChallenge: new(\"es_Zk3vS0m9o0m1a7cWcS4nB2yq8r5t6u7v8w9x0y1z2A3\"),\n})\nif err != nil {\n\tlog.Fatal(err)\n}\nfmt.Printf(\"%+v\\n\", result)\n",
  "TypeScript": "const moothall = createClient({ url: \"https://moothall.example.org\" });\nconst { data } = await moothall.POST(\"/auth/email/verify\", { body: {\n  \"email\": \"anna@example.org\",\n  \"code\": \"493027\",\n  \"challenge\": \"es_Zk3vS0m9o0m1a7cWcS4nB2yq8r5t6u7v8w9x0y1z2A3\"\n} });\nconsole.log(data);\n"
 },
 "verifyPasskeySignIn": {
  "curl": "curl -X POST 'https://moothall.example.org/auth/passkey/verify' \\\n  -H 'Content-Type: application/json' \\\n  -d '{\n  \"id\": \"AQIDBA\",\n  \"rawId\": \"AQIDBA\",\n  \"type\": \"public-key\",\n  \"response\": {\n    \"clientDataJSON\": \"e30\",\n    \"authenticatorData\": \"AA\",\n    \"signature\": \"AA\",\n    \"userHandle\": \"AA\"\n  }\n}'\n",
  "Go": "client := moothall.New(moothall.Options{URL: \"https://moothall.example.org\"})\nresult, err := client.VerifyPasskeySignIn(ctx, moothall.PasskeyAssertion{\n\tID:    \"AQIDBA\",\n\tRawID: \"AQIDBA\",\n\tType:  \"public-key\",\n\tResponse: moothall.PasskeyAssertionData{\n\t\tClientDataJSON:    \"e30\",\n\t\tAuthenticatorData: \"AA\",\n\t\tSignature:         \"AA\",\n\t\tUserHandle:        new(\"AA\"),\n\t},\n})\nif err != nil {\n\tlog.Fatal(err)\n}\nfmt.Printf(\"%+v\\n\", result)\n",
  "TypeScript": "const moothall = createClient({ url: \"https://moothall.example.org\" });\nconst { data } = await moothall.POST(\"/auth/passkey/verify\", { body: {\n  \"id\": \"AQIDBA\",\n  \"rawId\": \"AQIDBA\",\n  \"type\": \"public-key\",\n  \"response\": {\n    \"clientDataJSON\": \"e30\",\n    \"authenticatorData\": \"AA\",\n    \"signature\": \"AA\",\n    \"userHandle\": \"AA\"\n  }\n} });\nconsole.log(data);\n"
 },
 "voteForDateOption": {
  "curl": "curl -X POST 'https://moothall.example.org/events/018f3b0a-5c1d-7000-8000-0000000000e8/date-options/018f3b0a-5c1d-7000-8000-000000000101/votes' \\\n  -H \"Authorization: Bearer $MOOTHALL_TOKEN\"\n",
  "Go": "client := moothall.New(moothall.Options{URL: \"https://moothall.example.org\", APIKey: os.Getenv(\"MOOTHALL_TOKEN\")})\nresult, err := client.VoteForDateOption(ctx, \"018f3b0a-5c1d-7000-8000-0000000000e8\", \"018f3b0a-5c1d-7000-8000-000000000101\")\nif err != nil {\n\tlog.Fatal(err)\n}\nfmt.Printf(\"%+v\\n\", result)\n",
  "TypeScript": "const moothall = createClient({ url: \"https://moothall.example.org\", apiKey: process.env.MOOTHALL_TOKEN });\nconst { data } = await moothall.POST(\"/events/{event_id}/date-options/{option_id}/votes\", { params: { path: { event_id: \"018f3b0a-5c1d-7000-8000-0000000000e8\", option_id: \"018f3b0a-5c1d-7000-8000-000000000101\" } } });\nconsole.log(data);\n"
 },
 "withdrawDateVote": {
  "curl": "curl -X DELETE 'https://moothall.example.org/events/018f3b0a-5c1d-7000-8000-0000000000e8/date-options/018f3b0a-5c1d-7000-8000-000000000101/votes' \\\n  -H \"Authorization: Bearer $MOOTHALL_TOKEN\"\n",
  "Go": "client := moothall.New(moothall.Options{URL: \"https://moothall.example.org\", APIKey: os.Getenv(\"MOOTHALL_TOKEN\")})\nif err := client.WithdrawDateVote(ctx, \"018f3b0a-5c1d-7000-8000-0000000000e8\", \"018f3b0a-5c1d-7000-8000-000000000101\"); err != nil {\n\tlog.Fatal(err)\n}\n",
  "TypeScript": "const moothall = createClient({ url: \"https://moothall.example.org\", apiKey: process.env.MOOTHALL_TOKEN });\nawait moothall.DELETE(\"/events/{event_id}/date-options/{option_id}/votes\", { params: { path: { event_id: \"018f3b0a-5c1d-7000-8000-0000000000e8\", option_id: \"018f3b0a-5c1d-7000-8000-000000000101\" } } });\n"
 },
 "withdrawEmailInvitation": {
  "curl": "curl -X DELETE 'https://moothall.example.org/events/018f3b0a-5c1d-7000-8000-0000000000e1/email-invitations/018f3b0a-5c1d-7000-8000-000000000171' \\\n  -H \"Authorization: Bearer $MOOTHALL_TOKEN\"\n",
  "Go": "client := moothall.New(moothall.Options{URL: \"https://moothall.example.org\", APIKey: os.Getenv(\"MOOTHALL_TOKEN\")})\nif err := client.WithdrawEmailInvitation(ctx, \"018f3b0a-5c1d-7000-8000-0000000000e1\", \"018f3b0a-5c1d-7000-8000-000000000171\"); err != nil {\n\tlog.Fatal(err)\n}\n",
  "TypeScript": "const moothall = createClient({ url: \"https://moothall.example.org\", apiKey: process.env.MOOTHALL_TOKEN });\nawait moothall.DELETE(\"/events/{event_id}/email-invitations/{invitation_id}\", { params: { path: { event_id: \"018f3b0a-5c1d-7000-8000-0000000000e1\", invitation_id: \"018f3b0a-5c1d-7000-8000-000000000171\" } } });\n"
 }
};
