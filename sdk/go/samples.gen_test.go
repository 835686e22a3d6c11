// Code generated from api/openapi.yaml by sdk/generate. DO NOT EDIT.

package moothall_test

import (
	"context"
	"fmt"
	"io"
	"log"
	"os"
	"time"

	moothall "moothall/sdk/go"
)

var ctx = context.Background()

func ExampleClient_GetHealth() {
	client := moothall.New(moothall.Options{URL: "https://moothall.example.org"})
	result, err := client.GetHealth(ctx)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%+v\n", result)
}

func ExampleClient_StartDevSignIn() {
	client := moothall.New(moothall.Options{URL: "https://moothall.example.org"})
	result, err := client.StartDevSignIn(ctx, moothall.StartDevSignInRequest{Email: "anna@example.org"})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%+v\n", result)
}

func ExampleClient_VerifyDevSignIn() {
	client := moothall.New(moothall.Options{URL: "https://moothall.example.org"})
	result, err := client.VerifyDevSignIn(ctx, moothall.VerifyDevSignInRequest{Email: "anna@example.org", Code: "493027"})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%+v\n", result)
}

func ExampleClient_StartEmailSignIn() {
	client := moothall.New(moothall.Options{URL: "https://moothall.example.org"})
	result, err := client.StartEmailSignIn(ctx, moothall.StartEmailSignInRequest{Email: "anna@example.org", ReturnTo: new("/events")})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%+v\n", result)
}

func ExampleClient_VerifyEmailSignIn() {
	client := moothall.New(moothall.Options{URL: "https://moothall.example.org"})
	result, err := client.VerifyEmailSignIn(ctx, moothall.VerifyEmailSignInRequest{
		Email:     "anna@example.org",
		Code:      "493027",
		Challenge: new("es_Zk3vS0m9o0m1a7cWcS4nB2yq8r5t6u7v8w9x0y1z2A3"),
	})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%+v\n", result)
}

func ExampleClient_GetEmailSignInStatus() {
	client := moothall.New(moothall.Options{URL: "https://moothall.example.org"})
	result, err := client.GetEmailSignInStatus(ctx, moothall.EmailSignInStatusRequest{Challenge: new("es_Zk3vS0m9o0m1a7cWcS4nB2yq8r5t6u7v8w9x0y1z2A3")})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%+v\n", result)
}

func ExampleClient_StartPhoneCall() {
	client := moothall.New(moothall.Options{URL: "https://moothall.example.org"})
	result, err := client.StartPhoneCall(ctx, moothall.StartPhoneCallRequest{Phone: "+49 30 901820"})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%+v\n", result)
}

func ExampleClient_GetPhoneCallStatus() {
	client := moothall.New(moothall.Options{URL: "https://moothall.example.org"})
	result, err := client.GetPhoneCallStatus(ctx, moothall.PhoneCallStatusRequest{ChallengeID: "5f0f1a52-93a4-4a43-8d55-6a35c7f1e0d2"})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%+v\n", result)
}

func ExampleClient_StartPasskeySignIn() {
	client := moothall.New(moothall.Options{URL: "https://moothall.example.org"})
	result, err := client.StartPasskeySignIn(ctx, moothall.PasskeySignInOptionsRequest{})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%+v\n", result)
}

func ExampleClient_VerifyPasskeySignIn() {
	client := moothall.New(moothall.Options{URL: "https://moothall.example.org"})
	result, err := client.VerifyPasskeySignIn(ctx, moothall.PasskeyAssertion{
		ID:    "AQIDBA",
		RawID: "AQIDBA",
		Type:  "public-key",
		Response: moothall.PasskeyAssertionData{
			ClientDataJSON:    "e30",
			AuthenticatorData: "AA",
			Signature:         "AA",
			UserHandle:        new("AA"),
		},
	})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%+v\n", result)
}

func ExampleClient_SignInWithIDPToken() {
	client := moothall.New(moothall.Options{URL: "https://moothall.example.org"})
	result, err := client.SignInWithIDPToken(ctx, moothall.IDPTokenRequest{OauthToken: "ya29.a0AfH6SMBx"})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%+v\n", result)
}

func ExampleClient_RefreshSession() {
	client := moothall.New(moothall.Options{URL: "https://moothall.example.org"})
	result, err := client.RefreshSession(ctx, moothall.RefreshTokenRequest{RefreshToken: new("rt_kQ3vS0m9o0m1a7cWcS4nB2yq8r5t6u7v8w9x0y1z2A3")})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%+v\n", result)
}

func ExampleClient_ListSessions() {
	client := moothall.New(moothall.Options{URL: "https://moothall.example.org", APIKey: os.Getenv("MOOTHALL_TOKEN")})
	result, err := client.ListSessions(ctx)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%+v\n", result)
}

func ExampleClient_RevokeSession() {
	client := moothall.New(moothall.Options{URL: "https://moothall.example.org", APIKey: os.Getenv("MOOTHALL_TOKEN")})
	if err := client.RevokeSession(ctx, "018f3b0a-5c1d-7000-8000-0000000000b1"); err != nil {
		log.Fatal(err)
	}
}

func ExampleClient_RevokeOtherSessions() {
	client := moothall.New(moothall.Options{URL: "https://moothall.example.org", APIKey: os.Getenv("MOOTHALL_TOKEN")})
	if err := client.RevokeOtherSessions(ctx); err != nil {
		log.Fatal(err)
	}
}

func ExampleClient_Logout() {
	client := moothall.New(moothall.Options{URL: "https://moothall.example.org"})
	if err := client.Logout(ctx, moothall.RefreshTokenRequest{RefreshToken: new("rt_kQ3vS0m9o0m1a7cWcS4nB2yq8r5t6u7v8w9x0y1z2A3")}); err != nil {
		log.Fatal(err)
	}
}

func ExampleClient_GetMe() {
	client := moothall.New(moothall.Options{URL: "https://moothall.example.org", APIKey: os.Getenv("MOOTHALL_TOKEN")})
	result, err := client.GetMe(ctx)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%+v\n", result)
}

func ExampleClient_DeleteMe() {
	client := moothall.New(moothall.Options{URL: "https://moothall.example.org", APIKey: os.Getenv("MOOTHALL_TOKEN")})
	if err := client.DeleteMe(ctx); err != nil {
		log.Fatal(err)
	}
}

func ExampleClient_ExportMe() {
	client := moothall.New(moothall.Options{URL: "https://moothall.example.org", APIKey: os.Getenv("MOOTHALL_TOKEN")})
	result, err := client.ExportMe(ctx)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%+v\n", result)
}

func ExampleClient_UpdateMyProfile() {
	client := moothall.New(moothall.Options{URL: "https://moothall.example.org", APIKey: os.Getenv("MOOTHALL_TOKEN")})
	result, err := client.UpdateMyProfile(ctx, moothall.UpdateProfileRequest{
		DisplayName: new("Anna"),
		City:        moothall.Set("Berlin"),
		Interests:   []string{"games", "hiking"},
	})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%+v\n", result)
}

func ExampleClient_ListProfiles() {
	client := moothall.New(moothall.Options{URL: "https://moothall.example.org"})
	result, err := client.ListProfiles(ctx, moothall.ListProfilesParams{})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%+v\n", result)
}

func ExampleClient_GetProfileByUsername() {
	client := moothall.New(moothall.Options{URL: "https://moothall.example.org"})
	result, err := client.GetProfileByUsername(ctx, "anna", moothall.GetProfileByUsernameParams{})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%+v\n", result)
}

func ExampleClient_GetProfile() {
	client := moothall.New(moothall.Options{URL: "https://moothall.example.org"})
	result, err := client.GetProfile(ctx, "018e3b0a-5c1d-7000-8000-0000000000a2", moothall.GetProfileParams{})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%+v\n", result)
}

func ExampleClient_GetFollow() {
	client := moothall.New(moothall.Options{URL: "https://moothall.example.org", APIKey: os.Getenv("MOOTHALL_TOKEN")})
	result, err := client.GetFollow(ctx, "018e3b0a-5c1d-7000-8000-0000000000a2")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%+v\n", result)
}

func ExampleClient_FollowUser() {
	client := moothall.New(moothall.Options{URL: "https://moothall.example.org", APIKey: os.Getenv("MOOTHALL_TOKEN")})
	result, err := client.FollowUser(ctx, "018e3b0a-5c1d-7000-8000-0000000000a2")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%+v\n", result)
}

func ExampleClient_UnfollowUser() {
	client := moothall.New(moothall.Options{URL: "https://moothall.example.org", APIKey: os.Getenv("MOOTHALL_TOKEN")})
	result, err := client.UnfollowUser(ctx, "018e3b0a-5c1d-7000-8000-0000000000a2")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%+v\n", result)
}

func ExampleClient_GetBlock() {
	client := moothall.New(moothall.Options{URL: "https://moothall.example.org", APIKey: os.Getenv("MOOTHALL_TOKEN")})
	result, err := client.GetBlock(ctx, "018e3b0a-5c1d-7000-8000-0000000000a2")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%+v\n", result)
}

func ExampleClient_BlockUser() {
	client := moothall.New(moothall.Options{URL: "https://moothall.example.org", APIKey: os.Getenv("MOOTHALL_TOKEN")})
	result, err := client.BlockUser(ctx, "018e3b0a-5c1d-7000-8000-0000000000a2")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%+v\n", result)
}

func ExampleClient_UnblockUser() {
	client := moothall.New(moothall.Options{URL: "https://moothall.example.org", APIKey: os.Getenv("MOOTHALL_TOKEN")})
	if err := client.UnblockUser(ctx, "018e3b0a-5c1d-7000-8000-0000000000a2"); err != nil {
		log.Fatal(err)
	}
}

func ExampleClient_ListEvents() {
	client := moothall.New(moothall.Options{URL: "https://moothall.example.org"})
	result, err := client.ListEvents(ctx, moothall.ListEventsParams{})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%+v\n", result)
}

