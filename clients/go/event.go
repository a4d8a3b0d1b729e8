package doorward

import (
	"encoding/json"
	"reflect"
	"time"
)

// Event is something that happened to a user or an organization.
type Event struct {
	// ID is the event's id, evt_ and a UUID, the same at every delivery. As text, the ids of one user's or
	// organization's events are in their order.
	ID string
	// Type is the kind, such as user.created.
	Type string
	// CreatedAt is when it happened.
	CreatedAt time.Time
	// Data depends on the kind: [UserCreated] for user.created, and so on. Of a kind that this version does not know,
	// and of ping, a test, it is a [json.RawMessage].
	//
	//	switch data := event.Data.(type) {
	//	case doorward.UserDeleted:
	//		return forget(ctx, data.UserID)
	//	}
	Data any
}

// UserCreated is the data of user.created.
type UserCreated struct {
	UserID string `json:"user_id"`
}

// UserUpdated is the data of user.updated. It does not say what changed: look the user up.
type UserUpdated struct {
	UserID string `json:"user_id"`
}

// UserDeleted is the data of user.deleted.
type UserDeleted struct {
	UserID string `json:"user_id"`
}

// OrganizationCreated is the data of organization.created.
type OrganizationCreated struct {
	OrganizationID  string  `json:"organization_id"`
	Name            string  `json:"name"`
	Kind            string  `json:"kind"` // personal or team
	CreatedByUserID *string `json:"created_by_user_id"`
}

// OrganizationUpdated is the data of organization.updated: it has another name.
type OrganizationUpdated struct {
	OrganizationID  string  `json:"organization_id"`
	Name            string  `json:"name"`
	Kind            string  `json:"kind"` // personal or team
	CreatedByUserID *string `json:"created_by_user_id"`
}

// OrganizationDeleted is the data of organization.deleted.
type OrganizationDeleted struct {
	OrganizationID  string  `json:"organization_id"`
	Name            string  `json:"name"`
	Kind            string  `json:"kind"` // personal or team
	CreatedByUserID *string `json:"created_by_user_id"`
}

// MembershipCreated is the data of organization.membership.created.
type MembershipCreated struct {
	OrganizationID string `json:"organization_id"`
	UserID         string `json:"user_id"`
	Role           string `json:"role"` // owner, admin or member
	// IsInitialMembership: it was created together with the organization.
	IsInitialMembership bool    `json:"is_initial_membership"`
	InvitationID        *string `json:"invitation_id"`
	// Metadata is what the application gave with the invitation, byte for byte; {} if it gave nothing.
	Metadata json.RawMessage `json:"metadata"`
}

// MembershipUpdated is the data of organization.membership.updated: the member has another role.
type MembershipUpdated struct {
	OrganizationID string `json:"organization_id"`
	UserID         string `json:"user_id"`
	Role           string `json:"role"` // owner, admin or member
}

// MembershipDeleted is the data of organization.membership.deleted.
type MembershipDeleted struct {
	OrganizationID string `json:"organization_id"`
	UserID         string `json:"user_id"`
	Role           string `json:"role"` // owner, admin or member
}

// InvitationCreated is the data of organization.invitation.created.
type InvitationCreated struct {
	InvitationID   string `json:"invitation_id"`
	OrganizationID string `json:"organization_id"`
	Email          string `json:"email"`
	Role           string `json:"role"` // owner, admin or member
	// Metadata is what the application gave with the invitation, byte for byte; {} if it gave nothing.
	Metadata        json.RawMessage `json:"metadata"`
	InvitedByUserID *string         `json:"invited_by_user_id"`
	ExpiresAt       time.Time       `json:"expires_at"`
}

// InvitationAccepted is the data of organization.invitation.accepted.
type InvitationAccepted struct {
	InvitationID   string `json:"invitation_id"`
	OrganizationID string `json:"organization_id"`
	Email          string `json:"email"`
	Role           string `json:"role"` // owner, admin or member
	// Metadata is what the application gave with the invitation, byte for byte; {} if it gave nothing.
	Metadata         json.RawMessage `json:"metadata"`
	AcceptedByUserID string          `json:"accepted_by_user_id"`
	AcceptedAt       time.Time       `json:"accepted_at"`
}

// InvitationRevoked is the data of organization.invitation.revoked: it was revoked or declined.
type InvitationRevoked struct {
	InvitationID   string `json:"invitation_id"`
	OrganizationID string `json:"organization_id"`
	Email          string `json:"email"`
	Role           string `json:"role"` // owner, admin or member
	// Metadata is what the application gave with the invitation, byte for byte; {} if it gave nothing.
	Metadata        json.RawMessage `json:"metadata"`
	RevokedByUserID *string         `json:"revoked_by_user_id"`
	RevokedAt       time.Time       `json:"revoked_at"`
}

// payloads reads the data of each kind.
var payloads = map[string]func(json.RawMessage) (any, bool){
	"user.created":                     parseData[UserCreated],
	"user.updated":                     parseData[UserUpdated],
	"user.deleted":                     parseData[UserDeleted],
	"organization.created":             parseData[OrganizationCreated],
	"organization.updated":             parseData[OrganizationUpdated],
	"organization.deleted":             parseData[OrganizationDeleted],
	"organization.membership.created":  parseData[MembershipCreated],
	"organization.membership.updated":  parseData[MembershipUpdated],
	"organization.membership.deleted":  parseData[MembershipDeleted],
	"organization.invitation.created":  parseData[InvitationCreated],
	"organization.invitation.accepted": parseData[InvitationAccepted],
	"organization.invitation.revoked":  parseData[InvitationRevoked],
}

func parseEvent(body []byte) (*Event, bool) {
	envelope, _ := parseObject(body)
	id, hasID := member[string](envelope, "id")
	kind, hasKind := member[string](envelope, "type")
	createdAt, hasTime := member[time.Time](envelope, "created_at")
	data := envelope["data"]
	if _, isObject := parseObject(data); !isObject || !hasID || !hasKind || !hasTime {
		return nil, false
	}
	event := &Event{ID: id, Type: kind, CreatedAt: createdAt, Data: data}
	parse, isKnown := payloads[kind]
	if !isKnown {
		return event, true
	}
	var fits bool
	event.Data, fits = parse(data)
	return event, fits
}

// parseData reads data whose every field is there, null only where it may be; further ones are ignored.
func parseData[T any](raw json.RawMessage) (any, bool) {
	members, _ := parseObject(raw)
	var data T
	for _, field := range reflect.VisibleFields(reflect.TypeFor[T]()) {
		value, ok := members[field.Tag.Get("json")]
		if !ok || (string(value) == "null" && field.Type.Kind() != reflect.Pointer) {
			return nil, false
		}
	}
	err := json.Unmarshal(raw, &data)
	return data, err == nil
}
