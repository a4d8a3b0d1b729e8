package doorward

import (
	"cmp"
	"encoding/base64"
	"errors"
	"fmt"
	"log/slog"
	"net/url"
	"os"
	"regexp"
	"strings"
	"time"
)

// Options say where Doorward is. What is left empty comes from the variable that the field names.
type Options struct {
	// URL is Doorward's public origin, its SVC_BASE_URL. DOORWARD_URL; required.
	URL string
	// InternalURL is the origin where this server asks. DOORWARD_INTERNAL_URL; by default URL.
	InternalURL string
	// Name is Doorward's service name, from which those of its cookies come. DOORWARD_NAME; by default svc.
	Name string
	// Audience is the audience of this application's access tokens, one of SVC_AUDIENCES. DOORWARD_AUDIENCE; by
	// default app.
	Audience string
	// AppURL is the application's own public origin. DOORWARD_APP_URL; by default each request's Host, with the
	// scheme of URL.
	AppURL string
	// WebhookSecret is Doorward's SVC_WEBHOOK_SECRET. DOORWARD_WEBHOOK_SECRET; [Client.Webhook] needs it.
	WebhookSecret string
	// WebhookSecretPrevious is believed, too, while the secret changes. DOORWARD_WEBHOOK_SECRET_PREVIOUS.
	WebhookSecretPrevious string

	// Issuer is Doorward's SVC_JWT_ISSUER; by default URL.
	Issuer string
	// Keys are those of SVC_JWT_KEYS, by id. With them HS256 is the one algorithm, and no key is fetched.
	Keys map[string][]byte
	// Origins are further origins whose pages may send changes to this application.
	Origins []string
	// Seen remembers events; by default the last 10,000 in memory, which is right for one process.
	Seen Seen
	// Clock tells the time; by default [time.Now]. Tests move it.
	Clock func() time.Time
	// Log gets advice, each kind once an hour; by default [slog.Default].
	Log *slog.Logger
}

func (o Options) withDefaults() Options {
	o.URL = cmp.Or(o.URL, os.Getenv("DOORWARD_URL"))
	o.InternalURL = cmp.Or(o.InternalURL, os.Getenv("DOORWARD_INTERNAL_URL"))
	o.Name = cmp.Or(o.Name, os.Getenv("DOORWARD_NAME"), "svc")
	o.Audience = cmp.Or(o.Audience, os.Getenv("DOORWARD_AUDIENCE"), "app")
	o.AppURL = cmp.Or(o.AppURL, os.Getenv("DOORWARD_APP_URL"))
	o.WebhookSecret = cmp.Or(o.WebhookSecret, os.Getenv("DOORWARD_WEBHOOK_SECRET"))
	o.WebhookSecretPrevious = cmp.Or(o.WebhookSecretPrevious, os.Getenv("DOORWARD_WEBHOOK_SECRET_PREVIOUS"))
	if o.Seen == nil {
		o.Seen = newMemory(rememberedEvents)
	}
	if o.Clock == nil {
		o.Clock = time.Now
	}
	if o.Log == nil {
		o.Log = slog.Default()
	}
	return o
}

var (
	serviceName = regexp.MustCompile(`^[a-z][a-z0-9]{0,31}$`)
	visible     = regexp.MustCompile(`^[!-~]{1,128}$`)
)

