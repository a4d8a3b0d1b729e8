# English: complete, and what stands where another language lacks a sentence.
# Names say where a sentence stands; what several pages share has no page's name.
# The file speaks Fluent: https://projectfluent.org. CONTRIBUTING.md tells how to add a sentence.

language-name = English

## Around every page

languages = Language
skip-to-content = Skip to the content
account-sections = Account
account-menu = Account menu, { $account }
person-named = { $name } ({ $account })
log-out = Log out
back-to-app = Back to { $brand }
terms = Terms
privacy = Privacy
support = Help
title-error = Error:
form-stale = This page expired. Nothing was changed. Please try again.
form-no-cookie = Nothing was changed, because your browser didn’t send a cookie. Allow cookies for this website, check that the address begins with { $base }, then reload the page.
form-other-origin = This form came from { $origin }, but belongs to { $base }. Nothing was changed. Open { $base } instead.
form-not-of-page = This page was open for more than 15 minutes, or another page sent the form. Nothing was changed. Check the form and send it again.

## Fields

email = Email
email-missing = Enter your email address.
email-too-long = An email address has at most { $max } characters.
email-invalid = This isn’t a valid email address.
email-taken = An account with this email address already exists. Log in instead.
email-verified = This email address is verified already.
address-verified = Verified
address-not-verified = Not verified
username = Username
username-characters = Use only letters (a to z), digits, dots, underscores and hyphens.
username-length = Use { $min } to { $max } characters.
username-is-id = A username can’t look like an ID. Choose another.
username-taken = This username is taken. Choose another, or leave the field empty.
username-in-use = This username is taken. Choose another.
username-missing = Enter a username.
password = Password
password-show = Show password
password-hint = At least { $min } characters.
# $count is a placeholder that the page's script fills.
password-more = { $count } more characters
password-one-more = One more character
password-enough = Good length
password-too-short = Use at least { $min } characters.
password-too-long = Use at most { $max } characters.
password-common = This password is too common. Choose another one.
password-personal = Don’t use your name or email address as your password.
password-same = This is your current password. Choose another one.
password-wrong = Wrong password.
optional = (optional)

## Log-in

log-in-title = Log in to { $brand }
log-in-name = Email or username
log-in-button = Log in
log-in-new-here = Don’t have an account?
log-in-sign-up = Sign up
# One sentence for an unknown account and for a wrong password (OWASP ASVS 5.0, 6.3.8).
log-in-wrong = Wrong email or password.
log-in-or = or
log-in-last-used = You used this last time

## Sign-up

sign-up-title = Create your account
# Where an invitation leads to a signup.
sign-up-join = Join { $organization }
sign-up-invited-by = { $inviter } invited you.
setup-title = Create the first administrator
setup-why = This account will manage the service. The link works once.
setup-done = Your account is ready. You manage this service now.
setup-over = It was already used, has expired, or was replaced by a newer one. “doorward setup-link” prints a new one, as long as the service has no administrator.
sign-up-email-fixed = Your invitation is for this address.
sign-up-username-hint = Leave it empty and we’ll choose one for you.
sign-up-username-hint-numbered = If it’s taken, we add a number. Leave it empty and we’ll choose one for you.
sign-up-username-rule = Letters, digits, dots, hyphens and underscores.
sign-up-username-rule-numbered = Letters, digits, dots, hyphens and underscores. If it’s taken, we add a number.
# $terms and $privacy are links with the words below.
sign-up-agree = By creating an account, you agree to the { $terms } and the { $privacy }.
sign-up-agree-terms = By creating an account, you agree to the { $terms }.
sign-up-agree-privacy = The { $privacy } says how we use your data.
sign-up-terms = Terms of Service
sign-up-privacy = Privacy Policy
sign-up-button = Create account
sign-up-back = Back to the invitation
sign-up-have-account = Already have an account?

## Times, durations, devices

# $year, $month and $day are numbers of the calendar, in UTC.
date = { $day } { $month ->
        [1] January
        [2] February
        [3] March
        [4] April
        [5] May
        [6] June
        [7] July
        [8] August
        [9] September
        [10] October
        [11] November
       *[12] December
    } { $year }
# $time is such as 14:05.
moment = { date }, { $time } UTC
clock = { $time } UTC
ago-now = just now
ago-minutes = { $count ->
        [one] { $count } minute ago
       *[other] { $count } minutes ago
    }
ago-hours = { $count ->
        [one] { $count } hour ago
       *[other] { $count } hours ago
    }
ago-days = { $count ->
        [one] { $count } day ago
       *[other] { $count } days ago
    }
ago-months = { $count ->
        [one] { $count } month ago
       *[other] { $count } months ago
    }
ago-years = { $count ->
        [one] { $count } year ago
       *[other] { $count } years ago
    }
seconds = { $count ->
        [one] { $count } second
       *[other] { $count } seconds
    }
minutes = { $count ->
        [one] { $count } minute
       *[other] { $count } minutes
    }
hours = { $count ->
        [one] { $count } hour
       *[other] { $count } hours
    }
device = { $browser } on { $system }
device-with-address = { $device }, { $address }
device-unknown = Unknown device
address-unknown = Unknown IP address
place-local = Local network ({ $address })
place-here = This network ({ $address })
today = Today
yesterday = Yesterday

## Errors

error-status = Error { $status }
error-reference = Reference
error-to-account = Go to your account
error-to-log-in = Go to login
error-logged-in = You’re logged in as { $account }.
use-another-account = Use another account
error-try-again = Try again in { $wait }.
error-try-now = You can try again now.
error-retry = Try again
error-support = Contact support
error-bad-request = Something’s wrong with this request
error-bad-request-why = It was incomplete or damaged. Nothing was changed. Go back and try again.
error-forbidden = You can’t do this
error-script = This page can’t be loaded from another page
error-script-alone = Nothing was changed. Open it by itself.
error-script-open = Open the page
error-not-found = Page not found
error-not-found-why = The link may be old, or the address mistyped.
error-method = This page can’t be opened this way
error-method-why = Nothing was changed. Start again from the beginning.
error-too-large = That’s too much to send
error-too-large-why = Shorten what you entered and send it again.
error-too-many = Too many attempts
error-too-many-why = We limit attempts to keep accounts safe.
error-internal = Something went wrong
error-internal-why = It’s our fault, not yours. Please try again in a moment.
error-internal-tell = If it keeps happening, contact support with this reference.
error-unavailable = We’ll be right back
error-unavailable-why = We’re down for maintenance or very busy.

## Log-in: what can come between

disabled-title = Account disabled
disabled-why = An administrator has disabled this account. You can’t log in with it.
disabled-help = If you think this is a mistake, contact support.
disabled-other = Log in with another account
refused-by-application-title = You’re logged in
refused-by-application-why = The app sent you back here. It may not accept your account { $username }.
refused-by-application-as = Your account here is { $username }.
refused-by-application-help = Try again, or log out and use another account.
continue = Continue
log-out-title = Log out
log-out-question = Do you want to log out on this device?
log-out-stay = Stay logged in
log-out-two = To continue, log out of both, then log in with the one you want.
log-out-two-title = You’re logged in to two accounts
log-out-both = Log out of both

## Sign-up: where not everyone may

sign-up-closed = Signup is closed
sign-up-closed-why = New accounts can’t be created here.
sign-up-by-invitation = Signup is by invitation
sign-up-by-invitation-why = If you’ve been invited, open the link in your invitation email.
sign-up-invitation-void = This invitation is no longer valid
sign-up-invitation-void-why = It was used, revoked or replaced, or it has expired. Ask the person who invited you for a new one.

## Login with others

