package doorward

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"time"
)

const (
	askTimeout   = 5 * time.Second
	sessionBytes = 64 << 10
)

var errTooLarge = errors.New("the answer is too large")

// newHTTPClient follows no redirect, knows no proxy, and keeps no cookies: each request brings those of another person.
func newHTTPClient() *http.Client {
	return &http.Client{
		Transport: &http.Transport{
			MaxIdleConnsPerHost: 32,
			IdleConnTimeout:     30 * time.Second,
			DisableCompression:  true,
			ForceAttemptHTTP2:   true,
		},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
}

// answer is a whole answer of Doorward's.
type answer struct {
	status int
	header http.Header
	body   []byte
}

// ask sends a request to Doorward with these headers alone, and waits at most 5 seconds for the whole answer.
func (d *Client) ask(ctx context.Context, method, path string, header http.Header, limit int64) (*answer, error) {
	ctx, cancel := context.WithTimeout(ctx, askTimeout)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, method, d.internalURL+path, nil)
	if err != nil {
		return nil, err
	}
	if header != nil {
		request.Header = header
	}
	response, err := d.http.Do(request)
	if err != nil {
		return nil, err
	}
	defer response.Body.Close()
	body, err := io.ReadAll(io.LimitReader(response.Body, limit+1))
	if err != nil {
		return nil, err
	}
	if int64(len(body)) > limit {
		return nil, errTooLarge
	}
	return &answer{response.StatusCode, response.Header, body}, nil
}

// unavailable is the error of an answer that decides nothing.
func (d *Client) unavailable(what string, cause error) error {
	if !errors.Is(cause, context.Canceled) { // a browser that went away is not Doorward's fault
		d.advice.say("unavailable", "Doorward cannot be asked, so people get 503: look after it, or set DOORWARD_INTERNAL_URL "+
			"to where this server reaches it", "url", d.internalURL, "what", what, "error", cause)
	}
	return &Error{Code: "unavailable", Message: what + " failed", Err: cause}
}

// Look asks Doorward who sent a request, and changes nothing: no cookie is set, no token replaced. It sees a logout
// within a second. Nobody is nil without an error; the error is an [*Error] with the code unavailable.
func (d *Client) Look(r *http.Request) (*Person, error) {
	v, _ := d.visitOf(r)
	return d.look(r.Context(), v.cookies)
}

func (d *Client) look(ctx context.Context, cookies sessionCookies) (*Person, error) {
	if len(cookies.access) == 0 && len(cookies.refresh) == 0 {
		return nil, nil
	}
	header := http.Header{"Cookie": {cookies.header(d.name)}}
	answer, err := d.ask(ctx, http.MethodGet, "/auth/api/v2/session?refresh=look", header, sessionBytes)
	switch {
	case err != nil:
		return nil, d.unavailable("a look at the session", err)
	case answer.status == http.StatusUnauthorized:
		return nil, nil
	case answer.status != http.StatusOK:
		return nil, d.unavailable("a look at the session", fmt.Errorf("it answered %d", answer.status))
	}
	person, err := parseSession(answer.body)
	if err != nil {
		return nil, d.unavailable("a look at the session", err)
	}
	return person, nil
}

// parseSession reads the body of GET /auth/api/v2/session.
func parseSession(body []byte) (*Person, error) {
	var found struct {
		User struct {
			ID            string    `json:"id"`
			Email         string    `json:"email"`
			EmailVerified bool      `json:"email_verified"`
			Username      string    `json:"username"`
			Name          string    `json:"name"`
			ExternalID    string    `json:"external_id"`
			Roles         []string  `json:"roles"`
			CreatedAt     time.Time `json:"created_at"`
		} `json:"user"`
		Organization struct {
			ID   string `json:"id"`
			Name string `json:"name"`
			Kind string `json:"kind"`
			Role string `json:"role"`
		} `json:"organization"`
		Session struct {
			ID              string    `json:"id"`
			AuthenticatedAt time.Time `json:"authenticated_at"`
			Methods         []string  `json:"methods"`
		} `json:"session"`
	}
	if err := json.Unmarshal(body, &found); err != nil {
		return nil, err
	}
	user, organization, session := found.User, found.Organization, found.Session
	if user.ID == "" || session.ID == "" {
		return nil, errors.New("its answer names no user and session")
	}
	return &Person{
		ID:        user.ID,
		SessionID: session.ID,
		Organization: Membership{
			ID: organization.ID, Role: organization.Role, Name: organization.Name, Kind: organization.Kind,
		},
		Roles: user.Roles, Email: user.Email, EmailVerified: user.EmailVerified, Username: user.Username, Name: user.Name,
		ExternalID: user.ExternalID, CreatedAt: user.CreatedAt,
		AuthenticatedAt: session.AuthenticatedAt, Methods: session.Methods,
	}, nil
}
