package meetup_test

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"moothall/internal/meetup/payment"
	"moothall/internal/platform/db"
	"moothall/internal/test/apptest"
)

func refundsDue(t *testing.T, a *apptest.App) []payment.Intent {
	t.Helper()
	list, err := payment.RefundsDue(t.Context(), a.DB)
	if err != nil {
		t.Fatal(err)
	}
	return list
}

func TestExportAndErasePayments(t *testing.T) {
	apptest.Rules(t, func(t *testing.T, a *apptest.App) {
		org, ann := seller(a, "org"), seller(a, "ann")
		paid := begin(ann, onSale(org, nil)).Want(201)
		notify(t, a, "payment.succeeded", paid.Text("provider_payment_id"))
		open := begin(ann.With("Idempotency-Key", "one"), onSale(org, nil)).Want(201)
		begin(a.As("ben"), onSale(org, nil)).Want(201)

		s := &payment.Service{DB: a.DB, Clock: a.Clock.Now, Provider: payment.NewDevelopment(), Enabled: true}
		export := func() string {
			value, err := s.Export(t.Context(), a.DB, ann.ID())
			if err != nil {
				t.Fatal(err)
			}
			text, err := json.Marshal(value)
			if err != nil {
				t.Fatal(err)
			}
			return string(text)
		}
		all := export()
		for _, part := range []string{paid.Text("id"), open.Text("id"), `"status":"verified"`, `"amount":150000`} {
			if !strings.Contains(all, part) {
				t.Errorf("%s is not in %s", part, all)
			}
		}
		for range 2 {
			if err := a.DB.InTx(t.Context(), func(tx db.Tx) error { return s.Erase(t.Context(), tx, ann.ID(), a.Clock.Now()) }); err != nil {
				t.Fatal(err)
			}
		}
		if left := export(); left != `{"profile":null,"intents":[]}` {
			t.Errorf("left: %s", left)
		}
		var rows, payers, sum int64
		if err := a.DB.One(t.Context(), payersStmt).Scan(&rows, &payers, &sum); err != nil || rows != 3 || payers != 1 || sum != 450000 {
			t.Errorf("%d intents of %d payers, %d in all, %v", rows, payers, sum, err)
		}
		if n := a.Count(profilesStmt); n != 1 {
			t.Errorf("%d profiles", n)
		}
		a.Clock.Advance(time.Minute) // money that still arrives must be refunded
		if late := notify(t, a, "payment.succeeded", open.Text("provider_payment_id")); late.Text("result") != "ignored" ||
			len(refundsDue(t, a)) != 1 {
			t.Errorf("late: %s", late.Body)
		}
	}, enabled()...)
}