provider-continue = Continue with { $provider }
provider-start-title = Log in with { $provider }?
provider-start-what = Another site sent you here. Continue only if you want to log in to { $brand }.
# $reference is such as 1f0c9ab2; the log has it too.
provider-canceled = You didn’t finish logging in with { $provider }. Try again, or log in another way. Reference: { $reference }
provider-refused = Logging in with { $provider } didn’t work. Try again, or log in another way. Reference: { $reference }
provider-away = { $provider } isn’t responding right now. Try again later, or log in another way. Reference: { $reference }
departure-title = Continue to { $host }
departure-what = You’re leaving this page for { $host }. If nothing happens, use the button.
connect-title = You already have an account
connect-log-in = There is an account with { $email }. Log in to connect it to { $provider }.
connect-not-now = Not now
connect-mail = An account with { $email } exists, but it has no password and no passkey. We’ll email you a code to connect it to { $provider }.
connect-mail-sent = We sent a code to { $email }. Enter it here to connect the account to { $provider }.
connect-offer = Connect this login to your account? You can then log in either way.
connect-with = Connect with { $account }
connect-other = You’re logged in to another account. Log out, then log in with { $provider } again.
connect-logged-in = Logged in
connect-void = This took too long, or it was done in another tab. Start again.
details-title = Finish signing up
details-address = { $provider } didn’t share your email address. Enter it to create your account.
details-username = Choose a username to create your account.
identity-taken-title = Already connected
identity-taken-why = Another account is connected with this account at { $provider }. Disconnect it there first.
identities-full-title = Too many connected accounts
identities-full-why = An account can be connected with { $max } others at most. Remove one first.
invited-elsewhere-title = This invitation is for someone else
invited-elsewhere-why = It is for { $email }, which is not the address of your account at { $provider }. Sign up with { $email }, or ask for another invitation.
confirm-email-code-there = To verify { $email }, enter the code of the email in the browser where you signed up.
connections-title = Connected accounts
connections-why = Other accounts you can log in with.
connections-own = Your connected accounts
connections-none = You haven’t connected any account.
connections-add = Connect an account
connections-add-why = Log in here with an account you already have elsewhere.
connections-last = This is the only way you can log in. Set a password or add a passkey first.
connections-connected = Your account is connected.
connections-removed = The account is disconnected.
connection-used = Last used { $when }
connection-unused = Connected { $when }, not used yet
connection-gone = No longer available
connections-add-another = Connect a second account
connection-remove = Disconnect
connection-remove-one = Disconnect { $provider }
security-connections = { $count ->
        [0] None
        [one] One
       *[other] { $count }
    }

## Confirm that it is you

confirm-title = Confirm it’s you
confirm-why = Before you continue, we need to check that it’s you.
confirm-factor-why = This page needs a second factor.
confirm-code-why = Enter the code from your authenticator app.
confirm-no-factor = Your account has none yet. Set up two-factor authentication or add a passkey, then open the page again.
confirm-set-up-factor = Set up two-factor authentication
confirm-codes-refused = Too many wrong codes were entered for this account, so we no longer accept codes from your app. Use a recovery code.
confirm-account = Account
confirm-back = Back to your account
confirm-passkey = Use a passkey
confirm-passkey-wrong = That passkey didn’t work. Try again, or use another way.
confirm-no-password = Your account has no password. If you can’t use your passkey, set a password by email.
confirm-mail = Your account has no password and no passkey. We can email a code to { $email } instead.
confirm-mail-sent = We sent a code to { $email }. Enter it here.
confirm-mail-send = Email me a code
confirm-not-asked-for = That isn’t asked for here. Use another way on this page.
# $left is the number of tries that are left.
own-code-wrong = { $left ->
    [0] Wrong code. Send a new one.
    [one] Wrong code. One attempt left.
   *[other] Wrong code. { $left } attempts left.
}
own-code-over = This code no longer works. Send a new one.
own-codes-refused = Too many wrong codes were entered, so we accept none for now. Set a password by email instead.
confirm-nothing = We need a way to check that it’s you, and your account has no password, passkey or email address. Log in again the way you usually do: you will be asked for an address. If you aren’t, ask your administrator to add one.
confirm-nothing-title = Add an email address to continue
confirm-log-in-again = Log out and log in again
confirm-set-password = Email me a link to set a password

## Account

account-title = Your account
account-section = Profile
account-warning = Someone may have used one of your sessions
account-warning-why = On { $when }, an old copy of a session cookie was used, so we ended that session. Restoring a browser from a backup can cause this. If you can’t explain it, contact support.
account-profile = Profile
account-roles = Roles
account-since = Member since { $since }
account-id = User ID
account-organization = Organization
account-organization-kind = Kind
account-add-name = Add a name
address-verified-now = Your email address is verified.
joined = You joined { $organization }.
recovery-code-used = You used a recovery code. { $left ->
        [0] It was your last one. Create new ones on the security page.
        [one] You have one left. Create new ones on the security page.
       *[other] You have { $left } left.
    }
account-warning-link = Review your sessions
account-data = Your data
account-data-why = Everything we store about you.
account-delete = Delete your account
account-delete-why = Permanently delete your account and data.
account-delete-title = Delete your account?
account-delete-what = This deletes { $email } permanently, with:
account-delete-data = Your profile, login methods and sessions
account-delete-organizations = { $count ->
        [one] The organization { $names }, which only you belong to
       *[other] { $count } organizations that only you belong to: { $names }
    }
account-delete-memberships = { $count ->
        [one] Your membership in { $names }
       *[other] Your { $count } memberships: { $names }
    }
account-delete-final = This can’t be undone.
account-delete-button = Delete account
account-deleted = Your account is deleted
account-deleted-what = You’ve been logged out and removed from all organizations.
account-last-owner = You’re the last owner of { $organizations }. Make another member an owner, or delete the organization, first.
user-last-owner = The account is the last owner of { $organizations }. Make another member an owner, or delete the organization, first.
account-last-admin = You’re the last administrator. Make another account an administrator first.
cancel = Cancel
keep = Keep it

## Username

display-name = Name
display-name-title = Your name
display-name-why = Some of our emails call you by it, and applications can show it. It need not be unique, and you don’t log in with it.
display-name-hint = Up to 100 characters. Leave it empty to remove it.
display-name-button = Save name
display-name-saved = Your name was saved.
display-name-removed = Your name was removed.
username-title = Change your username
username-change-what = People and applications see the new name right away, and you log in with it. No one else can take the old one for 90 days.
username-hint = 2 to 64 letters, digits, dots, hyphens or underscores.
username-button = Change username
username-changed = Your username was changed.

## Security

security-title = Security
security-sign-in = Login methods
security-seen = Where you’re logged in
security-recommended = Recommended
security-on = On
security-sessions-count = { $count ->
        [one] On this device only
       *[other] { $count } sessions
    }
security-password-set = Set
security-password-none = None: you log in without one
security-password-changed = Last changed { $when }
password-title = Change your password
password-first-title = Set a password
password-current = Current password
password-new = New password
password-end-others = Log out of all other devices
password-button = Change password
password-first-button = Set password
password-changed = Your password was changed.
password-changed-others = Your password was changed. Passkeys and connected accounts log in without it: remove those that aren’t yours.
password-others = A new password doesn’t end other ways to log in. Check that they are yours:

## Sessions

sessions-title = Sessions
sessions-warning-do = Log out of all other devices, and change your password.
sessions-warning-alone = To be safe, change your password.
sessions-this = This device
sessions-line = { $place } · Active { $used } · Since { $since }
sessions-others-why = Log out of any you don’t recognize.
sessions-none = You’re not logged in anywhere else.
sessions-end = Log out
sessions-end-one = Log out { $device }
sessions-end-others = Log out of all other devices
sessions-ended-one = That device was logged out.
sessions-ended-others = All other devices were logged out.

