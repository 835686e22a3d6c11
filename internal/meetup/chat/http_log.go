package chat

import "github.com/go-faster/jx"

// JSON returns the message as the contract describes it, without the ClientID unless it is
// for the author.
func (m Message) JSON(forAuthor bool) []byte {
	if !forAuthor {
		m.ClientID = nil
	}
	var e jx.Encoder
	api := m.toAPI()
	api.Encode(&e)
	return e.Bytes()
}
