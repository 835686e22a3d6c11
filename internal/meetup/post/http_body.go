package post

import (
	"context"
	"io"
	"slices"

	"github.com/go-faster/jx"

	"moothall/api/gen"
	"moothall/internal/domain"
)

// The sizes of a response, in bytes of JSON.
const (
	maxBody   = 4 << 20 // of the response (contract §11)
	pieceSize = 32 << 10

	// closing is more than what follows the last item of an event: cursors and brackets.
	closing = 1 << 10
)

// encoder is a value of the contract.
type encoder interface{ Encode(*jx.Encoder) }

// body is JSON that is returned in pieces. Lists in it end at a limit.
type body struct {
	jx.Encoder // of the next piece

	item     jx.Encoder // the item that fits was called with
	returned int        // bytes of the pieces before
	last     int        // bytes of the last piece, which is still in Encoder
	limit    int        // of bytes, for the end of the current list
}

func newBody(limit int) body {
	b := body{limit: limit}
	b.SetBytes(make([]byte, 0, 8<<10))      // of an ordinary response
	b.item.SetBytes(make([]byte, 0, 1<<10)) // of an ordinary item
	return b
}

func (b *body) size() int { return b.returned + len(b.Bytes()) }

// fits encodes an item, and reports whether the current list can have it.
func (b *body) fits(item encoder) bool {
	b.item.Reset()
	item.Encode(&b.item)
	return b.size()+len(b.item.Bytes())+closing <= b.limit
}

// add adds the item that fits has encoded.
func (b *body) add() { b.Raw(b.item.Bytes()) }

// piece encodes step by step until a piece is full or step reports that all is done. Then
// it also returns io.EOF.
func (b *body) piece(step func() (done bool, err error)) ([]byte, error) {
	if b.last > 0 {
		b.returned += b.last
		b.SetBytes(b.Bytes()[:0])
	}
	for len(b.Bytes()) < pieceSize {
		switch done, err := step(); {
		case err != nil:
			return nil, err
		case done:
			return b.Bytes(), io.EOF
		}
	}
	b.last = len(b.Bytes())
	return b.Bytes(), nil
}

// endList ends a list, which the cursor continues.
func (b *body) endList(cursorField, cursor string) {
	b.ArrEnd()
	b.FieldStart(cursorField)
	next := gen.NullCursor(cursor)
	next.Encode(&b.Encoder)
	b.ObjEnd()
}

// pageBody is the body of a page. If it gets too large, it ends early.
type pageBody[T any] struct {
	body
	page   domain.Page[T]
	toAPI  func(T) encoder
	cursor func(last T) string // of the items after one
	next   int                 // index of the next item
}

func newPageBody[T any](page domain.Page[T], toAPI func(T) encoder, cursor func(last T) string) *pageBody[T] {
	b := &pageBody[T]{page: page, toAPI: toAPI, cursor: cursor, body: newBody(maxBody)}
	b.ObjStart()
	b.FieldStart("items")
	b.ArrStart()
	return b
}

// Next implements httpapi.Body.
func (b *pageBody[T]) Next(context.Context) ([]byte, error) {
	return b.piece(func() (bool, error) {
		items := b.page.Items
		switch {
		case b.next < len(items) && b.fits(b.toAPI(items[b.next])):
			b.add()
			b.next++
			return false, nil
		case b.next < len(items):
			b.page.Next = b.cursor(items[b.next-1])
		}
		b.endList("next_cursor", b.page.Next)
		return true, nil
	})
}

// threadsBody is the body of the threads of one event, or of several. Each event of
// several may use an equal share of what the events before it have left.
type threadsBody struct {
	body
	reader  *ThreadReader
	several bool
	event   int                  // index of the current event; the number of events at the end
	threads []Thread             // read, not encoded
	begun   bool                 // the first thread
	comment gen.EventPostComment // a field, so that encoding it does not allocate
	next    int                  // index of its next comment
	before  int64                // seq: the posts before it are not encoded; 0 if there are none
}

func newThreadsBody(reader *ThreadReader, several bool) *threadsBody {
	b := &threadsBody{reader: reader, several: several, body: newBody(0)}
	if several {
		b.ObjStart()
		b.FieldStart("items")
		b.ArrStart()
	}
	b.beginEvent()
	return b
}

// Next implements httpapi.Body.
func (b *threadsBody) Next(ctx context.Context) ([]byte, error) {
	return b.piece(func() (bool, error) {
		if len(b.threads) == 0 {
			var err error
			if b.threads, err = b.reader.Next(ctx); err != nil {
				return false, err
			}
		}
		switch {
		case b.begun:
			b.addComment()
		case len(b.threads) > 0 && b.threads[0].Post.EventID == b.reader.events[b.event].id:
			b.beginThread()
		default:
			b.endEvent()
		}
		return b.event == len(b.reader.events), nil
	})
}

func (b *threadsBody) beginEvent() {
	field, rest := "items", len(b.reader.events)-b.event
	if b.several {
		field = "threads"
	}
	b.limit, b.before = b.size()+(maxBody-b.size())/rest, 0
	b.ObjStart()
	b.FieldStart("event_id")
	b.Str(b.reader.events[b.event].id.String())
	b.FieldStart(field)
	b.ArrStart()
}

func (b *threadsBody) endEvent() {
	cursor := ""
	if b.before > 1 {
		cursor = postsBefore(b.before)
	}
	b.endList("next_cursor", cursor)
	switch b.event++; {
	case b.event < len(b.reader.events):
		b.beginEvent()
	case b.several:
		b.endList("next_cursor", "")
	}
}

func (b *threadsBody) beginThread() {
	post := b.threads[0].Post
	if encoded := post.toAPI(); !b.fits(&encoded) {
		b.before = post.seq + 1
		b.skipEvent()
		return
	}
	b.ObjStart()
	b.FieldStart("post")
	b.add()
	b.FieldStart("comments")
	b.ArrStart()
	b.begun, b.next, b.before = true, 0, post.seq
}

// addComment adds the next comment of the current thread, or ends the thread.
func (b *threadsBody) addComment() {
	thread := b.threads[0]
	if b.next < len(thread.Comments) {
		if b.comment = thread.Comments[b.next].toAPI(); b.fits(&b.comment) {
			b.add()
			b.next++
			return
		}
	}
	last, cursor := int64(0), ""
	if b.next > 0 {
		last = thread.Comments[b.next-1].seq
	}
	if last < thread.Post.lastComment {
		cursor = commentsAfter(last)
	}
	b.endList("comments_next_cursor", cursor)
	b.begun, b.threads = false, b.threads[1:]
	if b.next < len(thread.Comments) {
		b.skipEvent()
	}
}

// skipEvent leaves out the remaining threads of the current event.
func (b *threadsBody) skipEvent() {
	id := b.reader.events[b.event].id
	b.reader.Skip(id)
	b.threads = slices.DeleteFunc(b.threads, func(t Thread) bool { return t.Post.EventID == id })
}
