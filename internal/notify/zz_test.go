package notify_test
import ("testing";"time";"moothall/internal/db";"moothall/internal/dbtest";"moothall/internal/meet";"moothall/internal/notify")
func TestZZ(t *testing.T){
 for _, engine := range []db.Engine{db.SQLite, db.PostgreSQL} {
  h := newHouse(t, dbtest.Open(t, engine), 100_001); p:=h.people
		h.bulk("participants", []string{"event_id", "user_id", "id", "status", "visibility", "slot", "joined_at", "created_at", "updated_at"},
			func(yield func([]any) bool) {
				for i:=range 60_000 { if !yield([]any{h.event, p[i], meet.RandomID[any](), "going", "incognito", 0, int64(0), int64(0), int64(0)}) {return} }
			})
		h.bulk("events", []string{"id", "organizer_id", "status", "visibility", "listed", "swept", "title", "starts_at", "over_at", "starts_key", "timezone",
			"date_mode", "price", "sequence", "created_at", "updated_at"}, func(yield func([]any) bool) {
			yield([]any{h.event, p[0], "published", "private", false, false, "Dinner", int64(0), int64(0), int64(0), "UTC", "fixed", "free", 0, int64(0), int64(0)})
		})
		h.bulk("invitations", []string{"event_id", "user_id", "id", "invited_by", "status", "created_at", "updated_at"},
			func(yield func([]any) bool) {
				for i:=range 60_000 { if !yield([]any{h.event, p[40_000+i], meet.RandomID[any](), p[0], "accepted", int64(0), int64(0)}) {return} }
			})
  h.announce(h.published(p[100_000]), notify.GoingAndInvited(h.event))
  s:=time.Now(); h.runDue(); t.Log(engine, time.Since(s)); h.wantCounts(100_000,100_000)
 }
}
