# Deutsch, mit der Anrede „Sie“. Dieselben Namen in derselben Reihenfolge wie in en.ftl.

language-name = Deutsch

## Around every page

languages = Sprache
skip-to-content = Zum Inhalt springen
account-sections = Konto
account-menu = Kontomenü, { $account }
person-named = { $name } ({ $account })
back-to-app = Zurück zu { $brand }
terms = Nutzungsbedingungen
privacy = Datenschutz
support = Hilfe
log-out = Abmelden
title-error = Fehler:
form-stale = Diese Seite ist abgelaufen. Es wurde nichts geändert. Bitte versuchen Sie es noch einmal.
form-no-cookie = Es wurde nichts geändert, weil Ihr Browser kein Cookie gesendet hat. Erlauben Sie Cookies für diese Website, prüfen Sie, ob die Adresse mit { $base } beginnt, und laden Sie die Seite neu.
form-other-origin = Dieses Formular kam von { $origin }, gehört aber zu { $base }. Es wurde nichts geändert. Öffnen Sie stattdessen { $base }.
form-not-of-page = Diese Seite war länger als 15 Minuten offen, oder eine andere Seite hat das Formular geschickt. Es wurde nichts geändert. Prüfen Sie das Formular, und senden Sie es noch einmal.

## Fields

email = E‑Mail
email-missing = Geben Sie Ihre E‑Mail-Adresse ein.
email-too-long = Eine E‑Mail-Adresse hat höchstens { $max } Zeichen.
email-invalid = Das ist keine gültige E‑Mail-Adresse.
email-taken = Es gibt bereits ein Konto mit dieser E‑Mail-Adresse. Melden Sie sich stattdessen an.
email-verified = Diese E‑Mail-Adresse ist schon bestätigt.
address-verified = Bestätigt
address-not-verified = Nicht bestätigt
username = Benutzername
username-characters = Verwenden Sie nur Buchstaben (a bis z), Ziffern, Punkte, Unterstriche und Bindestriche.
username-length = Verwenden Sie { $min } bis { $max } Zeichen.
username-is-id = Ein Benutzername darf nicht wie eine ID aussehen. Wählen Sie einen anderen.
username-taken = Dieser Benutzername ist vergeben. Wählen Sie einen anderen, oder lassen Sie das Feld leer.
username-in-use = Dieser Benutzername ist vergeben. Wählen Sie einen anderen.
username-missing = Geben Sie einen Benutzernamen ein.
password = Passwort
password-show = Passwort anzeigen
password-hint = Mindestens { $min } Zeichen.
password-more = Noch { $count } Zeichen.
password-one-more = Noch ein Zeichen.
password-enough = Lang genug.
password-too-short = Verwenden Sie mindestens { $min } Zeichen.
password-too-long = Verwenden Sie höchstens { $max } Zeichen.
password-common = Dieses Passwort ist zu verbreitet. Wählen Sie ein anderes.
password-personal = Verwenden Sie nicht Ihren Namen oder Ihre E‑Mail-Adresse als Passwort.
password-same = Das ist Ihr aktuelles Passwort. Wählen Sie ein anderes.
password-wrong = Falsches Passwort.
optional = (optional)

## Log-in

log-in-title = Bei { $brand } anmelden
log-in-name = E‑Mail oder Benutzername
log-in-button = Anmelden
log-in-new-here = Noch kein Konto?
log-in-sign-up = Registrieren
log-in-wrong = E‑Mail oder Passwort ist falsch.
log-in-or = oder
log-in-last-used = Das haben Sie zuletzt verwendet

## Sign-up

sign-up-title = Konto erstellen
sign-up-join = { $organization } beitreten
sign-up-invited-by = { $inviter } hat Sie eingeladen.
setup-title = Ersten Administrator anlegen
setup-why = Dieses Konto wird den Dienst verwalten. Der Link gilt nur einmal.
setup-done = Ihr Konto ist bereit. Sie verwalten jetzt diesen Dienst.
setup-over = Er wurde schon verwendet, ist abgelaufen oder durch einen neueren ersetzt. „doorward setup-link“ gibt einen neuen aus, solange der Dienst keinen Administrator hat.
sign-up-email-fixed = Ihre Einladung gilt für diese Adresse.
sign-up-username-hint = Bleibt das Feld leer, wählen wir einen Namen für Sie.
sign-up-username-hint-numbered = Ist der Name vergeben, hängen wir eine Zahl an. Bleibt das Feld leer, wählen wir einen für Sie.
sign-up-username-rule = Buchstaben, Ziffern, Punkte, Binde- und Unterstriche.
sign-up-username-rule-numbered = Buchstaben, Ziffern, Punkte, Binde- und Unterstriche. Ist der Name vergeben, hängen wir eine Zahl an.
# $terms und $privacy sind Links mit den Worten darunter.
sign-up-agree = Mit der Registrierung stimmen Sie den { $terms } und der { $privacy } zu.
sign-up-agree-terms = Mit der Registrierung stimmen Sie den { $terms } zu.
sign-up-agree-privacy = Wie wir Ihre Daten verwenden, steht in der { $privacy }.
sign-up-terms = Nutzungsbedingungen
sign-up-privacy = Datenschutzerklärung
sign-up-button = Konto erstellen
sign-up-back = Zurück zur Einladung
sign-up-have-account = Schon ein Konto?

## Times, durations, devices

date = { $day }. { $month ->
        [1] Januar
        [2] Februar
        [3] März
        [4] April
        [5] Mai
        [6] Juni
        [7] Juli
        [8] August
        [9] September
        [10] Oktober
        [11] November
       *[12] Dezember
    } { $year }
moment = { date }, { $time } Uhr UTC
clock = { $time } Uhr UTC
ago-now = gerade eben
ago-minutes = { $count ->
        [one] vor { $count } Minute
       *[other] vor { $count } Minuten
    }
ago-hours = { $count ->
        [one] vor { $count } Stunde
       *[other] vor { $count } Stunden
    }
ago-days = { $count ->
        [one] vor { $count } Tag
       *[other] vor { $count } Tagen
    }
ago-months = { $count ->
        [one] vor { $count } Monat
       *[other] vor { $count } Monaten
    }
ago-years = { $count ->
        [one] vor { $count } Jahr
       *[other] vor { $count } Jahren
    }
seconds = { $count ->
        [one] { $count } Sekunde
       *[other] { $count } Sekunden
    }
minutes = { $count ->
        [one] { $count } Minute
       *[other] { $count } Minuten
    }
hours = { $count ->
        [one] { $count } Stunde
       *[other] { $count } Stunden
    }
device = { $browser } auf { $system }
device-with-address = { $device }, { $address }
device-unknown = Unbekanntes Gerät
address-unknown = Unbekannte IP-Adresse
place-local = Lokales Netzwerk ({ $address })
place-here = Dieses Netzwerk ({ $address })
today = Heute
yesterday = Gestern

## Errors

error-status = Fehler { $status }
error-reference = Kennung
error-to-account = Zu Ihrem Konto
error-to-log-in = Zur Anmeldung
error-logged-in = Sie sind als { $account } angemeldet.
use-another-account = Anderes Konto verwenden
error-try-again = Versuchen Sie es in { $wait } erneut.
error-try-now = Sie können es jetzt erneut versuchen.
error-retry = Erneut versuchen
error-support = Support kontaktieren
error-bad-request = Mit dieser Anfrage stimmt etwas nicht
error-bad-request-why = Sie war unvollständig oder beschädigt. Es wurde nichts geändert. Gehen Sie zurück, und versuchen Sie es noch einmal.
error-forbidden = Das ist nicht erlaubt
error-script = Diese Seite kann nicht aus einer anderen geladen werden
error-script-alone = Es wurde nichts geändert. Öffnen Sie die Seite für sich.
error-script-open = Seite öffnen
error-not-found = Seite nicht gefunden
error-not-found-why = Vielleicht ist der Link veraltet oder die Adresse falsch geschrieben.
error-method = Diese Seite lässt sich so nicht öffnen
error-method-why = Es wurde nichts geändert. Beginnen Sie noch einmal von vorn.
error-too-large = Das ist zu viel auf einmal
error-too-large-why = Kürzen Sie Ihre Eingaben, und senden Sie sie noch einmal.
error-too-many = Zu viele Versuche
error-too-many-why = Zum Schutz der Konten begrenzen wir die Versuche.
error-internal = Etwas ist schiefgegangen
error-internal-why = Der Fehler liegt bei uns. Versuchen Sie es gleich noch einmal.
error-internal-tell = Geschieht es wieder, nennen Sie dem Support diese Kennung.
error-unavailable = Wir sind gleich wieder da
error-unavailable-why = Wir führen gerade Wartungsarbeiten durch oder sind stark ausgelastet.

## Log-in: what can come between

disabled-title = Konto deaktiviert
disabled-why = Ein Administrator hat dieses Konto deaktiviert. Sie können sich damit nicht anmelden.
disabled-help = Wenn Sie das für einen Irrtum halten, wenden Sie sich an den Support.
disabled-other = Mit einem anderen Konto anmelden
refused-by-application-title = Sie sind angemeldet
refused-by-application-why = Die Anwendung hat Sie hierher zurückgeschickt. Vielleicht akzeptiert sie Ihr Konto { $username } nicht.
refused-by-application-as = Ihr Konto hier ist { $username }.
refused-by-application-help = Versuchen Sie es noch einmal, oder melden Sie sich ab und verwenden Sie ein anderes Konto.
continue = Weiter
log-out-title = Abmelden
log-out-question = Möchten Sie sich auf diesem Gerät abmelden?
log-out-stay = Angemeldet bleiben
log-out-two = Melden Sie sich von beiden ab, um fortzufahren, und melden Sie sich dann bei dem gewünschten an.
log-out-two-title = Sie sind bei zwei Konten angemeldet
log-out-both = Von beiden abmelden

## Sign-up: where not everyone may

sign-up-closed = Die Registrierung ist geschlossen
sign-up-closed-why = Hier können keine neuen Konten erstellt werden.
sign-up-by-invitation = Registrierung nur mit Einladung
sign-up-by-invitation-why = Wurden Sie eingeladen, öffnen Sie den Link in der E‑Mail.
sign-up-invitation-void = Diese Einladung ist nicht mehr gültig
sign-up-invitation-void-why = Sie wurde verwendet, zurückgezogen oder ersetzt, oder sie ist abgelaufen. Bitten Sie die Person, die Sie eingeladen hat, um eine neue.

## Login with others

