package pmtiles

import "google.golang.org/protobuf/encoding/protowire"

// IsVectorTile reports whether the fields of an unpacked tile can be read: layers, each with a name.
func IsVectorTile(tile []byte) bool {
	const layers, name = 3, 1
	return fields(tile, func(number protowire.Number, layer []byte) bool {
		named := false
		return number == layers && fields(layer, func(number protowire.Number, value []byte) bool {
			named = named || number == name && len(value) > 0
			return true
		}) && named
	})
}

// fields calls valid for each field of a message that has bytes. It reports whether all fields are valid.
func fields(message []byte, valid func(protowire.Number, []byte) bool) bool {
	for len(message) > 0 {
		number, kind, n := protowire.ConsumeTag(message)
		if n < 0 {
			return false
		}
		message = message[n:]
		size := protowire.ConsumeFieldValue(number, kind, message)
		if size < 0 {
			return false
		}
		if kind == protowire.BytesType {
			value, _ := protowire.ConsumeBytes(message) // size is valid
			if !valid(number, value) {
				return false
			}
		}
		message = message[size:]
	}
	return true
}
