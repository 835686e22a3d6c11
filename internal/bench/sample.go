package bench

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"sync/atomic"
)

const (
	fewSamples = 4 // recorded of dear requests
	changesToo = 2 // times as many are recorded of changes: a floor makes each once
)

// record sends some requests where their statements are noted.
func (r *run) record(ctx context.Context, st *stage, o *operation) (statements int, err error) {
	callers, samples := min(16, r.People, slices.Max(o.callers)), r.Samples
	if o.most > 0 {
		samples = min(samples, fewSamples)
	}
	if err := st.service.call("StartRecording", struct{}{}, nil); err != nil {
		return 0, err
	}
	var begun atomic.Int64
	l := load{address: st.service.Taped, callers: callers, most: o.most, answer: o.answer, next: func(caller int) (request, bool) {
		n := int(begun.Add(1))
		r, more := o.uncached(caller)
		most := samples
		if r.method != http.MethodGet && o.needs == "" { // else what it needs would be used up
			most *= changesToo
		}
		return r, more && n <= most
	}}
	if _, _, err := l.run(ctx); err != nil {
		return 0, err
	}
	var recording Recording
	if err := st.service.call("StopRecording", struct{}{}, &recording); err != nil {
		return 0, err
	}
	if err := st.floors.call("SetTape", recording.Tape, nil); err != nil {
		return 0, err
	}
	return recording.Statements, r.settle(ctx, st.service)
}

// sampled is one request and its answer.
type sampled struct {
	request
	Answer
}

// sample makes one request and has the bare handler answer it from now on.
func (r *run) sample(ctx context.Context, st *stage, o *operation) (s sampled, err error) {
	var more bool
	if s.request, more = o.next(0); !more {
		return s, errors.New("no requests are left")
	}
	if s.Answer, err = s.request.send(ctx, st.service.Service, ""); err != nil {
		return s, err
	}
	if tag := s.Header.Get("ETag"); s.known && tag != "" {
		if s.Answer, err = s.request.send(ctx, st.service.Service, tag); err != nil {
			return s, err
		}
	}
	if o.answer != nil {
		if err := o.answer(0, s.Body); err != nil {
			return s, err
		}
	}
	return s, st.floors.call("SetBare", s.Answer, nil)
}

// send makes the request as other clients do; tag is that of the answer known.
func (r request) send(ctx context.Context, address, tag string) (a Answer, err error) {
	sent, err := http.NewRequestWithContext(ctx, r.method, "http://"+address+r.target, strings.NewReader(r.body))
	if err != nil {
		return a, err
	}
	if r.token != "" {
		sent.Header.Set("Authorization", "Bearer "+r.token)
	}
	if r.body != "" {
		sent.Header.Set("Content-Type", "application/json")
	}
	if tag != "" {
		sent.Header.Set("If-None-Match", tag)
	}
	response, err := http.DefaultClient.Do(sent)
	if err != nil {
		return a, err
	}
	defer func() { _ = response.Body.Close() }()
	body, err := io.ReadAll(response.Body)
	if err != nil {
		return a, err
	}
	if response.StatusCode/100 != 2 && (tag == "" || response.StatusCode != http.StatusNotModified) {
		return a, fmt.Errorf("%s %s: %d %s", r.method, r.target, response.StatusCode, body)
	}
	response.Header.Del("Date") // net/http writes its own
	return Answer{Status: response.StatusCode, Header: response.Header, Body: body}, nil
}
