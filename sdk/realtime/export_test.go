package realtime

import (
	"net"
	"time"
)

// Pause is how long a client waits after a lost connection.
var Pause = pause

// Hurry lets a client connect again without a delay.
func (c *Client) Hurry() {
	c.pause = func(err error, failures int) (time.Duration, error) {
		_, err = pause(err, failures)
		return time.Millisecond, err
	}
}

// Sender returns a function that sends frames with an op on a connection.
func Sender(connection net.Conn) func(op string) {
	c := &conn{Conn: connection}
	return func(op string) { c.send(object{"op": op}) }
}