func ExampleClient_CreateEvent() {
	client := moothall.New(moothall.Options{URL: "https://moothall.example.org", APIKey: os.Getenv("MOOTHALL_TOKEN")})
	result, err := client.CreateEvent(ctx, moothall.CreateEventRequest{
		Title:        new("Board games"),
		Description:  new("Bring your own."),
		StartsAt:     time.Date(2026, 12, 5, 16, 0, 0, 0, time.UTC),
		EndsAt:       new(time.Date(2026, 12, 5, 19, 0, 0, 0, time.UTC)),
		Timezone:     new("Europe/Berlin"),
		Category:     new("games"),
		Capacity:     new(12),
		City:         new("Berlin"),
		LocationText: new("Spielwiese, Kopernikusstraße 24"),
		Lat:          new(52.5131),
		Lng:          new(13.4549),
	})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%+v\n", result)
}

func ExampleClient_MapEvents() {
	client := moothall.New(moothall.Options{URL: "https://moothall.example.org"})
	result, err := client.MapEvents(ctx, moothall.MapEventsParams{})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%+v\n", result)
}

func ExampleClient_ListPlaces() {
	client := moothall.New(moothall.Options{URL: "https://moothall.example.org"})
	result, err := client.ListPlaces(ctx, moothall.ListPlacesParams{})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%+v\n", result)
}

func ExampleClient_ListAddresses() {
	client := moothall.New(moothall.Options{URL: "https://moothall.example.org", APIKey: os.Getenv("MOOTHALL_TOKEN")})
	result, err := client.ListAddresses(ctx, moothall.ListAddressesParams{Q: "Unter den Linden 1"})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%+v\n", result)
}

func ExampleClient_GetEventByCode() {
	client := moothall.New(moothall.Options{URL: "https://moothall.example.org"})
	result, err := client.GetEventByCode(ctx, "Demo1111")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%+v\n", result)
}

func ExampleClient_GetEvent() {
	client := moothall.New(moothall.Options{URL: "https://moothall.example.org"})
	result, err := client.GetEvent(ctx, "018f3b0a-5c1d-7000-8000-0000000000e1")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%+v\n", result)
}

func ExampleClient_UpdateEvent() {
	client := moothall.New(moothall.Options{URL: "https://moothall.example.org", APIKey: os.Getenv("MOOTHALL_TOKEN")})
	result, err := client.UpdateEvent(ctx, "018f3b0a-5c1d-7000-8000-0000000000e1", moothall.UpdateEventParams{}, moothall.UpdateEventRequest{Title: new("Board games and tea"), Capacity: moothall.Set(16)})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%+v\n", result)
}

func ExampleClient_PublishEvent() {
	client := moothall.New(moothall.Options{URL: "https://moothall.example.org", APIKey: os.Getenv("MOOTHALL_TOKEN")})
	result, err := client.PublishEvent(ctx, "018f3b0a-5c1d-7000-8000-0000000000e1")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%+v\n", result)
}

func ExampleClient_CancelEvent() {
	client := moothall.New(moothall.Options{URL: "https://moothall.example.org", APIKey: os.Getenv("MOOTHALL_TOKEN")})
	result, err := client.CancelEvent(ctx, "018f3b0a-5c1d-7000-8000-0000000000e1", moothall.CancelEventRequest{Message: new("The hall is flooded. We will meet in January.")})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%+v\n", result)
}

func ExampleClient_CloneEvent() {
	client := moothall.New(moothall.Options{URL: "https://moothall.example.org", APIKey: os.Getenv("MOOTHALL_TOKEN")})
	result, err := client.CloneEvent(ctx, "018f3b0a-5c1d-7000-8000-0000000000e1")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%+v\n", result)
}

func ExampleClient_ListGroups() {
	client := moothall.New(moothall.Options{URL: "https://moothall.example.org"})
	result, err := client.ListGroups(ctx, moothall.ListGroupsParams{})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%+v\n", result)
}

func ExampleClient_CreateGroup() {
	client := moothall.New(moothall.Options{URL: "https://moothall.example.org", APIKey: os.Getenv("MOOTHALL_TOKEN")})
	result, err := client.CreateGroup(ctx, moothall.CreateGroupRequest{
		Name:        "Board games Berlin",
		Description: new("Every Thursday."),
		City:        new("Berlin"),
		Lat:         new(52.52),
		Lng:         new(13.405),
	})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%+v\n", result)
}

func ExampleClient_ListMyGroups() {
	client := moothall.New(moothall.Options{URL: "https://moothall.example.org", APIKey: os.Getenv("MOOTHALL_TOKEN")})
	result, err := client.ListMyGroups(ctx, moothall.ListMyGroupsParams{})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%+v\n", result)
}

func ExampleClient_GetGroup() {
	client := moothall.New(moothall.Options{URL: "https://moothall.example.org"})
	result, err := client.GetGroup(ctx, "018f3b0a-5c1d-7000-8000-0000000000d1")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%+v\n", result)
}

func ExampleClient_UpdateGroup() {
	client := moothall.New(moothall.Options{URL: "https://moothall.example.org", APIKey: os.Getenv("MOOTHALL_TOKEN")})
	result, err := client.UpdateGroup(ctx, "018f3b0a-5c1d-7000-8000-0000000000d1", moothall.UpdateGroupRequest{Description: moothall.Set("Every Thursday at seven."), MemberList: new(moothall.GroupMemberListPublic)})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%+v\n", result)
}

func ExampleClient_DeleteGroup() {
	client := moothall.New(moothall.Options{URL: "https://moothall.example.org", APIKey: os.Getenv("MOOTHALL_TOKEN")})
	if err := client.DeleteGroup(ctx, "018f3b0a-5c1d-7000-8000-0000000000d1"); err != nil {
		log.Fatal(err)
	}
}

func ExampleClient_SetGroupImage() {
	client := moothall.New(moothall.Options{URL: "https://moothall.example.org", APIKey: os.Getenv("MOOTHALL_TOKEN")})
	picture, err := os.ReadFile("picture.jpg")
	if err != nil {
		log.Fatal(err)
	}
	result, err := client.SetGroupImage(ctx, "018f3b0a-5c1d-7000-8000-0000000000d1", picture)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%+v\n", result)
}

func ExampleClient_DeleteGroupImage() {
	client := moothall.New(moothall.Options{URL: "https://moothall.example.org", APIKey: os.Getenv("MOOTHALL_TOKEN")})
	if err := client.DeleteGroupImage(ctx, "018f3b0a-5c1d-7000-8000-0000000000d1"); err != nil {
		log.Fatal(err)
	}
}

func ExampleClient_JoinGroup() {
	client := moothall.New(moothall.Options{URL: "https://moothall.example.org", APIKey: os.Getenv("MOOTHALL_TOKEN")})
	result, err := client.JoinGroup(ctx, "018f3b0a-5c1d-7000-8000-0000000000d1", moothall.JoinGroupRequest{Visibility: new(moothall.GroupMemberVisibilityPublic)})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%+v\n", result)
}

func ExampleClient_LeaveGroup() {
	client := moothall.New(moothall.Options{URL: "https://moothall.example.org", APIKey: os.Getenv("MOOTHALL_TOKEN")})
	if err := client.LeaveGroup(ctx, "018f3b0a-5c1d-7000-8000-0000000000d1"); err != nil {
		log.Fatal(err)
	}
}

func ExampleClient_ListGroupMembers() {
	client := moothall.New(moothall.Options{URL: "https://moothall.example.org"})
	result, err := client.ListGroupMembers(ctx, "018f3b0a-5c1d-7000-8000-0000000000d1", moothall.ListGroupMembersParams{})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%+v\n", result)
}

func ExampleClient_UpdateGroupMember() {
	client := moothall.New(moothall.Options{URL: "https://moothall.example.org", APIKey: os.Getenv("MOOTHALL_TOKEN")})
	result, err := client.UpdateGroupMember(ctx, "018f3b0a-5c1d-7000-8000-0000000000d1", "018e3b0a-5c1d-7000-8000-0000000000a2", moothall.UpdateGroupMemberRequest{Role: new("host")})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%+v\n", result)
}

func ExampleClient_RemoveGroupMember() {
	client := moothall.New(moothall.Options{URL: "https://moothall.example.org", APIKey: os.Getenv("MOOTHALL_TOKEN")})
	if err := client.RemoveGroupMember(ctx, "018f3b0a-5c1d-7000-8000-0000000000d1", "018e3b0a-5c1d-7000-8000-0000000000a2"); err != nil {
		log.Fatal(err)
	}
}

func ExampleClient_InviteToGroup() {
	client := moothall.New(moothall.Options{URL: "https://moothall.example.org", APIKey: os.Getenv("MOOTHALL_TOKEN")})
	result, err := client.InviteToGroup(ctx, "018f3b0a-5c1d-7000-8000-0000000000d1", moothall.InviteToGroupRequest{UserID: "018e3b0a-5c1d-7000-8000-0000000000a2"})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%+v\n", result)
}

func ExampleClient_ListGroupEvents() {
	client := moothall.New(moothall.Options{URL: "https://moothall.example.org"})
	result, err := client.ListGroupEvents(ctx, "018f3b0a-5c1d-7000-8000-0000000000d1", moothall.ListGroupEventsParams{})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%+v\n", result)
}

func ExampleClient_ListGroupAnnouncements() {
	client := moothall.New(moothall.Options{URL: "https://moothall.example.org", APIKey: os.Getenv("MOOTHALL_TOKEN")})
	result, err := client.ListGroupAnnouncements(ctx, "018f3b0a-5c1d-7000-8000-0000000000d1", moothall.ListGroupAnnouncementsParams{})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%+v\n", result)
}

func ExampleClient_AnnounceToGroup() {
	client := moothall.New(moothall.Options{URL: "https://moothall.example.org", APIKey: os.Getenv("MOOTHALL_TOKEN")})
	result, err := client.AnnounceToGroup(ctx, "018f3b0a-5c1d-7000-8000-0000000000d1", moothall.AnnounceToGroupRequest{Body: "We meet in the garden from now on."})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%+v\n", result)
}