// read returns a client of what can be read, and names all that cannot.
func (o Options) read() (*Client, error) {
	var wrong []error
	origin := func(name, value, fallback string) string {
		if value == "" {
			return fallback
		}
		parsed, err := parseOrigin(value)
		if err != nil {
			wrong = append(wrong, fmt.Errorf("doorward: %s %w", name, err))
		}
		return parsed
	}
	if o.URL == "" {
		wrong = append(wrong, &Error{Code: "missing_url", Message: "DOORWARD_URL is not set: set it to Doorward's public " +
			"address, such as http://localhost:8080, which `doorward dev` prints"})
	}
	d := &Client{name: o.Name, audience: o.Audience, seen: o.Seen, clock: o.Clock}
	d.advice = advice{log: o.Log, clock: o.Clock}
	d.url = origin("URL (DOORWARD_URL)", o.URL, "")
	d.internalURL = origin("InternalURL (DOORWARD_INTERNAL_URL)", o.InternalURL, d.url)
	d.appURL = origin("AppURL (DOORWARD_APP_URL)", o.AppURL, "")
	for _, text := range o.Origins {
		d.origins = append(d.origins, origin("Origins", text, ""))
	}
	d.issuer = cmp.Or(o.Issuer, d.url)
	if !serviceName.MatchString(o.Name) {
		wrong = append(wrong, fmt.Errorf("doorward: Name (DOORWARD_NAME) is %q: use a lower-case letter, then up to 31 "+
			"lower-case letters and digits, as Doorward's own", o.Name))
	}
	if !visible.MatchString(o.Audience) {
		wrong = append(wrong, fmt.Errorf("doorward: Audience (DOORWARD_AUDIENCE) is %q: use one of SVC_AUDIENCES", o.Audience))
	}
	if o.WebhookSecret == "" && o.WebhookSecretPrevious != "" {
		wrong = append(wrong, errors.New("doorward: WebhookSecretPrevious (DOORWARD_WEBHOOK_SECRET_PREVIOUS) is set "+
			"without WebhookSecret (DOORWARD_WEBHOOK_SECRET): set both, or the second alone"))
	}
	for _, secret := range []struct{ name, value string }{
		{"WebhookSecret (DOORWARD_WEBHOOK_SECRET)", o.WebhookSecret},
		{"WebhookSecretPrevious (DOORWARD_WEBHOOK_SECRET_PREVIOUS)", o.WebhookSecretPrevious},
	} {
		if secret.value == "" {
			continue
		}
		key, err := webhookKey(secret.value)
		if err != nil {
			wrong = append(wrong, fmt.Errorf("doorward: %s %w", secret.name, err))
		}
		d.secrets = append(d.secrets, key)
	}
	if o.Keys != nil {
		for id, key := range o.Keys {
			if id == "" || len(key) < 32 {
				wrong = append(wrong, fmt.Errorf("doorward: Keys has %q with %d bytes: use an id and at least 32 bytes, "+
					"as in SVC_JWT_KEYS", id, len(key)))
			}
		}
		d.keys = sharedKeys(o.Keys)
	}
	return d, errors.Join(wrong...)
}

var errNoOrigin = errors.New("is no origin: write scheme, host and port alone, such as https://auth.example.org")

// parseOrigin returns an origin as browsers write it: in lower case, without the scheme's own port.
func parseOrigin(text string) (string, error) {
	u, err := url.Parse(text)
	if err != nil || u.Hostname() == "" || u.User != nil || strings.Trim(u.Path, "/") != "" || strings.ContainsAny(text, "?#") {
		return "", errNoOrigin
	}
	host := strings.ToLower(u.Host)
	switch strings.ToLower(u.Scheme) {
	case "http":
		return "http://" + strings.TrimSuffix(host, ":80"), nil
	case "https":
		return "https://" + strings.TrimSuffix(host, ":443"), nil
	}
	return "", errNoOrigin
}

// webhookKey returns the bytes that sign: what follows whsec_, decoded, or the secret as it is.
func webhookKey(secret string) ([]byte, error) {
	if strings.TrimSpace(secret) != secret {
		return nil, errors.New("has white space around it: remove it, as Doorward refuses it too")
	}
	encoded, ok := strings.CutPrefix(secret, "whsec_")
	if !ok {
		return []byte(secret), nil
	}
	key, err := base64.RawStdEncoding.DecodeString(strings.TrimRight(encoded, "="))
	if err != nil || len(key) == 0 {
		return nil, errors.New("has no base64 behind whsec_: copy the whole SVC_WEBHOOK_SECRET")
	}
	return key, nil
}
