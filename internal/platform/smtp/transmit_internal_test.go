package smtp

import (
	"bytes"
	"errors"
	"net/textproto"
	"testing"
)

// written is a connection that nobody answers.
type written struct{ bytes.Buffer }

func (*written) Close() error { return nil }

func TestAddressIsNoCommand(t *testing.T) {
	for _, line := range []string{"RCPT TO:<ann@example.org>\r\nRCPT TO:<eve@example.org>", "MAIL FROM:<a@example.org>\nDATA"} {
		var sent written
		if err := exchange(textproto.NewConn(&sent), []command{{"RSET", 250}, {line, 250}}); !errors.Is(err, errLine) || sent.Len() > 0 {
			t.Errorf("%q: %v, sent %q", line, err, sent.String())
		}
	}
}
