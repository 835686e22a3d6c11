package payment_test

import (
	"testing"

	"moothall/internal/apptest"
	"moothall/internal/domain"
	"moothall/internal/platform/db"
)

var (
	toldStmt     = db.SQL("payment.test_told", `SELECT COUNT(*) FROM notifications WHERE kind = $1 AND user_id = $2`)
	intentsStmt  = db.SQL("payment.test_intents", `SELECT COUNT(*) FROM payment_intents WHERE event_id = $1`)
	noticesStmt  = db.SQL("payment.test_notices", `SELECT COUNT(*) FROM payment_notices`)
	keysStmt     = db.SQL("payment.test_keys", `SELECT COUNT(*) FROM payment_keys`)
	inFlightStmt = db.SQL("payment.test_in_flight", `UPDATE payment_keys SET intent_id = NULL WHERE key = $1`)
	payersStmt   = db.SQL("payment.test_payers", `SELECT COUNT(*), COUNT(user_id), CAST(COALESCE(SUM(amount), 0) AS BIGINT) FROM payment_intents`)
	profilesStmt = db.SQL("payment.test_profiles", `SELECT COUNT(*) FROM payment_profiles`)
)

func userID(t *testing.T, c *apptest.Client) domain.UserID {
	t.Helper()
	id, err := domain.ParseID[domain.UserKind](c.UserID)
	if err != nil {
		t.Fatal(err)
	}
	return id
}

func eventID(t *testing.T, text string) domain.EventID {
	t.Helper()
	id, err := domain.ParseID[domain.EventKind](text)
	if err != nil {
		t.Fatal(err)
	}
	return id
}

// number reads one number.
func number(t *testing.T, a *apptest.App, stmt *db.Stmt, args ...any) (n int64) {
	t.Helper()
	if err := a.DB.One(t.Context(), stmt, args...).Scan(&n); err != nil {
		t.Fatal(err)
	}
	return n
}