## Activity

activity-title = Activity
activity-why = What happened in your account in the last 90 days.
activity-filter = Filter
activity-all = All
activity-none = Nothing yet.
activity-kind = { $kind ->
        [account_created] Account created
        [account_deleted] Account deleted
        [account_disabled] Account disabled
        [account_enabled] Account enabled
        [account_unlocked] Account unlocked after failed logins
        [roles_changed] Platform roles changed
        [signed_in] Logged in
        [sign_in_failed] Login failed: wrong password
        [sign_in_refused] Login refused: the account was disabled
        [sign_in_limited] Login refused after too many attempts
        [signed_out] Logged out
        [confirmed] Confirmed with password or passkey
        [confirm_failed] Confirmation failed
        [session_ended] Logged out one device
        [sessions_ended] Logged out all other devices
        [reuse_detected] Session ended: an old session cookie was used
        [password_changed] Password changed
        [password_reset] Password reset by email
        [password_reset_sent] Link to reset the password sent
        [verification_sent] Email to verify the address sent
        [email_verified] Email address verified
        [email_changed] Email address changed
        [email_change_undone] Change of email address undone
        [email_released] Email address moved to another account, whose owner verified it
        [username_changed] Username changed
        [name_changed] Name changed
        [totp_enabled] Authenticator app added
        [totp_disabled] Authenticator app removed
        [second_factor_failed] Login failed: right password, wrong second factor
        [second_factor_missing] Password accepted, second factor pending
        [recovery_codes_made] New recovery codes created
        [recovery_code_used] Recovery code used
        [device_remembered] Device trusted
        [passkey_added] Passkey added
        [passkey_renamed] Passkey renamed
        [passkey_removed] Passkey removed
        [identity_connected] Connected an account elsewhere
        [identity_removed] Disconnected an account elsewhere
        [provider_refused] Login with another account refused
        [passkey_copied] Passkey refused: there may be a copy of it
        [data_exported] Data downloaded
        [details_changed] App data changed
        [api_key_created] API key created
        [api_key_revoked] API key revoked
        [api_key_rotated] API key rotated
        [api_key_refused] API key refused
        [provider_added] Provider added
        [provider_changed] Provider changed
        [provider_removed] Provider removed
        [organization_created] Organization created
        [organization_renamed] Organization renamed
        [organization_deleted] Organization deleted
        [member_added] Member added to an organization
        [member_role_changed] Role in an organization changed
        [member_removed] Member removed from an organization
        [invitation_created] Invitation to an organization created
        [invitation_resent] Invitation to an organization resent
        [invitation_revoked] Invitation to an organization revoked
        [deliveries_replayed] Webhooks sent again
        [admin_refused] Change by an administrator refused
        [audit_exported] Audit log downloaded
       *[other] { $kind }
    }
# What a password was asked for.
activity-prompt = { $prompt ->
        [password_change] To change the password
        [account_deletion] To delete the account
        [two_factor_removal] To turn off two-factor authentication
        [email_verification] To verify the email address
        [passkey] With a passkey
       *[other] { $prompt }
    }
activity-by-operator = By an administrator
activity-times = { $count ->
        [one] { $count } time
       *[other] { $count } times
    }
activity-look-twice = Unusual
activity-latest = Latest
activity-older = Older

## Data

export-title = Download your data
export-what = You get a JSON file with your profile, memberships, invitations, sessions and activity. It contains no passwords and nothing anyone could log in with. Keep it private all the same.
export-elsewhere = Applications keep their own data, which isn’t included.
export-button = Download

## Organizations

organizations-section = Organizations
organizations-yours = Your organizations
organizations-yours-why = Apps show the data of your active organization.
organizations-line = { $members ->
        [one] 1 member
       *[other] { $members } members
    } · { role }
organizations-line-personal = { $name } · Only you
organizations-active = Active
organizations-switch = Switch
organizations-switch-to = Switch to { $organization }
organizations-create = Create an organization
organizations-create-why = You’ll be its owner and can invite others.
organizations-create-button = Create organization
name = Name
kind = { $kind ->
        [personal] Personal
       *[team] Team
    }
role = { $role ->
        [owner] Owner
        [admin] Admin
       *[member] Member
    }
role-label = Role
roles-explained = Members can see who’s in the organization. Admins can invite and manage members. Owners can do everything.
organization-line = { $role ->
        [owner] You’re an owner
        [admin] You’re an admin
       *[member] You’re a member
    }
organization-personal-why = A personal organization has no other members. It stays as long as your account.
organization-tabs = Pages of the organization
organization-settings = Settings
organization-settings-title = Settings of { $organization }
organization-invitations-title = Invitations to { $organization }
organization-switched = You’re now working in { $kind ->
        [personal] your personal organization
       *[team] { $organization }
    }.
organization-created = { $organization } was created. You’re working in it now.
organization-renamed = The name was changed.
organization-left = You left the organization. { organization-switched }
organization-deleted = The organization was deleted. { organization-switched }
organization-members = Members
organization-members-many = { $members } members, newest first
organization-alone = You’re the only member so far. Invite the people you work with.
organization-find = Find a member
organization-find-by = Username or email
organization-find-button = Find
organization-members-none = No more members.
organization-members-not-found = No member has a username or email that begins with “{ $search }”.
organization-you = { $username } (you)
organization-pages = Pages of members
organization-all-members = All members
organization-first-page = First page
organization-next-page = Next page
organization-invitations = Invitations
organization-pending = Sent invitations
organization-expired = Expired
organization-invitations-none = No pending invitations.
organization-invitation-until = Expires on { $until }
organization-invitation-expired = Expired on { $until }
organization-new-link = Send a new link
organization-invitation-acts = Actions for { $email }
organization-revoke = Revoke
organization-remove-expired = Remove
organization-invitation-ended = The invitation was revoked.
organization-invite-button = Invite
organization-invite-addresses = Email addresses
organization-invite-several = You can enter several, separated by commas, spaces or line breaks.
organization-link-made = Invitation created
organization-link-for = Link for { $email }
organization-link-mailed = Invitation sent to { $email }
organization-link-mailed-why = You can also copy the link and share it yourself. It works for this address only, until { $until }. You won’t see it again.
organization-links-made = { $count } invitations created
organization-links-mailed = { $count } invitations sent
organization-links-mailed-why = You can also copy the links and share them yourself. Each works for its address only, until { $until }. You won’t see them again.
organization-link-why = Email isn’t set up here, so copy the link and share it yourself. It works for this address only, until { $until }. You won’t see it again.
organization-links-why = Email isn’t set up here, so copy the links and share them yourself. Each works for its address only, until { $until }. You won’t see them again.
copy = Copy
copied = Copied
organization-name-why = How people and applications see it.
organization-rename-button = Rename
organization-leave-row = Leave organization
organization-delete-row-what = All members lose access right away. This can’t be undone.
organization-leave = Leave { $organization }
organization-leave-question = Leave organization?
organization-leave-not-yet = You can’t leave yet
organization-leave-what = You’ll lose access right away. You need an invitation to come back.
organization-leave-button = Leave
organization-stay = Stay
organization-choose-owner = Choose another owner
organization-delete = Delete { $organization }
organization-delete-question = Delete organization?
organization-delete-what = All members lose access right away, and pending invitations end. Members keep their accounts. This can’t be undone.
organization-delete-confirm = Type the organization’s name to confirm: { $organization }
organization-delete-wrong-name = This isn’t the organization’s name.
organization-delete-button = Delete organization
member-title = { $username } in { $organization }
member-role-button = Change role
member-role-changed = The role was changed.
member-remove = Remove from { $organization }
member-remove-title = Remove { $username } from { $organization }?
member-remove-question = Remove this member?
member-remove-why = { $username } loses access to { $organization } right away. Their account isn’t deleted.
member-removed = The member was removed.
member-remove-button = Remove { $username }
role-missing = Choose a role.
organization-back = Back to the organization
name-missing = Enter a name.
name-too-long = Use at most { $max } characters.
name-invisible = A name can’t have invisible characters.
name-address = A name can’t have a web address or an @ in it.
name-marks = A name can’t begin with an accent or pile accents up.
name-unreadable = A name needs a letter or a digit.
invite-own-address = This is your own address.
invite-member-already = This person is already a member.
invite-invited-already = This address already has an invitation. Create a new link for it instead.
invite-too-many-at-once = You can invite up to { $max } people at once.
invite-too-soon = This address got too many emails lately. Try again later.
invite-limited = You’ve sent many invitations. The ones below weren’t sent: try again in { $wait }.
invite-refused = { $count ->
        [one] One address wasn’t invited.
       *[other] { $count } addresses weren’t invited.
    }
