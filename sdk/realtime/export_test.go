package realtime

import "time"

// Pause is how long a client waits after a lost connection.
var Pause = pause

// Hurry lets a client connect again without a delay.
func (c *Client) Hurry() {
	c.pause = func(err error, failures int) (time.Duration, error) {
		_, err = pause(err, failures)
		return time.Millisecond, err
	}
}
