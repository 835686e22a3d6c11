package attendance

import (
	"bytes"
	"context"
	"encoding/csv"
	"errors"
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/encoding/charmap"

	"moothall/internal/core/access"
	"moothall/internal/core/user"
	"moothall/internal/domain"
	"moothall/internal/platform/db"
)

// Limits of guest lists.
const (
	maxGuestFile = 2 << 20 // bytes
	maxGuests    = maxInvitations
	maxGuestText = 320 // bytes of an address or a name
)

// ListedGuest is a line of a guest list of another service.
type ListedGuest struct {
	Email string // as in the file
	Name  string // may be empty
	State string
	Why   string // of a skipped guest

	answered bool
}

// The values of ListedGuest.State and Why.
const (
	GuestNew      = "new"
	GuestInvited  = "invited" // to this event before
	GuestSkipped  = "skipped"
	GuestAddress  = "address"  // it is no e-mail address
	GuestRepeated = "repeated" // the list has it before
	GuestAnswered = "answered" // the guest has declined, or was refused
)

// ReadGuestList reads a guest list and returns up to 500 guests, and the number of further guests. It stores nothing. Returns the errors of
// InviteByEmail for the event, domain.PayloadTooLarge over 2 MiB, and domain.InvalidRequest if the file has no column of addresses.
func (s *Service) ReadGuestList(ctx context.Context, v domain.Viewer, id domain.EventID, file *io.SectionReader) (
	guests []ListedGuest, leftOut int, err error) {
	facts, err := access.Event(ctx, s.DB, v, id, s.Clock.Now())
	if err != nil {
		return nil, 0, err
	}
	if err := facts.MustHost(); err != nil {
		return nil, 0, err
	}
	if err := facts.Status.MustBe(access.Published); err != nil {
		return nil, 0, err
	}
	if file.Size() > maxGuestFile {
		return nil, 0, domain.PayloadTooLarge
	}
	data, err := io.ReadAll(file)
	if err != nil {
		return nil, 0, err
	}
	if guests, leftOut, err = parseGuests(data); err != nil {
		return nil, 0, domain.Invalid("", err.Error())
	}
	mailboxes, err := db.Values[domain.UserID](ctx, s.DB, invitedMailboxesStmt, id)
	if err != nil {
		return nil, 0, err
	}
	seen := map[domain.UserID]bool{}
	for i := range guests {
		if err := s.judge(ctx, &guests[i], mailboxes, seen); err != nil {
			return nil, 0, err
		}
	}
	return guests, leftOut, nil
}

// judge sets the state of a guest.
func (s *Service) judge(ctx context.Context, g *ListedGuest, invited []domain.UserID, seen map[domain.UserID]bool) error {
	skip := func(why string) { g.State, g.Why = GuestSkipped, why }
	e, err := user.ParseEmail(g.Email)
	if err != nil {
		skip(GuestAddress)
		return nil //nolint:nilerr // the state says it
	}
	mailbox, err := s.Addresses.Mailbox(ctx, e)
	if err != nil {
		return err
	}
	switch {
	case seen[mailbox]:
		skip(GuestRepeated)
	case slices.Contains(invited, mailbox):
		g.State = GuestInvited
	case g.answered:
		skip(GuestAnswered)
	default:
		g.State = GuestNew
	}
	seen[mailbox] = true
	return nil
}

var (
	errNoAddresses = errors.New("must be a CSV file whose first line names a column of e-mail addresses")

	// The names of columns in lower case, the best first.
	emailColumnNames  = []string{"email", "email address", "e-mail", "attendee email", "buyer email", "e-mail-adresse"}
	nameColumnNames   = []string{"name", "full name", "attendee name"}
	firstColumnNames  = []string{"first name", "first_name", "attendee first name"}
	lastColumnNames   = []string{"last name", "last_name", "surname", "attendee last name"}
	statusColumnNames = []string{"approval_status", "attendee status", "status", "order status"}

	// refusals are the statuses of guests who do not come, as Luma and Eventbrite write them, in lower case.
	refusals = []string{"declined", "not attending", "cancelled", "canceled", "refunded", "deleted", "transferred"}
)

// parseGuests returns the guests of a CSV file, without their states. Lines without an address are left out.
func parseGuests(data []byte) (guests []ListedGuest, leftOut int, err error) {
	data = bytes.TrimPrefix(data, []byte("\ufeff"))
	if !utf8.Valid(data) {
		data, _ = charmap.Windows1252.NewDecoder().Bytes(data) // decodes every byte
	}
	head, _, _ := bytes.Cut(data, []byte("\n"))
	lines := csv.NewReader(bytes.NewReader(data))
	lines.FieldsPerRecord, lines.LazyQuotes, lines.ReuseRecord = -1, true, true
	for _, comma := range ";\t" { // as some programs write tables
		if strings.Count(string(head), string(comma)) > strings.Count(string(head), string(lines.Comma)) {
			lines.Comma = comma
		}
	}
	first, err := lines.Read()
	if err != nil {
		return nil, 0, errNoAddresses
	}
	columns := make([]string, len(first))
	for i, name := range first {
		columns[i] = strings.ToLower(strings.TrimSpace(name))
	}
	email, name, status := column(columns, emailColumnNames), column(columns, nameColumnNames), column(columns, statusColumnNames)
	given, family := column(columns, firstColumnNames), column(columns, lastColumnNames)
	if email < 0 {
		return nil, 0, errNoAddresses
	}
	for {
		line, err := lines.Read()
		if errors.Is(err, io.EOF) {
			return guests, leftOut, nil
		}
		if err != nil {
			return nil, 0, errNoAddresses
		}
		g := ListedGuest{Email: field(line, email), Name: field(line, name),
			answered: slices.Contains(refusals, strings.ToLower(field(line, status)))}
		if g.Name == "" {
			g.Name = strings.TrimSpace(field(line, given) + " " + field(line, family))
		}
		switch {
		case g.Email == "":
		case len(guests) == maxGuests:
			leftOut++
		default:
			guests = append(guests, g)
		}
	}
}

// column returns the index of the first of the names that a column has; -1 if there is none.
func column(columns, names []string) int {
	for _, name := range names {
		if at := slices.Index(columns, name); at >= 0 {
			return at
		}
	}
	return -1
}

// field returns a field of a line without control characters; empty if the line has none.
func field(line []string, at int) string {
	if at < 0 || at >= len(line) {
		return ""
	}
	text := strings.Join(strings.FieldsFunc(line[at], func(r rune) bool { return r <= ' ' || r == 0x7f }), " ")
	if len(text) > maxGuestText {
		text = strings.ToValidUTF8(text[:maxGuestText], "")
	}
	return strings.Clone(text)
}
