package browser

import (
	"net/http"

	"github.com/chromedp/chromedp"

	"moothall/internal/test/apptest"
)

// postAndReply writes a post, answers a comment on it, likes it and reposts it.
func postAndReply(j *journey) {
	event := "/events/" + j.event("org", "Lantern walk", nil)
	j.signInAs("org")
	j.Open(event)
	j.Fill("What is new?", "Bring a lantern. "+j.name)
	j.Press("Post")
	j.See("Bring a lantern. " + j.name)

	ann := j.App.As("ann").In(j.T)
	post := ann.Get(event + "/posts").Want(http.StatusOK).Text("items.0.post.id")
	comment := ann.Post(event+"/posts/"+post+"/comments", apptest.Fields{"body": "Paper or glass?"}).Want(http.StatusCreated).Text("id")
	j.Open(event + "/posts#" + comment) // the address in the notification
	j.See("Paper or glass?")
	j.inSight(comment)
	j.Press("Reply")
	j.await("the cursor in the field", `document.activeElement?.id === "field-body"`)
	j.Accessible()
	j.Fill("Your comment", "Paper, and a spare candle")
	j.Press("Post")
	j.See("Paper, and a spare candle")
	j.See("2 comments")
	j.Press("Like: 0 likes")
	j.seeButton("Like: 1 like")
	j.Press("Repost: 0 reposts")
	j.seeButton("Repost: 1 repost")
	j.settle()
	j.do(chromedp.EmulateViewport(width, 500)) // lower than the page
	j.Open(event + "/posts")
	j.inSight("posts")

	j.Open("/me/reposts")
	j.See("Bring a lantern. " + j.name)
	j.Press("Remove")
	j.SeeNot("Bring a lantern. " + j.name)
	j.Open("/feed")
	j.See("For you")
}

// seeButton waits for a button with an accessible name.
func (j *journey) seeButton(name string) {
	j.Helper()
	j.await("the button "+name, "Boolean("+button(name)+")")
}

// inSight waits until the window shows an element.
func (j *journey) inSight(id string) {
	j.Helper()
	j.await("the element "+id, `(e => e && e.getBoundingClientRect().top >= 0 && e.getBoundingClientRect().top < innerHeight && scrollY > 0)(document.getElementById(`+literal(id)+`))`)
}