invite-refused-address = { $email }: { $why }
refused-not-permitted = Your role in this organization doesn’t allow that.
refused-above-own-role = Only an owner can do that. You can’t grant or remove a role above your own.
refused-last-owner = An organization needs an owner. Make another member an owner first.
refused-personal = A personal organization has no other members, and stays as long as its owner’s account.
refused-no-teams = You can’t create organizations here.
refused-no-invitations = Invitations are turned off: every organization is personal.
refused-not-pending = This invitation is no longer pending.
refused-operators-invitation = An administrator created this invitation, and only an administrator can create a new link for it.
refused-unverified = Verify your email address before you invite people.
refused-unverified-link = Verify your email address
refused-too-many-pending = 100 invitations are waiting for an answer. Revoke some before you invite more people.
refused-protected = This account has platform roles, so this can’t be done here.
in-english = { $sentence }

## Invitations

invitation-title = Invitation to { $organization }
invitation-other = This invitation is for someone else
invitation-other-why = It’s for { $email }, but you’re logged in as { $own }.
invitation-log-out = Log out and continue
invitation-join = Join { $organization }?
invitation-not-yet = You can’t join { $organization } yet
invitation-for-you = You’re invited to be { $role ->
        [owner] an owner
        [admin] an admin
       *[member] a member
    }. You’re logged in as { $username }.
invitation-for-you-by = { $inviter } invited you to be { $role ->
        [owner] an owner
        [admin] an admin
       *[member] a member
    }. You’re logged in as { $username }.
invitation-accept = Accept
invitation-for-address = { $email } is invited to be { $role ->
        [owner] an owner
        [admin] an admin
       *[member] a member
    }.
invitation-for-address-by = { $inviter } invited { $email } to be { $role ->
        [owner] an owner
        [admin] an admin
       *[member] a member
    }.
invitation-has-account = Log in to accept.
invitation-either = Log in or create an account with this address to accept.
invitation-log-in-only = Log in with this address to accept. New accounts can’t be created here.
invitation-sign-up = Create an account
invitation-no-sign-up = New accounts can’t be created here. Ask the person who invited you.
invitation-decline = Decline
invitation-ends = The invitation expires on { $until }.
invitation-accepted-own = You’ve already joined
invitation-accepted-own-why = You’re a member of { $organization }. There’s nothing more to do.
invitation-accepted = This invitation was already used
invitation-accepted-why = It works only once. Log in with the account that accepted it.
invitation-declined = Invitation declined
invitation-declined-why = If that was a mistake, ask for a new invitation.
invitation-revoked = This invitation was revoked
invitation-revoked-why = Ask the person who invited you whether there is a new one.
invitation-expired = This invitation has expired
invitation-expired-why = Ask the person who invited you for a new link.
invitation-void = This invitation isn’t valid
invitation-void-why = The link may be incomplete or replaced by a newer one. Ask the person who invited you for a new link.
invitation-to-organizations = Your organizations

## Proof of an address

verify-title = Check your email
verify-sent = We sent a 6-digit code to { $email }.
verify-not-sent = Verify { $email } so you can recover your account. We’ll send you a code.
verify-code = Verification code
verify-code-hint = The code works for 10 minutes. You can also follow the link in the email.
code-sends-itself = The code is submitted when all six digits are entered.
code-sends-itself-chosen = The code is submitted when all six digits are entered and the box below is checked.
resend-wait = Send again in { $wait }
# $left is the number of tries that are left.
verify-code-wrong = { $left ->
    [0] Wrong code. Send a new one, or use the link in the email.
    [one] Wrong code. One attempt left.
   *[other] Wrong code. { $left } attempts left.
}
verify-code-replaced = A newer email has another code. Enter that one.
verify-code-over = This code no longer works. Send a new one, or use the link in the email.
verify-button = Verify
verify-resend = Send again
verify-send = Send code
verify-send-new = Send a new code
verify-sent-again = We sent a new code. The previous one no longer works.
verify-later = Verify later
verify-wrong-address = Wrong address?
verify-change-address = Change it
verify-start-over = Start over
confirm-email-title = Verify your email
confirm-email = Is { $email } your email address?
confirm-email-elsewhere = To verify { $email } on this device, enter the password you signed up with.
confirm-email-password-hint = This confirms the account is yours.
confirm-email-password-wrong = Wrong password.
confirm-email-button = Verify my email
confirm-email-not-me = Didn’t sign up, or forgot the password?
confirm-email-set-password = Set a new one
confirm-email-ignore = Didn’t sign up? You can close this page.
link-over-title = This link no longer works
proof-over = It was already used, has expired, or was replaced by a newer email. Log in or sign up to get a new one.
link-other-title = This link is for another account
link-other = You’re logged in with a different one. Log out, then open the link again.
link-to-log-in = Go to login
address-taken-title = This address already has an account
address-taken = Log in with it, or reset its password if you forgot it.
proof-invitation-void-title = This invitation is no longer valid
proof-invitation-void = Your email address is verified, but the invitation you signed up with is no longer valid. Ask the person who invited you for a new one.

## Forgotten password

forgot-title = Reset your password
forgot-explanation = Enter your email address and we’ll send you a link to reset your password.
forgot-button = Send link
forgot-back = Back to login
reset-sent-title = Check your email
reset-sent = If an account has this address, we sent it a link to reset the password.
reset-sent-to = If { $email } has an account, we sent it a link to reset the password.
reset-sent-hint = The link works for 30 minutes. Nothing there? Check your spam folder.
reset-sent-resend = Send again
reset-title = Set a new password
reset-explanation = Choose a new password for { $email }. Other devices will be logged out.
reset-new-password = New password
reset-button = Set password
reset-over = It was already used, has expired, or was replaced by a newer email.
reset-over-again = Get a new link
log-in-forgot = Forgot password?
log-in-password-set = Your password was changed. Log in with the new one.
log-in-confirmed = Your email is verified. Log in to continue.
log-in-unproved-hint = Just signed up? Follow the link in the email we sent you first.
password-breached = This password has appeared in a data breach. Choose another one.

## Whose account holds an address