func ExampleClient_ListGroupSources() {
	client := moothall.New(moothall.Options{URL: "https://moothall.example.org", APIKey: os.Getenv("MOOTHALL_TOKEN")})
	result, err := client.ListGroupSources(ctx, "018f3b0a-5c1d-7000-8000-0000000000d1")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%+v\n", result)
}

func ExampleClient_AddGroupSource() {
	client := moothall.New(moothall.Options{URL: "https://moothall.example.org", APIKey: os.Getenv("MOOTHALL_TOKEN")})
	result, err := client.AddGroupSource(ctx, "018f3b0a-5c1d-7000-8000-0000000000d1", moothall.AddGroupSourceRequest{URL: "https://calendar.example.com/chess.ics"})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%+v\n", result)
}

func ExampleClient_RemoveGroupSource() {
	client := moothall.New(moothall.Options{URL: "https://moothall.example.org", APIKey: os.Getenv("MOOTHALL_TOKEN")})
	if err := client.RemoveGroupSource(ctx, "018f3b0a-5c1d-7000-8000-0000000000d1", "018f3b0a-5c1d-7000-8000-0000000000d3"); err != nil {
		log.Fatal(err)
	}
}

func ExampleClient_TransferGroup() {
	client := moothall.New(moothall.Options{URL: "https://moothall.example.org", APIKey: os.Getenv("MOOTHALL_TOKEN")})
	result, err := client.TransferGroup(ctx, "018f3b0a-5c1d-7000-8000-0000000000d1", moothall.TransferGroupRequest{UserID: "018e3b0a-5c1d-7000-8000-0000000000a2"})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%+v\n", result)
}

func ExampleClient_CreateEventSeries() {
	client := moothall.New(moothall.Options{URL: "https://moothall.example.org", APIKey: os.Getenv("MOOTHALL_TOKEN")})
	result, err := client.CreateEventSeries(ctx, moothall.CreateEventSeriesRequest{
		Rrule:           "FREQ=WEEKLY;BYDAY=TH",
		StartsAt:        "2038-12-02T19:00:00",
		Timezone:        "Europe/Berlin",
		DurationMinutes: new(120),
		Template: moothall.SeriesTemplate{
			Title:    new("Reading circle"),
			Category: new("books"),
			City:     new("Berlin"),
			Capacity: new(12),
		},
	})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%+v\n", result)
}

func ExampleClient_PreviewEventSeries() {
	client := moothall.New(moothall.Options{URL: "https://moothall.example.org", APIKey: os.Getenv("MOOTHALL_TOKEN")})
	result, err := client.PreviewEventSeries(ctx, moothall.PreviewEventSeriesParams{
		Rrule:    "FREQ=WEEKLY;BYDAY=TH",
		StartsAt: "2038-12-02T19:00:00",
		Timezone: "Europe/Berlin",
	})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%+v\n", result)
}

func ExampleClient_GetEventSeries() {
	client := moothall.New(moothall.Options{URL: "https://moothall.example.org"})
	result, err := client.GetEventSeries(ctx, "018f3b0a-5c1d-7000-8000-0000000000c1")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%+v\n", result)
}

func ExampleClient_UpdateEventSeries() {
	client := moothall.New(moothall.Options{URL: "https://moothall.example.org", APIKey: os.Getenv("MOOTHALL_TOKEN")})
	result, err := client.UpdateEventSeries(ctx, "018f3b0a-5c1d-7000-8000-0000000000c1", moothall.UpdateEventSeriesRequest{Template: moothall.SeriesTemplate{LocationText: new("Back room")}, Apply: new("untouched_upcoming")})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%+v\n", result)
}

func ExampleClient_ListSeriesEvents() {
	client := moothall.New(moothall.Options{URL: "https://moothall.example.org"})
	result, err := client.ListSeriesEvents(ctx, "018f3b0a-5c1d-7000-8000-0000000000c1", moothall.ListSeriesEventsParams{})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%+v\n", result)
}

func ExampleClient_ListSeriesDates() {
	client := moothall.New(moothall.Options{URL: "https://moothall.example.org", APIKey: os.Getenv("MOOTHALL_TOKEN")})
	result, err := client.ListSeriesDates(ctx, "018f3b0a-5c1d-7000-8000-0000000000c1", moothall.ListSeriesDatesParams{})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%+v\n", result)
}

func ExampleClient_SkipSeriesDate() {
	client := moothall.New(moothall.Options{URL: "https://moothall.example.org", APIKey: os.Getenv("MOOTHALL_TOKEN")})
	result, err := client.SkipSeriesDate(ctx, "018f3b0a-5c1d-7000-8000-0000000000c1", moothall.SkipSeriesDateRequest{OccurrenceAt: "2038-12-23T03:00:00"})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%+v\n", result)
}

func ExampleClient_SplitEventSeries() {
	client := moothall.New(moothall.Options{URL: "https://moothall.example.org", APIKey: os.Getenv("MOOTHALL_TOKEN")})
	result, err := client.SplitEventSeries(ctx, "018f3b0a-5c1d-7000-8000-0000000000c1", moothall.SplitEventSeriesRequest{
		From:     "2038-12-09T03:00:00",
		Rrule:    "FREQ=WEEKLY;BYDAY=FR",
		StartsAt: "2038-12-10T18:30:00",
	})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%+v\n", result)
}

func ExampleClient_PauseEventSeries() {
	client := moothall.New(moothall.Options{URL: "https://moothall.example.org", APIKey: os.Getenv("MOOTHALL_TOKEN")})
	result, err := client.PauseEventSeries(ctx, "018f3b0a-5c1d-7000-8000-0000000000c1")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%+v\n", result)
}

func ExampleClient_ResumeEventSeries() {
	client := moothall.New(moothall.Options{URL: "https://moothall.example.org", APIKey: os.Getenv("MOOTHALL_TOKEN")})
	result, err := client.ResumeEventSeries(ctx, "018f3b0a-5c1d-7000-8000-0000000000c1")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%+v\n", result)
}

func ExampleClient_EndEventSeries() {
	client := moothall.New(moothall.Options{URL: "https://moothall.example.org", APIKey: os.Getenv("MOOTHALL_TOKEN")})
	result, err := client.EndEventSeries(ctx, "018f3b0a-5c1d-7000-8000-0000000000c1")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%+v\n", result)
}

func ExampleClient_JoinEventSeries() {
	client := moothall.New(moothall.Options{URL: "https://moothall.example.org", APIKey: os.Getenv("MOOTHALL_TOKEN")})
	result, err := client.JoinEventSeries(ctx, "018f3b0a-5c1d-7000-8000-0000000000c1", moothall.JoinEventSeriesRequest{ParticipationVisibility: new(moothall.ParticipationVisibilityPublic)})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%+v\n", result)
}

func ExampleClient_LeaveEventSeries() {
	client := moothall.New(moothall.Options{URL: "https://moothall.example.org", APIKey: os.Getenv("MOOTHALL_TOKEN")})
	if err := client.LeaveEventSeries(ctx, "018f3b0a-5c1d-7000-8000-0000000000c1", moothall.LeaveEventSeriesParams{}); err != nil {
		log.Fatal(err)
	}
}

func ExampleClient_JoinEvent() {
	client := moothall.New(moothall.Options{URL: "https://moothall.example.org", APIKey: os.Getenv("MOOTHALL_TOKEN")})
	result, err := client.JoinEvent(ctx, "018f3b0a-5c1d-7000-8000-0000000000e1", moothall.JoinEventRequest{ParticipationVisibility: new(moothall.ParticipationVisibilityIncognito)})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%+v\n", result)
}

func ExampleClient_LeaveEvent() {
	client := moothall.New(moothall.Options{URL: "https://moothall.example.org", APIKey: os.Getenv("MOOTHALL_TOKEN")})
	result, err := client.LeaveEvent(ctx, "018f3b0a-5c1d-7000-8000-0000000000e1")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%+v\n", result)
}

func ExampleClient_DownloadEventCalendar() {
	client := moothall.New(moothall.Options{URL: "https://moothall.example.org"})
	content, err := client.DownloadEventCalendar(ctx, "018f3b0a-5c1d-7000-8000-0000000000e1", moothall.DownloadEventCalendarParams{})
	if err != nil {
		log.Fatal(err)
	}
	defer content.Close()
	io.Copy(os.Stdout, content)
}

func ExampleClient_ListParticipants() {
	client := moothall.New(moothall.Options{URL: "https://moothall.example.org", APIKey: os.Getenv("MOOTHALL_TOKEN")})
	result, err := client.ListParticipants(ctx, "018f3b0a-5c1d-7000-8000-0000000000e1", moothall.ListParticipantsParams{})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%+v\n", result)
}

func ExampleClient_DownloadParticipants() {
	client := moothall.New(moothall.Options{URL: "https://moothall.example.org", APIKey: os.Getenv("MOOTHALL_TOKEN")})
	content, err := client.DownloadParticipants(ctx, "018f3b0a-5c1d-7000-8000-0000000000e1")
	if err != nil {
		log.Fatal(err)
	}
	defer content.Close()
	io.Copy(os.Stdout, content)
}

func ExampleClient_ApproveRequests() {
	client := moothall.New(moothall.Options{URL: "https://moothall.example.org", APIKey: os.Getenv("MOOTHALL_TOKEN")})
	result, err := client.ApproveRequests(ctx, "018f3b0a-5c1d-7000-8000-0000000000e1")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%+v\n", result)
}

func ExampleClient_RemoveParticipant() {
	client := moothall.New(moothall.Options{URL: "https://moothall.example.org", APIKey: os.Getenv("MOOTHALL_TOKEN")})
	if err := client.RemoveParticipant(ctx, "018f3b0a-5c1d-7000-8000-0000000000e1", "018f3b0a-5c1d-7000-8000-0000000000d1"); err != nil {
		log.Fatal(err)
	}
}