provider-continue = Mit { $provider } fortfahren
provider-start-title = Mit { $provider } anmelden?
provider-start-what = Eine andere Website hat Sie hierher geleitet. Fahren Sie nur fort, wenn Sie sich bei { $brand } anmelden möchten.
provider-canceled = Sie haben die Anmeldung mit { $provider } nicht abgeschlossen. Versuchen Sie es noch einmal, oder melden Sie sich anders an. Referenz: { $reference }
provider-refused = Die Anmeldung mit { $provider } hat nicht geklappt. Versuchen Sie es noch einmal, oder melden Sie sich anders an. Referenz: { $reference }
provider-away = { $provider } antwortet gerade nicht. Versuchen Sie es später noch einmal, oder melden Sie sich anders an. Referenz: { $reference }
departure-title = Weiter zu { $host }
departure-what = Sie verlassen diese Seite und gehen weiter zu { $host }. Falls nichts geschieht, verwenden Sie die Schaltfläche.
connect-title = Sie haben schon ein Konto
connect-log-in = Es gibt ein Konto mit { $email }. Melden Sie sich damit an, um es mit { $provider } zu verbinden.
connect-not-now = Nicht jetzt
connect-mail = Es gibt ein Konto mit { $email }, das kein Passwort und keinen Passkey hat. Wir schicken Ihnen einen Code, mit dem Sie es mit { $provider } verbinden.
connect-mail-sent = Wir haben einen Code an { $email } geschickt. Geben Sie ihn hier ein, um das Konto mit { $provider } zu verbinden.
connect-offer = Diese Anmeldung mit Ihrem Konto verbinden? Danach können Sie sich auf beide Arten anmelden.
connect-with = Mit { $account } verbinden
connect-other = Sie sind mit einem anderen Konto angemeldet. Melden Sie sich ab, und melden Sie sich dann noch einmal mit { $provider } an.
connect-logged-in = Angemeldet
connect-void = Das hat zu lange gedauert, oder es ist in einem anderen Tab geschehen. Beginnen Sie noch einmal.
details-title = Registrierung abschließen
details-address = { $provider } hat uns Ihre E‑Mail-Adresse nicht mitgeteilt. Geben Sie sie ein, um Ihr Konto zu erstellen.
details-username = Wählen Sie einen Benutzernamen, um Ihr Konto zu erstellen.
identity-taken-title = Schon verbunden
identity-taken-why = Mit diesem Konto bei { $provider } ist schon ein anderes Konto verbunden. Trennen Sie zuerst diese Verbindung.
identities-full-title = Zu viele verbundene Konten
identities-full-why = Ein Konto kann mit höchstens { $max } anderen verbunden sein. Entfernen Sie zuerst eines.
invited-elsewhere-title = Diese Einladung ist für jemand anderen
invited-elsewhere-why = Sie ist für { $email }. Das ist nicht die Adresse Ihres Kontos bei { $provider }. Registrieren Sie sich mit { $email }, oder bitten Sie um eine andere Einladung.
confirm-email-code-there = Um { $email } zu bestätigen, geben Sie den Code aus der E‑Mail in dem Browser ein, in dem Sie sich registriert haben.
connections-title = Verbundene Konten
connections-why = Andere Konten, mit denen Sie sich anmelden können.
connections-own = Ihre verbundenen Konten
connections-none = Sie haben kein Konto verbunden.
connections-add = Konto verbinden
connections-add-why = Melden Sie sich hier mit einem Konto an, das Sie anderswo schon haben.
connections-last = Nur damit können Sie sich anmelden. Legen Sie zuerst ein Passwort fest, oder fügen Sie einen Passkey hinzu.
connections-connected = Ihr Konto ist verbunden.
connections-removed = Die Verbindung ist getrennt.
connection-used = Zuletzt verwendet { $when }
connection-unused = Verbunden { $when }, noch nicht verwendet
connection-gone = Nicht mehr verfügbar
connections-add-another = Ein zweites Konto verbinden
connection-remove = Trennen
connection-remove-one = { $provider } trennen
security-connections = { $count ->
        [0] Keine
        [one] Eines
       *[other] { $count }
    }

## Confirm that it is you

confirm-title = Bestätigen Sie Ihre Identität
confirm-why = Bevor es weitergeht, müssen wir prüfen, ob Sie es sind.
confirm-factor-why = Diese Seite verlangt einen zweiten Faktor.
confirm-code-why = Geben Sie den Code aus Ihrer Authenticator-App ein.
confirm-no-factor = Ihr Konto hat noch keinen. Richten Sie die Zwei-Faktor-Authentifizierung ein oder legen Sie einen Passkey an, und öffnen Sie die Seite dann noch einmal.
confirm-set-up-factor = Zwei-Faktor-Authentifizierung einrichten
confirm-codes-refused = Für dieses Konto wurden zu viele falsche Codes eingegeben, deshalb nehmen wir keine Codes der App mehr an. Verwenden Sie einen Wiederherstellungscode.
confirm-account = Konto
confirm-back = Zurück zu Ihrem Konto
confirm-passkey = Passkey verwenden
confirm-passkey-wrong = Dieser Passkey hat nicht funktioniert. Versuchen Sie es noch einmal, oder wählen Sie einen anderen Weg.
confirm-no-password = Ihr Konto hat kein Passwort. Können Sie Ihren Passkey nicht verwenden, legen Sie per E‑Mail eines fest.
confirm-mail = Ihr Konto hat kein Passwort und keinen Passkey. Wir können stattdessen einen Code an { $email } schicken.
confirm-mail-sent = Wir haben einen Code an { $email } geschickt. Geben Sie ihn hier ein.
confirm-mail-send = Code per E‑Mail schicken
confirm-not-asked-for = Danach wird hier nicht gefragt. Wählen Sie einen anderen Weg auf dieser Seite.
# $left ist die Zahl der Versuche, die bleiben.
own-code-wrong = { $left ->
    [0] Falscher Code. Fordern Sie einen neuen an.
    [one] Falscher Code. Noch ein Versuch.
   *[other] Falscher Code. Noch { $left } Versuche.
}
own-code-over = Dieser Code gilt nicht mehr. Fordern Sie einen neuen an.
own-codes-refused = Es wurden zu viele falsche Codes eingegeben, deshalb nehmen wir vorerst keinen an. Legen Sie stattdessen per E‑Mail ein Passwort fest.
confirm-nothing = Wir müssen prüfen können, ob Sie es sind, aber Ihr Konto hat kein Passwort, keinen Passkey und keine E‑Mail-Adresse. Melden Sie sich wie gewohnt neu an: Dabei werden Sie nach einer Adresse gefragt. Wenn nicht, bitten Sie Ihren Administrator, eine hinzuzufügen.
confirm-nothing-title = Fügen Sie eine E‑Mail-Adresse hinzu, um fortzufahren
confirm-log-in-again = Abmelden und neu anmelden
confirm-set-password = Link zum Festlegen eines Passworts per E‑Mail schicken

## Account

account-title = Ihr Konto
account-section = Profil
account-warning = Jemand hat vielleicht eine Ihrer Sitzungen benutzt
account-warning-why = Am { $when } wurde eine alte Kopie eines Sitzungs-Cookies verwendet, deshalb haben wir diese Sitzung beendet. Das kann vorkommen, wenn ein Browser aus einer Sicherung wiederhergestellt wird. Wenn Sie es sich nicht erklären können, wenden Sie sich an den Support.
account-profile = Profil
account-roles = Rollen
account-since = Mitglied seit { $since }
account-id = Benutzer-ID
account-organization = Organisation
account-organization-kind = Art
account-add-name = Namen hinzufügen
address-verified-now = Ihre E‑Mail-Adresse ist bestätigt.
joined = Sie sind { $organization } beigetreten.
recovery-code-used = Sie haben einen Wiederherstellungscode verwendet. { $left ->
        [0] Es war Ihr letzter. Erstellen Sie neue auf der Seite „Sicherheit“.
        [one] Es bleibt noch einer. Erstellen Sie neue auf der Seite „Sicherheit“.
       *[other] Es bleiben noch { $left }.
    }
account-warning-link = Sitzungen prüfen
account-data = Ihre Daten
account-data-why = Alles, was über Sie gespeichert ist.
account-delete = Konto löschen
account-delete-why = Konto und Daten endgültig löschen.
account-delete-title = Ihr Konto löschen?
account-delete-what = { $email } wird endgültig gelöscht, und damit:
account-delete-data = Ihr Profil, Ihre Anmeldemethoden und Sitzungen
account-delete-organizations = { $count ->
        [one] die Organisation { $names }, zu der nur Sie gehören
       *[other] { $count } Organisationen, zu denen nur Sie gehören: { $names }
    }
account-delete-memberships = { $count ->
        [one] Ihre Mitgliedschaft in { $names }
       *[other] Ihre { $count } Mitgliedschaften: { $names }
    }
account-delete-final = Das lässt sich nicht rückgängig machen.
account-delete-button = Konto löschen
account-deleted = Ihr Konto ist gelöscht
account-deleted-what = Sie sind abgemeldet und gehören zu keiner Organisation mehr.
account-last-owner = Das Konto ist der letzte Inhaber von { $organizations }. Machen Sie dort zuerst ein anderes Mitglied zum Inhaber, oder löschen Sie die Organisation.
user-last-owner = Das Konto ist der letzte Inhaber von { $organizations }. Machen Sie zuerst ein anderes Mitglied zum Inhaber, oder löschen Sie die Organisation.
account-last-admin = Dieses Konto ist der letzte Administrator. Machen Sie zuerst ein anderes Konto dazu.
cancel = Abbrechen
keep = Behalten

## Username

display-name = Name
display-name-title = Ihr Name
display-name-why = Einige unserer E‑Mails nennen Sie so, und Anwendungen können den Namen anzeigen. Er muss nicht eindeutig sein, und Sie melden sich nicht damit an.
display-name-hint = Bis zu 100 Zeichen. Lassen Sie das Feld leer, um den Namen zu entfernen.
display-name-button = Namen speichern
display-name-saved = Ihr Name wurde gespeichert.
display-name-removed = Ihr Name wurde entfernt.
username-title = Benutzernamen ändern
username-change-what = Menschen und Anwendungen sehen sofort den neuen Namen. Sie melden sich mit ihm an und nicht mehr mit dem alten, den 90 Tage lang niemand sonst nehmen kann.
username-hint = 2 bis 64 Buchstaben, Ziffern, Punkte, Bindestriche oder Unterstriche.
username-button = Benutzernamen ändern
username-changed = Ihr Benutzername ist geändert.

## Security

security-title = Sicherheit
security-sign-in = Anmeldemethoden
security-seen = Wo Sie angemeldet sind
security-recommended = Empfohlen
security-on = Ein
security-sessions-count = { $count ->
        [one] Nur auf diesem Gerät
       *[other] { $count } Sitzungen
    }
security-password-set = Festgelegt
security-password-none = Nicht festgelegt: Sie melden sich ohne an
security-password-changed = Zuletzt geändert: { $when }
password-title = Passwort ändern
password-first-title = Passwort festlegen
password-current = Aktuelles Passwort
password-new = Neues Passwort
password-end-others = Alle anderen Geräte abmelden
password-button = Passwort ändern
password-first-button = Passwort festlegen
password-changed = Ihr Passwort ist geändert.
password-changed-others = Ihr Passwort ist geändert. Passkeys und verbundene Konten melden auch ohne es an: Entfernen Sie, was nicht Ihnen gehört.
password-others = Ein neues Passwort beendet keine anderen Wege, sich anzumelden. Prüfen Sie, ob sie Ihnen gehören:

## Sessions

sessions-title = Sitzungen
sessions-warning-do = Melden Sie alle anderen Geräte ab, und ändern Sie Ihr Passwort.
sessions-warning-alone = Ändern Sie sicherheitshalber Ihr Passwort.
sessions-this = Dieses Gerät
sessions-line = { $place } · Aktiv { $used } · Seit { $since }
sessions-others-why = Melden Sie Geräte ab, die Sie nicht kennen.
sessions-none = Sie sind sonst nirgends angemeldet.
sessions-end = Abmelden
sessions-end-one = { $device } abmelden
sessions-end-others = Alle anderen Geräte abmelden
sessions-ended-one = Das Gerät wurde abgemeldet.
sessions-ended-others = Alle anderen Geräte wurden abgemeldet.

