package push

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/ecdh"
	"crypto/hkdf"
	"crypto/rand"
	"crypto/sha256"
	"encoding/binary"
	"errors"
)

// MaxPayload is the maximum length of a payload in bytes. Encrypt pads every payload to it, so that
// the length reveals nothing to the push service.
const MaxPayload = 3 << 10

const (
	saltBytes  = 16
	nonceBytes = 12
	keyBytes   = 16 // of AES-128
	tagBytes   = 16
	pointBytes = 65 // of an uncompressed point of P-256

	// headerBytes is the length of the header of aes128gcm: salt, record size, length of the
	// key id, and the key id, which is a public key.
	headerBytes = saltBytes + 4 + 1 + pointBytes
	// recordBytes is the length of the only record: the payload, its delimiter, and the tag.
	recordBytes = MaxPayload + 1 + tagBytes
	// recordSize is the record size in the header. It must be greater than recordBytes.
	recordSize = 4 << 10

	lastRecord = 0x02 // ends the payload, before the padding
)

var errTooLong = errors.New("push: the payload is too long")

// Encrypt returns the body of a message to a subscription, by RFC 8291 and RFC 8188. It makes
// a new key for each message.
func Encrypt(s Subscription, payload []byte) (string, error) {
	if len(payload) > MaxPayload {
		return "", errTooLong
	}
	receiver, err := ecdh.P256().NewPublicKey(s.Key)
	if err != nil {
		return "", err
	}
	own, err := ecdh.P256().GenerateKey(rand.Reader)
	if err != nil {
		return "", err
	}
	body := make([]byte, headerBytes+MaxPayload+1, headerBytes+recordBytes)
	header, record := body[:headerBytes], body[headerBytes:]
	salt := header[:saltBytes]
	_, _ = rand.Read(salt) // never fails
	binary.BigEndian.PutUint32(header[saltBytes:], recordSize)
	header[saltBytes+4] = pointBytes
	copy(header[saltBytes+5:], own.PublicKey().Bytes())
	gcm, nonce, err := contentCipher(own, receiver, s.Auth, salt)
	if err != nil {
		return "", err
	}
	copy(record, payload)
	record[len(payload)] = lastRecord
	return string(gcm.Seal(header, nonce, record, nil)), nil // in place
}

// contentCipher derives the cipher and the nonce of a message (RFC 8291, section 3.4).
func contentCipher(own *ecdh.PrivateKey, receiver *ecdh.PublicKey, auth, salt []byte) (cipher.AEAD, []byte, error) {
	secret, err := own.ECDH(receiver)
	if err != nil {
		return nil, nil, err
	}
	info := "WebPush: info\x00" + string(receiver.Bytes()) + string(own.PublicKey().Bytes())
	input, err := hkdf.Key(sha256.New, secret, auth, info, sha256.Size)
	if err != nil {
		return nil, nil, err
	}
	pseudorandom, err := hkdf.Extract(sha256.New, input, salt)
	if err != nil {
		return nil, nil, err
	}
	key, err := hkdf.Expand(sha256.New, pseudorandom, "Content-Encoding: aes128gcm\x00", keyBytes)
	if err != nil {
		return nil, nil, err
	}
	nonce, err := hkdf.Expand(sha256.New, pseudorandom, "Content-Encoding: nonce\x00", nonceBytes)
	if err != nil {
		return nil, nil, err
	}
	block, err := aes.NewCipher(key)
	if err != nil {
		return nil, nil, err
	}
	gcm, err := cipher.NewGCM(block)
	return gcm, nonce, err
}