func ExampleClient_ApproveParticipant() {
	client := moothall.New(moothall.Options{URL: "https://moothall.example.org", APIKey: os.Getenv("MOOTHALL_TOKEN")})
	result, err := client.ApproveParticipant(ctx, "018f3b0a-5c1d-7000-8000-0000000000e1", "018f3b0a-5c1d-7000-8000-0000000000d1")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%+v\n", result)
}

func ExampleClient_DeclineParticipant() {
	client := moothall.New(moothall.Options{URL: "https://moothall.example.org", APIKey: os.Getenv("MOOTHALL_TOKEN")})
	result, err := client.DeclineParticipant(ctx, "018f3b0a-5c1d-7000-8000-0000000000e1", "018f3b0a-5c1d-7000-8000-0000000000d1")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%+v\n", result)
}

func ExampleClient_ListInvitations() {
	client := moothall.New(moothall.Options{URL: "https://moothall.example.org", APIKey: os.Getenv("MOOTHALL_TOKEN")})
	result, err := client.ListInvitations(ctx, "018f3b0a-5c1d-7000-8000-0000000000e7", moothall.ListInvitationsParams{})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%+v\n", result)
}

func ExampleClient_InviteToEvent() {
	client := moothall.New(moothall.Options{URL: "https://moothall.example.org", APIKey: os.Getenv("MOOTHALL_TOKEN")})
	result, err := client.InviteToEvent(ctx, "018f3b0a-5c1d-7000-8000-0000000000e7", moothall.CreateEventInvitationRequest{Email: new("farid@example.org"), Message: new("Would love to see you there.")})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%+v\n", result)
}

func ExampleClient_ListHosts() {
	client := moothall.New(moothall.Options{URL: "https://moothall.example.org", APIKey: os.Getenv("MOOTHALL_TOKEN")})
	result, err := client.ListHosts(ctx, "018f3b0a-5c1d-7000-8000-0000000000e1")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%+v\n", result)
}

func ExampleClient_InviteHost() {
	client := moothall.New(moothall.Options{URL: "https://moothall.example.org", APIKey: os.Getenv("MOOTHALL_TOKEN")})
	result, err := client.InviteHost(ctx, "018f3b0a-5c1d-7000-8000-0000000000e1", moothall.InviteHostRequest{UserID: "018e3b0a-5c1d-7000-8000-0000000000a2"})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%+v\n", result)
}

func ExampleClient_UpdateHost() {
	client := moothall.New(moothall.Options{URL: "https://moothall.example.org", APIKey: os.Getenv("MOOTHALL_TOKEN")})
	result, err := client.UpdateHost(ctx, "018f3b0a-5c1d-7000-8000-0000000000e1", "018e3b0a-5c1d-7000-8000-0000000000a2", moothall.UpdateHostRequest{Status: "active"})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%+v\n", result)
}

func ExampleClient_RemoveHost() {
	client := moothall.New(moothall.Options{URL: "https://moothall.example.org", APIKey: os.Getenv("MOOTHALL_TOKEN")})
	if err := client.RemoveHost(ctx, "018f3b0a-5c1d-7000-8000-0000000000e1", "018e3b0a-5c1d-7000-8000-0000000000a2"); err != nil {
		log.Fatal(err)
	}
}

func ExampleClient_TransferEvent() {
	client := moothall.New(moothall.Options{URL: "https://moothall.example.org", APIKey: os.Getenv("MOOTHALL_TOKEN")})
	result, err := client.TransferEvent(ctx, "018f3b0a-5c1d-7000-8000-0000000000e1", moothall.TransferEventRequest{UserID: "018e3b0a-5c1d-7000-8000-0000000000a2"})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%+v\n", result)
}

func ExampleClient_EnterWaitlist() {
	client := moothall.New(moothall.Options{URL: "https://moothall.example.org", APIKey: os.Getenv("MOOTHALL_TOKEN")})
	result, err := client.EnterWaitlist(ctx, "018f3b0a-5c1d-7000-8000-0000000000e1", moothall.EnterWaitlistRequest{PartySize: new(moothall.PartySize(2)), ParticipationVisibility: new(moothall.ParticipationVisibilityPublic)})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%+v\n", result)
}

func ExampleClient_GetWaitlistEntry() {
	client := moothall.New(moothall.Options{URL: "https://moothall.example.org", APIKey: os.Getenv("MOOTHALL_TOKEN")})
	result, err := client.GetWaitlistEntry(ctx, "018f3b0a-5c1d-7000-8000-0000000000e1")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%+v\n", result)
}

func ExampleClient_LeaveWaitlist() {
	client := moothall.New(moothall.Options{URL: "https://moothall.example.org", APIKey: os.Getenv("MOOTHALL_TOKEN")})
	if err := client.LeaveWaitlist(ctx, "018f3b0a-5c1d-7000-8000-0000000000e1"); err != nil {
		log.Fatal(err)
	}
}

func ExampleClient_ListWaitlistEntries() {
	client := moothall.New(moothall.Options{URL: "https://moothall.example.org", APIKey: os.Getenv("MOOTHALL_TOKEN")})
	result, err := client.ListWaitlistEntries(ctx, "018f3b0a-5c1d-7000-8000-0000000000e1", moothall.ListWaitlistEntriesParams{})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%+v\n", result)
}

func ExampleClient_RemoveWaitlistEntry() {
	client := moothall.New(moothall.Options{URL: "https://moothall.example.org", APIKey: os.Getenv("MOOTHALL_TOKEN")})
	if err := client.RemoveWaitlistEntry(ctx, "018f3b0a-5c1d-7000-8000-0000000000e1", "018f3b0a-5c1d-7000-8000-0000000000b1"); err != nil {
		log.Fatal(err)
	}
}

func ExampleClient_OfferSeats() {
	client := moothall.New(moothall.Options{URL: "https://moothall.example.org", APIKey: os.Getenv("MOOTHALL_TOKEN")})
	result, err := client.OfferSeats(ctx, "018f3b0a-5c1d-7000-8000-0000000000e1", "018f3b0a-5c1d-7000-8000-0000000000b1")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%+v\n", result)
}

func ExampleClient_ListQuestions() {
	client := moothall.New(moothall.Options{URL: "https://moothall.example.org", APIKey: os.Getenv("MOOTHALL_TOKEN")})
	result, err := client.ListQuestions(ctx, "018f3b0a-5c1d-7000-8000-0000000000e1")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%+v\n", result)
}

func ExampleClient_SetQuestions() {
	client := moothall.New(moothall.Options{URL: "https://moothall.example.org", APIKey: os.Getenv("MOOTHALL_TOKEN")})
	result, err := client.SetQuestions(ctx, "018f3b0a-5c1d-7000-8000-0000000000e1", moothall.SetQuestionsRequest{Items: []moothall.QuestionInput{moothall.QuestionInput{
		Kind:    moothall.QuestionKindChoice,
		Label:   "What do you eat?",
		Options: []string{"everything", "vegetarian"},
	}}})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%+v\n", result)
}

func ExampleClient_ListAnswers() {
	client := moothall.New(moothall.Options{URL: "https://moothall.example.org", APIKey: os.Getenv("MOOTHALL_TOKEN")})
	result, err := client.ListAnswers(ctx, "018f3b0a-5c1d-7000-8000-0000000000e1", moothall.ListAnswersParams{})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%+v\n", result)
}

func ExampleClient_DownloadAnswers() {
	client := moothall.New(moothall.Options{URL: "https://moothall.example.org", APIKey: os.Getenv("MOOTHALL_TOKEN")})
	content, err := client.DownloadAnswers(ctx, "018f3b0a-5c1d-7000-8000-0000000000e1")
	if err != nil {
		log.Fatal(err)
	}
	defer content.Close()
	io.Copy(os.Stdout, content)
}

func ExampleClient_ListEmailInvitations() {
	client := moothall.New(moothall.Options{URL: "https://moothall.example.org", APIKey: os.Getenv("MOOTHALL_TOKEN")})
	result, err := client.ListEmailInvitations(ctx, "018f3b0a-5c1d-7000-8000-0000000000e1", moothall.ListEmailInvitationsParams{})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%+v\n", result)
}

func ExampleClient_InviteByEmail() {
	client := moothall.New(moothall.Options{URL: "https://moothall.example.org", APIKey: os.Getenv("MOOTHALL_TOKEN")})
	result, err := client.InviteByEmail(ctx, "018f3b0a-5c1d-7000-8000-0000000000e1", moothall.InviteByEmailRequest{Emails: []string{"anna@example.org"}, Message: new("Would love to see you there.")})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%+v\n", result)
}

func ExampleClient_ReadGuestList() {
	client := moothall.New(moothall.Options{URL: "https://moothall.example.org", APIKey: os.Getenv("MOOTHALL_TOKEN")})
	guests, err := os.ReadFile("guests.csv")
	if err != nil {
		log.Fatal(err)
	}
	result, err := client.ReadGuestList(ctx, "018f3b0a-5c1d-7000-8000-0000000000e1", guests)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%+v\n", result)
}

func ExampleClient_WithdrawEmailInvitation() {
	client := moothall.New(moothall.Options{URL: "https://moothall.example.org", APIKey: os.Getenv("MOOTHALL_TOKEN")})
	if err := client.WithdrawEmailInvitation(ctx, "018f3b0a-5c1d-7000-8000-0000000000e1", "018f3b0a-5c1d-7000-8000-000000000171"); err != nil {
		log.Fatal(err)
	}
}

func ExampleClient_ListInviteLinks() {
	client := moothall.New(moothall.Options{URL: "https://moothall.example.org", APIKey: os.Getenv("MOOTHALL_TOKEN")})
	result, err := client.ListInviteLinks(ctx, "018f3b0a-5c1d-7000-8000-0000000000e7", moothall.ListInviteLinksParams{})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%+v\n", result)
}

func ExampleClient_CreateInviteLink() {
	client := moothall.New(moothall.Options{URL: "https://moothall.example.org", APIKey: os.Getenv("MOOTHALL_TOKEN")})
	result, err := client.CreateInviteLink(ctx, "018f3b0a-5c1d-7000-8000-0000000000e7", moothall.CreateInviteLinkRequest{MaxUses: new(20), ExpiresAt: new(time.Date(2026, 12, 1, 18, 0, 0, 0, time.UTC))})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%+v\n", result)
}

