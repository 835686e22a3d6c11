package realtime

import "net"

// Sender returns a function that sends frames with an op on a connection.
func Sender(connection net.Conn) func(op string) {
	c := &conn{Conn: connection}
	return func(op string) { c.send(object{"op": op}) }
}
