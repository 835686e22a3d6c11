package floor

import (
	"crypto/ecdh"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"io"
	"net/http"
	"net/smtp"
	"strings"
	"sync/atomic"

	"golang.org/x/sync/errgroup"

	"moothall/bench/load"
	"moothall/internal/platform/push"
)

// repeat calls one of some functions at a time in each of them, n times in all.
func repeat(n int, workers []func() error) (Counted, error) {
	var begun atomic.Int64
	var all errgroup.Group
	watch := load.Start()
	for _, work := range workers {
		all.Go(func() error {
			for begun.Add(1) <= int64(n) {
				if err := work(); err != nil {
					return err
				}
			}
			return nil
		})
	}
	err := all.Wait()
	return Counted{n, watch.Elapsed()}, err
}

// MailArgs are the arguments of SendMails.
type MailArgs struct {
	Address string
	Text    []byte
	Times   int
}

// SendMails sends the same mail again and again through as many connections as the service.
func (f *Floors) SendMails(a MailArgs, counted *Counted) (err error) {
	const connections = 4
	var workers []func() error
	for range connections {
		c, err := smtp.Dial(a.Address)
		if err != nil {
			return err
		}
		defer func() { _ = c.Close() }() //nolint:gocritic // when all mails are acknowledged
		workers = append(workers, func() error { return sendMail(c, a.Text) })
	}
	*counted, err = repeat(a.Times, workers)
	return err
}

func sendMail(c *smtp.Client, text []byte) error {
	if err := c.Mail("no-reply@bench.example"); err != nil {
		return err
	}
	if err := c.Rcpt("guest@bench.example"); err != nil {
		return err
	}
	w, err := c.Data()
	if err != nil {
		return err
	}
	if _, err := w.Write(text); err != nil {
		return err
	}
	return w.Close()
}

// PushArgs are the arguments of SendPushes.
type PushArgs struct {
	Address     string
	Certificate []byte // DER
	Times       int
}

// SendPushes encrypts the same text again and again and sends it.
func (f *Floors) SendPushes(a PushArgs, counted *Counted) error {
	certificate, err := x509.ParseCertificate(a.Certificate)
	if err != nil {
		return err
	}
	roots := x509.NewCertPool()
	roots.AddCert(certificate)
	client := &http.Client{Transport: &http.Transport{
		TLSClientConfig:   &tls.Config{RootCAs: roots, ServerName: certificate.IPAddresses[0].String(), MinVersion: tls.VersionTLS12},
		ForceAttemptHTTP2: true,
	}}
	defer client.CloseIdleConnections()
	key, err := ecdh.P256().GenerateKey(rand.Reader)
	if err != nil {
		return err
	}
	to := push.Subscription{Endpoint: "https://" + a.Address + "/", Key: key.PublicKey().Bytes(), Auth: make([]byte, 16)}
	const callers = 64
	workers := make([]func() error, callers)
	for i := range workers {
		workers[i] = func() error { return sendPush(client, to) }
	}
	*counted, err = repeat(a.Times, workers)
	return err
}

func sendPush(client *http.Client, to push.Subscription) error {
	body, err := push.Encrypt(to, []byte(`{"title":"Announcement about An evening with many"}`))
	if err != nil {
		return err
	}
	response, err := client.Post(to.Endpoint, "application/octet-stream", strings.NewReader(body))
	if err != nil {
		return err
	}
	_, err = io.Copy(io.Discard, response.Body)
	_ = response.Body.Close() // was read
	if err == nil && response.StatusCode != http.StatusCreated {
		err = fmt.Errorf("status %d", response.StatusCode)
	}
	return err
}

// InsertRows inserts n rows that have the size of a delivery, with one statement.
func (f *Floors) InsertRows(n int, counted *Counted) error {
	if _, err := f.Counter.Writer.Exec("CREATE TABLE IF NOT EXISTS bench_rows (id TEXT PRIMARY KEY, due_at BIGINT NOT NULL, state TEXT NOT NULL)"); err != nil {
		return err
	}
	watch := load.Start()
	_, err := f.Counter.Writer.Exec(`
		WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < $1)
		INSERT INTO bench_rows SELECT 'a key of the length of four UUIDs and a time, which is about 80 bytes: ' || n, 1000000 + n, 'waiting'
			FROM numbers`, n)
	*counted = Counted{n, watch.Elapsed()}
	return err
}
