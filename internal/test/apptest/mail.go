package apptest

import (
	"net/http"
	"net/url"

	"moothall/internal/platform/smtp"
)

// Mail runs the jobs and returns the newest mail to an address, by the clock of the service.
// It fails the test if there is none.
func (a *App) Mail(to string) smtp.Stored {
	a.t.Helper()
	a.RunJobs()
	outbox := smtp.Outbox{DB: a.DB}
	all, err := outbox.List(a.t.Context())
	if err != nil {
		a.t.Fatal(err)
	}
	for _, m := range all {
		if m.To == to {
			m, err = outbox.Read(a.t.Context(), m.ID)
			if err != nil {
				a.t.Fatal(err)
			}
			return m
		}
	}
	a.t.Fatalf("no mail to %s among %d", to, len(all))
	return smtp.Stored{}
}

// Form submits a form, as a browser on the same origin does.
func (c *Client) Form(path string, fields url.Values) *Reply {
	c.t.Helper()
	return c.With("Content-Type", "application/x-www-form-urlencoded").With("Sec-Fetch-Site", "same-origin").
		Do(http.MethodPost, path, fields.Encode())
}
