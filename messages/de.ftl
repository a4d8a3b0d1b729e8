# Deutsch, mit der Anrede „Sie“. Dieselben Namen in derselben Reihenfolge wie in en.ftl.

language-name = Deutsch

## Around every page

languages = Sprache
skip-to-content = Zum Inhalt springen
account-sections = Konto
log-out = Abmelden
title-error = Fehler:
form-stale = Dieses Formular war veraltet oder wurde anderswo geöffnet. Es wurde nichts geändert. Bitte senden Sie es noch einmal ab.

## Fields

email = E-Mail-Adresse
email-missing = Geben Sie Ihre E-Mail-Adresse ein.
email-too-long = Eine E-Mail-Adresse hat höchstens { $max } Zeichen.
email-invalid = Das ist keine E-Mail-Adresse.
email-taken = Es gibt bereits ein Konto mit dieser E-Mail-Adresse. Melden Sie sich stattdessen an.
username = Benutzername
username-characters = Ein Benutzername besteht nur aus Buchstaben (a bis z), Ziffern, Punkten, Unterstrichen und Bindestrichen.
username-length = Ein Benutzername hat { $min } bis { $max } Zeichen.
username-taken = Dieser Benutzername ist vergeben. Wählen Sie einen anderen, oder lassen Sie das Feld leer, um einen zu erhalten.
password = Passwort
password-show = Passwort anzeigen
password-hint = Mindestens { $min } Zeichen. Gut eignen sich mehrere Wörter hintereinander.
password-more = Noch { $count } Zeichen.
password-one-more = Noch ein Zeichen.
password-enough = Lang genug.
password-too-short = Verwenden Sie mindestens { $min } Zeichen.
password-too-long = Verwenden Sie höchstens { $max } Zeichen.
password-common = Dieses Passwort ist zu verbreitet: Angreifer probieren es mit als Erstes. Wählen Sie ein anderes.
password-personal = Ihr Name oder Ihre E-Mail-Adresse kann nicht Ihr Passwort sein. Wählen Sie ein anderes.
password-wrong = Das ist nicht Ihr Passwort.
optional = (freiwillig)

## Log-in

log-in-title = Anmelden
log-in-name = E-Mail oder Benutzername
log-in-button = Anmelden
log-in-new-here = Neu hier?
log-in-sign-up = Konto erstellen
log-in-wrong = Diese Angaben passen zu keinem Konto. Prüfen Sie beide Felder und versuchen Sie es erneut.

## Sign-up

sign-up-title = Konto erstellen
sign-up-email-fixed = Ihre Einladung gilt für diese Adresse.
sign-up-username-hint = Buchstaben, Ziffern, Punkte, Bindestriche oder Unterstriche. Bleibt das Feld leer, wählen wir einen Namen für Sie.
sign-up-button = Konto erstellen
sign-up-back = Zurück zur Einladung
sign-up-have-account = Haben Sie schon ein Konto?

## Account

account-last-owner = Das Konto ist der letzte Inhaber von { $organizations }. Machen Sie dort zuerst ein anderes Mitglied zum Inhaber, oder löschen Sie die Organisation.

## Organizations

name-missing = Geben Sie einen Namen ein.
name-too-long = Ein Name hat höchstens { $max } Zeichen.
name-invisible = Ein Name kann keine unsichtbaren Zeichen enthalten.
invite-own-address = Das ist Ihre eigene Adresse.
invite-member-already = Diese Person ist bereits Mitglied.
invite-invited-already = Für diese Adresse gibt es bereits eine Einladung. Erzeugen Sie dafür einen neuen Link.
refused-not-permitted = Ihre Rolle in dieser Organisation erlaubt das nicht.
refused-above-own-role = Das kann nur ein Inhaber: Niemand vergibt oder entzieht eine höhere Rolle als die eigene.
refused-last-owner = Eine Organisation braucht einen Inhaber. Machen Sie zuerst ein anderes Mitglied zum Inhaber.
refused-personal = Eine persönliche Organisation hat keine weiteren Mitglieder und besteht so lange wie das Konto ihres Inhabers.
refused-no-teams = Team-Organisationen können hier nicht erstellt werden.
refused-no-invitations = Hier gibt es keine Einladungen: Jede Organisation ist persönlich.
refused-not-pending = Diese Einladung ist nicht mehr offen.
refused-operators-invitation = Diese Einladung stammt von einem Betreiber, und nur ein Betreiber kann einen neuen Link dafür erzeugen.
refused-too-many-pending = 100 Einladungen warten auf eine Antwort. Ziehen Sie einige zurück, bevor Sie weitere Personen einladen.
