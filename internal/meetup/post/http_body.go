package post

import (
	"context"
	"errors"
	"io"
	"slices"

	"github.com/go-faster/jx"
	"github.com/google/uuid"

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

// pageBody is the body of a page of items, which are values I of the contract. If it gets too large, it ends early.
type pageBody[T, I any, P item[I]] struct {
	body
	page     domain.Page[T]
	toAPI    func(T) I
	cursor   func(last T) string // of the items after one
	response func(items []I, next gen.NilString) any
	next     int // index of the next item
}

// item is a pointer to a value of the contract.
type item[I any] interface {
	*I
	encoder
}

func newPageBody[T, I any, P item[I]](page domain.Page[T], toAPI func(T) I, cursor func(last T) string,
	response func(items []I, next gen.NilString) any) *pageBody[T, I, P] {
	b := &pageBody[T, I, P]{page: page, toAPI: toAPI, cursor: cursor, response: response, body: newBody(maxBody)}
	b.ObjStart()
	b.FieldStart("items")
	b.ArrStart()
	return b
}

// Next implements httpapi.Body.
func (b *pageBody[T, I, P]) Next(context.Context) ([]byte, error) {
	return b.piece(func() (bool, error) {
		if b.addItem() != nil {
			return false, nil
		}
		b.endList("next_cursor", b.page.Next)
		return true, nil
	})
}

// Value implements httpapi.Body.
func (b *pageBody[T, I, P]) Value(context.Context) (any, error) {
	items := make([]I, 0, len(b.page.Items))
	for item := b.addItem(); item != nil; item = b.addItem() {
		items = append(items, *item)
	}
	return b.response(items, gen.NullCursor(b.page.Next)), nil
}

// addItem adds the next item and returns it. At the end of the list it returns nil.
func (b *pageBody[T, I, P]) addItem() *I {
	items := b.page.Items
	if b.next == len(items) {
		return nil
	}
	item := new(b.toAPI(items[b.next]))
	if !b.fits(P(item)) {
		b.page.Next = b.cursor(items[b.next-1])
		return nil
	}
	b.add()
	b.next++
	return item
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
	first   int64                // seq of the oldest post of the event

	values []gen.EventPostThreads // of the body as a value
	keeps  bool                   // the values
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
	return b.piece(func() (bool, error) { return b.step(ctx) })
}

// Value implements httpapi.Body. What the list can have is decided by the same steps as for Next.
func (b *threadsBody) Value(ctx context.Context) (any, error) {
	b.keeps = true
	b.keepEvent()
	for {
		_, err := b.Next(ctx)
		switch {
		case err == nil:
		case !errors.Is(err, io.EOF):
			return nil, err
		case b.several:
			return &gen.EventPostThreadsBatchResponse{Items: b.values, NextCursor: gen.NullCursor("")}, nil
		default:
			only := b.values[0]
			return &gen.EventPostThreadsResponse{EventID: only.EventID, Items: only.Threads, NextCursor: only.NextCursor}, nil
		}
	}
}

// keepEvent keeps the current event, without threads.
func (b *threadsBody) keepEvent() {
	if b.keeps {
		b.values = append(b.values, gen.EventPostThreads{
			EventID: uuid.UUID(b.reader.events[b.event].id), Threads: []gen.EventPostThread{},
		})
	}
}

// kept returns the current event, or nil if no values are kept.
func (b *threadsBody) kept() *gen.EventPostThreads {
	if !b.keeps {
		return nil
	}
	return &b.values[b.event]
}

// step adds the next part of the body, and reports whether it was the last one.
func (b *threadsBody) step(ctx context.Context) (done bool, err error) {
	if len(b.threads) == 0 {
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
}

func (b *threadsBody) beginEvent() {
	field, rest := "items", len(b.reader.events)-b.event
	if b.several {
		field = "threads"
	}
	b.limit, b.before = b.size()+(maxBody-b.size())/rest, 0
	b.first = 0
	b.ObjStart()
	b.FieldStart("event_id")
	b.Str(b.reader.events[b.event].id.String())
	b.FieldStart(field)
	b.ArrStart()
}

func (b *threadsBody) endEvent() {
	cursor := ""
	if b.before > b.first {
		cursor = postsBefore(b.before)
	}
	b.endList("next_cursor", cursor)
	if kept := b.kept(); kept != nil {
		kept.NextCursor = gen.NullCursor(cursor)
	}
	switch b.event++; {
	case b.event < len(b.reader.events):
		b.beginEvent()
		b.keepEvent()
	case b.several:
		b.endList("next_cursor", "")
	}
}

func (b *threadsBody) beginThread() {
	post := b.threads[0].Post
	value := post.toAPI()
	b.first = post.first
	if !b.fits(&value) {
		b.before = post.seq + 1
		b.skipEvent()
		return
	}
	if kept := b.kept(); kept != nil {
		kept.Threads = append(kept.Threads, gen.EventPostThread{Post: value, Comments: []gen.EventPostComment{}})
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
			if thread := b.keptThread(); thread != nil {
				thread.Comments = append(thread.Comments, b.comment)
			}
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
	if thread := b.keptThread(); thread != nil {
		thread.CommentsNextCursor = gen.NullCursor(cursor)
	}
	b.begun, b.threads = false, b.threads[1:]
	if b.next < len(thread.Comments) {
		b.skipEvent()
	}
}

// keptThread returns the current thread, or nil if no values are kept.
func (b *threadsBody) keptThread() *gen.EventPostThread {
	if kept := b.kept(); kept != nil {
		return &kept.Threads[len(kept.Threads)-1]
	}
	return nil
}

// skipEvent leaves out the remaining threads of the current event.
func (b *threadsBody) skipEvent() {
	id := b.reader.events[b.event].id
	b.reader.Skip(id)
	b.threads = slices.DeleteFunc(b.threads, func(t Thread) bool { return t.Post.EventID == id })
}
