package main

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"moothall/internal/domain"
	"moothall/internal/meetup/payment"
	"moothall/internal/ops/app"
	"moothall/internal/platform/db"
)

func (c *call) paymentsCommand() *cobra.Command {
	command := &cobra.Command{
		Use: "payments", Short: "List the payments to refund",
		Example: "moothall payments", Args: arguments(),
		RunE: func(command *cobra.Command, _ []string) error {
			return c.withDB(command.Context(), func(_ app.Settings, d *db.DB) error { return c.listRefunds(command.Context(), d) })
		},
	}
	var api, id string
	send := &cobra.Command{
		Use: "send TYPE ID", Short: "Send a webhook of the development provider",
		Example: "moothall payments send payment.succeeded dev_0f1e2d3c4b5a69788796a5b4", Args: arguments("TYPE", "ID"),
		RunE: func(command *cobra.Command, args []string) error {
			return c.sendWebhook(command.Context(), api, paymentEvent{ID: id, Type: args[0], ProviderPaymentID: args[1]})
		},
	}
	send.Flags().StringVar(&api, "api", "", "base `URL` of the API (default: PUBLIC_BASE_URL)")
	send.Flags().StringVar(&id, "id", "", "`id` of the webhook (default: a new one); repeat an id to send a duplicate")
	command.AddCommand(send)
	return command
}

func (c *call) listRefunds(ctx context.Context, d *db.DB) error {
	list, err := payment.RefundsDue(ctx, d)
	if err != nil {
		return err
	}
	if len(list) == 0 {
		_, err := fmt.Fprintln(c.stdout, "No payments to refund.")
		return err
	}
	table := tabwriter.NewWriter(c.stdout, 0, 0, 2, ' ', 0)
	_, _ = fmt.Fprintln(table, "DUE SINCE\tPROVIDER\tPAYMENT\tMINOR UNITS\tCURRENCY\tINTENT") // Flush returns the error
	for _, i := range list {
		_, _ = fmt.Fprintf(table, "%s\t%s\t%s\t%d\t%s\t%s\n", i.RefundDueAt.Format(time.RFC3339), i.Provider, i.ProviderPaymentID, i.Amount,
			i.Currency, i.ID)
	}
	return table.Flush()
}

// paymentEvent is the body of a webhook of the development provider.
type paymentEvent struct {
	ID                string `json:"id"`
	Type              string `json:"type"`
	ProviderPaymentID string `json:"provider_payment_id"`
}

// sendWebhook sends an event, signed with the first secret, and prints the response.
func (c *call) sendWebhook(ctx context.Context, api string, e paymentEvent) error {
	s, err := c.settings()
	if err != nil {
		return err
	}
	if api == "" {
		api = s.PublicBaseURL
	}
	if e.ID == "" {
		e.ID = "evt_" + rand.Text()
	}
	if len(s.WebhookSecrets) == 0 {
		return usageError{errors.New("moothall payments: set PAYMENT_WEBHOOK_SECRETS to the same value as for the service")}
	}
	body, err := json.Marshal(e)
	if err != nil {
		return err
	}
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, api+"/payments/webhooks/development", bytes.NewReader(body))
	if err != nil {
		return usageError{fmt.Errorf("moothall payments: --api: %w", err)}
	}
	if r.Header, err = s.WebhookSecrets[0].Sign(e.ID, body, domain.SystemClock().Now()); err != nil {
		return err
	}
	r.Header.Set("Content-Type", "application/json")
	client := http.Client{Timeout: 30 * time.Second}
	response, err := client.Do(r)
	if err != nil {
		return fmt.Errorf("cannot reach the service, check --api: %w", err)
	}
	body, err = io.ReadAll(io.LimitReader(response.Body, 1<<16))
	if err := errors.Join(err, response.Body.Close()); err != nil {
		return err
	}
	if response.StatusCode != http.StatusOK {
		return fmt.Errorf("the service responded %d %s", response.StatusCode, body)
	}
	_, err = fmt.Fprintf(c.stdout, "%s\n", body)
	return err
}
