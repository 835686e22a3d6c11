package browser

import (
	"github.com/google/uuid"

	"moothall/internal/test/apptest"
	"moothall/internal/web/view"
)

// answerQuestions lets a host ask what guests eat, a guest join as a vegetarian, and the host select the guests by this answer on a
// phone.
func answerQuestions(j *journey) {
	event := j.App.SignIn(j.Email("host")).In(j.T).Publish(j.eventFields("Soup kitchen", apptest.Fields{"max_party_size": 3}))
	page := "/events/" + event
	j.signInWith(j.Email("host"))
	j.resize(look{390, 844, 2, "light"})
	j.Open(page + "/questions")
	j.Fill("Question", "What do you eat?")
	j.Select("field-items/0/kind", "choice")
	j.Fill("Options", "everything\nvegetarian")
	j.fits()
	j.snapshot("questions-phone")
	j.AccessibleAgain()
	j.Press("Save")
	j.await("the question is stored", `document.querySelector("input[name='items/0/id']")?.value !== ""`)
	host := j.App.SignIn(j.Email("host")).In(j.T)
	question := host.Get(page + "/questions").Want(200).Text("items.0.id")
	meat := j.App.SignIn(j.Email("other")).In(j.T)
	meat.Post(page+"/join", apptest.Fields{"answers": []any{apptest.Fields{"question_id": question, "value": "everything"}}}).Want(200)

	j.signInWith(j.Email("guest"))
	j.Open(page)
	j.Select("field-"+view.AnswerField("joinEvent", uuid.MustParse(question), 0), "vegetarian")
	j.fits()
	j.snapshot("join-answers-phone")
	j.AccessibleAgain()
	j.Press("Join")
	j.See("You are in")

	j.signInWith(j.Email("host"))
	j.Open(page + "/guests")
	j.await("both guests", going(2))
	j.Select("filter-answer", question+":vegetarian")
	j.Press("Show")
	j.await("only the vegetarian", going(1))
	j.See("vegetarian")
	j.fits()
	j.snapshot("guests-answers-phone")
	j.AccessibleAgain()
}
