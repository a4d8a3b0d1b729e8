// Package doorward tells a Go server who sent a request: it is the client library of Doorward, a self-hosted
// authentication service.
//
//	dw, err := doorward.New(doorward.Options{}) // from DOORWARD_URL and the other variables
//	if err != nil {
//		log.Fatal(err)
//	}
//	http.ListenAndServe(":3000", dw.Protect()(mux))
//
// Behind [Client.Protect], [FromContext] has the person:
//
//	person := doorward.FromContext(r.Context())
//
// A person is found in one of two ways. By the access token, which this process verifies with keys that it keeps: that
// costs no request, and a logout, or another role, is seen once the token has expired, within SVC_ACCESS_TTL (10
// minutes). Or by asking Doorward, which costs one request, and sees everything within a second: [Client.Look], and the
// rules [Verified], [MFA], [Fresh] and [Live].
//
// While Doorward cannot be asked, nobody passes who needs it: the answer is 503, no one is logged out, and the next
// request tries again.
package doorward

import (
	"net/http"
	"time"
)

// Client knows one Doorward. It is safe for concurrent use; an application needs one.
type Client struct {
	url         string // origins, such as https://auth.example.org
	internalURL string
	appURL      string // empty: the host of each request
	origins     []string
	name        string
	audience    string
	issuer      string
	secrets     [][]byte
	seen        Seen
	clock       func() time.Time
	advice      advice
	http        *http.Client
	keys        keyFinder
	renewals    renewals
}

// New returns a client, or an error that names every option or variable that is missing or wrong. It asks nothing of
// Doorward, which may start later.
func New(options Options) (*Client, error) {
	d, err := options.withDefaults().read()
	if err != nil {
		return nil, err
	}
	d.http = newHTTPClient()
	if d.keys == nil {
		d.keys = &keySet{client: d}
	}
	return d, nil
}
