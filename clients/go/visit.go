package doorward

import (
	"context"
	"errors"
	"net/http"
)

// maxAccessTokens is how many access tokens of one request are looked at, as Doorward itself does.
const maxAccessTokens = 4

// visitOf returns what is known of a request's session, and whether it has been found out who that is.
func (d *Client) visitOf(r *http.Request) (v *visit, hasArrived bool) {
	if v, ok := r.Context().Value(visitKey{}).(*visit); ok && v.client == d {
		return v, true
	}
	return &visit{client: d, cookies: d.readCookies(r.Header)}, false
}

// Who returns who sent a request, by its access token, and asks Doorward for no more than its keys: so a logout is seen
// once the token has expired, within SVC_ACCESS_TTL. Behind [Client.Protect], [Client.Optional] and [Client.Refresh] it
// is the person whom they found. Nobody is nil without an error; the error is an [*Error] with the code unavailable.
func (d *Client) Who(r *http.Request) (*Person, error) {
	v, hasArrived := d.visitOf(r)
	if hasArrived {
		return v.person, nil
	}
	return d.personOf(r.Context(), v.cookies)
}

// personOf returns the person of the first access token that is valid.
func (d *Client) personOf(ctx context.Context, cookies sessionCookies) (*Person, error) {
	var unavailable error
	for _, accessToken := range cookies.access[:min(len(cookies.access), maxAccessTokens)] {
		person, err := d.Verify(ctx, accessToken)
		if err == nil {
			return person, nil
		}
		if code(err) == "unavailable" {
			unavailable = err
		}
	}
	return nil, unavailable
}

func code(err error) string {
	var e *Error
	if errors.As(err, &e) {
		return e.Code
	}
	return ""
}

// Refresh finds out who sent a request, and renews the session where its access token has expired: Doorward's new
// cookies go into the header of w, so call it before anything is written. What it returns is the same request, for which
// [FromContext], [Client.Who] and [Client.Look] know the new tokens. A request that only prefetches a page, or
// begins a WebSocket, renews nothing, and Doorward is asked who sent it. The error is an [*Error] with the code unavailable: answer 503, and let nobody in.
//
// [Client.Protect] and [Client.Optional] do this themselves. As with [Client.Who], a logout is seen within
// SVC_ACCESS_TTL.
func (d *Client) Refresh(w http.ResponseWriter, r *http.Request) (*http.Request, error) {
	v, hasArrived := d.visitOf(r)
	if hasArrived {
		return r, nil
	}
	lines, err := d.arrive(r, v)
	for _, line := range lines {
		w.Header().Add("Set-Cookie", line)
	}
	if err != nil {
		return r, err
	}
	return r.WithContext(v.in(r.Context())), nil
}

// arrive finds the person and new tokens of a visit, and returns Doorward's Set-Cookie lines.
func (d *Client) arrive(r *http.Request, v *visit) (lines []string, err error) {
	v.person, err = d.personOf(r.Context(), v.cookies)
	if v.person != nil || err != nil || len(v.cookies.refresh) == 0 {
		return nil, err
	}
	// New cookies might not arrive, or, without a CSRF token, a refresh would be refused.
	if isPrefetch(r) || isWebSocket(r) || v.cookies.csrfToken() == "" {
		v.person, err = d.look(r.Context(), v.cookies)
		return nil, err
	}
	renewed := d.renew(r.Context(), v.cookies)
	if renewed.err != nil || renewed.nobody {
		return renewed.lines, renewed.err
	}
	v.cookies = renewed.cookies
	v.person, err = d.Verify(r.Context(), v.cookies.access[0])
	if err != nil {
		err = d.refuseFresh(err)
	}
	return renewed.lines, err
}

// refuseFresh is the error of a new token that is not valid here. To call its holder nobody would send them to the login
// and back for ever.
func (d *Client) refuseFresh(err error) error {
	if found := code(err); found == "expired" || found == "not_yet" {
		d.advice.say("clock_skew", "a token that Doorward has just made is not valid by this machine's clock: set both clocks "+
			"by NTP", "code_of_token", found, "now", d.clock().UTC())
	}
	return d.unavailable("the verification of a new token", err)
}