func ExampleClient_EndInviteLink() {
	client := moothall.New(moothall.Options{URL: "https://moothall.example.org", APIKey: os.Getenv("MOOTHALL_TOKEN")})
	if err := client.EndInviteLink(ctx, "018f3b0a-5c1d-7000-8000-0000000000e7", "018f3b0a-5c1d-7000-8000-000000000181"); err != nil {
		log.Fatal(err)
	}
}

func ExampleClient_GetInviteLink() {
	client := moothall.New(moothall.Options{URL: "https://moothall.example.org"})
	result, err := client.GetInviteLink(ctx, "AY87ClwdcACAAAAAAAABgXPyTi2iMKZ9qYsXtP0m4cA")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%+v\n", result)
}

func ExampleClient_AcceptInviteLink() {
	client := moothall.New(moothall.Options{URL: "https://moothall.example.org", APIKey: os.Getenv("MOOTHALL_TOKEN")})
	result, err := client.AcceptInviteLink(ctx, "AY87ClwdcACAAAAAAAABgXPyTi2iMKZ9qYsXtP0m4cA", moothall.AcceptInviteLinkRequest{Status: new("accepted")})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%+v\n", result)
}

func ExampleClient_AnswerInvitation() {
	client := moothall.New(moothall.Options{URL: "https://moothall.example.org", APIKey: os.Getenv("MOOTHALL_TOKEN")})
	result, err := client.AnswerInvitation(ctx, "018f3b0a-5c1d-7000-8000-0000000000e9", moothall.RSVPEventInvitationRequest{Status: moothall.InvitationAnswerAccepted})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%+v\n", result)
}

func ExampleClient_ListPostThreads() {
	client := moothall.New(moothall.Options{URL: "https://moothall.example.org"})
	result, err := client.ListPostThreads(ctx, moothall.ListPostThreadsParams{EventID: []string{"018f3b0a-5c1d-7000-8000-0000000000e1"}})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%+v\n", result)
}

func ExampleClient_ListEventPosts() {
	client := moothall.New(moothall.Options{URL: "https://moothall.example.org"})
	result, err := client.ListEventPosts(ctx, "018f3b0a-5c1d-7000-8000-0000000000e1", moothall.ListEventPostsParams{})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%+v\n", result)
}

func ExampleClient_CreateEventPost() {
	client := moothall.New(moothall.Options{URL: "https://moothall.example.org", APIKey: os.Getenv("MOOTHALL_TOKEN")})
	result, err := client.CreateEventPost(ctx, "018f3b0a-5c1d-7000-8000-0000000000e1", moothall.CreateEventPostRequest{Body: "The back room is ours.", Kind: new(moothall.EventPostKindAnnouncement)})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%+v\n", result)
}

func ExampleClient_DeleteEventPost() {
	client := moothall.New(moothall.Options{URL: "https://moothall.example.org", APIKey: os.Getenv("MOOTHALL_TOKEN")})
	if err := client.DeleteEventPost(ctx, "018f3b0a-5c1d-7000-8000-0000000000e1", "018f3b0a-5c1d-7000-8000-0000000000f1"); err != nil {
		log.Fatal(err)
	}
}

func ExampleClient_ListPostComments() {
	client := moothall.New(moothall.Options{URL: "https://moothall.example.org"})
	result, err := client.ListPostComments(ctx, "018f3b0a-5c1d-7000-8000-0000000000e1", "018f3b0a-5c1d-7000-8000-0000000000f1", moothall.ListPostCommentsParams{})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%+v\n", result)
}

func ExampleClient_CreatePostComment() {
	client := moothall.New(moothall.Options{URL: "https://moothall.example.org", APIKey: os.Getenv("MOOTHALL_TOKEN")})
	result, err := client.CreatePostComment(ctx, "018f3b0a-5c1d-7000-8000-0000000000e1", "018f3b0a-5c1d-7000-8000-0000000000f1", moothall.CreateEventPostCommentRequest{Body: "Great, see you there!", ParentCommentID: nil})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%+v\n", result)
}

func ExampleClient_UpdatePostComment() {
	client := moothall.New(moothall.Options{URL: "https://moothall.example.org", APIKey: os.Getenv("MOOTHALL_TOKEN")})
	result, err := client.UpdatePostComment(ctx, "018f3b0a-5c1d-7000-8000-0000000000e1", "018f3b0a-5c1d-7000-8000-0000000000f1", "018f3b0a-5c1d-7000-8000-0000000000f3", moothall.UpdateEventPostCommentRequest{Body: "Great, see you all there!"})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%+v\n", result)
}

func ExampleClient_DeletePostComment() {
	client := moothall.New(moothall.Options{URL: "https://moothall.example.org", APIKey: os.Getenv("MOOTHALL_TOKEN")})
	if err := client.DeletePostComment(ctx, "018f3b0a-5c1d-7000-8000-0000000000e1", "018f3b0a-5c1d-7000-8000-0000000000f1", "018f3b0a-5c1d-7000-8000-0000000000f3"); err != nil {
		log.Fatal(err)
	}
}

func ExampleClient_LikePost() {
	client := moothall.New(moothall.Options{URL: "https://moothall.example.org", APIKey: os.Getenv("MOOTHALL_TOKEN")})
	result, err := client.LikePost(ctx, "018f3b0a-5c1d-7000-8000-0000000000e1", "018f3b0a-5c1d-7000-8000-0000000000f1")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%+v\n", result)
}

func ExampleClient_UnlikePost() {
	client := moothall.New(moothall.Options{URL: "https://moothall.example.org", APIKey: os.Getenv("MOOTHALL_TOKEN")})
	result, err := client.UnlikePost(ctx, "018f3b0a-5c1d-7000-8000-0000000000e1", "018f3b0a-5c1d-7000-8000-0000000000f1")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%+v\n", result)
}

func ExampleClient_RepostPost() {
	client := moothall.New(moothall.Options{URL: "https://moothall.example.org", APIKey: os.Getenv("MOOTHALL_TOKEN")})
	result, err := client.RepostPost(ctx, "018f3b0a-5c1d-7000-8000-0000000000e1", "018f3b0a-5c1d-7000-8000-0000000000f1")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%+v\n", result)
}

func ExampleClient_UnrepostPost() {
	client := moothall.New(moothall.Options{URL: "https://moothall.example.org", APIKey: os.Getenv("MOOTHALL_TOKEN")})
	result, err := client.UnrepostPost(ctx, "018f3b0a-5c1d-7000-8000-0000000000e1", "018f3b0a-5c1d-7000-8000-0000000000f1")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%+v\n", result)
}

func ExampleClient_ListGuestAudiences() {
	client := moothall.New(moothall.Options{URL: "https://moothall.example.org", APIKey: os.Getenv("MOOTHALL_TOKEN")})
	result, err := client.ListGuestAudiences(ctx, "018f3b0a-5c1d-7000-8000-0000000000e1")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%+v\n", result)
}

func ExampleClient_ListGuestMessages() {
	client := moothall.New(moothall.Options{URL: "https://moothall.example.org", APIKey: os.Getenv("MOOTHALL_TOKEN")})
	result, err := client.ListGuestMessages(ctx, "018f3b0a-5c1d-7000-8000-0000000000e1", moothall.ListGuestMessagesParams{})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%+v\n", result)
}

func ExampleClient_SendGuestMessage() {
	client := moothall.New(moothall.Options{URL: "https://moothall.example.org", APIKey: os.Getenv("MOOTHALL_TOKEN")})
	result, err := client.SendGuestMessage(ctx, "018f3b0a-5c1d-7000-8000-0000000000e1", moothall.SendGuestMessageRequest{Audience: moothall.GuestAudienceGoing, Body: "Please bring a warm jacket."})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%+v\n", result)
}

func ExampleClient_DeleteGuestMessage() {
	client := moothall.New(moothall.Options{URL: "https://moothall.example.org", APIKey: os.Getenv("MOOTHALL_TOKEN")})
	if err := client.DeleteGuestMessage(ctx, "018f3b0a-5c1d-7000-8000-0000000000e1", "018f3b0a-5c1d-7000-8000-0000000000b7"); err != nil {
		log.Fatal(err)
	}
}

func ExampleClient_ListPasskeys() {
	client := moothall.New(moothall.Options{URL: "https://moothall.example.org", APIKey: os.Getenv("MOOTHALL_TOKEN")})
	result, err := client.ListPasskeys(ctx)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%+v\n", result)
}

func ExampleClient_CreatePasskey() {
	client := moothall.New(moothall.Options{URL: "https://moothall.example.org", APIKey: os.Getenv("MOOTHALL_TOKEN")})
	result, err := client.CreatePasskey(ctx, moothall.CreatePasskeyRequest{Name: new("My laptop"), Credential: moothall.PasskeyAttestation{
		ID:       "AQIDBA",
		RawID:    "AQIDBA",
		Type:     "public-key",
		Response: moothall.PasskeyAttestationData{ClientDataJSON: "e30", AttestationObject: "oA"},
	}})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%+v\n", result)
}

func ExampleClient_StartPasskeyRegistration() {
	client := moothall.New(moothall.Options{URL: "https://moothall.example.org", APIKey: os.Getenv("MOOTHALL_TOKEN")})
	result, err := client.StartPasskeyRegistration(ctx)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%+v\n", result)
}

func ExampleClient_UpdatePasskey() {
	client := moothall.New(moothall.Options{URL: "https://moothall.example.org", APIKey: os.Getenv("MOOTHALL_TOKEN")})
	result, err := client.UpdatePasskey(ctx, "018f3b0a-5c1d-7000-8000-0000000000f1", moothall.UpdatePasskeyRequest{Name: "My laptop"})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%+v\n", result)
}