whose-account-title = Is this account yours?
whose-account-exists = You verified { $email }. An account with this address already exists, but the address was never verified.
whose-account = Whose account is it?
whose-account-which = { $username }, created { $when }
whose-account-organizations = Member of:
whose-account-mine = It’s mine
whose-account-mine-what = Keep it. Earlier ways to log in stop working, and other devices are logged out.
whose-account-not-mine = It isn’t mine
whose-account-not-mine-what = Create a new account. The other one stays, without this address.
whose-account-button = Continue
whose-account-not-answered = Choose one of the two answers.
whose-account-changed = Another account has the address now. Check it, and answer again.

## Accounts without an address

no-address = No email address
no-address-title = Add an email address
no-address-why = Someone else verified the address your account had. Add another one, so you can reset your password.
no-address-hint = We’ll send a link and a code to the address.
no-address-log-in = Another account has verified the email address of your account { $username }.
no-address-add-to-log-in = Add a new one to log in.
no-address-other-way = Log in another way
no-address-needs-proof = Log in with your password or a passkey, then add an address.
no-address-by-operator = Your account has neither a password nor a passkey. Ask an administrator to add an address.
no-address-add = Add an email address
no-address-later = Not now

## Change of address

account-email-title = Email address
account-email-pending = New address
account-email-pending-hint = Verify it to start using it.
account-email-pending-sent = We sent a code to { $email }.
account-email-confirm = Verify
account-email-cancel = Keep the current address
account-email-change = Change email address
account-email-change-hint = We’ll send a link and a code to the new address, and let your current address know.
account-email-new = New email address
account-email-send = Send verification email
account-email-changed = Your email address was changed.
email-change-same = This is already your address.
account-unproved-title = Verify your email address
account-unproved = Verify { $email } so you can recover your account. Enter the code from our email, or send a new one.
account-unproved-enter = Enter code
undo-title = Restore your email address?
undo-explanation = { $email } becomes the address of your account again.
undo-consequences = You’ll be logged out everywhere and asked for a new password.
undo-button = Restore address
undo-ignore = Changed it yourself? You can close this page.
undo-over = It was already used, or is older than 72 hours. If someone else changed your account, contact support.

## Emails

mail-label = { $label }:
mail-button-instead = If the button doesn’t work, open this link:
mail-reason-account = You’re receiving this because { $to } has an account at { $site }.
# The time that is left, such as “10 minutes”. $unit is minutes, hours or days.
mail-duration = { $unit ->
    [minutes] { $count ->
        [one] { $count } minute
       *[other] { $count } minutes
    }
    [hours] { $count ->
        [one] { $count } hour
       *[other] { $count } hours
    }
   *[days] { $count ->
        [one] { $count } day
       *[other] { $count } days
    }
}
mail-code-until = The code expires in { $duration } and works once.
# $duration is of the code, $link of the button, whose link the plain text has.
mail-code-or-button = The code expires in { $duration }, the button in { $link }.
mail-code-or-link = The code expires in { $duration }. This link does the same and expires in { $link }:
# $device is such as “Chrome on macOS, 192.0.2.1”.
mail-device = Device: { $device }
mail-not-you = If this was you, you’re all set. If not, change your password and log out of all other devices.
mail-provider-not-you = If this was you, you’re all set. If not, disconnect it, change your password and log out of all other devices.
mail-verify-button = Verify email address
mail-invitation-subject = Invitation to “{ $organization }” on { $site }
mail-invitation-subject-by = { $inviter } invited you to “{ $organization }” on { $site }
mail-invitation-heading = Join “{ $organization }”
mail-invitation-by = { $inviter } invited you to join “{ $organization }” as { $role ->
    [owner] an owner
    [admin] an admin
   *[member] a member
}.
mail-invitation-for = You’re invited to join “{ $organization }” as { $role ->
    [owner] an owner
    [admin] an admin
   *[member] a member
}.
mail-invitation-button = View invitation
mail-invitation-until = The invitation is for { $to } only. The link expires in { $duration }.
mail-invitation-reason = You’re receiving this because someone at { $site } invited { $to }. If you weren’t expecting it, you can ignore this email. Nothing happens unless you accept.
mail-verify-subject = Verify your email address
mail-verify-what = Enter this code to verify { $to } for your account at { $site }:
mail-verify-reason = You’re receiving this because someone entered { $to } at { $site }. If it wasn’t you, you can ignore this email.
mail-confirmation-code-subject = Confirm it’s you
mail-confirmation-code-what = Enter this code to confirm that the account with { $to } at { $site } is yours:
mail-confirmation-code-not-you = Don’t give it to anyone. If you didn’t ask for it, someone may be using your account: log in, and end the sessions that aren’t yours.
mail-reset-subject = Reset your password
mail-reset-what = We received a request to reset the password for { $to } at { $site }.
mail-reset-button = Reset password
mail-reset-until = The link expires in { $duration } and works once.
mail-reset-not-you = If you didn’t ask for this, you can ignore this email. Your password stays the same.
mail-set-password-subject = Your account at { $site }
mail-set-password-heading = Set your password
mail-set-password-what = An account at { $site } was created for { $to }. Set a password to log in.
mail-set-password-button = Set password
mail-set-password-reason = You’re receiving this because { $site } created an account with { $to }. If you weren’t expecting it, you can ignore this email.
mail-password-changed-subject = Your password was changed
mail-password-changed-what = The password for your account at { $site } was changed on { $when }.
mail-password-changed-button = This wasn’t me
mail-password-changed-not-you = If this was you, you’re all set. If not, reset your password now. That logs you out everywhere. Then remove the passkeys and connected accounts that aren’t yours: they log in without the password.
mail-change-subject = Verify your new email address
mail-change-what = Enter this code to make { $to } the email address of your account at { $site }:
mail-change-until-then = Until you do, the account keeps its old address.
mail-change-reason = You’re receiving this because someone entered { $to } as their new email address at { $site }. If it wasn’t you, you can ignore this email.
mail-changed-subject = Your email address was changed
mail-person = “{ $name }” ({ $account })
mail-changed-what = The account { $username } at { $site } got a new email address on { $when }. { $to } is no longer its address.
mail-changed-button = Undo the change
mail-changed-until = If this was you, you’re all set. If not, undo the change within { $duration }. Your address comes back, and the account is logged out everywhere.
mail-changed-reason = You’re receiving this because { $to } was the email address of an account at { $site }.
mail-replaced-by = { $site } made this change. If you weren’t expecting it, contact { $site }.
mail-passkey-added-subject = A passkey was added
mail-passkey-added-what = The passkey “{ $name }” was added to your account at { $site } on { $when }.
mail-passkey-removed-subject = A passkey was removed
mail-passkey-removed-what = The passkey “{ $name }” was removed from your account at { $site } on { $when }.
mail-passkeys-removed-subject = All passkeys were removed
mail-passkeys-removed-what = All passkeys were removed from your account at { $site } on { $when }.
mail-app-added-subject = An authenticator app was added
mail-app-added-what = An authenticator app was added to your account at { $site } on { $when }. Logging in now asks for its codes.
mail-app-removed-subject = An authenticator app was removed
mail-app-removed-what = The authenticator app was removed from your account at { $site } on { $when }. Logging in no longer asks for its codes.
mail-codes-added-subject = New recovery codes
mail-codes-added-what = New recovery codes were created for your account at { $site } on { $when }.
mail-codes-removed-subject = Recovery codes were removed
mail-codes-removed-what = The recovery codes for your account at { $site } were removed on { $when }.
mail-provider-connected-subject = { $name } was connected
mail-provider-connected-what = { $name } was connected to your account at { $site } on { $when }. You can now log in with it.
mail-provider-disconnected-subject = { $name } was disconnected
mail-provider-disconnected-what = { $name } was disconnected from your account at { $site } on { $when }. You can no longer log in with it.
mail-method-button = Review your security settings
mail-connections-button = Review your connected accounts
mail-account-button = Review your account
mail-disabled-subject = Your account was disabled
mail-disabled-what = Your account { $username } at { $site } was disabled on { $when }. You’ve been logged out everywhere and can’t log in.
mail-enabled-subject = Your account was enabled
mail-enabled-what = Your account { $username } at { $site } was enabled on { $when }. You can log in again.
mail-enabled-button = Log in
mail-sessions-ended-subject = You were logged out
mail-sessions-ended-what = Sessions of your account { $username } at { $site } were ended on { $when }.
mail-sessions-ended-button = Review your sessions
mail-role-changed-subject = Your platform roles were changed
mail-role-changed-what = The platform roles of your account { $username } at { $site } were changed on { $when }.
mail-role-changed-now = { $count ->
        [0] The account has none now.
        [one] Its role is now { $roles }.
       *[other] Its roles are now { $roles }.
    }