## Activity

activity-title = Aktivität
activity-why = Was in den letzten 90 Tagen in Ihrem Konto geschehen ist.
activity-filter = Filter
activity-all = Alle
activity-none = Noch nichts.
activity-kind = { $kind ->
        [account_created] Konto erstellt
        [account_deleted] Konto gelöscht
        [account_disabled] Konto deaktiviert
        [account_enabled] Konto aktiviert
        [account_unlocked] Anmeldebremse aufgehoben
        [roles_changed] Plattformrollen geändert
        [signed_in] Angemeldet
        [sign_in_failed] Anmeldung fehlgeschlagen: falsches Passwort
        [sign_in_refused] Anmeldung abgelehnt: das Konto war deaktiviert
        [sign_in_limited] Anmeldung nach zu vielen Versuchen abgelehnt
        [signed_out] Abgemeldet
        [confirmed] Mit Passwort oder Passkey bestätigt
        [confirm_failed] Bestätigung fehlgeschlagen
        [session_ended] Ein Gerät abgemeldet
        [sessions_ended] Alle anderen Geräte abgemeldet
        [reuse_detected] Sitzung beendet: ein altes Sitzungs-Cookie wurde verwendet
        [password_changed] Passwort geändert
        [password_reset] Passwort per E‑Mail zurückgesetzt
        [password_reset_sent] Link zum Zurücksetzen des Passworts gesendet
        [verification_sent] E‑Mail zum Bestätigen der Adresse gesendet
        [email_verified] E‑Mail-Adresse bestätigt
        [email_changed] E‑Mail-Adresse geändert
        [email_change_undone] Änderung der E‑Mail-Adresse rückgängig gemacht
        [email_released] E‑Mail-Adresse an ein anderes Konto übergegangen, dessen Inhaber sie bestätigt hat
        [username_changed] Benutzername geändert
        [name_changed] Name geändert
        [totp_enabled] Authenticator-App hinzugefügt
        [totp_disabled] Authenticator-App entfernt
        [second_factor_failed] Anmeldung fehlgeschlagen: richtiges Passwort, falscher zweiter Faktor
        [second_factor_missing] Passwort akzeptiert, zweiter Faktor steht noch aus
        [recovery_codes_made] Neue Wiederherstellungscodes erstellt
        [recovery_code_used] Wiederherstellungscode verwendet
        [device_remembered] Gerät als vertrauenswürdig gespeichert
        [passkey_added] Passkey hinzugefügt
        [passkey_renamed] Passkey umbenannt
        [passkey_removed] Passkey entfernt
        [identity_connected] Konto anderswo verbunden
        [identity_removed] Konto anderswo getrennt
        [provider_refused] Anmeldung mit einem anderen Konto abgelehnt
        [passkey_copied] Passkey abgelehnt: es könnte eine Kopie davon geben
        [data_exported] Daten heruntergeladen
        [details_changed] Daten der Anwendung geändert
        [api_key_created] API-Schlüssel erstellt
        [api_key_revoked] API-Schlüssel widerrufen
        [api_key_rotated] API-Schlüssel erneuert
        [api_key_refused] API-Schlüssel abgelehnt
        [provider_added] Anbieter hinzugefügt
        [provider_changed] Anbieter geändert
        [provider_removed] Anbieter entfernt
        [organization_created] Organisation erstellt
        [organization_renamed] Organisation umbenannt
        [organization_deleted] Organisation gelöscht
        [member_added] Mitglied zu einer Organisation hinzugefügt
        [member_role_changed] Rolle in einer Organisation geändert
        [member_removed] Mitglied aus einer Organisation entfernt
        [invitation_created] Einladung in eine Organisation erstellt
        [invitation_resent] Einladung in eine Organisation erneut gesendet
        [invitation_revoked] Einladung in eine Organisation zurückgezogen
        [deliveries_replayed] Webhooks erneut gesendet
        [admin_refused] Änderung durch einen Administrator abgelehnt
        [audit_exported] Prüfprotokoll heruntergeladen
       *[other] { $kind }
    }
activity-prompt = { $prompt ->
        [password_change] Um das Passwort zu ändern
        [account_deletion] Um das Konto zu löschen
        [two_factor_removal] Um die Zwei-Faktor-Authentifizierung auszuschalten
        [email_verification] Um die E‑Mail-Adresse zu bestätigen
        [passkey] Mit einem Passkey
       *[other] { $prompt }
    }
activity-by-operator = Durch einen Administrator
activity-times = { $count ->
        [one] { $count } Mal
       *[other] { $count } Mal
    }
activity-look-twice = Ungewöhnlich
activity-latest = Neueste
activity-older = Ältere

## Data

export-title = Ihre Daten herunterladen
export-what = Sie erhalten eine JSON-Datei mit Ihrem Profil, Mitgliedschaften, Einladungen, Sitzungen und Aktivität. Sie enthält kein Passwort und nichts, womit sich jemand anmelden könnte; behalten Sie sie trotzdem für sich.
export-elsewhere = Anwendungen haben eigene Daten, die nicht darin stehen.
export-button = Herunterladen

## Organizations

organizations-section = Organisationen
organizations-yours = Ihre Organisationen
organizations-yours-why = Anwendungen sehen die aktive Organisation dieser Sitzung.
organizations-line = { $members ->
        [one] 1 Mitglied
       *[other] { $members } Mitglieder
    } · { role }
organizations-line-personal = { $name } · Nur Sie
organizations-active = Aktiv
organizations-switch = Wechseln
organizations-switch-to = Zu { $organization } wechseln
organizations-create = Organisation erstellen
organizations-create-why = Sie werden Inhaber und können andere einladen.
organizations-create-button = Organisation erstellen
name = Name
kind = { $kind ->
        [personal] Persönlich
       *[team] Team
    }
role = { $role ->
        [owner] Inhaber
        [admin] Admin
       *[member] Mitglied
    }
role-label = Rolle
roles-explained = Mitglieder sehen, wer dabei ist. Admins laden außerdem ein und verwalten Mitglieder. Inhaber können alles.
organization-line = Ihre Rolle: { role }
organization-personal-why = Eine persönliche Organisation hat keine weiteren Mitglieder. Sie besteht so lange wie Ihr Konto.
organization-tabs = Seiten der Organisation
organization-settings = Einstellungen
organization-settings-title = Einstellungen von { $organization }
organization-invitations-title = Einladungen zu { $organization }
organization-switched = Sie arbeiten jetzt in { $kind ->
        [personal] Ihrer persönlichen Organisation
       *[team] { $organization }
    }.
organization-created = { $organization } wurde erstellt. Sie arbeiten jetzt darin.
organization-renamed = Der Name wurde geändert.
organization-left = Sie haben die Organisation verlassen. { organization-switched }
organization-deleted = Die Organisation wurde gelöscht. { organization-switched }
organization-members = Mitglieder
organization-members-many = { $members } Mitglieder, die neuesten zuerst
organization-alone = Bisher sind Sie das einzige Mitglied. Laden Sie ein, mit wem Sie arbeiten.
organization-find = Mitglied suchen
organization-find-by = Benutzername oder E‑Mail
organization-find-button = Suchen
organization-members-none = Es gibt keine weiteren Mitglieder.
organization-members-not-found = Bei keinem Mitglied beginnt der Benutzername oder die E‑Mail-Adresse mit „{ $search }“.
organization-you = { $username } (Sie)
organization-pages = Seiten der Mitglieder
organization-all-members = Alle Mitglieder
organization-first-page = Erste Seite
organization-next-page = Nächste Seite
organization-invitations = Einladungen
organization-pending = Verschickte Einladungen
organization-expired = Abgelaufen
organization-invitations-none = Keine Einladung wartet auf eine Antwort.
organization-invitation-until = Gültig bis { $until }
organization-invitation-expired = Abgelaufen am { $until }
organization-new-link = Neuen Link senden
organization-invitation-acts = Aktionen für { $email }
organization-revoke = Zurückziehen
organization-remove-expired = Entfernen
organization-invitation-ended = Die Einladung wurde zurückgezogen.
organization-invite-button = Einladen
organization-invite-addresses = E‑Mail-Adressen
organization-invite-several = Mehrere trennen Sie durch Kommas, Leerzeichen oder Zeilenumbrüche.
organization-link-made = Einladung erstellt
organization-link-for = Link für { $email }
organization-link-mailed = Einladung an { $email } gesendet
organization-link-mailed-why = Sie können den Link auch kopieren und selbst weitergeben. Er wird nur jetzt angezeigt, gilt nur für diese Adresse und endet am { $until }.
organization-links-made = { $count } Einladungen erstellt
organization-links-mailed = { $count } Einladungen gesendet
organization-links-mailed-why = Sie können die Links auch kopieren und selbst weitergeben. Sie werden nur jetzt angezeigt, gelten jeweils nur für ihre Adresse und enden am { $until }.
organization-link-why = E‑Mail ist hier nicht eingerichtet: Kopieren Sie den Link und geben Sie ihn selbst weiter. Er wird nur jetzt angezeigt, gilt nur für diese Adresse und endet am { $until }.
organization-links-why = E‑Mail ist hier nicht eingerichtet: Kopieren Sie die Links und geben Sie sie selbst weiter. Sie werden nur jetzt angezeigt, gelten jeweils nur für ihre Adresse und enden am { $until }.
copy = Kopieren
copied = Kopiert
organization-name-why = Für Mitglieder und Anwendungen sichtbar.
organization-rename-button = Umbenennen
organization-leave-row = Organisation verlassen
organization-delete-row-what = Alle Mitglieder verlieren sofort den Zugang. Das lässt sich nicht rückgängig machen.
organization-leave = { $organization } verlassen
organization-leave-question = Organisation verlassen?
organization-leave-not-yet = Sie können noch nicht austreten
organization-leave-what = Sie verlieren den Zugang sofort. Um zurückzukommen, brauchen Sie eine Einladung.
organization-leave-button = Verlassen
organization-stay = Bleiben
organization-choose-owner = Anderen Inhaber bestimmen
organization-delete = { $organization } löschen
organization-delete-question = Organisation löschen?
organization-delete-what = Alle Mitglieder verlieren den Zugang sofort, und offene Einladungen enden. Die Konten der Mitglieder bleiben. Das lässt sich nicht rückgängig machen.
organization-delete-confirm = Geben Sie zur Bestätigung den Namen der Organisation ein: { $organization }
organization-delete-wrong-name = Das ist nicht der Name der Organisation.
organization-delete-button = Organisation löschen
member-title = { $username } in { $organization }
member-role-button = Rolle ändern
member-role-changed = Die Rolle wurde geändert.
member-remove = Aus { $organization } entfernen
member-remove-title = { $username } aus { $organization } entfernen?
member-remove-question = Dieses Mitglied entfernen?
member-remove-why = { $username } verliert sofort den Zugriff auf { $organization }. Das Konto bleibt bestehen.
member-removed = Das Mitglied wurde entfernt.
member-remove-button = { $username } entfernen
role-missing = Wählen Sie eine der Rollen.
organization-back = Zurück zur Organisation
name-missing = Geben Sie einen Namen ein.
name-too-long = Ein Name hat höchstens { $max } Zeichen.
name-invisible = Ein Name kann keine unsichtbaren Zeichen enthalten.
name-address = Ein Name kann weder eine Webadresse noch ein @ enthalten.
name-marks = Ein Name kann weder mit einem Akzent beginnen noch Akzente häufen.
name-unreadable = Ein Name braucht einen Buchstaben oder eine Ziffer.
invite-own-address = Das ist Ihre eigene Adresse.
invite-member-already = Diese Person ist bereits Mitglied.
invite-invited-already = Für diese Adresse gibt es bereits eine Einladung. Erzeugen Sie dafür einen neuen Link.
invite-too-many-at-once = Sie können höchstens { $max } Personen auf einmal einladen.
invite-too-soon = Diese Adresse hat zuletzt zu viele E‑Mails erhalten. Versuchen Sie es später noch einmal.
invite-limited = Sie haben viele Einladungen gesendet. Die folgenden fehlen noch: Versuchen Sie es in { $wait } noch einmal.
invite-refused = { $count ->
        [one] Eine Adresse wurde nicht eingeladen.
       *[other] { $count } Adressen wurden nicht eingeladen.
    }