func ExampleClient_DeletePasskey() {
	client := moothall.New(moothall.Options{URL: "https://moothall.example.org", APIKey: os.Getenv("MOOTHALL_TOKEN")})
	if err := client.DeletePasskey(ctx, "018f3b0a-5c1d-7000-8000-0000000000f1"); err != nil {
		log.Fatal(err)
	}
}

func ExampleClient_ListAPIKeys() {
	client := moothall.New(moothall.Options{URL: "https://moothall.example.org", APIKey: os.Getenv("MOOTHALL_TOKEN")})
	result, err := client.ListAPIKeys(ctx)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%+v\n", result)
}

func ExampleClient_CreateAPIKey() {
	client := moothall.New(moothall.Options{URL: "https://moothall.example.org", APIKey: os.Getenv("MOOTHALL_TOKEN")})
	result, err := client.CreateAPIKey(ctx, moothall.CreateAPIKeyRequest{
		Name:      "Ticket printer",
		Scopes:    []moothall.APIKeyScope{moothall.APIKeyScopeEventsRead, moothall.APIKeyScopeAttendanceRead},
		ExpiresAt: new(time.Date(2027, 1, 1, 0, 0, 0, 0, time.UTC)),
	})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%+v\n", result)
}

func ExampleClient_DeleteAPIKey() {
	client := moothall.New(moothall.Options{URL: "https://moothall.example.org", APIKey: os.Getenv("MOOTHALL_TOKEN")})
	if err := client.DeleteAPIKey(ctx, "018f3b0a-5c1d-7000-8000-0000000000f2", moothall.DeleteAPIKeyParams{}); err != nil {
		log.Fatal(err)
	}
}

func ExampleClient_ListPushSubscriptions() {
	client := moothall.New(moothall.Options{URL: "https://moothall.example.org", APIKey: os.Getenv("MOOTHALL_TOKEN")})
	result, err := client.ListPushSubscriptions(ctx)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%+v\n", result)
}

func ExampleClient_CreatePushSubscription() {
	client := moothall.New(moothall.Options{URL: "https://moothall.example.org", APIKey: os.Getenv("MOOTHALL_TOKEN")})
	result, err := client.CreatePushSubscription(ctx, moothall.CreatePushSubscriptionRequest{Endpoint: "https://push.example.com/subscription/4d2f", Keys: moothall.PushSubscriptionKeys{P256DH: "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4", Auth: "BTBZMqHH6r4Tts7J_aSIgg"}})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%+v\n", result)
}

func ExampleClient_DeletePushSubscription() {
	client := moothall.New(moothall.Options{URL: "https://moothall.example.org", APIKey: os.Getenv("MOOTHALL_TOKEN")})
	if err := client.DeletePushSubscription(ctx, "018f3b0a-5c1d-7000-8000-0000000000f4"); err != nil {
		log.Fatal(err)
	}
}

func ExampleClient_ImportFile() {
	client := moothall.New(moothall.Options{URL: "https://moothall.example.org", APIKey: os.Getenv("MOOTHALL_TOKEN")})
	calendar, err := os.ReadFile("calendar.ics")
	if err != nil {
		log.Fatal(err)
	}
	result, err := client.ImportFile(ctx, moothall.ImportFileParams{}, calendar)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%+v\n", result)
}

func ExampleClient_ImportAddress() {
	client := moothall.New(moothall.Options{URL: "https://moothall.example.org", APIKey: os.Getenv("MOOTHALL_TOKEN")})
	result, err := client.ImportAddress(ctx, moothall.ImportAddressRequest{URL: "https://calendar.example.org/events.ics", Timezone: new("Europe/Berlin")})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%+v\n", result)
}

func ExampleClient_GetImport() {
	client := moothall.New(moothall.Options{URL: "https://moothall.example.org", APIKey: os.Getenv("MOOTHALL_TOKEN")})
	result, err := client.GetImport(ctx, "018f3b0a-5c1d-7000-8000-0000000001a1", moothall.GetImportParams{})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%+v\n", result)
}

func ExampleClient_ApplyImport() {
	client := moothall.New(moothall.Options{URL: "https://moothall.example.org", APIKey: os.Getenv("MOOTHALL_TOKEN")})
	result, err := client.ApplyImport(ctx, "018f3b0a-5c1d-7000-8000-0000000001a1", moothall.ApplyImportRequest{Uids: []string{"1@example.org"}})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%+v\n", result)
}

func ExampleClient_ListWebhooks() {
	client := moothall.New(moothall.Options{URL: "https://moothall.example.org", APIKey: os.Getenv("MOOTHALL_TOKEN")})
	result, err := client.ListWebhooks(ctx)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%+v\n", result)
}

func ExampleClient_CreateWebhook() {
	client := moothall.New(moothall.Options{URL: "https://moothall.example.org", APIKey: os.Getenv("MOOTHALL_TOKEN")})
	result, err := client.CreateWebhook(ctx, moothall.CreateWebhookRequest{URL: "https://hooks.example.org/m", Kinds: []moothall.WebhookKind{moothall.WebhookKindAttendanceJoined}})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%+v\n", result)
}

func ExampleClient_GetWebhook() {
	client := moothall.New(moothall.Options{URL: "https://moothall.example.org", APIKey: os.Getenv("MOOTHALL_TOKEN")})
	result, err := client.GetWebhook(ctx, "018f3b0a-5c1d-7000-8000-0000000000f3")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%+v\n", result)
}

func ExampleClient_UpdateWebhook() {
	client := moothall.New(moothall.Options{URL: "https://moothall.example.org", APIKey: os.Getenv("MOOTHALL_TOKEN")})
	result, err := client.UpdateWebhook(ctx, "018f3b0a-5c1d-7000-8000-0000000000f3", moothall.UpdateWebhookRequest{Status: new("active")})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%+v\n", result)
}

func ExampleClient_DeleteWebhook() {
	client := moothall.New(moothall.Options{URL: "https://moothall.example.org", APIKey: os.Getenv("MOOTHALL_TOKEN")})
	if err := client.DeleteWebhook(ctx, "018f3b0a-5c1d-7000-8000-0000000000f3"); err != nil {
		log.Fatal(err)
	}
}

func ExampleClient_RotateWebhookSecret() {
	client := moothall.New(moothall.Options{URL: "https://moothall.example.org", APIKey: os.Getenv("MOOTHALL_TOKEN")})
	result, err := client.RotateWebhookSecret(ctx, "018f3b0a-5c1d-7000-8000-0000000000f3")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%+v\n", result)
}

func ExampleClient_TestWebhook() {
	client := moothall.New(moothall.Options{URL: "https://moothall.example.org", APIKey: os.Getenv("MOOTHALL_TOKEN")})
	result, err := client.TestWebhook(ctx, "018f3b0a-5c1d-7000-8000-0000000000f3")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%+v\n", result)
}

func ExampleClient_ListWebhookDeliveries() {
	client := moothall.New(moothall.Options{URL: "https://moothall.example.org", APIKey: os.Getenv("MOOTHALL_TOKEN")})
	result, err := client.ListWebhookDeliveries(ctx, "018f3b0a-5c1d-7000-8000-0000000000f3", moothall.ListWebhookDeliveriesParams{})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%+v\n", result)
}

func ExampleClient_ReplayWebhook() {
	client := moothall.New(moothall.Options{URL: "https://moothall.example.org", APIKey: os.Getenv("MOOTHALL_TOKEN")})
	result, err := client.ReplayWebhook(ctx, "018f3b0a-5c1d-7000-8000-0000000000f3", moothall.ReplayWebhookRequest{From: new(time.Date(2026, 11, 20, 10, 0, 0, 0, time.UTC)), To: new(time.Date(2026, 11, 20, 11, 0, 0, 0, time.UTC))})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%+v\n", result)
}

func ExampleClient_ListMyEvents() {
	client := moothall.New(moothall.Options{URL: "https://moothall.example.org", APIKey: os.Getenv("MOOTHALL_TOKEN")})
	result, err := client.ListMyEvents(ctx, moothall.ListMyEventsParams{})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%+v\n", result)
}

func ExampleClient_ListMyEventSeries() {
	client := moothall.New(moothall.Options{URL: "https://moothall.example.org", APIKey: os.Getenv("MOOTHALL_TOKEN")})
	result, err := client.ListMyEventSeries(ctx, moothall.ListMyEventSeriesParams{})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%+v\n", result)
}

func ExampleClient_ListMyReposts() {
	client := moothall.New(moothall.Options{URL: "https://moothall.example.org", APIKey: os.Getenv("MOOTHALL_TOKEN")})
	result, err := client.ListMyReposts(ctx, moothall.ListMyRepostsParams{})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%+v\n", result)
}

func ExampleClient_ListEventReviews() {
	client := moothall.New(moothall.Options{URL: "https://moothall.example.org", APIKey: os.Getenv("MOOTHALL_TOKEN")})
	result, err := client.ListEventReviews(ctx, "018f3b0a-5c1d-7000-8000-0000000000ea", moothall.ListEventReviewsParams{})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%+v\n", result)
}

func ExampleClient_ReviewEvent() {
	client := moothall.New(moothall.Options{URL: "https://moothall.example.org", APIKey: os.Getenv("MOOTHALL_TOKEN")})
	result, err := client.ReviewEvent(ctx, "018f3b0a-5c1d-7000-8000-0000000000ea", moothall.UpsertEventReviewRequest{Rating: 5, Body: new("A wonderful evening.")})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%+v\n", result)
}

func ExampleClient_CreateReport() {
	client := moothall.New(moothall.Options{URL: "https://moothall.example.org", APIKey: os.Getenv("MOOTHALL_TOKEN")})
	result, err := client.CreateReport(ctx, moothall.CreateReportRequest{
		TargetType: moothall.ReportTargetTypeEvent,
		TargetID:   "018f3b0a-5c1d-7000-8000-0000000000e1",
		Reason:     moothall.ReportReasonSpam,
		Comment:    nil,
	})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%+v\n", result)
}

func ExampleClient_ListReports() {
	client := moothall.New(moothall.Options{URL: "https://moothall.example.org", APIKey: os.Getenv("MOOTHALL_TOKEN")})
	result, err := client.ListReports(ctx, moothall.ListReportsParams{})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%+v\n", result)
}

