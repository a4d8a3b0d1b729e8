# English: complete, and what stands where another language lacks a sentence.
# Names say where a sentence stands; what several pages share has no page's name.
# The file speaks Fluent: https://projectfluent.org. CONTRIBUTING.md tells how to add a sentence.

language-name = English

## Around every page

languages = Language
skip-to-content = Skip to the content
account-sections = Account
log-out = Log out
title-error = Error:
form-stale = This form had gone stale or was opened elsewhere. Nothing was changed — please send it again.

## Fields

email = E-mail address
email-missing = Enter your e-mail address.
email-too-long = An e-mail address has at most { $max } characters.
email-invalid = This is not an e-mail address.
email-taken = There is already an account with this e-mail address. Log in instead.
username = Username
username-characters = A username has only letters (a to z), digits, dots, underscores and hyphens.
username-length = A username has { $min } to { $max } characters.
username-taken = This username is taken. Choose another, or leave the field empty to get one.
password = Password
password-show = Show password
password-hint = At least { $min } characters. A few words together work well.
# $count is a placeholder that the page's script fills.
password-more = { $count } more to go.
password-one-more = One more to go.
password-enough = Long enough.
password-too-short = Use at least { $min } characters.
password-too-long = Use at most { $max } characters.
password-common = This password is too common: it is among the first that an attacker tries. Choose another one.
password-personal = Your name or e-mail address cannot be your password. Choose another one.
password-wrong = This is not your password.
optional = (optional)

## Log-in

log-in-title = Log in
log-in-name = E-mail or username
log-in-button = Log in
log-in-new-here = New here?
log-in-sign-up = Create an account
# One sentence for an unknown account and for a wrong password (OWASP ASVS 5.0, 6.3.8).
log-in-wrong = These details do not match any account. Check both fields and try again.

## Sign-up

sign-up-title = Create your account
sign-up-email-fixed = Your invitation is for this address.
sign-up-username-hint = Letters, digits, dots, hyphens or underscores. Leave it empty and we choose one for you.
sign-up-button = Create account
sign-up-back = Back to the invitation
sign-up-have-account = Already have an account?

## Account

account-last-owner = The account is the last owner of { $organizations }. Make another member an owner there, or delete the organization, first.

## Organizations

name-missing = Enter a name.
name-too-long = A name has at most { $max } characters.
name-invisible = A name cannot have invisible characters.
invite-own-address = This is your own address.
invite-member-already = This person is a member already.
invite-invited-already = This address has an invitation already. Make a new link for it instead.
refused-not-permitted = Your role in this organization does not permit that.
refused-above-own-role = Only an owner can do that: nobody grants or takes away a role above their own.
refused-last-owner = An organization needs an owner. Make another member an owner first.
refused-personal = A personal organization has no other members, and stays for as long as its owner's account.
refused-no-teams = Team organizations cannot be created here.
refused-no-invitations = There are no invitations here: every organization is personal.
refused-not-pending = This invitation is no longer pending.
refused-operators-invitation = An operator made this invitation, and only an operator can make a new link for it.
refused-too-many-pending = 100 invitations are waiting for an answer. Revoke some before you invite more people.
