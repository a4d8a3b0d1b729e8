package doorward

import (
	"regexp"
	"slices"
	"strconv"
	"time"
)

// Rule is what [Client.Protect] asks of a person beyond being logged in.
type Rule func(*requirements)

// requirements are all that is asked; every one must be met.
type requirements struct {
	organization, role, platform string
	verified, mfa, live          bool
	fresh                        time.Duration
}

var ranks = []string{"member", "admin", "owner"}

var organizationID = regexp.MustCompile(`^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$`)

// Organization asks for a session whose active organization this is.
func Organization(id string) Rule {
	if !organizationID.MatchString(id) {
		panic("doorward: Organization needs the id of an organization, not " + strconv.Quote(id))
	}
	return func(r *requirements) { r.organization = id }
}

// Role asks for at least this role in the active organization: member, admin or owner. Everybody owns their personal
// organization.
func Role(least string) Rule {
	if !slices.Contains(ranks, least) {
		panic("doorward: Role knows member, admin and owner, not " + strconv.Quote(least))
	}
	return func(r *requirements) { r.role = least }
}

// Platform asks for this role over Doorward itself, or admin: admin, auditor or monitor.
func Platform(role string) Rule {
	if !slices.Contains([]string{"admin", "auditor", "monitor"}, role) {
		panic("doorward: Platform knows admin, auditor and monitor, not " + strconv.Quote(role))
	}
	return func(r *requirements) { r.platform = role }
}

// Verified asks for a verified email address. It looks: each request asks Doorward.
func Verified() Rule { return func(r *requirements) { r.verified = true } }

// MFA asks for a session that has shown a second factor or a passkey. It looks: each request asks Doorward.
func MFA() Rule { return func(r *requirements) { r.mfa = true } }

// Fresh asks for a person who has proved who they are within this time, at least a second. It looks: each request asks
// Doorward.
func Fresh(within time.Duration) Rule {
	if within < time.Second {
		panic("doorward: Fresh needs at least a second, not " + within.String())
	}
	return func(r *requirements) { r.fresh = within }
}

// Live looks: each request asks Doorward, so that a logout is seen within a second, and the person has what only
// Doorward knows, such as the email address.
func Live() Rule { return func(r *requirements) { r.live = true } }

func (r requirements) looks() bool { return r.verified || r.mfa || r.live || r.fresh > 0 }

// lack is what a person does not meet.
type lack struct {
	// stepUp is the query that asks for it at /auth/account/confirm; empty where nothing that the person can show helps.
	stepUp string
}

// lack returns nil for a person who meets all rules.
func (r requirements) lack(p *Person, now time.Time, name string) *lack {
	switch {
	case r.organization != "" && r.organization != p.Organization.ID,
		r.role != "" && slices.Index(ranks, p.Organization.Role) < slices.Index(ranks, r.role),
		r.platform != "" && !slices.Contains(p.Roles, name+":"+r.platform) && !slices.Contains(p.Roles, name+":admin"),
		r.verified && !p.EmailVerified:
		return &lack{}
	case r.mfa && !slices.ContainsFunc(p.Methods, isSecondFactor):
		return &lack{stepUp: "&mfa=1"}
	case r.fresh > 0 && now.Sub(p.AuthenticatedAt) > r.fresh:
		return &lack{stepUp: "&max_age=" + strconv.Itoa(int(r.fresh.Seconds()))}
	}
	return nil
}

// isSecondFactor knows what has been shown in this session; a trusted device has only been remembered.
func isSecondFactor(method string) bool {
	return slices.Contains([]string{"totp", "recovery_code", "passkey", "provider_mfa"}, method)
}