mail-told-by = An administrator of { $site } made this change. If you weren’t expecting it, contact { $site }.
mail-deed-subject = A privileged account was changed
mail-deed-what = { $deed ->
    [disabled] The account { $username } at { $site } was disabled by an administrator on { $when }.
    [enabled] The account { $username } at { $site } was enabled by an administrator on { $when }.
    [role] The platform roles of the account { $username } at { $site } were changed by an administrator on { $when }.
    [email] The email address of the account { $username } at { $site } was changed by an administrator on { $when }.
    [sessions] Sessions of the account { $username } at { $site } were ended by an administrator on { $when }.
    [factors] The second factors of the account { $username } at { $site } were removed by an administrator on { $when }.
    [identity] An account elsewhere was disconnected from the account { $username } at { $site } by an administrator on { $when }.
    [deleted] The account { $username } at { $site } was deleted by an administrator on { $when }.
   *[renamed] The account { $username } at { $site } was changed by an administrator on { $when }.
}
mail-deed-why = The account has a platform role, or had one. The audit log says who did this, and why.
mail-deed-button = See the account
mail-deed-reason = You’re receiving this because { $to } is the address of an administrator of { $site }.
mail-recovered-subject = Your account was brought back
mail-recovered-what = Your account { $username } at { $site }, which had been deleted, was brought back from a backup on { $when }. Look at which ways to log in it has.
mail-deleted-subject = Your account was deleted
mail-deleted-what = The account { $username } at { $site } was deleted on { $when }, with everything in it. This can’t be undone.
mail-deleted-not-you = If you didn’t expect this, contact { $site }.
mail-deleted-reason = You’re receiving this because { $to } was the email address of this account.
mail-test-subject = Test email from { $site }
mail-test-heading = Email works
mail-test-what = This is a test. Email from { $site } reaches { $to }.
mail-test-reason = You’re receiving this because an administrator of { $site } sent a test.

mail-sign-up-subject = Finish signing up for { $site }
mail-sign-up-heading = Finish signing up
mail-sign-up-what = Enter this code on the signup page. Don’t share it:
mail-sign-up-account-exists = An account with { $to } already exists, but the address was never verified. The next page asks whether that account is yours. Nothing is deleted.
mail-sign-up-reason = You’re receiving this because someone is signing up for { $site } with { $to }. If it wasn’t you, you can ignore this email. No account is created unless you verify.
mail-taken-subject = You already have an account at { $site }
mail-taken-heading = You already have an account
mail-taken-what = Someone tried to use { $to } for an account at { $site }. If it was you, you already have an account.
mail-taken-button = Log in
mail-taken-not-you = Forgot your password? You can reset it on the login page. If it wasn’t you, you can ignore this email. Nothing was changed.

## Two-factor log-in

security-two-factor-on = { $count ->
        [one] One recovery code left.
       *[other] { $count } recovery codes left.
    }
security-two-factor-off = Off
end-other-sessions = Log out of all other devices
password-yours = Your password
download = Download
second-factor-title = Two-factor authentication
second-factor-code-title = Two-factor authentication
second-factor-code-why = Enter the code from your authenticator app for { $username }.
second-factor-recovery-title = Enter a recovery code
second-factor-recovery-why = Enter one of the recovery codes you saved for { $username }. Each code works once.
second-factor-recovery-code = Recovery code
second-factor-recovery-shape = It looks like xxxx-xxxx-xxxx-xxxx.
second-factor-remember = Trust this device for 30 days
second-factor-remember-hint = Not on a shared device.
second-factor-no-app = Can’t use your app?
second-factor-use-recovery = Use a recovery code
second-factor-use-app = Use your authenticator app
second-factor-lost = Lost your codes, too?
second-factor-other-account = Log in with another account
second-factor-wrong-code = Wrong code. Enter the one your app shows now.
second-factor-used-code = This code was used. Wait for the next one.
second-factor-wrong-recovery-code = Wrong recovery code, or it was already used.
second-factor-run-out = Your login timed out. Log in again.
second-factor-out-of-tries = Too many wrong codes. Log in again.
second-factor-codes-refused = Too many wrong codes. Log in with a recovery code, or contact support.
two-factor-title = Two-factor authentication
two-factor-why = After your password, we ask for a code from your phone. Someone who has your password still can’t get in.
two-factor-app = Authenticator app
two-factor-off-why = You’ll need an authenticator app, such as your phone’s or password manager’s. Takes a minute.
two-factor-set-up = Set up
two-factor-scan = 1. Add your account to the app
two-factor-scan-how = Scan the QR code with your authenticator app, open the app on this device, or enter the key by hand. Keep the key secret.
two-factor-account = It appears in your app as { $email }.
two-factor-qr = QR code with the key
two-factor-open-app = Open in an app on this device
two-factor-key = Key
two-factor-confirm = 2. Enter the code
two-factor-confirm-why = Enter the code to finish. Two-factor isn’t on until you do.
two-factor-code = Code
two-factor-wrong-code = Wrong code. Check your phone’s clock and try the next one.
two-factor-turn-on = Turn on
two-factor-on = On since { $since }
two-factor-move = To use another app, turn off two-factor authentication, then set it up again.
two-factor-remove = Turn off two-factor authentication?
two-factor-remove-what = Your password alone will log you in. This also removes your recovery codes and trusted devices.
two-factor-remove-codes = We’ll no longer ask for a code. This also removes your recovery codes and trusted devices.
two-factor-turn-off = Turn off
recovery-codes-title = Recovery codes
recovery-codes-left = { $count ->
        [0] None left. Create new ones now: without them, losing your phone means losing your account.
        [one] One of 10 left. Create new ones soon.
       *[other] { $count } of 10 left.
    }
recovery-codes-link = New codes
recovery-codes-few = Few left
recovery-codes-ask = Create new recovery codes?
recovery-codes-replace = The new codes replace your old ones, which stop working.
recovery-codes-button = Create new codes
recovery-codes-keep-old = Keep my codes
recovery-codes-turned-on = Two-factor authentication is on
recovery-codes-new = Your new recovery codes
recovery-codes-keep = Save these codes
recovery-codes-once = Each code works once. You won’t see them again.
recovery-codes-void = Your earlier codes no longer work.
recovery-codes-where = Keep them in a password manager or with important papers, not only on your phone.
recovery-codes-kept = I’ve saved these codes
recovery-codes-file = Recovery codes for { $brand }
devices-title = Trusted devices
devices-none = No trusted devices. Every login asks for a code.
devices-count = { $count ->
        [one] One trusted device. Changing your password removes it.
       *[other] { $count } trusted devices. Changing your password removes them.
    }
devices-forget = Remove all

## Passkeys

security-passkeys = { $count ->
        [0] None
        [one] One
       *[other] { $count }
    }
