package doorward

import (
	"context"
	"time"
)

// Person is who is logged in.
type Person struct {
	// ID is the user's id, a UUID that never changes: store what belongs to a person under it.
	ID string
	// SessionID is the id of the session, a UUID.
	SessionID string
	// Organization is the session's active organization, with the person's role there; its ID is empty for a person
	// who is in none any more.
	Organization Membership
	// Roles are roles over Doorward itself, such as svc:admin; mostly empty.
	Roles []string

	// Email, EmailVerified and Username are empty in what an access token says.
	Email         string
	EmailVerified bool
	Username      string

	// What follows only Doorward's answer has: [Client.Look], and [Client.Protect] with a rule that looks.

	// Name is the display name that the person chose, if any.
	Name string
	// ExternalID is the user's id in a system of the operator's, if any.
	ExternalID string
	// CreatedAt is when the account was made.
	CreatedAt time.Time
	// AuthenticatedAt is when the person last proved who they are.
	AuthenticatedAt time.Time
	// Methods are how, in this session: password, totp, recovery_code, passkey, trusted_device, mailed_link,
	// mailed_code, provider, provider_mfa.
	Methods []string
}

// Membership is an organization, and a person's role in it.
type Membership struct {
	// ID is the organization's id, a UUID.
	ID string
	// Role is owner, admin or member.
	Role string
	// Name and Kind (personal or team) are empty in what a token says.
	Name string
	Kind string
}

type visitKey struct{}

// visit is what is known of the session of a request.
type visit struct {
	client  *Client
	cookies sessionCookies // newer than the request's after a refresh
	person  *Person        // nil: nobody
}

func (v *visit) in(ctx context.Context) context.Context {
	return context.WithValue(ctx, visitKey{}, v)
}

// FromContext returns the person of a request that has passed [Client.Protect], [Client.Optional] or [Client.Refresh];
// nil: nobody. Behind Protect it is never nil.
func FromContext(ctx context.Context) *Person {
	if v, ok := ctx.Value(visitKey{}).(*visit); ok {
		return v.person
	}
	return nil
}
