package attendance

import (
	"context"
	"io"
	"strconv"
	"time"

	"moothall/internal/domain"
	"moothall/internal/platform/spreadsheet"
)

// guestsCSV is the list of the users going to an event as CSV. It reads a page of them at a time, so its size has no limit.
type guestsCSV struct {
	s      *Service
	viewer domain.Viewer
	event  domain.EventID
	cursor string
	piece  []byte
	begun  bool
	ended  bool
}

// csvPage is the number of guests that are read at a time.
const csvPage = 100

// Next implements httpapi.Body. Returns the errors of Participants.
func (g *guestsCSV) Next(ctx context.Context) ([]byte, error) {
	if g.ended {
		return nil, io.EOF
	}
	page, err := g.s.Participants(ctx, g.viewer, g.event, statusGoing, csvPage, g.cursor)
	if err != nil {
		return nil, err
	}
	g.piece = g.piece[:0]
	if !g.begun {
		g.begun = true
		g.piece = append(g.piece, spreadsheet.BOM...)
		g.piece = spreadsheet.AppendRow(g.piece, "name", "username", "party_size", "participation_visibility", "joined_at", "participant_id")
	}
	for _, a := range page.Items {
		g.piece = spreadsheet.AppendRow(g.piece, a.cells(g.viewer)...)
	}
	g.cursor, g.ended = page.Next, page.Next == ""
	if g.ended {
		return g.piece, io.EOF
	}
	return g.piece, nil
}

// Value implements httpapi.Body.
func (g *guestsCSV) Value(ctx context.Context) (any, error) {
	var all []byte
	for {
		piece, err := g.Next(ctx)
		all = append(all, piece...)
		if err == io.EOF { //nolint:errorlint // Next returns it as it is
			return all, nil
		}
		if err != nil {
			return nil, err
		}
	}
}

// cells are the columns of a guest. An API key gets no names of incognito guests.
func (a Attendee) cells(v domain.Viewer) []string {
	var name, username string
	if a.Profile != nil && (a.Visibility == Public || v.Key == nil) {
		name, username = a.Profile.DisplayName, a.Profile.Username
	}
	return []string{name, username, strconv.FormatInt(a.Party, 10), a.Visibility, a.JoinedAt.UTC().Format(time.RFC3339), a.ID.String()}
}
