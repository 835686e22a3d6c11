package httpapi

import (
	"context"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"moothall/api/gen"
	"moothall/internal/domain"
	"moothall/internal/platform/cache"
	"moothall/internal/platform/db"
)

// visitor is who looks at a page: the calls of a page identify them once. The zero visitor is unknown.
type visitor struct {
	mu         sync.Mutex
	credential credential
	viewer     domain.Viewer // the zero Viewer while unknown
}

// identify returns the viewer of a credential, by which find identifies them unless it was the one of the call before.
func (v *visitor) identify(c credential, find func() (domain.Viewer, error)) (domain.Viewer, error) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.viewer.SignedIn() && v.credential == c {
		return v.viewer, nil
	}
	viewer, err := find()
	if err == nil {
		v.credential, v.viewer = c, viewer
	}
	return viewer, err
}

// forget makes the next call identify the visitor again.
func (v *visitor) forget() {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.viewer = domain.Viewer{}
}

// Call carries out a call of an operation on behalf of the visitor of a page. The context is that of the page's request, under
// whose permit the call runs. Calls of a page may be concurrent. Call returns the value of the operation, the
// error of the context if nobody waits for the page any more, and otherwise a *gen.Refusal.
func (s *Server) Call(ctx context.Context, call *gen.Call) (any, error) {
	s.metrics.inFlight.Inc()
	defer s.metrics.inFlight.Dec()
	x := s.newCall(ctx, call)
	refusal := s.answer(x)
	switch {
	case refusal != nil:
		x.w.status = refusal.Status
	case x.st.op != nil:
		x.w.status = x.st.op.success
	}
	s.record(x)
	if x.r.Method != http.MethodGet {
		x.st.page.visitor.forget() // the call may have ended the session, or begun one
	}
	call.SetCookies = x.st.responseHeader["Set-Cookie"]
	switch err := ctx.Err(); {
	case err != nil:
		return nil, err
	case refusal != nil:
		return nil, refusal
	}
	return x.value, nil
}

// newCall returns the exchange of a call.
func (s *Server) newCall(ctx context.Context, call *gen.Call) *exchange {
	page := stateOf(ctx)
	if call.Wait > 0 {
		ctx = db.WaitAtMost(ctx, call.Wait)
	}
	header := http.Header{"Cookie": call.Cookies}
	for _, name := range []string{"Origin", "Sec-Fetch-Site"} { // by which origins knows foreign pages
		if values, sent := page.requestHeader[name]; sent {
			header[name] = values
		}
	}
	r := (&http.Request{Method: http.MethodGet, Header: header, Host: page.host, RemoteAddr: page.peer, Body: http.NoBody}).WithContext(ctx)
	st := &requestState{
		start: time.Now(), id: page.id, op: s.contract[call.ID], responseHeader: http.Header{}, requestHeader: header,
		connection: page.connection, cookies: call.Cookies, client: page.client, credential: page.credential, call: call, page: page,
	}
	if !slices.Equal(call.Cookies, page.requestHeader["Cookie"]) || page.credential.hasHeader { // the page has changed them
		st.credential = credentialOf(r)
	}
	st.client.Languages = call.Language
	if st.op != nil {
		r.Method = st.op.method
	}
	w := &recorder{}
	st.writer = w
	r = s.beginTrace(r, st)
	return &exchange{w: w, r: r, arrived: r, st: st}
}

// answer passes a call through its stages. It returns nil if the call has succeeded.
func (s *Server) answer(x *exchange) (refusal *gen.Refusal) {
	defer x.end()
	if x.st.op == nil { // disabled by the settings
		return s.refusalOf(x, domain.NotFound)
	}
	x.setContext(context.WithValue(x.r.Context(), stateKey{}, x.st))
	if err := s.pass(x, callStages); err != nil {
		return s.refusalOf(x, err)
	}
	return nil
}

// refusalOf returns what the response to an error would say.
func (s *Server) refusalOf(x *exchange, err error) *gen.Refusal {
	x.st.writeInput()
	refusal, status, err := s.judge(x.r.Context(), x.st, err)
	writeRetry(x.st.responseHeader, status, err)
	seconds, _ := strconv.Atoi(x.st.responseHeader.Get("Retry-After"))
	return &gen.Refusal{
		Status: status, Code: refusal.Code, Reason: string(refusal.Reason), Detail: x.st.detailOf(refusal),
		Fields: x.st.invalidFields(x.r.Context(), refusal), RetryAfter: seconds,
	}
}

// carryOut calls the operation, or takes its value from the cache if the response to the same request could come from there: the
// pages of several languages, themes and addresses show the same values.
func (s *Server) carryOut(x *exchange) (err error) {
	st := x.st
	if st.op.shows == nil || st.credential.present() {
		cache.Exclude(x.r.Context())
		x.value, err = st.call.Do(x.r.Context())
		return err
	}
	st.writeParameters()
	key := cache.ResponseKey{Kind: st.op.id, ID: "value " + strings.Join(st.args, "/") + "?" + st.rawQuery}
	resp, err := s.responses.GetOrCompute(x.r.Context(), key, st.op.shows, func(ctx context.Context) (*response, error) {
		value, err := st.call.Do(ctx)
		if err != nil {
			return nil, err
		}
		resp := &response{op: st.op, value: value, size: sizeOf(value)}
		if resp.size > maxCached {
			return resp, errNotCacheable
		}
		return resp, nil
	})
	if resp == nil {
		return err
	}
	x.value = resp.value
	return nil
}