passkeys-title = Passkeys
passkeys-why = Log in with your fingerprint, face or device PIN instead of a password. A passkey only works on this site.
passkeys-own = Your passkeys
passkeys-several = Add one per device, or one that syncs through your password manager.
passkeys-none = You don’t have a passkey yet.
passkeys-added = Your passkey was added. Open it to give it another name.
passkeys-renamed = Your passkey was renamed.
passkeys-removed = Your passkey was removed.
passkeys-impossible = Passkeys need HTTPS and a domain name. This site is served from an address without them.
passkey-add = Add a passkey
passkey-used = Last used { $when }
passkey-unused = Added { $when }, not used yet
passkey-backed-up = Backed up
passkey-backed-up-what = It’s backed up, so you keep it if you lose a device.
passkey-added = Added { $when }.
passkey-new-title = Add a passkey
passkey-new-how = Your browser will ask where to save it and for your fingerprint, face or PIN.
passkey-name-hint = A name to recognize it by, such as the device.
passkey-create = Create passkey
passkey-needs-script = Passkeys need JavaScript and a browser that supports them.
passkey-no-answer = Your passkey didn’t work. Try again, or use another way.
passkey-log-in = Log in with a passkey
passkey-log-in-refused = This passkey isn’t accepted here. Log in with your password.
passkey-void = This took too long, or was sent twice. Try again.
passkey-refused = This passkey can’t be used: it must check your fingerprint, face or PIN. Try another device.
passkey-known = This passkey is already registered.
passkey-too-many = You already have { $max } passkeys. Remove one first.
passkey-last = This is your only way to log in. Add another one first.
passkey-rename = Rename
passkey-remove = Remove this passkey
passkey-remove-title = Remove “{ $name }”?
passkey-remove-question = Remove this passkey?
passkey-remove-why = For a device you no longer have.
passkey-remove-what = You won’t be able to log in with this passkey. Delete it in your browser or password manager too, so it isn’t offered again.
passkey-remove-button = Remove passkey

# --- The gate: refusals, shown on an application's own host

gate-login = Log in to continue
gate-login-why = You need to log in to see this page.
gate-unknown-address = Login isn’t set up for this website
gate-unknown-address-why = Send this reference to the site’s administrator.
gate-step-up = Confirm it’s you
gate-step-up-why = This page asks for a recent login or a second factor.
gate-step-up-unknown = You can’t confirm it’s you here
gate-forbidden = You don’t have access to this page
gate-forbidden-why = Ask an administrator for access.
gate-away = We can’t check your access right now. Try again in a few seconds.
gate-error = The access rules of this page can’t be read. Send this reference to the site’s administrator.
gate-account = Go to your account

# --- The pages of administrators

admin = Administration
admin-sections = Administration
admin-overview = Overview
admin-people = People
admin-done = Done, and recorded in the audit log.
admin-nothing = None
admin-command = On the command line:
admin-pages = Pages
admin-first-page = Newest
admin-next-page = Next
admin-filter = Search
admin-filter-none = Clear
admin-any = Any
admin-off = Off
admin-act = Action
admin-remove = Remove
admin-search = Search
admin-search-on = Search further
admin-search-further = Nothing so far. There is more to search.
admin-state = State
admin-state-active = Active
admin-state-disabled = Disabled
admin-state-unverified = Email not verified
admin-platform-role = Platform role
admin-platform-roles = Platform roles
admin-role = { $role ->
        [admin] Administrator
        [auditor] Auditor
       *[monitor] Monitor
    }
admin-role-what = { $role ->
        [admin] Administrator: may do everything here
        [auditor] Auditor: read-only access
       *[monitor] Monitor: can view the overview
    }
admin-role-unknown = Choose among the roles that are offered.
admin-kind = Kind
admin-when = When
admin-actor = Actor
admin-actor-of = { $actor ->
        [user] Themselves
        [administrator] Administrator
        [operator] Operator
       *[unknown] Unknown
    }
admin-person-deleted = Deleted account
admin-settings-none = Everything has its default value.
admin-settings-default = { $count ->
        [one] One setting with its default value
       *[other] { $count } settings with their default values
    }
admin-detail = Details
admin-address = Address
admin-device = Device
admin-methods = Logged in by
admin-began = Began
admin-used = Last used
admin-outcome = Last outcome
admin-created = Created
admin-last-login = Last login
admin-provider = Provider
admin-issuer = Issuer
admin-subject = Subject
admin-delivery-state = { $state ->
        [pending] Waiting
        [processing] Being sent
        [delivered] Sent
       *[failed] Failed
    }

## The form of an act

admin-reason = Reason
admin-reason-why = Kept in the audit log. Only administrators and auditors see it.
admin-reason-missing = Say why, in a few words.
admin-reason-long = A reason has at most 500 characters.
admin-reason-control = A reason is one line of plain text.
admin-not-yourself = Ask another administrator: nobody disables, demotes or deletes themselves.
admin-last-administrator = This is the last administrator who can log in. Make someone else an administrator first.
admin-mailed-lately = An email went to this address a moment ago. Try again in { $seconds } seconds.

## People

admin-people-search-hint = Starts with: email, username or name. Or a whole ID.
admin-people-none = No people match. Search for the beginning of an email address, a username or a name, or clear the filters.
admin-login = Login methods
admin-access = Access
admin-email-verified = Email address is verified
admin-disabled-since = Disabled since
admin-language = Language
admin-external-id = External ID
admin-authenticator = Authenticator app
admin-recovery-codes = Recovery codes left
admin-passkeys = Passkeys
admin-trusted-devices = Trusted devices
admin-sessions-none = Not logged in anywhere.
admin-identities-none = No account elsewhere is connected.
admin-organizations-none = Not a member of any organization.
admin-mails = Emails
admin-mails-none = No email was sent to this address lately.
admin-audit = Audit log
admin-audit-all = View full audit log
admin-audit-none = Nothing in the last 90 days.
admin-person-new = New account
admin-person-new-what = The account has no password. The person sets one by a link that we mail to them, or logs in with a connected account.
admin-person-new-mail = Mail them a link to set a password
admin-person-new-button = Create account
admin-disable = Disable account
admin-disable-what = They are logged out everywhere and cannot log in until the account is enabled again. Nothing is deleted.
admin-disable-button = Disable account
admin-enable = Enable account
admin-enable-what = They can log in again, as before.
admin-enable-button = Enable account
admin-unlock = Unlock login
admin-unlock-what = Failed attempts no longer delay logins to this account, from any network. If the attempts weren’t theirs, also send a password reset.
admin-unlock-button = Unlock login
admin-verification-what = We mail the link and the code that verify the address once more.
admin-verification-button = Send link
admin-verification = Resend verification email
admin-end-sessions = Log out everywhere
admin-end-sessions-what = Every session ends. They can log in again at once.
admin-end-sessions-button = Log out everywhere
admin-end-session = Log out this device
admin-end-session-what = This device is logged out. They can log in again at once.
admin-end-session-button = Log out this device
admin-two-factor = Reset two-factor authentication
admin-two-factor-what = The authenticator app, recovery codes, passkeys and trusted devices are removed, and every session ends. After that, the password is enough to log in: first make sure the request really comes from them.
admin-two-factor-button = Reset two-factor authentication
admin-reset = Send password reset
admin-reset-what = We mail a link to set a new password to their address. The password stays as it is until they use it.
admin-reset-button = Send link
admin-email = Change email address
admin-email-what = We notify the old address. Links sent earlier stop working.
admin-email-button = Change email address
admin-roles = Change platform roles
admin-roles-what = What the account may do on these pages. All administrators are notified.
admin-roles-button = Save roles
admin-delete = Delete account
admin-delete-what = The account, its sessions, its memberships and its personal organization are deleted permanently.
admin-delete-button = Delete permanently
admin-remove-identity = Disconnect account elsewhere
admin-remove-identity-what = They can’t log in with it anymore, even if it was their only way. We notify them.
admin-remove-identity-button = Disconnect

