package demo

import (
	"encoding/binary"

	"moothall/internal/core/address"
	"moothall/internal/domain"
)

// exampleID returns an id as the examples of the contract have them, so that the examples
// exist in the demo: 018f3b0a-5c1d-7000-8000-0000000000e1 is the first event.
func exampleID(start uint16, end int) (id [16]byte) {
	copy(id[:], []byte{0, 0, 0x3b, 0x0a, 0x5c, 0x1d, 0x70, 0, 0x80})
	binary.BigEndian.PutUint16(id[:], start)
	binary.BigEndian.PutUint32(id[12:], uint32(end))
	return id
}

func userID(n int) domain.UserID { return exampleID(0x018e, 0xa1+n) }

func viewer(n int) domain.Viewer { return domain.Viewer{UserID: userID(n)} }

func eventID(n int) domain.EventID { return exampleID(0x018f, 0xe1+n) }

// eventCode returns the code in the address of an event: Demo1111 is the first event.
func eventCode(n int) string { return "Demo" + address.Code(uint64(n))[len("Demo"):] }

func optionID(n int) domain.DateOptionID { return exampleID(0x018f, 0x101+n) }

// invitationID is the id of the invitation of Anna.
func invitationID() domain.InvitationID { return exampleID(0x018f, 0x121) }

// inviteLinkID is the id of the only invitation link.
func inviteLinkID() domain.InviteLinkID { return exampleID(0x018f, 0x181) }

// seriesID is the id of the only series.
func seriesID() domain.SeriesID { return exampleID(0x018f, 0xc1) }

// groupID is the id of the only group.
func groupID() domain.GroupID { return exampleID(0x018f, 0xd1) }

// The posts and comments of an event are numbered together: those of the first event have the ids f1, f2 and so on.
func postID(event, n int) domain.PostID { return exampleID(0x018f, 0xf1+event*0x100+n) }

func commentID(event, n int) domain.CommentID { return exampleID(0x018f, 0xf1+event*0x100+n) }