invite-refused-address = { $email }: { $why }
refused-not-permitted = Ihre Rolle in dieser Organisation erlaubt das nicht.
refused-above-own-role = Das kann nur ein Inhaber: Niemand vergibt oder entzieht eine höhere Rolle als die eigene.
refused-last-owner = Eine Organisation braucht einen Inhaber. Machen Sie zuerst ein anderes Mitglied zum Inhaber.
refused-personal = Eine persönliche Organisation hat keine weiteren Mitglieder und besteht so lange wie das Konto ihres Inhabers.
refused-no-teams = Organisationen können hier nicht erstellt werden.
refused-no-invitations = Hier gibt es keine Einladungen: Jede Organisation ist persönlich.
refused-not-pending = Diese Einladung ist nicht mehr offen.
refused-operators-invitation = Diese Einladung stammt von einem Administrator, und nur ein Administrator kann einen neuen Link dafür erzeugen.
refused-unverified = Bestätigen Sie Ihre E‑Mail-Adresse, bevor Sie jemanden einladen.
refused-unverified-link = E‑Mail-Adresse bestätigen
refused-too-many-pending = 100 Einladungen warten auf eine Antwort. Ziehen Sie einige zurück, bevor Sie weitere Personen einladen.
refused-protected = Dieses Konto hat Plattformrollen, deshalb geht das hier nicht.
in-english = { $sentence }

## Invitations

invitation-title = Einladung zu { $organization }
invitation-other = Diese Einladung ist für jemand anderen
invitation-other-why = Sie ist für { $email }, aber Sie sind als { $own } angemeldet.
invitation-log-out = Abmelden und weiter
invitation-join = { $organization } beitreten?
invitation-not-yet = Sie können { $organization } noch nicht beitreten
invitation-for-you = Sie sind eingeladen als { $role ->
        [owner] Inhaber
        [admin] Admin
       *[member] Mitglied
    }. Sie sind als { $username } angemeldet.
invitation-for-you-by = { $inviter } hat Sie eingeladen, als { $role ->
        [owner] Inhaber
        [admin] Admin
       *[member] Mitglied
    } beizutreten. Sie sind als { $username } angemeldet.
invitation-accept = Annehmen
invitation-for-address = { $email } ist eingeladen als { $role ->
        [owner] Inhaber
        [admin] Admin
       *[member] Mitglied
    }.
invitation-for-address-by = { $inviter } hat { $email } eingeladen, als { $role ->
        [owner] Inhaber
        [admin] Admin
       *[member] Mitglied
    } beizutreten.
invitation-has-account = Melden Sie sich an, um anzunehmen.
invitation-either = Melden Sie sich mit dieser Adresse an, oder erstellen Sie ein Konto, um anzunehmen.
invitation-log-in-only = Melden Sie sich mit dieser Adresse an, um anzunehmen. Neue Konten können hier nicht erstellt werden.
invitation-sign-up = Konto erstellen
invitation-no-sign-up = Hier können keine neuen Konten erstellt werden. Fragen Sie die Person, die Sie eingeladen hat.
invitation-decline = Ablehnen
invitation-ends = Die Einladung läuft am { $until } ab.
invitation-accepted-own = Sie sind schon beigetreten
invitation-accepted-own-why = Sie sind Mitglied von { $organization }. Es ist nichts weiter zu tun.
invitation-accepted = Diese Einladung wurde schon verwendet
invitation-accepted-why = Sie gilt nur einmal. Melden Sie sich mit dem Konto an, das sie angenommen hat.
invitation-declined = Einladung abgelehnt
invitation-declined-why = War das ein Versehen, bitten Sie um eine neue Einladung.
invitation-revoked = Diese Einladung wurde zurückgezogen
invitation-revoked-why = Fragen Sie die Person, die Sie eingeladen hat, ob es eine neue gibt.
invitation-expired = Diese Einladung ist abgelaufen
invitation-expired-why = Bitten Sie die Person, die Sie eingeladen hat, um einen neuen Link.
invitation-void = Diese Einladung ist nicht gültig
invitation-void-why = Vielleicht ist der Link unvollständig oder durch einen neueren ersetzt. Bitten Sie die Person, die Sie eingeladen hat, um einen neuen Link.
invitation-to-organizations = Ihre Organisationen

## Nachweis einer Adresse

verify-title = Prüfen Sie Ihr Postfach
verify-sent = Wir haben einen sechsstelligen Code an { $email } geschickt.
verify-not-sent = Bestätigen Sie { $email }, damit Sie Ihr Konto wiederherstellen können. Wir schicken Ihnen einen Code.
verify-code = Bestätigungscode
verify-code-hint = Der Code gilt 10 Minuten. Sie können auch dem Link in der E‑Mail folgen.
code-sends-itself = Der Code wird gesendet, sobald alle sechs Ziffern eingegeben sind.
code-sends-itself-chosen = Der Code wird gesendet, sobald alle sechs Ziffern eingegeben sind und das Kästchen darunter angekreuzt ist.
resend-wait = Noch einmal senden in { $wait }
# $left ist die Zahl der Versuche, die bleiben.
verify-code-wrong = { $left ->
    [0] Falscher Code. Fordern Sie einen neuen an, oder verwenden Sie den Link in der E‑Mail.
    [one] Falscher Code. Noch ein Versuch.
   *[other] Falscher Code. Noch { $left } Versuche.
}
verify-code-replaced = Eine neuere E‑Mail hat einen anderen Code. Geben Sie den ein.
verify-code-over = Dieser Code gilt nicht mehr. Fordern Sie einen neuen an, oder verwenden Sie den Link in der E‑Mail.
verify-button = Bestätigen
verify-resend = Noch einmal senden
verify-send = Code senden
verify-send-new = Neuen Code senden
verify-sent-again = Wir haben einen neuen Code geschickt. Der vorherige gilt nicht mehr.
verify-later = Später bestätigen
verify-wrong-address = Falsche Adresse?
verify-change-address = Ändern
verify-start-over = Von vorn beginnen
confirm-email-title = E‑Mail-Adresse bestätigen
confirm-email = Ist { $email } Ihre E‑Mail-Adresse?
confirm-email-elsewhere = Um { $email } auf diesem Gerät zu bestätigen, geben Sie das Passwort ein, mit dem Sie sich registriert haben.
confirm-email-password-hint = Damit bestätigen Sie, dass das Konto Ihnen gehört.
confirm-email-password-wrong = Falsches Passwort.
confirm-email-button = E‑Mail-Adresse bestätigen
confirm-email-not-me = Nicht registriert oder Passwort vergessen?
confirm-email-set-password = Neues festlegen
confirm-email-ignore = Nicht registriert? Dann schließen Sie diese Seite.
link-over-title = Dieser Link funktioniert nicht mehr
proof-over = Er wurde schon verwendet, ist abgelaufen oder durch eine neuere E‑Mail ersetzt. Melden Sie sich an, oder registrieren Sie sich, um einen neuen zu erhalten.
link-other-title = Dieser Link gehört zu einem anderen Konto
link-other = Sie sind mit einem anderen Konto angemeldet. Melden Sie sich ab, und öffnen Sie den Link dann noch einmal.
link-to-log-in = Zur Anmeldung
address-taken-title = Zu dieser Adresse gibt es schon ein Konto
address-taken = Melden Sie sich damit an, oder setzen Sie das Passwort zurück, wenn Sie es vergessen haben.
proof-invitation-void-title = Diese Einladung ist nicht mehr gültig
proof-invitation-void = Ihre E‑Mail-Adresse ist bestätigt, aber die Einladung, mit der Sie sich registriert haben, gilt nicht mehr. Bitten Sie die Person, die Sie eingeladen hat, um eine neue.

## Vergessenes Passwort

forgot-title = Passwort zurücksetzen
forgot-explanation = Geben Sie Ihre E‑Mail-Adresse ein. Wir schicken Ihnen einen Link zum Zurücksetzen.
forgot-button = Link senden
forgot-back = Zurück zur Anmeldung
reset-sent-title = Prüfen Sie Ihr Postfach
reset-sent = Gibt es ein Konto mit dieser Adresse, haben wir einen Link zum Zurücksetzen dorthin geschickt.
reset-sent-to = Gibt es ein Konto mit { $email }, haben wir einen Link zum Zurücksetzen dorthin geschickt.
reset-sent-hint = Der Link gilt 30 Minuten. Nichts da? Sehen Sie im Spam-Ordner nach.
reset-sent-resend = Noch einmal senden
reset-title = Neues Passwort festlegen
reset-explanation = Wählen Sie ein neues Passwort für { $email }. Andere Geräte werden abgemeldet.
reset-new-password = Neues Passwort
reset-button = Passwort festlegen
reset-over = Er wurde schon verwendet, ist abgelaufen oder durch eine neuere E‑Mail ersetzt.
reset-over-again = Neuen Link anfordern
log-in-forgot = Passwort vergessen?
log-in-password-set = Ihr Passwort wurde geändert. Melden Sie sich mit dem neuen an.
log-in-confirmed = Ihre E‑Mail-Adresse ist bestätigt. Melden Sie sich an, um fortzufahren.
log-in-unproved-hint = Gerade registriert? Folgen Sie zuerst dem Link in der E‑Mail, die wir Ihnen geschickt haben.
password-breached = Dieses Passwort ist bei einem Datenleck bekannt geworden. Wählen Sie ein anderes.

## Wessen Konto die Adresse hat

