package socket

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"io"
	"net"
	"slices"
	"strings"
	"testing"

	"github.com/gobwas/ws"
)

// frame returns a masked frame of a client, whatever its first byte is: FIN, reserved bits and
// op.
func frame(first byte, payload string) []byte {
	encoded := ws.MustCompileFrame(ws.MaskFrame(ws.NewTextFrame([]byte(payload))))
	encoded[0] = first
	return encoded
}

// The first byte of a frame: FIN, three reserved bits, and the op.
const (
	fin, rsv1, rsv2, rsv3                  = 0x80, 0x40, 0x20, 0x10
	continuation, text, closes, ping, pong = 0x0, 0x1, 0x8, 0x9, 0xa
)

// closeFrame returns a close frame with a code.
func closeFrame(code int, reason string) []byte {
	return frame(fin|closes, string(binary.BigEndian.AppendUint16(nil, uint16(code)))+reason)
}

// listener records the messages of a client.
type listener struct {
	recorder
	messages chan string
}

func (l listener) Receive(message []byte) { l.messages <- string(message) }

// TestRFC6455 sends frames that the standard allows, and frames that it forbids: these close the
// connection with the code of their error.
func TestRFC6455(t *testing.T) {
	type row struct {
		name    string
		frames  [][]byte
		message string // that the handler receives
		pong    string // payload of the pong that the client receives
		code    Code   // with which the service closes; 0: 1000, to answer the close frame of the client
	}
	rows := []row{
		{name: "5.4: a text", frames: [][]byte{frame(fin|text, "hello")}, message: "hello"},
		{name: "5.4: empty fragments", frames: [][]byte{frame(text, ""), frame(continuation, "hello"), frame(fin|continuation, "")}, message: "hello"},
		{name: "5.4: a ping between fragments", frames: [][]byte{frame(text, "he"), frame(fin|ping, "?"), frame(fin|continuation, "llo")}, message: "hello", pong: "?"},
		{name: "5.4: a continuation of nothing", frames: [][]byte{frame(fin|continuation, "hello")}, code: 1002},
		{name: "5.4: a continuation after the end", frames: [][]byte{frame(fin|text, "hello"), frame(fin|continuation, "hello")}, message: "hello", code: 1002},
		{name: "5.4: a text inside another one", frames: [][]byte{frame(text, "he"), frame(fin|text, "llo")}, code: 1002},
		{name: "5.5: a ping of 125 bytes", frames: [][]byte{frame(fin|ping, strings.Repeat("p", 125))}, pong: strings.Repeat("p", 125)},
		{name: "5.5.3: a pong that nobody asked for", frames: [][]byte{frame(fin|pong, "!"), frame(fin|text, "hello")}, message: "hello"},
		{name: "5.5.1: frames after a close frame", frames: [][]byte{closeFrame(1000, ""), frame(fin|text, "hello"), frame(fin|ping, "?")}},
		{name: "5.5.1: a close frame without a code", frames: [][]byte{frame(fin|closes, "")}},
		{name: "5.5.1: a close frame with a reason", frames: [][]byte{closeFrame(1000, "Пока")}},
		{name: "5.5.1: a close frame of one byte", frames: [][]byte{frame(fin|closes, "\x03")}, code: 1002},
		{name: "5.5.1: a reason that is no UTF-8", frames: [][]byte{closeFrame(1000, "\xff")}, code: 1007},
		{name: "5.1: a frame without a mask", frames: [][]byte{ws.MustCompileFrame(ws.NewTextFrame([]byte("hello")))}, code: 1002},
		{name: "5.2: a length of 2^63", frames: [][]byte{append([]byte{fin | text, 0x80 | 127, 0x80}, make([]byte, 11)...)}, code: 1002},
		{name: "5.6: a character in two fragments", frames: [][]byte{frame(text, "\xd0"), frame(fin|continuation, "\x9f")}, message: "П"},
		{name: "8.1: half a character", frames: [][]byte{frame(fin|text, "\xd0")}, code: 1007},
		{name: "8.1: a broken character in two fragments", frames: [][]byte{frame(text, "\xd0"), frame(fin|continuation, "x")}, code: 1007},
		{name: "8.1: an overlong character", frames: [][]byte{frame(fin|text, "\xc0\xaf")}, code: 1007},
		{name: "8.1: a surrogate", frames: [][]byte{frame(fin|text, "\xed\xa0\x80")}, code: 1007},
		{name: "8.1: a character above U+10FFFF", frames: [][]byte{frame(fin|text, "\xf4\x90\x80\x80")}, code: 1007},
	}
	for i, bit := range []byte{rsv1, rsv2, rsv3} {
		for name, op := range map[string]byte{"text": text, "ping": ping, "close frame": closes} {
			rows = append(rows, row{name: fmt.Sprintf("5.2: a %s with RSV%d", name, i+1), frames: [][]byte{frame(fin|bit|op, "")}, code: 1002})
		}
	}
	for _, op := range []byte{3, 4, 5, 6, 7, 11, 12, 13, 14, 15} {
		rows = append(rows, row{name: fmt.Sprintf("5.2: op %d", op), frames: [][]byte{frame(fin|op, "")}, code: 1002})
	}
	for name, op := range map[string]byte{"ping": ping, "pong": pong, "close frame": closes} {
		rows = append(rows,
			row{name: "5.5: the fragment of a " + name, frames: [][]byte{frame(op, ""), frame(fin|continuation, "")}, code: 1002},
			row{name: "5.5: a " + name + " of 126 bytes", frames: [][]byte{frame(fin|op, strings.Repeat("x", 126))}, code: 1002})
	}
	for _, code := range []int{1000, 1001, 1002, 1003, 1007, 1008, 1009, 1010, 1011, 3000, 3999, 4000, 4999} {
		rows = append(rows, row{name: fmt.Sprintf("7.4: close code %d", code), frames: [][]byte{closeFrame(code, "")}})
	}
	for _, code := range []int{0, 999, 1004, 1005, 1006, 1015, 1016, 1100, 2000, 2999} {
		rows = append(rows, row{name: fmt.Sprintf("7.4: forbidden close code %d", code), frames: [][]byte{closeFrame(code, "")}, code: 1002})
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			l := listener{recorder{make(chan struct{}, 10), make(chan Code, 1)}, make(chan string, 10)}
			server, client := net.Pipe() // without any buffer
			(&Conn{conn: server, handler: l}).Start()
			send := func(frames ...[]byte) { _, _ = client.Write(slices.Concat(frames...)) }
			end := closeFrame(1000, "")
			if row.pong == "" {
				row.frames = append(row.frames, end)
			}
			go send(row.frames...)
			var pongs string
			var header ws.Header
			var payload []byte
			for header.OpCode != ws.OpClose {
				var err error
				if header, err = ws.ReadHeader(client); err != nil {
					t.Fatal(err)
				}
				payload = make([]byte, header.Length)
				if _, err := io.ReadFull(client, payload); err != nil {
					t.Fatal(err)
				}
				if header.OpCode == ws.OpPong {
					pongs += string(payload)
					go send(end) // earlier, its answer would overtake the pong
				}
			}
			code, _ := ws.ParseCloseFrameData(payload)
			if want := cmp.Or(row.code, ws.StatusNormalClosure); code != want {
				t.Errorf("closed with %d, want %d", code, want)
			}
			_ = client.Close()
			<-l.closed
			close(l.messages)
			var messages string
			for message := range l.messages {
				messages += message
			}
			if messages != row.message || pongs != row.pong {
				t.Errorf("received %q, pongs %q", messages, pongs)
			}
		})
	}
}