## The overview

admin-findings = Before you go live
admin-figures = Deliveries
admin-day = Last 24 hours
admin-week = Last 7 days
admin-chart-table = As a table
admin-since = From
admin-count = Count
admin-signups = Signups
admin-logins = Logins
admin-login-failures = Failed logins
admin-deliveries-sent = Events delivered
admin-deliveries-failed = Events failed
admin-mails-sent = Emails sent
admin-mails-failed = Emails failed
admin-events-waiting = Events waiting
admin-mails-waiting = Emails waiting
admin-events-failed = Events failed
admin-mails-not-sent = Emails failed
admin-counted = { $count }
admin-counted-at-least = { $count } or more
admin-until = Until
admin-ended = Ended
admin-organization = Organization
admin-about = Subject
admin-verbatim = { $text }

## Why could they not log in?

admin-standing = Can they log in?
admin-standing-none = Yes. Nothing blocks a login.
admin-standing-what = What
admin-standing-when = When and where
admin-standing-do = What to do
admin-standing-enable = Enable the account, if they may log in again.
admin-standing-verify = Mail the verification again, or mark the address as verified.
admin-standing-no-way-in = No password, passkey or connected account
admin-standing-give-way-in = Mail a password reset.
admin-standing-way-in-mailed = They set a password with the emailed link, until then.
admin-standing-limited = Logins are delayed after failed tries
admin-standing-limited-there = Logins from this address are delayed after failed tries
admin-standing-limited-others = Logins from other addresses are delayed after failed tries
admin-standing-unlock = Wait until then, or unlock the login.
admin-standing-codes = Codes of the authenticator app are refused after wrong ones
admin-standing-unlock-codes = They use a recovery code, or you unlock the login.
admin-standing-mail = An email to them was not delivered
admin-standing-mail-do = Check the address; then mail it again.
admin-login-attempts = Latest attempts
admin-login-attempts-none = No attempt in the last 90 days.

## The audit log

admin-audit-search-hint = Email, username, or ID of a person or organization. Also: operator, unknown, key:NAME.
admin-audit-nothing = Nothing fits. Entries are kept for 90 days.
admin-audit-csv = Download CSV (commas)
admin-audit-ndjson = Download NDJSON
admin-audit-format = Choose CSV or NDJSON.
admin-audit-too-many = There are more than { $max } entries. Choose a shorter span of time, or use the command line below.

## Deliveries

admin-replay-all = Resend failed events
admin-replay-waiting = Send waiting events now
admin-replay-events = Resend events
admin-replay-events-what = Every event that failed, or every one that waits for its next attempt, is sent again with a fresh set of attempts. It continues in the background; you can close this page.
admin-replay-state = Choose events that failed, or events that wait.
admin-replay-waiting-days = Leave the day empty: events that wait are sent whatever their day.
admin-replay-all-button = Resend
admin-replay-channel = Only events can be replayed all at once.
admin-kind-unknown = Choose among the kinds that are offered.
admin-time-unreadable = Choose a date, or enter a time such as 2026-07-01T08:30:00Z.
admin-job-state = { $state ->
        [running] Under way
        [done] Done
       *[failed] Failed
    }
admin-job-progress = Progress
admin-job-replayed = Queued again
admin-job-done = { $done } of { $total }
admin-deliveries-still-failed = Events that failed
admin-verified = Verified

## Organizations

admin-organizations-search-hint = The beginning of the name, or an id
admin-organizations-empty = No organization fits. Type the beginning of its name or its id, or clear the search. Members create teams on their own pages; “doorward org create” makes one here.
admin-created-by = Created by
admin-members = Members
admin-members-none = No members.
admin-joined = Joined
admin-invitations = Invitations
admin-invitations-none = No invitations yet. Members invite people from their organization’s page.
admin-invitation-state = { $state ->
        [pending] Waiting
        [accepted] Accepted
        [revoked] Revoked
        [declined] Declined
       *[expired] Expired
    }
admin-ends = Expires
admin-organization-rename = Rename organization
admin-organization-rename-what = Members see the new name at once. Links and ids stay.
admin-organization-delete = Delete organization
admin-organization-delete-what = The organization, its memberships and its invitations are deleted permanently. Its members keep their accounts.
admin-member-role = Change role
admin-member-role-button = Save role
admin-member-remove = Remove member
admin-member-remove-what = They leave the organization at once, and the invitations that they sent are revoked. The account stays.
admin-invitation-revoke = Revoke invitation
admin-invitation-revoke-what = Its link no longer works. The person can be invited again.
admin-revoke = Revoke

## Deliveries

admin-deliveries = Deliveries
admin-delivery = Delivery
admin-deliveries-no-events = No webhook fits. Change the filters, or see whether webhooks are set up: “doorward webhooks ping” tries them.
admin-deliveries-no-mails = No email fits. Change the filters, or see whether email is set up: “doorward mail test” tries it.
admin-deliveries-kind-hint = The whole name, such as user.created or password-reset
admin-channel = Channel
admin-channel-name = { $channel ->
        [mail] Emails
       *[webhook] Webhooks
    }
admin-attempts = Attempts
admin-attempts-none = Not tried yet.
admin-answer = Answer
admin-milliseconds = Milliseconds
admin-mail-to = To
admin-mail-subject = Subject
admin-finished = Finished
admin-due = Due
admin-outcome-of = { $outcome ->
        [delivered] Arrived
        [status] Refused by the receiver
        [refused] Refused
        [deferred] Refused for now
        [session] Mail server refused to talk
        [login] Mail server refused the login
        [sender] Mail server refused the sender
        [name] Name not resolved
        [connect] No connection
        [tls] TLS error
        [timeout] Timed out
        [closed] Connection closed
        [interrupted] The process ended
        [disabled] Kind not enabled
        [starttls] No STARTTLS
        [lost_after_data] Lost after the email: it may have arrived
        [unsendable] Cannot be sent
        [expired] Its time was over
        [withdrawn] Withdrawn
        [internal] Internal error
       *[other] { $outcome }
    }
admin-replay = Resend
admin-replay-what = The event is sent again at once, with the same id and the same contents, and with all its attempts. Receivers that know the id ignore it.
admin-replay-under-way = It is being sent just now. Look again in a minute.

## API keys

admin-api-keys = API keys
admin-api-keys-none = No API keys. “doorward api-key create” makes one for your application’s backend, and shows it once.
admin-api-key-state = { $state ->
        [live] Active
        [expired] Expired
       *[revoked] Revoked
    }
admin-scopes = Permissions
admin-networks = Allowed networks
admin-api-key-revoke = Revoke API key
admin-api-key-revoke-what = The backend that uses it is refused from now on. “doorward api-key rotate” replaces a key without a gap.

## Providers

admin-providers = Providers
admin-providers-none = No providers. “doorward provider add” lets people log in with an account elsewhere.
admin-provider-kind = Kind
admin-client-id = Client id
admin-redirect-uri = Redirect address
admin-provider-secret = Secret
admin-secret-set = Set
admin-secret-missing = Missing
admin-on = On

## Settings

admin-settings = Settings
admin-setting = Setting
admin-value = Value
admin-source = Source
admin-source-of = { $source ->
        [environment] Environment
        [file] File
       *[default] Default
    }
admin-default = Default
admin-id = ID
