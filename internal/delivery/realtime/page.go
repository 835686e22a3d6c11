package realtime

import (
	"encoding/json"
	"sync"

	"moothall/internal/core/access"
	"moothall/internal/domain"
	"moothall/internal/meetup/chat"
	"moothall/internal/platform/socket"
)

// page is messages of a chat that follow each other.
type page struct {
	entries []*entryFrames
	blocks  map[access.Pair]bool // of the authors
	full    bool                 // there may be more messages
}

// readPage reads the page after a position.
func (w *watch) readPage(after Position) (p page, err error) {
	ctx, cancel := queryContext()
	defer cancel()
	messages, err := chat.After(ctx, w.hub.DB, w.id, after)
	if err != nil || len(messages) == 0 {
		return p, err
	}
	// Blocks are read after the messages: a block that was made before a message was sent
	// hides it.
	if p.blocks, err = access.Blocks(ctx, w.hub.DB, authorsOf(messages)); err != nil {
		return p, err
	}
	for _, m := range messages {
		f := &entryFrames{topic: ChatTopic(w.id), message: m, position: chat.PositionOf(m.CreatedAt), prev: after}
		p.entries = append(p.entries, f)
		after = f.position
	}
	p.full = len(messages) == chat.LogPage
	return p, nil
}

func authorsOf(messages []chat.Message) []domain.UserID {
	var authors []domain.UserID
	seen := map[domain.UserID]bool{}
	for _, m := range messages {
		if !seen[m.AuthorID] {
			seen[m.AuthorID] = true
			authors = append(authors, m.AuthorID)
		}
	}
	return authors
}

// frameFor returns the frame of a message for a viewer, from whom a block may hide it.
func (p page) frameFor(viewer domain.UserID, f *entryFrames) socket.Frame {
	author := f.message.AuthorID
	switch {
	case len(p.blocks) > 0 && p.blocks[access.Pair{A: author, B: viewer}]:
		return f.frame(&f.skip, func() any { return Skip{OpSkip, f.topic, f.position, f.prev} })
	case viewer == author && f.message.ClientID != nil:
		return f.frame(&f.own, func() any { return Message{OpMessage, f.topic, f.position, f.prev, f.message.JSON(true)} })
	}
	return f.frame(&f.others, func() any { return Message{OpMessage, f.topic, f.position, f.prev, f.message.JSON(false)} })
}

// entryFrames are the frames of one message. Each is encoded once, when it is needed.
type entryFrames struct {
	topic          Topic
	message        chat.Message
	position, prev Position

	mu                sync.Mutex
	others, own, skip *socket.Frame
}

func (f *entryFrames) frame(cached **socket.Frame, build func() any) socket.Frame {
	f.mu.Lock()
	defer f.mu.Unlock()
	if *cached == nil {
		*cached = new(frameAt(build(), f.position))
	}
	return **cached
}

// frameOf encodes a frame of the server.
func frameOf(frame any) socket.Frame { return socket.NewFrame(encode(frame), "") }

// frameAt encodes a frame with which a client of server-sent events can resume.
func frameAt(frame any, at Position) socket.Frame { return socket.NewFrame(encode(frame), at.String()) }

func encode(frame any) []byte {
	text, err := json.Marshal(frame)
	if err != nil {
		panic(err) // the types of frames.go can be encoded
	}
	return text
}
