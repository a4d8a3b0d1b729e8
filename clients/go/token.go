package doorward

import (
	"context"
	"encoding/base64"
	"slices"
	"strings"
	"time"
)

const (
	// maxTokenBytes is the longest token that Doorward itself takes.
	maxTokenBytes = 4096
	// leeway is how far the clocks of this machine and Doorward's may differ.
	leeway = time.Minute
)

// Verify returns what an access token says, without asking Doorward for more than its keys: so a logout is seen once the
// token has expired, within SVC_ACCESS_TTL. The error is an [*Error]; where its code is unavailable, the token may well be
// valid.
func (d *Client) Verify(ctx context.Context, accessToken string) (*Person, error) {
	return d.verify(ctx, accessToken, "at+jwt", d.audience)
}

// VerifyAssertion returns what an X-Svc-Assertion of Doorward's gate says, with the email address. Its audience must be
// AppURL, which is required here. It is valid for a minute, so a logout is seen within that. The error is an [*Error]; an
// access token is no assertion.
func (d *Client) VerifyAssertion(ctx context.Context, assertion string) (*Person, error) {
	if d.appURL == "" {
		return nil, &Error{Code: "audience", Message: "DOORWARD_APP_URL is not set: set it to the application's own origin, " +
			"for which the gate makes assertions"}
	}
	return d.verify(ctx, assertion, "gate+jwt", d.appURL)
}

func (d *Client) verify(ctx context.Context, text, typ, audience string) (*Person, error) {
	token, err := parseToken(text)
	if err != nil {
		return nil, err
	}
	key, err := d.keys.find(ctx, token.alg, token.kid)
	if err != nil {
		return nil, err
	}
	if !key.verifies(token.signed, token.signature) {
		return nil, &Error{Code: "signature", Message: "the signature is wrong: the token was changed, or is of another Doorward"}
	}
	if err := d.judge(token, typ, audience); err != nil {
		return nil, err
	}
	return token.person, nil
}

// judge checks what a genuine token is for.
func (d *Client) judge(token *token, typ, audience string) error {
	given := strings.TrimPrefix(strings.ToLower(token.typ), "application/")
	issuer, _ := member[string](token.claims, "iss")
	now := d.clock()
	switch {
	case given != typ:
		return &Error{Code: "typ", Message: "the typ is not " + typ + ": an access token is no assertion, nor the other way round"}
	case issuer != d.issuer:
		d.advice.say("issuer_mismatch", "tokens are of another issuer than Issuer, by default DOORWARD_URL: set it to "+
			"Doorward's SVC_JWT_ISSUER or SVC_BASE_URL", "issuer", issuer, "expected", d.issuer)
		return &Error{Code: "issuer", Message: "the token is of another issuer than " + d.issuer}
	case !slices.Contains(token.audiences(), audience):
		d.advice.say("audience_mismatch", "tokens are for another audience: set DOORWARD_AUDIENCE to one of Doorward's "+
			"SVC_AUDIENCES, and DOORWARD_APP_URL to the application's origin", "audience", token.audiences(), "expected", audience)
		return &Error{Code: "audience", Message: "the token is for another audience than " + audience}
	case now.After(token.expiry.Add(leeway)):
		return &Error{Code: "expired", Message: "the token has expired"}
	case token.notBefore.After(now.Add(leeway)):
		return &Error{Code: "not_yet", Message: "the token is not valid yet"}
	}
	return nil
}

// token is a JWT in its compact form, not verified.
type token struct {
	alg, kid, typ     string
	claims            object
	person            *Person
	expiry, notBefore time.Time
	signed, signature []byte
}

func parseToken(text string) (*token, error) {
	malformed := &Error{Code: "malformed", Message: "this is no token of Doorward"}
	parts := strings.Split(text, ".")
	if len(text) > maxTokenBytes || len(parts) != 3 {
		return nil, malformed
	}
	header, isHeader := decodeObject(parts[0])
	claims, isClaims := decodeObject(parts[1])
	signature, isSignature := decodePart(parts[2])
	kid, _ := member[string](header, "kid")
	if _, isCritical := header["crit"]; isCritical || !isHeader || !isClaims || !isSignature || kid == "" {
		return nil, malformed
	}
	alg, _ := member[string](header, "alg")
	typ, _ := member[string](header, "typ")
	t := &token{alg: alg, kid: kid, typ: typ, claims: claims, signature: signature}
	t.signed = []byte(text[:len(parts[0])+1+len(parts[1])])
	if !t.readPerson() || !t.readTimes() {
		return nil, malformed
	}
	return t, nil
}

func decodeObject(part string) (object, bool) {
	text, ok := decodePart(part)
	if !ok {
		return nil, false
	}
	return parseObject(text)
}

// decodePart is strict: one text for one value, and none of the line breaks that the decoder would pass over.
func decodePart(part string) ([]byte, bool) {
	value, err := base64.RawURLEncoding.Strict().DecodeString(part)
	return value, err == nil && !strings.ContainsAny(part, "\r\n")
}

// audiences returns aud, which may be a text or a list.
func (t *token) audiences() []string {
	if one, ok := member[string](t.claims, "aud"); ok {
		return []string{one}
	}
	list, _ := member[[]string](t.claims, "aud")
	return list
}

// readPerson reads what is said of a person; false where a claim is of another type.
func (t *token) readPerson() bool {
	id, ok := member[string](t.claims, "sub")
	t.person = &Person{ID: id}
	ok = ok && id != ""
	for name, into := range map[string]*string{
		"sid":      &t.person.SessionID,
		"org_id":   &t.person.Organization.ID,
		"org_role": &t.person.Organization.Role,
		"email":    &t.person.Email,
		"username": &t.person.Username,
	} {
		ok = read(t.claims, name, into) && ok
	}
	ok = read(t.claims, "email_verified", &t.person.EmailVerified) && ok
	var roles []*string // null is no text
	ok = read(t.claims, "roles", &roles) && ok
	for _, role := range roles {
		if role == nil {
			return false
		}
		t.person.Roles = append(t.person.Roles, *role)
	}
	return ok
}

// maxSeconds is the last whole number that every reader of JSON knows.
const maxSeconds = 1<<53 - 1

func (t *token) readTimes() bool {
	expiry, ok := member[int64](t.claims, "exp")
	var notBefore int64
	ok = read(t.claims, "nbf", &notBefore) && ok
	t.expiry, t.notBefore = time.Unix(expiry, 0), time.Unix(notBefore, 0)
	return ok && max(expiry, notBefore) <= maxSeconds && min(expiry, notBefore) >= -maxSeconds
}

// read reads a claim that may be absent or null; false where it is of another type.
func read[T any](claims object, name string, into *T) bool {
	value, fits := optional[T](claims, name)
	if value != nil {
		*into = *value
	}
	return fits
}