whose-account-title = Gehört dieses Konto Ihnen?
whose-account-exists = Sie haben { $email } bestätigt. Es gibt schon ein Konto mit dieser Adresse, dort wurde sie aber nie bestätigt.
whose-account = Wessen Konto ist es?
whose-account-which = { $username }, erstellt { $when }
whose-account-organizations = Mitglied von:
whose-account-mine = Das ist mein Konto
whose-account-mine-what = Behalten. Bisherige Anmeldemethoden gelten nicht mehr, und alle anderen Geräte werden abgemeldet.
whose-account-not-mine = Das ist nicht mein Konto
whose-account-not-mine-what = Ein neues Konto erstellen. Das andere bleibt ohne diese Adresse bestehen.
whose-account-button = Weiter
whose-account-not-answered = Wählen Sie eine der beiden Antworten.
whose-account-changed = Inzwischen hat ein anderes Konto diese Adresse. Prüfen Sie es, und antworten Sie noch einmal.

## Konten ohne Adresse

no-address = Keine E‑Mail-Adresse
no-address-title = E‑Mail-Adresse hinzufügen
no-address-why = Jemand anderes hat die Adresse bestätigt, die Ihr Konto hatte. Fügen Sie eine andere hinzu, damit Sie Ihr Passwort zurücksetzen können.
no-address-hint = Wir schicken einen Link und einen Code an die Adresse.
no-address-log-in = Ein anderes Konto hat die E‑Mail-Adresse Ihres Kontos { $username } bestätigt.
no-address-add-to-log-in = Geben Sie eine neue ein, um sich anzumelden.
no-address-other-way = Melden Sie sich anders an
no-address-needs-proof = Melden Sie sich mit Ihrem Passwort oder einem Passkey an und fügen Sie dann eine Adresse hinzu.
no-address-by-operator = Ihr Konto hat weder Passwort noch Passkey. Bitten Sie einen Administrator, eine Adresse hinzuzufügen.
no-address-add = E‑Mail-Adresse hinzufügen
no-address-later = Jetzt nicht

## Änderung der Adresse

account-email-title = E‑Mail-Adresse
account-email-pending = Neue Adresse
account-email-pending-hint = Sie gilt, sobald Sie sie bestätigt haben.
account-email-pending-sent = Wir haben einen Code an { $email } geschickt.
account-email-confirm = Bestätigen
account-email-cancel = Aktuelle Adresse behalten
account-email-change = E‑Mail-Adresse ändern
account-email-change-hint = Wir schicken einen Link und einen Code an die neue Adresse. Ihre jetzige Adresse erhält eine Nachricht, mit der sich die Änderung rückgängig machen lässt.
account-email-new = Neue E‑Mail-Adresse
account-email-send = Bestätigungs-E‑Mail senden
account-email-changed = Ihre E‑Mail-Adresse ist geändert.
email-change-same = Das ist bereits Ihre Adresse.
account-unproved-title = E‑Mail-Adresse bestätigen
account-unproved = Bestätigen Sie { $email }, damit Sie Ihr Konto wiederherstellen können. Geben Sie den Code aus unserer E‑Mail ein, oder lassen Sie sich einen neuen schicken.
account-unproved-enter = Code eingeben
undo-title = E‑Mail-Adresse wiederherstellen?
undo-explanation = { $email } wird wieder die Adresse Ihres Kontos.
undo-consequences = Sie werden überall abgemeldet und nach einem neuen Passwort gefragt.
undo-button = Adresse wiederherstellen
undo-ignore = Haben Sie sie selbst geändert? Dann können Sie diese Seite schließen.
undo-over = Er wurde schon verwendet oder ist älter als 72 Stunden. Hat jemand anderes Ihr Konto geändert, wenden Sie sich an den Support.

## E‑Mails

mail-label = { $label }:
mail-button-instead = Wenn die Schaltfläche nicht funktioniert, öffnen Sie diesen Link:
mail-reason-account = Sie erhalten diese E‑Mail, weil es für { $to } ein Konto bei { $site } gibt.
# Die Zeit, die bleibt, etwa „10 Minuten“. $unit ist minutes, hours oder days.
mail-duration = { $unit ->
    [minutes] { $count ->
        [one] { $count } Minute
       *[other] { $count } Minuten
    }
    [hours] { $count ->
        [one] { $count } Stunde
       *[other] { $count } Stunden
    }
   *[days] { $count ->
        [one] { $count } Tag
       *[other] { $count } Tage
    }
}
mail-code-until = Der Code gilt { $duration } und nur einmal.
mail-code-or-button = Der Code gilt { $duration }, die Schaltfläche { $link }.
mail-code-or-link = Der Code gilt { $duration }. Dieser Link tut dasselbe und gilt { $link }:
# $device ist etwa „Chrome auf macOS, 192.0.2.1“.
mail-device = Gerät: { $device }
mail-not-you = Wenn Sie das waren, ist nichts zu tun. Wenn nicht, ändern Sie Ihr Passwort und melden Sie alle anderen Geräte ab.
mail-provider-not-you = Wenn Sie das waren, ist nichts zu tun. Wenn nicht, trennen Sie die Verbindung, ändern Sie Ihr Passwort und melden Sie alle anderen Geräte ab.
mail-verify-button = E‑Mail-Adresse bestätigen
mail-invitation-subject = Einladung zu „{ $organization }“ bei { $site }
mail-invitation-subject-by = { $inviter } hat Sie zu „{ $organization }“ bei { $site } eingeladen
mail-invitation-heading = „{ $organization }“ beitreten
mail-invitation-by = { $inviter } hat Sie eingeladen, „{ $organization }“ als { $role ->
    [owner] Inhaber
    [admin] Admin
   *[member] Mitglied
} beizutreten.
mail-invitation-for = Sie sind eingeladen, „{ $organization }“ als { $role ->
    [owner] Inhaber
    [admin] Admin
   *[member] Mitglied
} beizutreten.
mail-invitation-button = Einladung ansehen
mail-invitation-until = Die Einladung gilt nur für { $to }. Der Link gilt { $duration }.
mail-invitation-reason = Sie erhalten diese E‑Mail, weil jemand bei { $site } { $to } eingeladen hat. Wenn Sie keine Einladung erwartet haben, können Sie diese E‑Mail ignorieren. Ohne Ihre Zustimmung passiert nichts.
mail-verify-subject = Bestätigen Sie Ihre E‑Mail-Adresse
mail-verify-what = Geben Sie diesen Code ein, um { $to } für Ihr Konto bei { $site } zu bestätigen:
mail-verify-reason = Sie erhalten diese E‑Mail, weil jemand { $to } bei { $site } eingegeben hat. Wenn Sie das nicht waren, können Sie diese E‑Mail ignorieren.
mail-confirmation-code-subject = Bestätigen Sie Ihre Identität
mail-confirmation-code-what = Geben Sie diesen Code ein, um zu bestätigen, dass das Konto mit { $to } bei { $site } Ihres ist:
mail-confirmation-code-not-you = Geben Sie ihn niemandem weiter. Wenn Sie ihn nicht angefordert haben, benutzt vielleicht jemand Ihr Konto: Melden Sie sich an und beenden Sie die Sitzungen, die nicht Ihre sind.
mail-reset-subject = Setzen Sie Ihr Passwort zurück
mail-reset-what = Jemand hat darum gebeten, das Passwort für { $to } bei { $site } zurückzusetzen.
mail-reset-button = Passwort zurücksetzen
mail-reset-until = Der Link gilt { $duration } und nur einmal.
mail-reset-not-you = Wenn Sie das nicht waren, können Sie diese E‑Mail ignorieren. Ihr Passwort bleibt, wie es ist.
mail-set-password-subject = Ihr Konto bei { $site }
mail-set-password-heading = Legen Sie Ihr Passwort fest
mail-set-password-what = Bei { $site } wurde ein Konto für { $to } angelegt. Legen Sie ein Passwort fest, um sich anzumelden.
mail-set-password-button = Passwort festlegen
mail-set-password-reason = Sie erhalten diese E‑Mail, weil { $site } ein Konto mit { $to } angelegt hat. Wenn Sie sie nicht erwartet haben, können Sie sie ignorieren.
mail-password-changed-subject = Ihr Passwort wurde geändert
mail-password-changed-what = Das Passwort Ihres Kontos bei { $site } wurde am { $when } geändert.
mail-password-changed-button = Das war ich nicht
mail-password-changed-not-you = Wenn Sie das waren, ist nichts zu tun. Wenn nicht, setzen Sie Ihr Passwort jetzt zurück. Damit werden Sie überall abgemeldet. Entfernen Sie danach Passkeys und verbundene Konten, die nicht Ihnen gehören: Sie melden auch ohne das Passwort an.
mail-change-subject = Bestätigen Sie Ihre neue E‑Mail-Adresse
mail-change-what = Geben Sie diesen Code ein, um { $to } zur E‑Mail-Adresse Ihres Kontos bei { $site } zu machen:
mail-change-until-then = Bis dahin behält das Konto seine alte Adresse.
mail-change-reason = Sie erhalten diese E‑Mail, weil jemand { $to } bei { $site } als neue E‑Mail-Adresse eingegeben hat. Wenn Sie das nicht waren, können Sie diese E‑Mail ignorieren.
mail-changed-subject = Ihre E‑Mail-Adresse wurde geändert
mail-person = „{ $name }“ ({ $account })
mail-changed-what = Das Konto { $username } bei { $site } hat seit { $when } eine neue E‑Mail-Adresse. { $to } gehört nicht mehr dazu.
mail-changed-button = Änderung rückgängig machen
mail-changed-until = Wenn Sie das waren, ist nichts zu tun. Wenn nicht, machen Sie die Änderung rückgängig, das ist noch { $duration } möglich. Dann gilt wieder Ihre Adresse, und das Konto wird überall abgemeldet.
mail-changed-reason = Sie erhalten diese E‑Mail, weil { $to } die Adresse eines Kontos bei { $site } war.
mail-replaced-by = { $site } hat das geändert. Wenn Sie das nicht erwartet haben, wenden Sie sich an { $site }.
mail-passkey-added-subject = Ein Passkey wurde hinzugefügt
mail-passkey-added-what = Zu Ihrem Konto bei { $site } wurde am { $when } der Passkey „{ $name }“ hinzugefügt.
mail-passkey-removed-subject = Ein Passkey wurde entfernt
mail-passkey-removed-what = Aus Ihrem Konto bei { $site } wurde am { $when } der Passkey „{ $name }“ entfernt.
mail-passkeys-removed-subject = Alle Passkeys wurden entfernt
mail-passkeys-removed-what = Aus Ihrem Konto bei { $site } wurden am { $when } alle Passkeys entfernt.
mail-app-added-subject = Eine Authenticator-App wurde hinzugefügt
mail-app-added-what = Zu Ihrem Konto bei { $site } wurde am { $when } eine Authenticator-App hinzugefügt. Bei der Anmeldung werden jetzt ihre Codes abgefragt.
mail-app-removed-subject = Eine Authenticator-App wurde entfernt
mail-app-removed-what = Aus Ihrem Konto bei { $site } wurde am { $when } die Authenticator-App entfernt. Bei der Anmeldung werden keine Codes mehr abgefragt.
mail-codes-added-subject = Neue Wiederherstellungscodes
mail-codes-added-what = Für Ihr Konto bei { $site } wurden am { $when } neue Wiederherstellungscodes erstellt.
mail-codes-removed-subject = Wiederherstellungscodes wurden entfernt
mail-codes-removed-what = Die Wiederherstellungscodes Ihres Kontos bei { $site } wurden am { $when } entfernt.
mail-provider-connected-subject = { $name } wurde verbunden
mail-provider-connected-what = { $name } wurde am { $when } mit Ihrem Konto bei { $site } verbunden. Sie können sich jetzt damit anmelden.
mail-provider-disconnected-subject = { $name } wurde getrennt
mail-provider-disconnected-what = { $name } wurde am { $when } von Ihrem Konto bei { $site } getrennt. Sie können sich nicht mehr damit anmelden.
mail-method-button = Sicherheit prüfen
mail-connections-button = Verbundene Konten prüfen
mail-account-button = Konto prüfen
mail-disabled-subject = Ihr Konto wurde deaktiviert
mail-disabled-what = Ihr Konto { $username } bei { $site } wurde am { $when } deaktiviert. Sie wurden überall abgemeldet und können sich nicht anmelden.
mail-enabled-subject = Ihr Konto wurde aktiviert
mail-enabled-what = Ihr Konto { $username } bei { $site } wurde am { $when } aktiviert. Sie können sich wieder anmelden.
mail-enabled-button = Anmelden
mail-sessions-ended-subject = Sie wurden abgemeldet
mail-sessions-ended-what = Sitzungen Ihres Kontos { $username } bei { $site } wurden am { $when } beendet.
mail-sessions-ended-button = Sitzungen prüfen
mail-role-changed-subject = Ihre Plattformrollen wurden geändert
mail-role-changed-what = Die Plattformrollen Ihres Kontos { $username } bei { $site } wurden am { $when } geändert.
mail-role-changed-now = { $count ->
        [0] Das Konto hat jetzt keine.
        [one] Es hat jetzt die Rolle { $roles }.
       *[other] Es hat jetzt die Rollen { $roles }.
    }
