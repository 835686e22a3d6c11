package notify

import "github.com/go-faster/jx"

// JSON returns the notification as the contract describes it.
func (n Item) JSON() []byte {
	var e jx.Encoder
	api := n.toAPI()
	api.Encode(&e)
	return e.Bytes()
}