func ExampleClient_CountOpenReports() {
	client := moothall.New(moothall.Options{URL: "https://moothall.example.org", APIKey: os.Getenv("MOOTHALL_TOKEN")})
	result, err := client.CountOpenReports(ctx)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%+v\n", result)
}

func ExampleClient_UpdateReport() {
	client := moothall.New(moothall.Options{URL: "https://moothall.example.org", APIKey: os.Getenv("MOOTHALL_TOKEN")})
	result, err := client.UpdateReport(ctx, "018f3b0a-5c1d-7000-8000-0000000000c1", moothall.UpdateReportStatusRequest{
		Status: moothall.ReportStatusResolved,
		Action: new(moothall.ModerationActionKindCancelEvent),
		Note:   moothall.Set("Advertising for another site."),
	})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%+v\n", result)
}

func ExampleClient_SetEventDateMode() {
	client := moothall.New(moothall.Options{URL: "https://moothall.example.org", APIKey: os.Getenv("MOOTHALL_TOKEN")})
	if err := client.SetEventDateMode(ctx, "018f3b0a-5c1d-7000-8000-0000000000e8", moothall.SetEventDateModeRequest{Mode: moothall.EventDateModeVote}); err != nil {
		log.Fatal(err)
	}
}

func ExampleClient_ListDateOptions() {
	client := moothall.New(moothall.Options{URL: "https://moothall.example.org", APIKey: os.Getenv("MOOTHALL_TOKEN")})
	result, err := client.ListDateOptions(ctx, "018f3b0a-5c1d-7000-8000-0000000000e8")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%+v\n", result)
}

func ExampleClient_CreateDateOption() {
	client := moothall.New(moothall.Options{URL: "https://moothall.example.org", APIKey: os.Getenv("MOOTHALL_TOKEN")})
	result, err := client.CreateDateOption(ctx, "018f3b0a-5c1d-7000-8000-0000000000e8", moothall.CreateEventDateOptionRequest{StartsAt: time.Date(2026, 12, 12, 16, 0, 0, 0, time.UTC), EndsAt: new(time.Date(2026, 12, 12, 19, 0, 0, 0, time.UTC))})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%+v\n", result)
}

func ExampleClient_VoteForDateOption() {
	client := moothall.New(moothall.Options{URL: "https://moothall.example.org", APIKey: os.Getenv("MOOTHALL_TOKEN")})
	result, err := client.VoteForDateOption(ctx, "018f3b0a-5c1d-7000-8000-0000000000e8", "018f3b0a-5c1d-7000-8000-000000000101")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%+v\n", result)
}

func ExampleClient_WithdrawDateVote() {
	client := moothall.New(moothall.Options{URL: "https://moothall.example.org", APIKey: os.Getenv("MOOTHALL_TOKEN")})
	if err := client.WithdrawDateVote(ctx, "018f3b0a-5c1d-7000-8000-0000000000e8", "018f3b0a-5c1d-7000-8000-000000000101"); err != nil {
		log.Fatal(err)
	}
}

func ExampleClient_SelectDateOption() {
	client := moothall.New(moothall.Options{URL: "https://moothall.example.org", APIKey: os.Getenv("MOOTHALL_TOKEN")})
	result, err := client.SelectDateOption(ctx, "018f3b0a-5c1d-7000-8000-0000000000e8", "018f3b0a-5c1d-7000-8000-000000000101")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%+v\n", result)
}

func ExampleClient_ListChatMessages() {
	client := moothall.New(moothall.Options{URL: "https://moothall.example.org", APIKey: os.Getenv("MOOTHALL_TOKEN")})
	result, err := client.ListChatMessages(ctx, "018f3b0a-5c1d-7000-8000-0000000000e1", moothall.ListChatMessagesParams{})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%+v\n", result)
}

func ExampleClient_SendChatMessage() {
	client := moothall.New(moothall.Options{URL: "https://moothall.example.org", APIKey: os.Getenv("MOOTHALL_TOKEN")})
	result, err := client.SendChatMessage(ctx, "018f3b0a-5c1d-7000-8000-0000000000e1", moothall.SendEventChatMessageRequest{Body: "I am five minutes late.", ClientMessageID: new("9b2f6c1e-2f0e-4c53-9a3e-0f8c2d1b7a55")})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%+v\n", result)
}

func ExampleClient_MarkChatRead() {
	client := moothall.New(moothall.Options{URL: "https://moothall.example.org", APIKey: os.Getenv("MOOTHALL_TOKEN")})
	result, err := client.MarkChatRead(ctx, "018f3b0a-5c1d-7000-8000-0000000000e1", moothall.MarkChatReadRequest{Position: "1795290000123456"})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%+v\n", result)
}

func ExampleClient_ListMyChats() {
	client := moothall.New(moothall.Options{URL: "https://moothall.example.org", APIKey: os.Getenv("MOOTHALL_TOKEN")})
	result, err := client.ListMyChats(ctx, moothall.ListMyChatsParams{})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%+v\n", result)
}

func ExampleClient_MuteEvent() {
	client := moothall.New(moothall.Options{URL: "https://moothall.example.org", APIKey: os.Getenv("MOOTHALL_TOKEN")})
	result, err := client.MuteEvent(ctx, "018f3b0a-5c1d-7000-8000-0000000000e1")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%+v\n", result)
}

func ExampleClient_UnmuteEvent() {
	client := moothall.New(moothall.Options{URL: "https://moothall.example.org", APIKey: os.Getenv("MOOTHALL_TOKEN")})
	result, err := client.UnmuteEvent(ctx, "018f3b0a-5c1d-7000-8000-0000000000e1")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%+v\n", result)
}

func ExampleClient_AuthorizeChatSocket() {
	client := moothall.New(moothall.Options{URL: "https://moothall.example.org", APIKey: os.Getenv("MOOTHALL_TOKEN")})
	result, err := client.AuthorizeChatSocket(ctx, "018f3b0a-5c1d-7000-8000-0000000000e1", moothall.AuthorizeChatSocketParams{})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%+v\n", result)
}

func ExampleClient_OpenRealtimeStream() {
	client := moothall.New(moothall.Options{URL: "https://moothall.example.org", APIKey: os.Getenv("MOOTHALL_TOKEN")})
	content, err := client.OpenRealtimeStream(ctx, moothall.OpenRealtimeStreamParams{Topic: []string{"me"}})
	if err != nil {
		log.Fatal(err)
	}
	defer content.Close()
	io.Copy(os.Stdout, content)
}

func ExampleClient_CreateRealtimeTicket() {
	client := moothall.New(moothall.Options{URL: "https://moothall.example.org", APIKey: os.Getenv("MOOTHALL_TOKEN")})
	result, err := client.CreateRealtimeTicket(ctx)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%+v\n", result)
}

func ExampleClient_GetReminderSettings() {
	client := moothall.New(moothall.Options{URL: "https://moothall.example.org", APIKey: os.Getenv("MOOTHALL_TOKEN")})
	result, err := client.GetReminderSettings(ctx, "018f3b0a-5c1d-7000-8000-0000000000e1")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%+v\n", result)
}

func ExampleClient_SetReminderSettings() {
	client := moothall.New(moothall.Options{URL: "https://moothall.example.org", APIKey: os.Getenv("MOOTHALL_TOKEN")})
	result, err := client.SetReminderSettings(ctx, "018f3b0a-5c1d-7000-8000-0000000000e1", moothall.SetEventReminderSettingsRequest{
		Enabled:        new(true),
		OffsetsMinutes: []int{1440, 60},
		Channels:       []moothall.ReminderChannel{moothall.ReminderChannelInApp, moothall.ReminderChannelEmail},
	})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%+v\n", result)
}

func ExampleClient_GetFeed() {
	client := moothall.New(moothall.Options{URL: "https://moothall.example.org"})
	result, err := client.GetFeed(ctx, moothall.GetFeedParams{})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%+v\n", result)
}

func ExampleClient_GetFeedPreferences() {
	client := moothall.New(moothall.Options{URL: "https://moothall.example.org", APIKey: os.Getenv("MOOTHALL_TOKEN")})
	result, err := client.GetFeedPreferences(ctx)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%+v\n", result)
}

func ExampleClient_SetFeedPreferences() {
	client := moothall.New(moothall.Options{URL: "https://moothall.example.org", APIKey: os.Getenv("MOOTHALL_TOKEN")})
	result, err := client.SetFeedPreferences(ctx, moothall.SetFeedPreferencesRequest{Categories: []string{"games", "hiking"}, Price: new(moothall.PriceFilterFree)})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%+v\n", result)
}

func ExampleClient_ListCalendarEntries() {
	client := moothall.New(moothall.Options{URL: "https://moothall.example.org", APIKey: os.Getenv("MOOTHALL_TOKEN")})
	result, err := client.ListCalendarEntries(ctx, moothall.ListCalendarEntriesParams{})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%+v\n", result)
}

func ExampleClient_CreateCalendarEntry() {
	client := moothall.New(moothall.Options{URL: "https://moothall.example.org", APIKey: os.Getenv("MOOTHALL_TOKEN")})
	result, err := client.CreateCalendarEntry(ctx, moothall.CreateCalendarEntryRequest{
		Title:    "Dinner",
		StartsAt: time.Date(2026, 12, 6, 18, 0, 0, 0, time.UTC),
		Timezone: new("Europe/Berlin"),
	})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%+v\n", result)
}

func ExampleClient_UpdateCalendarEntry() {
	client := moothall.New(moothall.Options{URL: "https://moothall.example.org", APIKey: os.Getenv("MOOTHALL_TOKEN")})
	result, err := client.UpdateCalendarEntry(ctx, "018f3b0a-5c1d-7000-8000-0000000000e2", moothall.UpdateCalendarEntryRequest{Notes: moothall.Set("Bring the dice.")})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%+v\n", result)
}