mail-told-by = Ein Administrator von { $site } hat das geändert. Wenn Sie das nicht erwartet haben, wenden Sie sich an { $site }.
mail-deed-subject = Ein Konto mit Rechten wurde geändert
mail-deed-what = { $deed ->
    [disabled] Das Konto { $username } bei { $site } wurde am { $when } von einem Administrator deaktiviert.
    [enabled] Das Konto { $username } bei { $site } wurde am { $when } von einem Administrator aktiviert.
    [role] Die Plattformrollen des Kontos { $username } bei { $site } wurden am { $when } von einem Administrator geändert.
    [email] Die E‑Mail-Adresse des Kontos { $username } bei { $site } wurde am { $when } von einem Administrator geändert.
    [sessions] Sitzungen des Kontos { $username } bei { $site } wurden am { $when } von einem Administrator beendet.
    [factors] Die zweiten Faktoren des Kontos { $username } bei { $site } wurden am { $when } von einem Administrator entfernt.
    [identity] Vom Konto { $username } bei { $site } wurde am { $when } von einem Administrator ein Konto anderswo getrennt.
    [deleted] Das Konto { $username } bei { $site } wurde am { $when } von einem Administrator gelöscht.
   *[renamed] Das Konto { $username } bei { $site } wurde am { $when } von einem Administrator geändert.
}
mail-deed-why = Das Konto hat eine Plattformrolle oder hatte eine. Wer das war und warum, steht im Prüfprotokoll.
mail-deed-button = Konto ansehen
mail-deed-reason = Sie erhalten diese E‑Mail, weil { $to } die Adresse eines Administrators von { $site } ist.
mail-recovered-subject = Ihr Konto ist wieder da
mail-recovered-what = Ihr Konto { $username } bei { $site }, das gelöscht war, wurde am { $when } aus einer Sicherung wiederhergestellt. Sehen Sie nach, womit man sich dort anmelden kann.
mail-deleted-subject = Ihr Konto wurde gelöscht
mail-deleted-what = Das Konto { $username } bei { $site } wurde am { $when } mit allem, was dazugehört, gelöscht. Das lässt sich nicht rückgängig machen.
mail-deleted-not-you = Wenn Sie das nicht erwartet haben, wenden Sie sich an { $site }.
mail-deleted-reason = Sie erhalten diese E‑Mail, weil { $to } die Adresse dieses Kontos war.
mail-test-subject = Test-E‑Mail von { $site }
mail-test-heading = E‑Mail funktioniert
mail-test-what = Dies ist ein Test. E‑Mails von { $site } erreichen { $to }.
mail-test-reason = Sie erhalten diese E‑Mail, weil ein Administrator von { $site } einen Test gesendet hat.

mail-sign-up-subject = Schließen Sie die Registrierung bei { $site } ab
mail-sign-up-heading = Registrierung abschließen
mail-sign-up-what = Geben Sie diesen Code auf der Registrierungsseite ein. Geben Sie ihn nicht weiter:
mail-sign-up-account-exists = Für { $to } gibt es schon ein Konto, die Adresse wurde dort aber nie bestätigt. Die nächste Seite fragt Sie, ob dieses Konto Ihnen gehört. Gelöscht wird nichts.
mail-sign-up-reason = Sie erhalten diese E‑Mail, weil sich jemand bei { $site } mit { $to } registriert. Wenn Sie das nicht waren, können Sie diese E‑Mail ignorieren. Ohne Ihre Bestätigung entsteht kein Konto.
mail-taken-subject = Sie haben bereits ein Konto bei { $site }
mail-taken-heading = Sie haben bereits ein Konto
mail-taken-what = Jemand wollte { $to } für ein Konto bei { $site } verwenden. Wenn Sie das waren: Sie haben bereits ein Konto.
mail-taken-button = Anmelden
mail-taken-not-you = Passwort vergessen? Auf der Anmeldeseite können Sie es zurücksetzen. Wenn Sie das nicht waren, können Sie diese E‑Mail ignorieren. Es wurde nichts geändert.

## Zwei-Faktor-Authentifizierung

security-two-factor-on = { $count ->
        [one] Ein Wiederherstellungscode ist übrig.
       *[other] { $count } Wiederherstellungscodes sind übrig.
    }
security-two-factor-off = Aus
end-other-sessions = Überall sonst abmelden
password-yours = Ihr Passwort
download = Herunterladen
second-factor-title = Zwei-Faktor-Authentifizierung
second-factor-code-title = Zwei-Faktor-Authentifizierung
second-factor-code-why = Geben Sie den Code aus Ihrer Authenticator-App für { $username } ein.
second-factor-recovery-title = Wiederherstellungs­code eingeben
second-factor-recovery-why = Geben Sie einen der Wiederherstellungscodes ein, die Sie für { $username } gespeichert haben. Jeder gilt einmal.
second-factor-recovery-code = Wiederherstellungscode
second-factor-recovery-shape = Er sieht aus wie xxxx-xxxx-xxxx-xxxx.
second-factor-remember = Diesem Gerät 30 Tage lang vertrauen
second-factor-remember-hint = Nicht auf einem gemeinsam genutzten Gerät.
second-factor-no-app = Keinen Zugriff auf die App?
second-factor-use-recovery = Wiederherstellungscode verwenden
second-factor-use-app = Authenticator-App verwenden
second-factor-lost = Auch die Codes verloren?
second-factor-other-account = Mit einem anderen Konto anmelden
second-factor-wrong-code = Falscher Code. Geben Sie den ein, den Ihre App jetzt zeigt.
second-factor-used-code = Dieser Code wurde schon verwendet. Warten Sie auf den nächsten.
second-factor-wrong-recovery-code = Falscher oder schon verwendeter Wiederherstellungscode.
second-factor-run-out = Ihre Anmeldung ist abgelaufen. Melden Sie sich noch einmal an.
second-factor-out-of-tries = Zu viele falsche Codes. Melden Sie sich noch einmal an.
second-factor-codes-refused = Zu viele falsche Codes. Melden Sie sich mit einem Wiederherstellungscode an, oder wenden Sie sich an den Support.
two-factor-title = Zwei-Faktor-Authentifizierung
two-factor-why = Nach dem Passwort fragen wir nach einem Code von Ihrem Telefon. Wer nur Ihr Passwort kennt, kommt nicht hinein.
two-factor-app = Authenticator-App
two-factor-off-why = Sie brauchen eine Authenticator-App, etwa die Ihres Telefons oder Ihres Passwortmanagers. Es dauert eine Minute.
two-factor-set-up = Einrichten
two-factor-scan = 1. Konto in der App hinzufügen
two-factor-scan-how = Scannen Sie den QR-Code mit Ihrer Authenticator-App, öffnen Sie die App auf diesem Gerät, oder geben Sie den Schlüssel von Hand ein. Halten Sie ihn geheim.
two-factor-account = In der App heißt es { $email }.
two-factor-qr = QR-Code mit dem Schlüssel
two-factor-open-app = In einer App auf diesem Gerät öffnen
two-factor-key = Schlüssel
two-factor-confirm = 2. Code eingeben
two-factor-confirm-why = Geben Sie den Code ein, um abzuschließen. Vorher ist nichts eingeschaltet.
two-factor-code = Code
two-factor-wrong-code = Falscher Code. Prüfen Sie die Uhr Ihres Telefons, und versuchen Sie den nächsten.
two-factor-turn-on = Einschalten
two-factor-on = Eingeschaltet seit { $since }
two-factor-move = Um die App zu wechseln, schalten Sie aus und richten neu ein.
two-factor-remove = Zwei-Faktor-Authentifizierung ausschalten?
two-factor-remove-codes = Dann fragen wir nicht mehr nach einem Code. Ihre Wiederherstellungscodes und vertrauenswürdigen Geräte werden entfernt.
two-factor-remove-what = Dann genügt Ihr Passwort allein. Ihre Wiederherstellungscodes und vertrauenswürdigen Geräte werden entfernt.
two-factor-turn-off = Ausschalten
recovery-codes-title = Wiederherstellungs­codes
recovery-codes-left = { $count ->
        [0] Es ist keiner mehr übrig. Erzeugen Sie jetzt neue: ohne sie ist mit dem Telefon auch das Konto verloren.
        [one] Einer von 10 ist noch übrig. Es ist Zeit für neue.
       *[other] { $count } von 10 sind noch übrig.
    }
recovery-codes-link = Neue Codes
recovery-codes-few = Nur noch wenige
recovery-codes-ask = Neue Wiederherstellungs­codes erzeugen?
recovery-codes-replace = Die neuen Codes ersetzen Ihre alten, die dann nicht mehr gelten.
recovery-codes-button = Neue Codes erzeugen
recovery-codes-keep-old = Codes behalten
recovery-codes-turned-on = Die Zwei-Faktor-Authentifizierung ist eingeschaltet
recovery-codes-new = Ihre neuen Wiederherstellungs­codes
recovery-codes-keep = Speichern Sie diese Codes
recovery-codes-once = Jeder Code gilt einmal. Sie werden nicht noch einmal angezeigt.
recovery-codes-void = Ihre früheren Codes gelten nicht mehr.
recovery-codes-where = Bewahren Sie sie in einem Passwortmanager oder bei wichtigen Papieren auf, nicht nur auf dem Telefon.
recovery-codes-kept = Ich habe diese Codes gespeichert
recovery-codes-file = Wiederherstellungscodes für { $brand }
devices-title = Vertrauenswürdige Geräte
devices-none = Keine vertrauenswürdigen Geräte. Jede Anmeldung fragt nach einem Code.
devices-count = { $count ->
        [one] Ein vertrauenswürdiges Gerät. Wenn Sie Ihr Passwort ändern, wird es entfernt.
       *[other] { $count } vertrauenswürdige Geräte. Wenn Sie Ihr Passwort ändern, werden sie entfernt.
    }
