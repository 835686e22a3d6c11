package moothall

import "iter"

// all returns the items of all pages of a list. page returns the items of the page at a cursor, and the cursor of the next page.
func all[T any](first string, page func(cursor string) ([]T, *string, error)) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		for cursor := first; ; {
			items, next, err := page(cursor)
			if err != nil {
				var zero T
				yield(zero, err)
				return
			}
			for _, item := range items {
				if !yield(item, nil) {
					return
				}
			}
			if next == nil {
				return
			}
			cursor = *next
		}
	}
}
