// Made by scripts/events.mjs from docs/reference/events. Do not edit.

/** The kinds of events. */
export type WebhookKind = keyof WebhookData;

/**
 * What a webhook tells. Its `type` says which `data` it has:
 *
 * ```ts
 * if (event.type === "user.deleted") await forget(event.data.user_id);
 * ```
 */
export type WebhookEvent = { [Kind in WebhookKind]: Envelope<Kind, WebhookData[Kind]> }[WebhookKind] | OtherEvent;

/** The test event of `doorward webhooks ping`. Kinds of later versions come in this shape, too: ignore them. */
export type OtherEvent = Envelope<"ping", Record<string, unknown>>;

/** What all events have. */
export interface Envelope<Type extends string, Data> {
  /** The event's id, the same at every delivery. */
  id: string;
  type: Type;
  /** When it happened, RFC 3339 in UTC. */
  created_at: string;
  data: Data;
}

/** The `data` of each kind of event. Later versions may add fields. */
export interface WebhookData {
  /** An organization was made. */
  "organization.created": {
    /** The organization. */
    organization_id: string;
    /** Its name. */
    name: string;
    /** `personal` has one member; `team` may have many. */
    kind: "personal" | "team";
    /** Who created it, while that account exists. */
    created_by_user_id: string | null;
  };
  /** An organization was deleted. */
  "organization.deleted": {
    /** The organization. */
    organization_id: string;
    /** Its name. */
    name: string;
    /** `personal` has one member; `team` may have many. */
    kind: "personal" | "team";
    /** Who created it, while that account exists. */
    created_by_user_id: string | null;
  };
  /** An invitation was accepted. */
  "organization.invitation.accepted": {
    /** The invitation. */
    invitation_id: string;
    /** The organization. */
    organization_id: string;
    /** The invited email address. */
    email: string;
    /** The role on acceptance. */
    role: "owner" | "admin" | "member";
    /** What the application gave with the invitation, byte for byte; `{}` if it gave nothing. */
    metadata: Record<string, unknown>;
    /** The user who accepted. */
    accepted_by_user_id: string;
    /** When. */
    accepted_at: string;
  };
  /** A person was invited. */
  "organization.invitation.created": {
    /** The invitation. */
    invitation_id: string;
    /** The organization. */
    organization_id: string;
    /** The invited email address. */
    email: string;
    /** The role on acceptance. */
    role: "owner" | "admin" | "member";
    /** What the application gave with the invitation, byte for byte; `{}` if it gave nothing. */
    metadata: Record<string, unknown>;
    /** Who invited; null for an operator and an API key. */
    invited_by_user_id: string | null;
    /** Until when the invitation can be accepted. */
    expires_at: string;
  };
  /** An invitation was revoked or declined. */
  "organization.invitation.revoked": {
    /** The invitation. */
    invitation_id: string;
    /** The organization. */
    organization_id: string;
    /** The invited email address. */
    email: string;
    /** The role on acceptance. */
    role: "owner" | "admin" | "member";
    /** What the application gave with the invitation, byte for byte; `{}` if it gave nothing. */
    metadata: Record<string, unknown>;
    /** Who did it; null for an operator, an API key and a visitor. */
    revoked_by_user_id: string | null;
    /** When. */
    revoked_at: string;
  };
  /** A user has become a member of an organization. */
  "organization.membership.created": {
    /** The organization. */
    organization_id: string;
    /** The user. */
    user_id: string;
    /** The role of the member. */
    role: "owner" | "admin" | "member";
    /** Whether it was created together with the organization. */
    is_initial_membership: boolean;
    /** The invitation that was accepted. */
    invitation_id: string | null;
    /** What the application gave with the invitation, byte for byte; `{}` if it gave nothing. */
    metadata: Record<string, unknown>;
  };
  /** A membership has ended. */
  "organization.membership.deleted": {
    /** The organization. */
    organization_id: string;
    /** The user. */
    user_id: string;
    /** The role of the member. */
    role: "owner" | "admin" | "member";
  };
  /** A member has another role. */
  "organization.membership.updated": {
    /** The organization. */
    organization_id: string;
    /** The user. */
    user_id: string;
    /** The role of the member. */
    role: "owner" | "admin" | "member";
  };
  /** An organization has another name. */
  "organization.updated": {
    /** The organization. */
    organization_id: string;
    /** Its name. */
    name: string;
    /** `personal` has one member; `team` may have many. */
    kind: "personal" | "team";
    /** Who created it, while that account exists. */
    created_by_user_id: string | null;
  };
  /** An account was made. */
  "user.created": {
    /** The user. */
    user_id: string;
  };
  /** An account was deleted. */
  "user.deleted": {
    /** The user. */
    user_id: string;
  };
  /** Something of an account changed; it does not say what. */
  "user.updated": {
    /** The user. */
    user_id: string;
  };
}