func ExampleClient_CancelCalendarEntry() {
	client := moothall.New(moothall.Options{URL: "https://moothall.example.org", APIKey: os.Getenv("MOOTHALL_TOKEN")})
	result, err := client.CancelCalendarEntry(ctx, "018f3b0a-5c1d-7000-8000-0000000000e2")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%+v\n", result)
}

func ExampleClient_GetCalendarFeed() {
	client := moothall.New(moothall.Options{URL: "https://moothall.example.org", APIKey: os.Getenv("MOOTHALL_TOKEN")})
	result, err := client.GetCalendarFeed(ctx)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%+v\n", result)
}

func ExampleClient_OpenCalendarFeed() {
	client := moothall.New(moothall.Options{URL: "https://moothall.example.org", APIKey: os.Getenv("MOOTHALL_TOKEN")})
	result, err := client.OpenCalendarFeed(ctx)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%+v\n", result)
}

func ExampleClient_CloseCalendarFeed() {
	client := moothall.New(moothall.Options{URL: "https://moothall.example.org", APIKey: os.Getenv("MOOTHALL_TOKEN")})
	if err := client.CloseCalendarFeed(ctx); err != nil {
		log.Fatal(err)
	}
}

func ExampleClient_ReadCalendarFeed() {
	client := moothall.New(moothall.Options{URL: "https://moothall.example.org"})
	content, err := client.ReadCalendarFeed(ctx, "C1KkUHZp4oHLwQ5oM9k1y7TNcVtKp0nQk1mYbO3yJ0s.ics", moothall.ReadCalendarFeedParams{})
	if err != nil {
		log.Fatal(err)
	}
	defer content.Close()
	io.Copy(os.Stdout, content)
}

func ExampleClient_ListCalendarInvites() {
	client := moothall.New(moothall.Options{URL: "https://moothall.example.org", APIKey: os.Getenv("MOOTHALL_TOKEN")})
	result, err := client.ListCalendarInvites(ctx, moothall.ListCalendarInvitesParams{})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%+v\n", result)
}

func ExampleClient_GetCalendarInvite() {
	client := moothall.New(moothall.Options{URL: "https://moothall.example.org", APIKey: os.Getenv("MOOTHALL_TOKEN")})
	result, err := client.GetCalendarInvite(ctx, "018f3b0a-5c1d-7000-8000-000000000121")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%+v\n", result)
}

func ExampleClient_AnswerCalendarInvite() {
	client := moothall.New(moothall.Options{URL: "https://moothall.example.org", APIKey: os.Getenv("MOOTHALL_TOKEN")})
	result, err := client.AnswerCalendarInvite(ctx, "018f3b0a-5c1d-7000-8000-000000000121", moothall.AnswerCalendarInviteRequest{Status: moothall.InvitationAnswerTentative})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%+v\n", result)
}

func ExampleClient_ListNotifications() {
	client := moothall.New(moothall.Options{URL: "https://moothall.example.org", APIKey: os.Getenv("MOOTHALL_TOKEN")})
	result, err := client.ListNotifications(ctx, moothall.ListNotificationsParams{})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%+v\n", result)
}

func ExampleClient_CountUnreadNotifications() {
	client := moothall.New(moothall.Options{URL: "https://moothall.example.org", APIKey: os.Getenv("MOOTHALL_TOKEN")})
	result, err := client.CountUnreadNotifications(ctx)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%+v\n", result)
}

func ExampleClient_ReadAllNotifications() {
	client := moothall.New(moothall.Options{URL: "https://moothall.example.org", APIKey: os.Getenv("MOOTHALL_TOKEN")})
	result, err := client.ReadAllNotifications(ctx)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%+v\n", result)
}

func ExampleClient_ReadNotification() {
	client := moothall.New(moothall.Options{URL: "https://moothall.example.org", APIKey: os.Getenv("MOOTHALL_TOKEN")})
	result, err := client.ReadNotification(ctx, "018f3b0a-5c1d-7000-8000-000000000131")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%+v\n", result)
}

func ExampleClient_GetPushKey() {
	client := moothall.New(moothall.Options{URL: "https://moothall.example.org", APIKey: os.Getenv("MOOTHALL_TOKEN")})
	result, err := client.GetPushKey(ctx)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%+v\n", result)
}

func ExampleClient_GetNotificationPreferences() {
	client := moothall.New(moothall.Options{URL: "https://moothall.example.org", APIKey: os.Getenv("MOOTHALL_TOKEN")})
	result, err := client.GetNotificationPreferences(ctx)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%+v\n", result)
}

func ExampleClient_UpdateNotificationPreferences() {
	client := moothall.New(moothall.Options{URL: "https://moothall.example.org", APIKey: os.Getenv("MOOTHALL_TOKEN")})
	result, err := client.UpdateNotificationPreferences(ctx, moothall.UpdateNotificationPreferencesRequest{
		Rules: []moothall.NotificationRuleInput{moothall.NotificationRuleInput{
			Kind:    moothall.NotificationKindEventJoined,
			Channel: moothall.NotificationChannelEmail,
			Mode:    moothall.NotificationModeOff,
		}},
		QuietHours: moothall.Set(moothall.QuietHours{From: "22:00", To: "08:00"}),
		Timezone:   moothall.Set("Europe/Berlin"),
		Digest:     moothall.Set(moothall.DigestTime{Hour: 8, Weekdays: []int{1, 5}}),
		Language:   moothall.Set(moothall.NotificationLanguageDe),
	})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%+v\n", result)
}

func ExampleClient_GetPaymentProfile() {
	client := moothall.New(moothall.Options{URL: "https://moothall.example.org", APIKey: os.Getenv("MOOTHALL_TOKEN")})
	result, err := client.GetPaymentProfile(ctx)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%+v\n", result)
}

func ExampleClient_UpdatePaymentProfile() {
	client := moothall.New(moothall.Options{URL: "https://moothall.example.org", APIKey: os.Getenv("MOOTHALL_TOKEN")})
	result, err := client.UpdatePaymentProfile(ctx, moothall.UpdatePaymentProfileRequest{Status: "verified"})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%+v\n", result)
}

func ExampleClient_CreatePaymentIntent() {
	client := moothall.New(moothall.Options{URL: "https://moothall.example.org", APIKey: os.Getenv("MOOTHALL_TOKEN")})
	result, err := client.CreatePaymentIntent(ctx, "018f3b0a-5c1d-7000-8000-0000000000e1")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%+v\n", result)
}

func ExampleClient_GetPaymentIntent() {
	client := moothall.New(moothall.Options{URL: "https://moothall.example.org", APIKey: os.Getenv("MOOTHALL_TOKEN")})
	result, err := client.GetPaymentIntent(ctx, "018f3b0a-5c1d-7000-8000-000000000141")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%+v\n", result)
}

func ExampleClient_ReceivePaymentWebhook() {
	client := moothall.New(moothall.Options{URL: "https://moothall.example.org"})
	result, err := client.ReceivePaymentWebhook(ctx, "development", moothall.ReceivePaymentWebhookParams{}, moothall.PaymentWebhookEvent{
		ID:                new("evt_1"),
		Type:              new("payment.succeeded"),
		ProviderPaymentID: new("dev_0f1e2d3c4b5a69788796a5b4"),
	})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%+v\n", result)
}

func ExampleClient_ReceiveMailEvents() {
	client := moothall.New(moothall.Options{URL: "https://moothall.example.org"})
	result, err := client.ReceiveMailEvents(ctx, "mailgun", map[string]any{"signature": map[string]any{
		"timestamp": "1795168800",
		"token":     "e0b5477167110d68991efc6b9f89f0a11066af27834600e123",
		"signature": "12d99f5a15355c180971bed7494d578b093c958f57766f3fe750761baed12345",
	}, "event-data": map[string]any{
		"event":           "failed",
		"severity":        "permanent",
		"recipient":       "anna@example.org",
		"delivery-status": map[string]any{"enhanced-code": "5.1.1", "message": "No such user"},
		"message":         map[string]any{"headers": map[string]any{"message-id": "0f1e2d3c4b5a69788796a5b4c3d2e1f0@example.org"}},
	}})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%+v\n", result)
}

func ExampleClient_ProxyImage() {
	client := moothall.New(moothall.Options{URL: "https://moothall.example.org"})
	content, err := client.ProxyImage(ctx, moothall.ProxyImageParams{URL: "https://images.example.com/cover.jpg"})
	if err != nil {
		log.Fatal(err)
	}
	defer content.Close()
	io.Copy(os.Stdout, content)
}

func ExampleClient_SetEventCover() {
	client := moothall.New(moothall.Options{URL: "https://moothall.example.org", APIKey: os.Getenv("MOOTHALL_TOKEN")})
	picture, err := os.ReadFile("picture.jpg")
	if err != nil {
		log.Fatal(err)
	}
	result, err := client.SetEventCover(ctx, "018f3b0a-5c1d-7000-8000-0000000000e1", moothall.SetEventCoverParams{}, picture)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%+v\n", result)
}

func ExampleClient_DeleteEventCover() {
	client := moothall.New(moothall.Options{URL: "https://moothall.example.org", APIKey: os.Getenv("MOOTHALL_TOKEN")})
	if err := client.DeleteEventCover(ctx, "018f3b0a-5c1d-7000-8000-0000000000e1", moothall.DeleteEventCoverParams{}); err != nil {
		log.Fatal(err)
	}
}

func ExampleClient_SetAvatar() {
	client := moothall.New(moothall.Options{URL: "https://moothall.example.org", APIKey: os.Getenv("MOOTHALL_TOKEN")})
	picture, err := os.ReadFile("picture.jpg")
	if err != nil {
		log.Fatal(err)
	}
	result, err := client.SetAvatar(ctx, picture)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%+v\n", result)
}

func ExampleClient_DeleteAvatar() {
	client := moothall.New(moothall.Options{URL: "https://moothall.example.org", APIKey: os.Getenv("MOOTHALL_TOKEN")})
	if err := client.DeleteAvatar(ctx); err != nil {
		log.Fatal(err)
	}
}
