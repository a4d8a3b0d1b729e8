package doorward

import (
	"context"
	"crypto/hmac"
	"encoding/base64"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"regexp"
	"strconv"
	"strings"
	"time"
)

const (
	webhookBytes = 1 << 20
	// replayWindow is that of Standard Webhooks, in either direction.
	replayWindow = 5 * time.Minute
)

// Webhook returns the receiver of Doorward's webhooks, which gives each genuine event to a function. Where that returns an
// error, the answer is 500, and Doorward sends the event again; once it has succeeded, a repetition is acknowledged (204)
// without it. What is not signed with WebhookSecret or too old is 401, what is no event 400.
//
// Keep the function short, as Doorward waits 5 seconds by default. The events of one user, or of one organization, come
// in their order; organization.created may come before the user.created of the same signup.
//
// Webhook panics if there is no WebhookSecret.
func (d *Client) Webhook(handle func(ctx context.Context, event *Event) error) http.Handler {
	if len(d.secrets) == 0 {
		panic("doorward: DOORWARD_WEBHOOK_SECRET is not set: set it to Doorward's SVC_WEBHOOK_SECRET")
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodPost {
			w.Header().Set("Allow", http.MethodPost)
			refuseWebhook(w, http.StatusMethodNotAllowed, "method", "Webhooks are sent by POST.")
			return
		}
		body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, webhookBytes))
		if err != nil {
			status := http.StatusBadRequest
			if tooLarge := (*http.MaxBytesError)(nil); errors.As(err, &tooLarge) {
				status = http.StatusRequestEntityTooLarge
			}
			refuseWebhook(w, status, "malformed", "The body cannot be read, or is larger than an event.")
			return
		}
		d.receive(w, r, body, handle)
	})
}

func (d *Client) receive(w http.ResponseWriter, r *http.Request, body []byte, handle func(context.Context, *Event) error) {
	ctx, id := r.Context(), r.Header.Get("Webhook-Id")
	if !d.isSigned(r.Header, body) {
		if r.Header.Get("Webhook-Signature") != "" {
			d.advice.say("signature", "a webhook was refused, as its signature is not that of WebhookSecret: set DOORWARD_WEBHOOK_SECRET "+
				"to Doorward's SVC_WEBHOOK_SECRET, or look for who else sends here")
		}
		refuseWebhook(w, http.StatusUnauthorized, "signature", "webhook-signature is not that of this receiver's secret.")
		return
	}
	if !d.isRecent(r.Header.Get("Webhook-Timestamp")) {
		d.advice.say("clock_skew", "a genuine webhook is more than five minutes from this machine's clock: set both clocks by NTP, "+
			"or look for who repeats old requests", "timestamp", r.Header.Get("Webhook-Timestamp"), "now", d.clock().Unix())
		refuseWebhook(w, http.StatusUnauthorized, "timestamp", "webhook-timestamp is more than five minutes from this receiver's clock.")
		return
	}
	if handled, err := d.seen.Has(ctx, id); err != nil {
		d.failWebhook(w, "Seen.Has failed", id, err)
		return
	} else if handled {
		w.WriteHeader(http.StatusNoContent)
		return
	}
	event, ok := parseEvent(body)
	if !ok || event.ID != id {
		refuseWebhook(w, http.StatusBadRequest, "malformed", "The body is no event, or not the one of webhook-id.")
		return
	}
	if err := handle(ctx, event); err != nil {
		d.failWebhook(w, "the handler of webhooks failed", id, err)
		return
	}
	if err := d.seen.Add(ctx, id); err != nil {
		// Handled it is: a failure here would only have it sent again.
		d.advice.log.Error("doorward: Seen.Add failed, so the event may be handled again", "event", id, "error", err)
	}
	w.WriteHeader(http.StatusNoContent)
}

// isSigned checks webhook-signature, one of several secrets' signatures.
func (d *Client) isSigned(header http.Header, body []byte) bool {
	id, timestamp := header.Get("Webhook-Id"), header.Get("Webhook-Timestamp")
	if id == "" || timestamp == "" {
		return false
	}
	signed := append([]byte(id+"."+timestamp+"."), body...)
	genuine := false
	for _, secret := range d.secrets {
		expected := []byte("v1," + base64.StdEncoding.EncodeToString(sign(secret, signed)))
		for given := range strings.SplitSeq(header.Get("Webhook-Signature"), " ") {
			genuine = hmac.Equal([]byte(given), expected) || genuine
		}
	}
	return genuine
}

var unixSeconds = regexp.MustCompile(`^\d{1,12}$`)

func (d *Client) isRecent(timestamp string) bool {
	if !unixSeconds.MatchString(timestamp) {
		return false
	}
	seconds, err := strconv.ParseInt(timestamp, 10, 64)
	return err == nil && d.clock().Sub(time.Unix(seconds, 0)).Abs() <= replayWindow
}

// refuseWebhook says why in the body, which Doorward's operator can read.
func refuseWebhook(w http.ResponseWriter, status int, code, message string) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(map[string]any{"error": map[string]string{"code": code, "message": message}})
}

func (d *Client) failWebhook(w http.ResponseWriter, what, id string, err error) {
	d.advice.log.Error("doorward: "+what+", so the event will be sent again", "event", id, "error", err)
	refuseWebhook(w, http.StatusInternalServerError, "internal_error", "The receiver failed.")
}
