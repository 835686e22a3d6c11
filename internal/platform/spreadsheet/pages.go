package spreadsheet

import (
	"context"
	"io"
)

// Pages is a table whose rows are read page by page, so that its size has no limit. It implements httpapi.Body.
type Pages struct {
	// Read appends the rows of the next page. more reports whether another one follows.
	Read func(ctx context.Context, to []byte) (rows []byte, more bool, err error)

	piece        []byte
	begun, ended bool
}

// Next returns the rows of the next page, after the last one with io.EOF. Returns the errors of Read.
func (p *Pages) Next(ctx context.Context) ([]byte, error) {
	if p.ended {
		return nil, io.EOF
	}
	p.piece = p.piece[:0]
	if !p.begun {
		p.begun = true
		p.piece = append(p.piece, BOM...)
	}
	piece, more, err := p.Read(ctx, p.piece)
	if err != nil {
		return nil, err
	}
	p.piece, p.ended = piece, !more
	if p.ended {
		return p.piece, io.EOF
	}
	return p.piece, nil
}

// Value returns the whole table as bytes.
func (p *Pages) Value(ctx context.Context) (any, error) {
	var all []byte
	for {
		piece, err := p.Next(ctx)
		all = append(all, piece...)
		if err == io.EOF { //nolint:errorlint // Next returns it as it is
			return all, nil
		}
		if err != nil {
			return nil, err
		}
	}
}
