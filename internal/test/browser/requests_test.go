package browser

import (
	"fmt"

	"moothall/internal/test/apptest"
)

// approveOnPhone approves twenty requests on a phone: three one by one, one is declined, and the others at once.
func approveOnPhone(j *journey) {
	fields := apptest.Fields{"join_policy": "approval", "capacity": 50, "max_party_size": 3}
	event := j.App.SignIn(j.Email("host")).In(j.T).Publish(j.eventFields("Supper club", fields))
	for i := range 21 {
		guest := j.App.SignIn(j.Email("guest " + string(rune('a'+i)))).In(j.T)
		guest.Post("/events/"+event+"/join", apptest.Fields{"party_size": 1 + i%3}).Want(200)
	}
	j.signInWith(j.Email("host"))
	phone := look{390, 844, 2, "light"}
	j.resize(phone)
	j.Open("/events/" + event + "/guests")
	j.See("Requests to join")
	j.fits()
	j.snapshot("requests-phone")
	for n := range 3 {
		j.clickOne("form[action^='/do/approveParticipant'] button", 0)
		j.await("a guest more", going(n+1))
	}
	j.clickOne("form[action^='/do/declineParticipant'] button", 0)
	j.await("a request fewer", `document.querySelectorAll("form[action^='/do/declineParticipant']").length === 17`)
	j.Press("Approve all")
	j.See("Nobody asks to join.")
	j.await("all guests", going(20))
	j.fits()
	j.snapshot("approved-phone")
	j.AccessibleAgain()
}

// going is true if the list of guests has that many.
func going(n int) string {
	return fmt.Sprintf(`document.querySelectorAll("table.guest-list tbody tr").length === %d`, n)
}