devices-forget = Alle entfernen

## Passkeys

security-passkeys = { $count ->
        [0] Keiner
        [one] Einer
       *[other] { $count }
    }
passkeys-title = Passkeys
passkeys-why = Melden Sie sich mit Fingerabdruck, Gesicht oder der PIN Ihres Geräts an, ohne Passwort. Ein Passkey funktioniert nur auf dieser Website.
passkeys-own = Ihre Passkeys
passkeys-several = Fügen Sie für jedes Gerät einen hinzu, oder einen, den Ihr Passwortmanager synchronisiert.
passkeys-none = Sie haben noch keinen Passkey.
passkeys-added = Ihr Passkey wurde hinzugefügt. Öffnen Sie ihn, um ihm einen anderen Namen zu geben.
passkeys-renamed = Ihr Passkey wurde umbenannt.
passkeys-removed = Ihr Passkey wurde entfernt.
passkeys-impossible = Passkeys brauchen HTTPS und einen Domainnamen. Diese Seite hat beides nicht.
passkey-add = Passkey hinzufügen
passkey-used = Zuletzt benutzt { $when }
passkey-unused = Hinzugefügt { $when }, noch nicht benutzt
passkey-backed-up = Gesichert
passkey-backed-up-what = Er ist gesichert und übersteht den Verlust eines Geräts.
passkey-added = Hinzugefügt { $when }.
passkey-new-title = Passkey hinzufügen
passkey-new-how = Ihr Browser fragt, wo er aufbewahrt werden soll, und nach Fingerabdruck, Gesicht oder PIN.
passkey-name-hint = Damit Sie ihn von anderen unterscheiden können: das Gerät, oder wo er aufbewahrt ist.
passkey-create = Passkey erzeugen
passkey-needs-script = Passkeys brauchen JavaScript und einen Browser, der sie unterstützt.
passkey-no-answer = Ihr Passkey hat nicht funktioniert. Versuchen Sie es noch einmal, oder wählen Sie einen anderen Weg.
passkey-log-in = Mit Passkey anmelden
passkey-log-in-refused = Dieser Passkey wird hier nicht akzeptiert. Melden Sie sich mit Ihrem Passwort an.
passkey-void = Das hat zu lange gedauert oder wurde zweimal gesendet. Versuchen Sie es noch einmal.
passkey-refused = Dieser Passkey kann nicht verwendet werden: Er muss Fingerabdruck, Gesicht oder PIN prüfen. Versuchen Sie ein anderes Gerät.
passkey-known = Dieser Passkey ist schon registriert.
passkey-too-many = Sie haben { $max } Passkeys; mehr sind nicht möglich. Entfernen Sie zuerst einen.
passkey-last = Das ist Ihr einziger Weg zur Anmeldung. Fügen Sie zuerst einen anderen hinzu.
passkey-rename = Umbenennen
passkey-remove = Diesen Passkey entfernen
passkey-remove-title = „{ $name }“ entfernen?
passkey-remove-question = Diesen Passkey entfernen?
passkey-remove-why = Für ein Gerät, das Sie nicht mehr haben.
passkey-remove-what = Mit diesem Passkey können Sie sich nicht mehr anmelden. Löschen Sie ihn auch im Browser oder Passwortmanager, damit er nicht mehr angeboten wird.
passkey-remove-button = Passkey entfernen

# --- Die Schranke: Absagen, gezeigt auf dem Rechner einer Anwendung

gate-login = Melden Sie sich an, um fortzufahren
gate-login-why = Sie müssen angemeldet sein, um diese Seite zu sehen.
gate-unknown-address = Für diese Website ist keine Anmeldung eingerichtet
gate-unknown-address-why = Schicken Sie diese Referenz an die Administratoren der Website.
gate-step-up = Bestätigen Sie Ihre Identität
gate-step-up-why = Diese Seite verlangt eine kürzliche Anmeldung oder einen zweiten Faktor.
gate-step-up-unknown = Hier können Sie Ihre Identität nicht bestätigen
gate-forbidden = Sie haben keinen Zugriff auf diese Seite
gate-forbidden-why = Bitten Sie einen Administrator um Zugriff.
gate-away = Wir können Ihren Zugriff gerade nicht prüfen. Versuchen Sie es in einigen Sekunden noch einmal.
gate-error = Die Zugriffsregeln dieser Seite lassen sich nicht lesen. Schicken Sie diese Referenz an die Administratoren der Website.
gate-account = Zu Ihrem Konto

# --- Die Seiten für Administratoren

admin = Verwaltung
admin-sections = Verwaltung
admin-overview = Übersicht
admin-people = Personen
admin-done = Erledigt und im Prüfprotokoll vermerkt.
admin-nothing = Keine Angabe
admin-command = Auf der Kommandozeile:
admin-pages = Seiten
admin-first-page = Neueste
admin-next-page = Weiter
admin-filter = Suchen
admin-filter-none = Zurücksetzen
admin-any = Alle
admin-off = Aus
admin-act = Aktion
admin-remove = Entfernen
admin-search = Suche
admin-search-on = Weitersuchen
admin-search-further = Bisher nichts gefunden. Es gibt noch mehr zu durchsuchen.
admin-state = Zustand
admin-state-active = Aktiv
admin-state-disabled = Deaktiviert
admin-state-unverified = E‑Mail nicht bestätigt
admin-platform-role = Plattformrolle
admin-platform-roles = Plattformrollen
admin-role = { $role ->
        [admin] Administrator
        [auditor] Prüfer
       *[monitor] Beobachter
    }
admin-role-what = { $role ->
        [admin] Administrator: darf hier alles
        [auditor] Prüfer: sieht hier alles und ändert nichts
       *[monitor] Beobachter: sieht nur die Übersicht
    }
admin-role-unknown = Wählen Sie unter den angebotenen Rollen.
admin-kind = Was
admin-when = Wann
admin-actor = Durch
admin-actor-of = { $actor ->
        [user] Selbst
        [administrator] Administrator
        [operator] Betreiber
       *[unknown] Unbekannt
    }
admin-person-deleted = Gelöschtes Konto
admin-settings-none = Alles hat seinen Vorgabewert.
admin-settings-default = { $count ->
        [one] Eine Einstellung mit ihrem Vorgabewert
       *[other] { $count } Einstellungen mit ihren Vorgabewerten
    }
admin-detail = Einzelheit
admin-address = Adresse
admin-device = Gerät
admin-methods = Angemeldet mit
admin-began = Begonnen
admin-used = Zuletzt benutzt
admin-outcome = Letztes Ergebnis
admin-created = Angelegt
admin-last-login = Letzte Anmeldung
admin-provider = Anbieter
admin-issuer = Aussteller
admin-subject = Kennung dort
admin-delivery-state = { $state ->
        [pending] Wartet
        [processing] Wird gesendet
        [delivered] Gesendet
       *[failed] Fehlgeschlagen
    }

## Das Formular einer Handlung

admin-reason = Grund
admin-reason-why = Steht im Prüfprotokoll. Nur Administratoren und Prüfer sehen ihn.
admin-reason-missing = Sagen Sie in wenigen Worten, warum.
admin-reason-long = Ein Grund hat höchstens 500 Zeichen.
admin-reason-control = Ein Grund ist eine Zeile einfacher Text.
admin-not-yourself = Bitten Sie einen anderen Administrator: Niemand sperrt, entmachtet oder löscht sich selbst.
admin-last-administrator = Das ist der letzte Administrator, der sich anmelden kann. Machen Sie zuerst jemand anderen zum Administrator.
admin-mailed-lately = An diese Adresse ging gerade erst eine E‑Mail. Versuchen Sie es in { $seconds } Sekunden noch einmal.

## Personen

admin-people-search-hint = Der Anfang einer E‑Mail-Adresse, eines Benutzernamens oder Namens; eine ganze Id
admin-people-none = Niemand passt. Suchen Sie nach dem Anfang einer E‑Mail-Adresse, eines Benutzernamens oder Namens, oder setzen Sie die Filter zurück.
admin-login = Anmeldeverfahren
admin-access = Zugang
admin-email-verified = E‑Mail-Adresse ist bestätigt
admin-disabled-since = Deaktiviert seit
admin-language = Sprache
admin-external-id = ID in der Anwendung
admin-authenticator = Authenticator-App
admin-recovery-codes = Übrige Wiederherstellungscodes
admin-passkeys = Passkeys
admin-trusted-devices = Vertraute Geräte
admin-sessions-none = Nirgends angemeldet.
admin-identities-none = Kein Konto anderswo ist verbunden.
admin-organizations-none = Mitglied keiner Organisation.
admin-mails = E‑Mails
admin-mails-none = An diese Adresse ging in letzter Zeit keine E‑Mail.
admin-audit = Prüfprotokoll
admin-audit-all = Alles im Prüfprotokoll
admin-audit-none = Nichts in den letzten 90 Tagen.
admin-person-new = Neues Konto
admin-person-new-what = Das Konto hat kein Passwort. Die Person legt eines über einen Link fest, den wir ihr schicken, oder meldet sich mit einem verbundenen Konto an.
admin-person-new-mail = Einen Link zum Festlegen eines Passworts schicken
admin-person-new-button = Konto anlegen
admin-disable = Konto deaktivieren
admin-disable-what = Die Person wird überall abgemeldet und kann sich nicht anmelden, bis das Konto wieder aktiviert ist. Nichts wird gelöscht.
admin-disable-button = Konto deaktivieren
admin-enable = Konto aktivieren
admin-enable-what = Die Person kann sich wieder anmelden wie zuvor.
admin-enable-button = Konto aktivieren
admin-unlock = Anmeldebremse aufheben
admin-unlock-what = Fehlgeschlagene Versuche verzögern eine Anmeldung an diesem Konto nicht mehr, woher sie auch kommt. Wer es versucht hat, kann es weiter versuchen: War es nicht die Person, schicken Sie auch einen Passwort-Link.
admin-unlock-button = Anmeldebremse aufheben
admin-verification-what = Wir schicken den Link und den Code, mit denen die Adresse bestätigt wird, noch einmal.
admin-verification-button = Link schicken
admin-verification = Bestätigung erneut schicken
admin-end-sessions = Überall abmelden
admin-end-sessions-what = Jede Sitzung endet. Die Person kann sich sofort wieder anmelden.
admin-end-sessions-button = Überall abmelden
admin-end-session = Dieses Gerät abmelden
admin-end-session-what = Dieses Gerät wird abgemeldet. Die Person kann sich sofort wieder anmelden.
admin-end-session-button = Dieses Gerät abmelden
admin-two-factor = Zwei-Faktor-Authentifizierung zurücksetzen
admin-two-factor-what = Authenticator-App, Wiederherstellungscodes, Passkeys und vertraute Geräte werden entfernt, und jede Sitzung endet. Danach genügt das Passwort: Vergewissern Sie sich, dass die Person selbst darum bittet.
admin-two-factor-button = Zwei-Faktor-Authentifizierung zurücksetzen
admin-reset = Passwort-Link schicken
admin-reset-what = Wir schicken an ihre Adresse einen Link zum Festlegen eines neuen Passworts. Bis sie ihn benutzt, gilt das alte.
admin-reset-button = Link schicken
admin-email = E‑Mail-Adresse ändern
admin-email-what = Die alte Adresse wird benachrichtigt. Früher verschickte Links gelten nicht mehr.
admin-email-button = E‑Mail-Adresse ändern
admin-roles = Plattformrollen ändern
admin-roles-what = Was das Konto auf diesen Seiten darf. Alle Administratoren werden benachrichtigt.
admin-roles-button = Rollen speichern
admin-delete = Konto löschen
admin-delete-what = Das Konto, seine Sitzungen, seine Mitgliedschaften und seine persönliche Organisation werden endgültig gelöscht.
admin-delete-button = Endgültig löschen
admin-remove-identity = Konto anderswo trennen
admin-remove-identity-what = Damit ist keine Anmeldung mehr möglich, auch wenn es der einzige Zugang war. Die Person wird benachrichtigt.
admin-remove-identity-button = Trennen

## Die Übersicht

admin-findings = Vor dem Start
admin-figures = Zustellung
admin-day = Letzte 24 Stunden
admin-week = Letzte 7 Tage
admin-chart-table = Als Tabelle
admin-since = Ab
admin-count = Anzahl
admin-signups = Registrierungen
admin-logins = Anmeldungen
admin-login-failures = Fehlgeschlagene Anmeldungen
admin-deliveries-sent = Ereignisse zugestellt
admin-deliveries-failed = Ereignisse fehlgeschlagen
admin-mails-sent = E‑Mails gesendet
admin-mails-failed = E‑Mails fehlgeschlagen
admin-events-waiting = Ereignisse wartend
admin-mails-waiting = E‑Mails wartend
admin-events-failed = Ereignisse fehlgeschlagen
admin-mails-not-sent = E‑Mails fehlgeschlagen
admin-counted = { $count }
admin-counted-at-least = { $count } oder mehr
admin-until = Bis
admin-ended = Beendet
admin-organization = Organisation
admin-about = Betrifft
admin-verbatim = { $text }

## Warum konnten sie sich nicht anmelden?

admin-standing = Anmeldung möglich?
admin-standing-none = Ja. Nichts steht einer Anmeldung im Weg.
admin-standing-what = Was
admin-standing-when = Wann und wo
admin-standing-do = Was zu tun ist
admin-standing-enable = Aktivieren Sie das Konto, wenn sich die Person wieder anmelden darf.
admin-standing-verify = Schicken Sie die Bestätigung erneut, oder setzen Sie die Adresse auf bestätigt.
admin-standing-no-way-in = Kein Passwort, kein Passkey und kein verbundenes Konto
admin-standing-give-way-in = Schicken Sie einen Passwort-Link.
admin-standing-way-in-mailed = Das Passwort wird bis dahin mit dem Link aus der E‑Mail festgelegt.
admin-standing-limited = Anmeldungen werden nach fehlgeschlagenen Versuchen verzögert
admin-standing-limited-there = Anmeldungen von dieser Adresse werden nach fehlgeschlagenen Versuchen verzögert
admin-standing-limited-others = Anmeldungen von anderen Adressen werden nach fehlgeschlagenen Versuchen verzögert
admin-standing-unlock = Warten Sie bis dahin, oder heben Sie die Anmeldebremse auf.
admin-standing-codes = Codes der Authenticator-App werden nach falschen abgelehnt
admin-standing-unlock-codes = Die Person nimmt einen Wiederherstellungscode, oder Sie heben die Anmeldebremse auf.
admin-standing-mail = Eine E‑Mail an die Person wurde nicht zugestellt
admin-standing-mail-do = Prüfen Sie die Adresse und schicken Sie sie erneut.
admin-login-attempts = Letzte Versuche
admin-login-attempts-none = Kein Versuch in den letzten 90 Tagen.

## Das Prüfprotokoll

admin-audit-search-hint = Eine E‑Mail-Adresse, ein Benutzername oder eine ID, auch einer Organisation; operator, unknown oder key:NAME
admin-audit-nothing = Nichts passt. Einträge werden 90 Tage aufbewahrt.
admin-audit-csv = CSV herunterladen (Kommas)
admin-audit-ndjson = NDJSON herunterladen
admin-audit-format = Wählen Sie CSV oder NDJSON.
admin-audit-too-many = Es gibt mehr als { $max } Einträge. Wählen Sie einen kürzeren Zeitraum, oder nehmen Sie die Kommandozeile unten.

## Zustellungen

admin-replay-all = Fehlgeschlagene Ereignisse wiederholen
admin-replay-waiting = Wartende Ereignisse jetzt senden
admin-replay-events = Ereignisse wiederholen
admin-replay-events-what = Jedes fehlgeschlagene Ereignis, oder jedes, das auf den nächsten Versuch wartet, wird mit neuen Versuchen noch einmal gesendet. Das läuft im Hintergrund; Sie können diese Seite schließen.
admin-replay-state = Wählen Sie fehlgeschlagene oder wartende Ereignisse.
admin-replay-waiting-days = Lassen Sie den Tag leer: Wartende Ereignisse werden unabhängig von ihrem Tag gesendet.
admin-replay-all-button = Wiederholen
admin-replay-channel = Nur Ereignisse lassen sich alle auf einmal wiederholen.
admin-kind-unknown = Wählen Sie unter den angebotenen Arten.
admin-time-unreadable = Geben Sie einen Tag wie 2026-07-01 oder eine Zeit wie 2026-07-01T08:30:00Z ein.
admin-job-state = { $state ->
        [running] Läuft
        [done] Fertig
       *[failed] Fehlgeschlagen
    }
admin-job-progress = Fortschritt
admin-job-replayed = Wieder fällig
admin-job-done = { $done } von { $total }
admin-deliveries-still-failed = Fehlgeschlagene Ereignisse
admin-verified = Bestätigt

## Organizations

admin-organizations-search-hint = Der Anfang des Namens oder eine Id
admin-organizations-empty = Keine Organisation passt. Geben Sie den Anfang des Namens oder die ID ein, oder setzen Sie die Suche zurück. Mitglieder legen Teams auf ihren eigenen Seiten an; „doorward org create“ legt hier eines an.
admin-created-by = Angelegt von
admin-members = Mitglieder
admin-members-none = Keine Mitglieder.
admin-joined = Beigetreten
admin-invitations = Einladungen
admin-invitations-none = Niemand wurde eingeladen. Mitglieder laden auf ihren eigenen Seiten ein; „doorward invitation create“ tut es hier.
admin-invitation-state = { $state ->
        [pending] Wartet
        [accepted] Angenommen
        [revoked] Widerrufen
        [declined] Abgelehnt
       *[expired] Abgelaufen
    }
admin-ends = Läuft ab
admin-organization-rename = Organisation umbenennen
admin-organization-rename-what = Die Mitglieder sehen den neuen Namen sofort. Links und Ids bleiben.
admin-organization-delete = Organisation löschen
admin-organization-delete-what = Die Organisation, ihre Mitgliedschaften und ihre Einladungen werden endgültig gelöscht. Die Konten der Mitglieder bleiben.
admin-member-role = Rolle ändern
admin-member-role-button = Rolle speichern
admin-member-remove = Mitglied entfernen
admin-member-remove-what = Die Person verlässt die Organisation sofort, und die Einladungen, die sie verschickt hat, werden widerrufen. Das Konto bleibt.
admin-invitation-revoke = Einladung widerrufen
admin-invitation-revoke-what = Ihr Link gilt nicht mehr. Die Person kann erneut eingeladen werden.
admin-revoke = Widerrufen

## Deliveries

admin-deliveries = Zustellungen
admin-delivery = Zustellung
admin-deliveries-no-events = Kein Webhook passt. Ändern Sie die Filter, oder sehen Sie nach, ob Webhooks eingerichtet sind: „doorward webhooks ping“ probiert sie.
admin-deliveries-no-mails = Keine E‑Mail passt. Ändern Sie die Filter, oder sehen Sie nach, ob E‑Mail eingerichtet ist: „doorward mail test“ probiert es.
admin-deliveries-kind-hint = Der ganze Name, etwa user.created oder password-reset
admin-channel = Kanal
admin-channel-name = { $channel ->
        [mail] E‑Mails
       *[webhook] Webhooks
    }
admin-attempts = Versuche
admin-attempts-none = Noch nicht versucht.
admin-answer = Antwort
admin-milliseconds = Millisekunden
admin-mail-to = An
admin-mail-subject = Betreff
admin-finished = Beendet
admin-due = Fällig
admin-outcome-of = { $outcome ->
        [delivered] Angekommen
        [status] Vom Empfänger abgelehnt
        [refused] Abgelehnt
        [deferred] Vorerst abgelehnt
        [session] Der Mailserver wollte nicht sprechen
        [login] Der Mailserver lehnte die Anmeldung ab
        [sender] Der Mailserver lehnte den Absender ab
        [name] Name nicht aufgelöst
        [connect] Keine Verbindung
        [tls] TLS-Fehler
        [timeout] Zeit überschritten
        [closed] Verbindung geschlossen
        [interrupted] Der Prozess endete
        [disabled] Art nicht eingeschaltet
        [starttls] Kein STARTTLS
        [lost_after_data] Nach der E‑Mail verloren: sie kann angekommen sein
        [unsendable] Kann nicht gesendet werden
        [expired] Ihre Zeit war um
        [withdrawn] Zurückgezogen
        [internal] Interner Fehler
       *[other] { $outcome }
    }
admin-replay = Erneut senden
admin-replay-what = Das Ereignis wird sofort noch einmal gesendet, mit derselben ID und demselben Inhalt und mit allen Versuchen. Empfänger, die die ID kennen, übergehen es.
admin-replay-under-way = Es wird gerade gesendet. Sehen Sie in einer Minute wieder nach.

## API keys

admin-api-keys = API-Schlüssel
admin-api-keys-none = Keine API-Schlüssel. „doorward api-key create“ legt einen für das Backend Ihrer Anwendung an und zeigt ihn einmal.
admin-api-key-state = { $state ->
        [live] In Gebrauch
        [expired] Abgelaufen
       *[revoked] Widerrufen
    }
admin-scopes = Berechtigungen
admin-networks = Erlaubte Netze
admin-api-key-revoke = API-Schlüssel widerrufen
admin-api-key-revoke-what = Das Backend, das ihn benutzt, wird von nun an abgelehnt. „doorward api-key rotate“ ersetzt einen Schlüssel ohne Lücke.

## Providers

admin-providers = Anbieter
admin-providers-none = Keine Anbieter. „doorward provider add“ lässt Personen sich mit einem Konto anderswo anmelden.
admin-provider-kind = Art
admin-client-id = Client-Id
admin-redirect-uri = Rückkehradresse
admin-provider-secret = Geheimnis
admin-secret-set = Gesetzt
admin-secret-missing = Fehlt
admin-on = An

## Settings

admin-settings = Einstellungen
admin-setting = Einstellung
admin-value = Wert
admin-source = Quelle
admin-source-of = { $source ->
        [environment] Umgebung
        [file] Datei
       *[default] Voreinstellung
    }
admin-default = Voreinstellung
admin-id = Id
