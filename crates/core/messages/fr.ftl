# Français, avec « vous ». Les mêmes noms dans le même ordre que dans en.ftl.
# Not read by a native speaker yet: corrections are welcome. Before ? ! ; and inside « » stands U+202F, before : U+00A0.

language-name = Français

## Around every page

languages = Langue
skip-to-content = Aller au contenu
account-sections = Compte
account-menu = Menu du compte, { $account }
person-named = { $name } ({ $account })
log-out = Se déconnecter
back-to-app = Retour à { $brand }
terms = Conditions
privacy = Confidentialité
support = Aide
title-error = Erreur :
form-stale = Cette page a expiré. Rien n’a été modifié. Veuillez réessayer.
form-no-cookie = Rien n’a été modifié, car votre navigateur n’a pas envoyé de cookie. Autorisez les cookies pour ce site, vérifiez que l’adresse commence par { $base }, puis rechargez la page.
form-other-origin = Ce formulaire venait de { $origin }, mais appartient à { $base }. Rien n’a été modifié. Ouvrez plutôt { $base }.
form-not-of-page = Cette page était ouverte depuis plus de 15 minutes, ou une autre page a envoyé le formulaire. Rien n’a été modifié. Vérifiez le formulaire et envoyez-le à nouveau.

## Fields

email = E‑mail
email-missing = Saisissez votre adresse e‑mail.
email-too-long = Une adresse e‑mail compte { $max } caractères au maximum.
email-invalid = Cette adresse e‑mail n’est pas valide.
email-taken = Un compte avec cette adresse e‑mail existe déjà. Connectez-vous plutôt.
email-verified = Cette adresse e‑mail est déjà vérifiée.
address-verified = Vérifiée
address-not-verified = Non vérifiée
username = Nom d’utilisateur
username-characters = Utilisez seulement des lettres (a à z), des chiffres, des points, des traits de soulignement et des tirets.
username-length = Utilisez { $min } à { $max } caractères.
username-is-id = Un nom d’utilisateur ne peut pas ressembler à un identifiant. Choisissez-en un autre.
username-taken = Ce nom d’utilisateur est déjà pris. Choisissez-en un autre ou laissez le champ vide.
username-in-use = Ce nom d’utilisateur est déjà pris. Choisissez-en un autre.
username-missing = Saisissez un nom d’utilisateur.
password = Mot de passe
password-show = Afficher le mot de passe
password-hint = Au moins { $min } caractères.
password-more = Encore { $count } caractères.
password-one-more = Encore un caractère.
password-enough = Longueur suffisante.
password-too-short = Utilisez au moins { $min } caractères.
password-too-long = Utilisez { $max } caractères au maximum.
password-common = Ce mot de passe est trop courant. Choisissez-en un autre.
password-personal = N’utilisez pas votre nom ni votre adresse e‑mail comme mot de passe.
password-same = C’est votre mot de passe actuel. Choisissez-en un autre.
password-wrong = Mot de passe incorrect.
optional = (facultatif)

## Log-in

log-in-title = Se connecter à { $brand }
log-in-name = E‑mail ou nom d’utilisateur
log-in-button = Se connecter
log-in-new-here = Pas encore de compte ?
log-in-sign-up = S’inscrire
log-in-wrong = E‑mail ou mot de passe incorrect.
log-in-or = ou
log-in-last-used = Vous l’avez utilisé la dernière fois

## Sign-up

sign-up-title = Créer votre compte
sign-up-join = Rejoindre { $organization }
sign-up-invited-by = { $inviter } vous a invité.
setup-title = Créer le premier administrateur
setup-why = Ce compte gérera le service. Le lien ne fonctionne qu’une fois.
setup-done = Votre compte est prêt. Vous gérez maintenant ce service.
setup-over = Il a déjà été utilisé, a expiré ou a été remplacé par un lien plus récent. « doorward setup-link » en affiche un nouveau tant que le service n’a pas d’administrateur.
sign-up-email-fixed = Votre invitation est pour cette adresse.
sign-up-username-hint = Laissez le champ vide et nous en choisirons un pour vous.
sign-up-username-hint-numbered = S’il est déjà pris, nous ajoutons un nombre. Laissez le champ vide et nous en choisirons un pour vous.
sign-up-username-rule = Lettres, chiffres, points, tirets et traits de soulignement.
sign-up-username-rule-numbered = Lettres, chiffres, points, tirets et traits de soulignement. S’il est déjà pris, nous ajoutons un nombre.
sign-up-agree = En créant un compte, vous acceptez les { $terms } et la { $privacy }.
sign-up-agree-terms = En créant un compte, vous acceptez les { $terms }.
sign-up-agree-privacy = La { $privacy } explique comment nous utilisons vos données.
sign-up-terms = conditions d’utilisation
sign-up-privacy = politique de confidentialité
sign-up-button = Créer un compte
sign-up-back = Retour à l’invitation
sign-up-have-account = Vous avez déjà un compte ?

## Times, durations, devices

date = { $day ->
        [1] 1er
       *[other] { $day }
    } { $month ->
        [1] janvier
        [2] février
        [3] mars
        [4] avril
        [5] mai
        [6] juin
        [7] juillet
        [8] août
        [9] septembre
        [10] octobre
        [11] novembre
       *[12] décembre
    } { $year }
moment = { date } à { $time } UTC
clock = { $time } UTC
ago-now = à l’instant
ago-minutes = { $count ->
        [one] il y a { $count } minute
       *[other] il y a { $count } minutes
    }
ago-hours = { $count ->
        [one] il y a { $count } heure
       *[other] il y a { $count } heures
    }
ago-days = { $count ->
        [one] il y a { $count } jour
       *[other] il y a { $count } jours
    }
ago-months = { $count ->
        [one] il y a { $count } mois
       *[other] il y a { $count } mois
    }
ago-years = { $count ->
        [one] il y a { $count } an
       *[other] il y a { $count } ans
    }
seconds = { $count ->
        [one] { $count } seconde
       *[other] { $count } secondes
    }
minutes = { $count ->
        [one] { $count } minute
       *[other] { $count } minutes
    }
hours = { $count ->
        [one] { $count } heure
       *[other] { $count } heures
    }
device = { $browser } sur { $system }
device-with-address = { $device }, { $address }
device-unknown = Appareil inconnu
address-unknown = Adresse IP inconnue
place-local = Réseau local ({ $address })
place-here = Ce réseau ({ $address })
today = Aujourd’hui
yesterday = Hier

## Errors

error-status = Erreur { $status }
error-reference = Référence
error-to-account = Aller à votre compte
error-to-log-in = Aller à la connexion
error-logged-in = Vous utilisez le compte { $account }.
use-another-account = Utiliser un autre compte
error-try-again = Réessayez dans { $wait }.
error-try-now = Vous pouvez réessayer maintenant.
error-retry = Réessayer
error-support = Contacter l’assistance
error-bad-request = Cette requête pose un problème
error-bad-request-why = Elle était incomplète ou endommagée. Rien n’a été modifié. Revenez en arrière et réessayez.
error-forbidden = Vous ne pouvez pas faire cela
error-script = Cette page ne peut pas être chargée depuis une autre
error-script-alone = Rien n’a été modifié. Ouvrez-la seule.
error-script-open = Ouvrir la page
error-not-found = Page introuvable
error-not-found-why = Le lien est peut-être ancien, ou l’adresse mal saisie.
error-method = Cette page ne s’ouvre pas de cette façon
error-method-why = Rien n’a été modifié. Recommencez depuis le début.
error-too-large = L’envoi est trop volumineux
error-too-large-why = Raccourcissez ce que vous avez saisi et envoyez-le à nouveau.
error-too-many = Trop de tentatives
error-too-many-why = Nous limitons les tentatives pour protéger les comptes.
error-internal = Une erreur s’est produite
error-internal-why = Cela vient de nous, pas de vous. Veuillez réessayer dans un instant.
error-internal-tell = Si cela se reproduit, contactez l’assistance avec cette référence.
error-unavailable = Nous revenons tout de suite
error-unavailable-why = Une maintenance est en cours, ou le service est très sollicité.

## Log-in: what can come between

disabled-title = Compte désactivé
disabled-why = Un administrateur a désactivé ce compte. Vous ne pouvez pas l’utiliser pour vous connecter.
disabled-help = Si vous pensez que c’est une erreur, contactez l’assistance.
disabled-other = Se connecter avec un autre compte
refused-by-application-title = Votre session est ouverte
refused-by-application-why = L’application vous a renvoyé ici. Il se peut qu’elle n’accepte pas votre compte { $username }.
refused-by-application-as = Votre compte ici est { $username }.
refused-by-application-help = Réessayez, ou déconnectez-vous et utilisez un autre compte.
continue = Continuer
log-out-title = Se déconnecter
log-out-question = Voulez-vous vous déconnecter sur cet appareil ?
log-out-stay = Rester connecté
log-out-two = Pour continuer, déconnectez-vous des deux, puis connectez-vous au compte voulu.
log-out-two-title = Vous êtes connecté à deux comptes
log-out-both = Se déconnecter des deux

## Sign-up: where not everyone may

sign-up-closed = Les inscriptions sont fermées
sign-up-closed-why = Il n’est pas possible de créer de nouveaux comptes ici.
sign-up-by-invitation = Inscription sur invitation
sign-up-by-invitation-why = Si vous avez été invité, ouvrez le lien de votre e‑mail d’invitation.
sign-up-invitation-void = Cette invitation n’est plus valide
sign-up-invitation-void-why = Elle a été utilisée, révoquée ou remplacée, ou elle a expiré. Demandez-en une nouvelle à la personne qui vous a invité.

## Login with others

provider-continue = Continuer avec { $provider }
provider-start-title = Se connecter avec { $provider } ?
provider-start-what = Un autre site vous a envoyé ici. Continuez seulement si vous voulez vous connecter à { $brand }.
provider-canceled = Vous n’avez pas terminé la connexion avec { $provider }. Réessayez, ou connectez-vous autrement. Référence : { $reference }
provider-refused = La connexion avec { $provider } a échoué. Réessayez, ou connectez-vous autrement. Référence : { $reference }
provider-away = { $provider } ne répond pas pour le moment. Réessayez plus tard, ou connectez-vous autrement. Référence : { $reference }
departure-title = Continuer vers { $host }
departure-what = Vous quittez cette page pour { $host }. Si rien ne se passe, utilisez le bouton.
connect-title = Vous avez déjà un compte
connect-log-in = Un compte avec { $email } existe. Connectez-vous à ce compte pour l’associer à { $provider }.
connect-not-now = Pas maintenant
connect-mail = Un compte avec { $email } existe, sans mot de passe ni clé d’accès. Nous allons vous envoyer un code pour l’associer à { $provider }.
connect-mail-sent = Nous avons envoyé un code à { $email }. Saisissez-le ici pour associer le compte à { $provider }.
connect-offer = Associer cette connexion à votre compte ? Vous pourrez alors vous connecter des deux façons.
connect-with = Associer à { $account }
connect-other = Vous utilisez un autre compte. Déconnectez-vous, puis connectez-vous à nouveau avec { $provider }.
connect-logged-in = Compte utilisé
connect-void = Cela a pris trop de temps, ou a été fait dans un autre onglet. Recommencez.
details-title = Terminer l’inscription
details-address = { $provider } ne nous a pas communiqué votre adresse e‑mail. Saisissez-la pour créer votre compte.
details-username = Choisissez un nom d’utilisateur pour créer votre compte.
identity-taken-title = Déjà associé
identity-taken-why = Un autre compte est associé à ce compte chez { $provider }. Dissociez-le d’abord là-bas.
identities-full-title = Trop de comptes associés
identities-full-why = Un compte peut être associé à { $max } autres au maximum. Retirez-en d’abord un.
invited-elsewhere-title = Cette invitation est pour quelqu’un d’autre
invited-elsewhere-why = Elle est pour { $email }, qui n’est pas l’adresse de votre compte chez { $provider }. Inscrivez-vous avec { $email }, ou demandez une autre invitation.
confirm-email-code-there = Pour vérifier { $email }, saisissez le code de l’e‑mail dans le navigateur où vous vous êtes inscrit.
connections-title = Comptes associés
connections-why = D’autres comptes avec lesquels vous pouvez vous connecter.
connections-own = Vos comptes associés
connections-none = Vous n’avez associé aucun compte.
connections-add = Associer un compte
connections-add-why = Connectez-vous ici avec un compte que vous avez déjà ailleurs.
connections-last = C’est votre seul moyen de vous connecter. Définissez d’abord un mot de passe ou ajoutez une clé d’accès.
connections-connected = Votre compte est associé.
connections-removed = Le compte est dissocié.
connection-used = Utilisé { $when }
connection-unused = Associé { $when }, pas encore utilisé
connection-gone = N’est plus disponible
connections-add-another = Associer un second compte
connection-remove = Dissocier
connection-remove-one = Dissocier { $provider }
security-connections = { $count ->
        [0] Aucun
        [one] Un
       *[other] { $count }
    }

## Confirm that it is you

confirm-title = Confirmez votre identité
confirm-why = Avant de continuer, nous devons vérifier qu’il s’agit bien de vous.
confirm-factor-why = Cette page demande un second facteur.
confirm-code-why = Saisissez le code de votre application d’authentification.
confirm-no-factor = Votre compte n’en a pas encore. Configurez l’authentification à deux facteurs ou ajoutez une clé d’accès, puis rouvrez la page.
confirm-set-up-factor = Configurer l’authentification à deux facteurs
confirm-codes-refused = Trop de codes incorrects ont été saisis pour ce compte : nous n’acceptons plus les codes de votre application. Utilisez un code de récupération.
confirm-account = Compte
confirm-back = Retour à votre compte
confirm-passkey = Utiliser une clé d’accès
confirm-passkey-wrong = Cette clé d’accès n’a pas fonctionné. Réessayez, ou utilisez un autre moyen.
confirm-no-password = Votre compte n’a pas de mot de passe. Si vous ne pouvez pas utiliser votre clé d’accès, définissez un mot de passe par e‑mail.
confirm-mail = Votre compte n’a ni mot de passe ni clé d’accès. Nous pouvons envoyer un code à { $email }.
confirm-mail-sent = Nous avons envoyé un code à { $email }. Saisissez-le ici.
confirm-mail-send = M’envoyer un code par e‑mail
confirm-not-asked-for = Cela n’est pas demandé ici. Utilisez un autre moyen sur cette page.
own-code-wrong = { $left ->
    [0] Code incorrect. Envoyez-en un nouveau.
    [one] Code incorrect. Encore une tentative.
   *[other] Code incorrect. Encore { $left } tentatives.
}
own-code-over = Ce code ne fonctionne plus. Envoyez-en un nouveau.
own-codes-refused = Trop de codes incorrects ont été saisis : nous n’en acceptons plus pour le moment. Définissez plutôt un mot de passe par e‑mail.
confirm-nothing = Il nous faut un moyen de vérifier qu’il s’agit bien de vous, et votre compte n’a ni mot de passe, ni clé d’accès, ni adresse e‑mail. Reconnectez-vous comme d’habitude : une adresse vous sera demandée. Sinon, demandez à votre administrateur de l’ajouter.
confirm-nothing-title = Ajoutez une adresse e‑mail pour continuer
confirm-log-in-again = Se déconnecter et se reconnecter
confirm-set-password = M’envoyer un lien pour définir un mot de passe

## Account

account-title = Votre compte
account-section = Profil
account-warning = Quelqu’un a peut-être utilisé l’une de vos sessions
account-warning-why = Le { $when }, une ancienne copie d’un cookie de session a été utilisée : nous avons donc mis fin à cette session. La restauration d’un navigateur à partir d’une sauvegarde peut en être la cause. Si vous ne vous l’expliquez pas, contactez l’assistance.
account-profile = Profil
account-roles = Rôles
account-since = Membre depuis le { $since }
account-id = Identifiant
account-organization = Organisation
account-organization-kind = Type
account-add-name = Ajouter un nom
address-verified-now = Votre adresse e‑mail est vérifiée.
joined = Vous avez rejoint { $organization }.
recovery-code-used = Vous avez utilisé un code de récupération. { $left ->
        [0] C’était le dernier. Créez-en de nouveaux sur la page de sécurité.
        [one] Il vous en reste un. Créez-en de nouveaux sur la page de sécurité.
       *[other] Il vous en reste { $left }.
    }
account-warning-link = Vérifier vos sessions
account-data = Vos données
account-data-why = Tout ce que nous conservons sur vous.
account-delete = Supprimer votre compte
account-delete-why = Supprimer définitivement votre compte et vos données.
account-delete-title = Supprimer votre compte ?
account-delete-what = { $email } sera supprimé définitivement, avec :
account-delete-data = Votre profil, vos méthodes de connexion et vos sessions
account-delete-organizations = { $count ->
        [one] L’organisation { $names }, dont vous êtes le seul membre
       *[other] { $count } organisations dont vous êtes le seul membre : { $names }
    }
account-delete-memberships = { $count ->
        [one] Votre adhésion à { $names }
       *[other] Vos { $count } adhésions : { $names }
    }
account-delete-final = Cette action est irréversible.
account-delete-button = Supprimer le compte
account-deleted = Votre compte est supprimé
account-deleted-what = Vous êtes déconnecté et ne faites plus partie d’aucune organisation.
account-last-owner = Vous êtes le dernier propriétaire de { $organizations }. Donnez d’abord ce rôle à un autre membre, ou supprimez l’organisation.
user-last-owner = Ce compte est le dernier propriétaire de { $organizations }. Donnez d’abord ce rôle à un autre membre, ou supprimez l’organisation.
account-last-admin = Vous êtes le dernier administrateur. Donnez d’abord ce rôle à un autre compte.
cancel = Annuler
keep = Conserver

## Username

display-name = Nom
display-name-title = Votre nom
display-name-why = Certains de nos e‑mails vous appellent ainsi, et les applications peuvent l’afficher. Il n’a pas à être unique, et vous ne vous connectez pas avec lui.
display-name-hint = 100 caractères au maximum. Laissez le champ vide pour le retirer.
display-name-button = Enregistrer le nom
display-name-saved = Votre nom a été enregistré.
display-name-removed = Votre nom a été retiré.
username-title = Modifier votre nom d’utilisateur
username-change-what = Les autres personnes et les applications voient aussitôt le nouveau nom, et vous vous connectez avec lui. L’ancien ne peut être pris par personne d’autre pendant 90 jours.
username-hint = 2 à 64 lettres, chiffres, points, tirets ou traits de soulignement.
username-button = Modifier le nom d’utilisateur
username-changed = Votre nom d’utilisateur a été modifié.

## Security

security-title = Sécurité
security-sign-in = Méthodes de connexion
security-seen = Là où votre session est ouverte
security-recommended = Recommandé
security-on = Activée
security-sessions-count = { $count ->
        [one] Sur cet appareil seulement
       *[other] { $count } sessions
    }
security-password-set = Défini
security-password-none = Aucun : vous vous connectez sans
security-password-changed = Modifié { $when }
password-title = Modifier votre mot de passe
password-first-title = Définir un mot de passe
password-current = Mot de passe actuel
password-new = Nouveau mot de passe
password-end-others = Se déconnecter partout ailleurs
password-button = Modifier le mot de passe
password-first-button = Définir le mot de passe
password-changed = Votre mot de passe a été modifié.
password-changed-others = Votre mot de passe a été modifié. Les clés d’accès et les comptes associés permettent de se connecter sans lui : supprimez ceux qui ne sont pas à vous.
password-others = Un nouveau mot de passe ne met pas fin aux autres moyens de connexion. Vérifiez qu’ils sont à vous :

## Sessions

sessions-title = Sessions
sessions-warning-do = Déconnectez tous les autres appareils et changez votre mot de passe.
sessions-warning-alone = Par précaution, changez votre mot de passe.
sessions-this = Cet appareil
sessions-line = { $place } · Active { $used } · Depuis le { $since }
sessions-others-why = Déconnectez ceux que vous ne reconnaissez pas.
sessions-none = Vous n’êtes connecté nulle part ailleurs.
sessions-end = Déconnecter
sessions-end-one = Déconnecter { $device }
sessions-end-others = Déconnecter tous les autres appareils
sessions-ended-one = Cet appareil a été déconnecté.
sessions-ended-others = Tous les autres appareils ont été déconnectés.

## Activity

activity-title = Activité
activity-why = Ce qui s’est passé sur votre compte ces 90 derniers jours.
activity-filter = Filtre
activity-all = Tout
activity-none = Rien pour le moment.
activity-kind = { $kind ->
        [account_created] Compte créé
        [account_deleted] Compte supprimé
        [account_disabled] Compte désactivé
        [account_enabled] Compte activé
        [account_unlocked] Compte débloqué après des échecs de connexion
        [roles_changed] Rôles de plateforme modifiés
        [signed_in] Connexion
        [sign_in_failed] Échec de connexion : mot de passe incorrect
        [sign_in_refused] Connexion refusée : le compte était désactivé
        [sign_in_limited] Connexion refusée après trop de tentatives
        [signed_out] Déconnexion
        [confirmed] Confirmation par mot de passe ou clé d’accès
        [confirm_failed] Échec de la confirmation
        [session_ended] Un appareil déconnecté
        [sessions_ended] Tous les autres appareils déconnectés
        [reuse_detected] Fin de session : un ancien cookie de session a été utilisé
        [password_changed] Mot de passe modifié
        [password_reset] Mot de passe réinitialisé par e‑mail
        [password_reset_sent] Lien de réinitialisation du mot de passe envoyé
        [verification_sent] E‑mail de vérification de l’adresse envoyé
        [email_verified] Adresse e‑mail vérifiée
        [email_changed] Adresse e‑mail modifiée
        [email_change_undone] Modification de l’adresse e‑mail annulée
        [email_released] Adresse e‑mail passée à un autre compte, dont le titulaire l’a vérifiée
        [username_changed] Nom d’utilisateur modifié
        [name_changed] Nom modifié
        [totp_enabled] Application d’authentification ajoutée
        [totp_disabled] Application d’authentification retirée
        [second_factor_failed] Échec de connexion : mot de passe correct, second facteur incorrect
        [second_factor_missing] Mot de passe accepté, second facteur en attente
        [recovery_codes_made] Nouveaux codes de récupération créés
        [recovery_code_used] Code de récupération utilisé
        [device_remembered] Appareil désigné comme fiable
        [passkey_added] Clé d’accès ajoutée
        [passkey_renamed] Clé d’accès renommée
        [passkey_removed] Clé d’accès retirée
        [identity_connected] Compte externe associé
        [identity_removed] Compte externe dissocié
        [provider_refused] Connexion avec un autre compte refusée
        [passkey_copied] Clé d’accès refusée : il en existe peut-être une copie
        [data_exported] Données téléchargées
        [details_changed] Données d’application modifiées
        [api_key_created] Clé d’API créée
        [api_key_revoked] Clé d’API révoquée
        [api_key_rotated] Clé d’API renouvelée
        [api_key_refused] Clé d’API refusée
        [provider_added] Fournisseur ajouté
        [provider_changed] Fournisseur modifié
        [provider_removed] Fournisseur retiré
        [organization_created] Organisation créée
        [organization_renamed] Organisation renommée
        [organization_deleted] Organisation supprimée
        [member_added] Membre ajouté à une organisation
        [member_role_changed] Rôle dans une organisation modifié
        [member_removed] Membre retiré d’une organisation
        [invitation_created] Invitation à une organisation créée
        [invitation_resent] Invitation à une organisation renvoyée
        [invitation_revoked] Invitation à une organisation révoquée
        [deliveries_replayed] Webhooks renvoyés
        [admin_refused] Modification par un administrateur refusée
        [audit_exported] Journal d’audit téléchargé
       *[other] { $kind }
    }
activity-prompt = { $prompt ->
        [password_change] Pour modifier le mot de passe
        [account_deletion] Pour supprimer le compte
        [two_factor_removal] Pour désactiver l’authentification à deux facteurs
        [email_verification] Pour vérifier l’adresse e‑mail
        [passkey] Avec une clé d’accès
       *[other] { $prompt }
    }
activity-by-operator = Par un administrateur
activity-times = { $count ->
        [one] { $count } fois
       *[other] { $count } fois
    }
activity-look-twice = Inhabituel
activity-latest = Plus récent
activity-older = Plus ancien

## Data

export-title = Télécharger vos données
export-what = Vous recevez un fichier JSON avec votre profil, vos adhésions, invitations, sessions et activités. Il ne contient ni mot de passe ni rien qui permette de se connecter. Gardez-le tout de même pour vous.
export-elsewhere = Les applications conservent leurs propres données, qui n’en font pas partie.
export-button = Télécharger

## Organizations

organizations-section = Organisations
organizations-yours = Vos organisations
organizations-yours-why = Les applications voient celle qui est active dans cette session.
organizations-line = { $members ->
        [one] { $members } membre
       *[other] { $members } membres
    } · { role }
organizations-line-personal = { $name } · Vous seul
organizations-active = Active
organizations-switch = Passer à celle-ci
organizations-switch-to = Passer à { $organization }
organizations-create = Créer une organisation
organizations-create-why = Vous en serez propriétaire et pourrez inviter d’autres personnes.
organizations-create-button = Créer l’organisation
name = Nom
kind = { $kind ->
        [personal] Personnelle
       *[team] Équipe
    }
role = { $role ->
        [owner] Propriétaire
        [admin] Admin
       *[member] Membre
    }
role-label = Rôle
roles-explained = Les membres voient qui fait partie de l’organisation. Les admins peuvent inviter et gérer les membres. Les propriétaires peuvent tout faire.
organization-line = Votre rôle : { role }
organization-personal-why = Une organisation personnelle n’a pas d’autres membres. Elle dure aussi longtemps que votre compte.
organization-tabs = Pages de l’organisation
organization-settings = Paramètres
organization-settings-title = Paramètres de { $organization }
organization-invitations-title = Invitations à { $organization }
organization-switched = Vous travaillez maintenant dans { $kind ->
        [personal] votre organisation personnelle
       *[team] { $organization }
    }.
organization-created = { $organization } a été créée. Vous y travaillez maintenant.
organization-renamed = Le nom a été modifié.
organization-left = Vous avez quitté l’organisation. { organization-switched }
organization-deleted = L’organisation a été supprimée. { organization-switched }
organization-members = Membres
organization-members-many = { $members } membres, les plus récents d’abord
organization-alone = Vous êtes le seul membre pour l’instant. Invitez les personnes avec qui vous travaillez.
organization-find = Rechercher un membre
organization-find-by = Nom d’utilisateur ou e‑mail
organization-find-button = Rechercher
organization-members-none = Pas d’autres membres.
organization-members-not-found = Aucun membre n’a un nom d’utilisateur ou un e‑mail qui commence par « { $search } ».
organization-you = { $username } (vous)
organization-pages = Pages des membres
organization-all-members = Tous les membres
organization-first-page = Première page
organization-next-page = Page suivante
organization-invitations = Invitations
organization-pending = Invitations envoyées
organization-expired = Expirée
organization-invitations-none = Aucune invitation en attente.
organization-invitation-until = Expire le { $until }
organization-invitation-expired = A expiré le { $until }
organization-new-link = Envoyer un nouveau lien
organization-invitation-acts = Actions pour { $email }
organization-revoke = Révoquer
organization-remove-expired = Retirer
organization-invitation-ended = L’invitation a été révoquée.
organization-invite-button = Inviter
organization-invite-addresses = Adresses e‑mail
organization-invite-several = Vous pouvez en saisir plusieurs, séparées par des virgules, des espaces ou des retours à la ligne.
organization-link-made = Invitation créée
organization-link-for = Lien pour { $email }
organization-link-mailed = Invitation envoyée à { $email }
organization-link-mailed-why = Vous pouvez aussi copier le lien et le transmettre vous-même. Il fonctionne pour cette adresse seulement, jusqu’au { $until }. Il ne sera plus affiché.
organization-links-made = { $count } invitations créées
organization-links-mailed = { $count } invitations envoyées
organization-links-mailed-why = Vous pouvez aussi copier les liens et les transmettre vous-même. Chacun fonctionne pour son adresse seulement, jusqu’au { $until }. Ils ne seront plus affichés.
organization-link-why = L’e‑mail n’est pas configuré ici : copiez le lien et transmettez-le vous-même. Il fonctionne pour cette adresse seulement, jusqu’au { $until }. Il ne sera plus affiché.
organization-links-why = L’e‑mail n’est pas configuré ici : copiez les liens et transmettez-les vous-même. Chacun fonctionne pour son adresse seulement, jusqu’au { $until }. Ils ne seront plus affichés.
copy = Copier
copied = Copié
organization-name-why = Visible par les membres et les applications.
organization-rename-button = Renommer
organization-leave-row = Quitter l’organisation
organization-delete-row-what = Tous les membres perdent l’accès immédiatement. Cette action est irréversible.
organization-leave = Quitter { $organization }
organization-leave-question = Quitter l’organisation ?
organization-leave-not-yet = Vous ne pouvez pas encore partir
organization-leave-what = Vous perdrez l’accès immédiatement. Il vous faudra une invitation pour revenir.
organization-leave-button = Quitter
organization-stay = Rester
organization-choose-owner = Choisir un autre propriétaire
organization-delete = Supprimer { $organization }
organization-delete-question = Supprimer l’organisation ?
organization-delete-what = Tous les membres perdent l’accès immédiatement, et les invitations en attente prennent fin. Les membres conservent leur compte. Cette action est irréversible.
organization-delete-confirm = Pour confirmer, saisissez le nom de l’organisation : { $organization }
organization-delete-wrong-name = Ce n’est pas le nom de l’organisation.
organization-delete-button = Supprimer l’organisation
member-title = { $username } dans { $organization }
member-role-button = Modifier le rôle
member-role-changed = Le rôle a été modifié.
member-remove = Retirer de { $organization }
member-remove-title = Retirer { $username } de { $organization } ?
member-remove-question = Retirer ce membre ?
member-remove-why = { $username } perd immédiatement l’accès à { $organization }. Son compte n’est pas supprimé.
member-removed = Le membre a été retiré.
member-remove-button = Retirer { $username }
role-missing = Choisissez un rôle.
organization-back = Retour à l’organisation
name-missing = Saisissez un nom.
name-too-long = Utilisez { $max } caractères au maximum.
name-invisible = Un nom ne peut pas contenir de caractères invisibles.
name-address = Un nom ne peut contenir ni adresse web ni @.
name-marks = Un nom ne peut pas commencer par un accent ni en empiler.
name-unreadable = Un nom doit contenir une lettre ou un chiffre.
invite-own-address = C’est votre propre adresse.
invite-member-already = Cette personne est déjà membre.
invite-invited-already = Cette adresse a déjà une invitation. Créez plutôt un nouveau lien pour celle-ci.
invite-too-many-at-once = Vous pouvez inviter { $max } personnes à la fois au maximum.
invite-too-soon = Cette adresse a reçu trop d’e‑mails ces derniers temps. Réessayez plus tard.
invite-limited = Vous avez envoyé beaucoup d’invitations. Celles ci-dessous n’ont pas été envoyées : réessayez dans { $wait }.
invite-refused = { $count ->
        [one] { $count } adresse n’a pas été invitée.
       *[other] { $count } adresses n’ont pas été invitées.
    }
invite-refused-address = { $email } : { $why }
refused-not-permitted = Votre rôle dans cette organisation ne le permet pas.
refused-above-own-role = Seul un propriétaire peut le faire. Vous ne pouvez ni donner ni retirer un rôle supérieur au vôtre.
refused-last-owner = Une organisation a besoin d’un propriétaire. Donnez d’abord ce rôle à un autre membre.
refused-personal = Une organisation personnelle n’a pas d’autres membres, et dure aussi longtemps que le compte de son propriétaire.
refused-no-teams = Vous ne pouvez pas créer d’organisation ici.
refused-no-invitations = Les invitations sont désactivées : chaque organisation est personnelle.
refused-not-pending = Cette invitation n’est plus en attente.
refused-operators-invitation = Un administrateur a créé cette invitation, et seul un administrateur peut créer un nouveau lien pour celle-ci.
refused-unverified = Vérifiez votre adresse e‑mail avant d’inviter des personnes.
refused-unverified-link = Vérifier votre adresse e‑mail
refused-too-many-pending = 100 invitations attendent une réponse. Révoquez-en avant d’inviter d’autres personnes.
refused-protected = Ce compte a des rôles de plateforme : ce n’est pas possible ici.
in-english = { $sentence }

## Invitations

invitation-title = Invitation à { $organization }
invitation-other = Cette invitation est pour quelqu’un d’autre
invitation-other-why = Elle est pour { $email }, mais vous utilisez le compte { $own }.
invitation-log-out = Se déconnecter et continuer
invitation-join = Rejoindre { $organization } ?
invitation-not-yet = Vous ne pouvez pas encore rejoindre { $organization }
invitation-for-you = Vous êtes invité avec le rôle { $role ->
        [owner] Propriétaire
        [admin] Admin
       *[member] Membre
    }. Vous utilisez le compte { $username }.
invitation-for-you-by = { $inviter } vous invite avec le rôle { $role ->
        [owner] Propriétaire
        [admin] Admin
       *[member] Membre
    }. Vous utilisez le compte { $username }.
invitation-accept = Accepter
invitation-for-address = { $email } est invité avec le rôle { $role ->
        [owner] Propriétaire
        [admin] Admin
       *[member] Membre
    }.
invitation-for-address-by = { $inviter } invite { $email } avec le rôle { $role ->
        [owner] Propriétaire
        [admin] Admin
       *[member] Membre
    }.
invitation-has-account = Connectez-vous pour accepter.
invitation-either = Connectez-vous ou créez un compte avec cette adresse pour accepter.
invitation-log-in-only = Connectez-vous avec cette adresse pour accepter. Il n’est pas possible de créer de nouveaux comptes ici.
invitation-sign-up = Créer un compte
invitation-no-sign-up = Il n’est pas possible de créer de nouveaux comptes ici. Adressez-vous à la personne qui vous a invité.
invitation-decline = Refuser
invitation-ends = L’invitation expire le { $until }.
invitation-accepted-own = Vous avez déjà accepté
invitation-accepted-own-why = Vous êtes membre de { $organization }. Il n’y a rien d’autre à faire.
invitation-accepted = Cette invitation a déjà été utilisée
invitation-accepted-why = Elle ne fonctionne qu’une fois. Connectez-vous avec le compte qui l’a acceptée.
invitation-declined = Invitation refusée
invitation-declined-why = Si c’était une erreur, demandez une nouvelle invitation.
invitation-revoked = Cette invitation a été révoquée
invitation-revoked-why = Demandez à la personne qui vous a invité s’il y en a une nouvelle.
invitation-expired = Cette invitation a expiré
invitation-expired-why = Demandez un nouveau lien à la personne qui vous a invité.
invitation-void = Cette invitation n’est pas valide
invitation-void-why = Le lien est peut-être incomplet ou remplacé par un plus récent. Demandez un nouveau lien à la personne qui vous a invité.
invitation-to-organizations = Vos organisations

## Proof of an address

verify-title = Consultez votre messagerie
verify-sent = Nous avons envoyé un code à 6 chiffres à { $email }.
verify-not-sent = Vérifiez { $email } pour pouvoir récupérer votre compte. Nous vous enverrons un code.
verify-code = Code de vérification
verify-code-hint = Le code fonctionne pendant 10 minutes. Vous pouvez aussi suivre le lien de l’e‑mail.
code-sends-itself = Le code est envoyé dès que les six chiffres sont saisis.
code-sends-itself-chosen = Le code est envoyé dès que les six chiffres sont saisis et que la case ci-dessous est cochée.
resend-wait = Renvoyer dans { $wait }
verify-code-wrong = { $left ->
    [0] Code incorrect. Envoyez-en un nouveau, ou utilisez le lien de l’e‑mail.
    [one] Code incorrect. Encore une tentative.
   *[other] Code incorrect. Encore { $left } tentatives.
}
verify-code-replaced = Un e‑mail plus récent contient un autre code. Saisissez celui-là.
verify-code-over = Ce code ne fonctionne plus. Envoyez-en un nouveau, ou utilisez le lien de l’e‑mail.
verify-button = Vérifier
verify-resend = Renvoyer
verify-send = Envoyer le code
verify-send-new = Envoyer un nouveau code
verify-sent-again = Nous avons envoyé un nouveau code. Le précédent ne fonctionne plus.
verify-later = Vérifier plus tard
verify-wrong-address = Mauvaise adresse ?
verify-change-address = La modifier
verify-start-over = Recommencer
confirm-email-title = Vérifiez votre e‑mail
confirm-email = { $email } est-elle votre adresse e‑mail ?
confirm-email-elsewhere = Pour vérifier { $email } sur cet appareil, saisissez le mot de passe de votre inscription.
confirm-email-password-hint = Cela confirme que le compte est à vous.
confirm-email-password-wrong = Mot de passe incorrect.
confirm-email-button = Vérifier mon e‑mail
confirm-email-not-me = Pas inscrit, ou mot de passe oublié ?
confirm-email-set-password = En définir un nouveau
confirm-email-ignore = Vous ne vous êtes pas inscrit ? Vous pouvez fermer cette page.
link-over-title = Ce lien ne fonctionne plus
proof-over = Il a déjà été utilisé, a expiré, ou a été remplacé par un e‑mail plus récent. Connectez-vous ou inscrivez-vous pour en recevoir un nouveau.
link-other-title = Ce lien est pour un autre compte
link-other = Vous utilisez un autre compte. Déconnectez-vous, puis ouvrez à nouveau le lien.
link-to-log-in = Aller à la connexion
address-taken-title = Cette adresse a déjà un compte
address-taken = Connectez-vous avec elle, ou réinitialisez le mot de passe si vous l’avez oublié.
proof-invitation-void-title = Cette invitation n’est plus valide
proof-invitation-void = Votre adresse e‑mail est vérifiée, mais l’invitation de votre inscription n’est plus valide. Demandez-en une nouvelle à la personne qui vous a invité.

## Forgotten password

forgot-title = Réinitialiser votre mot de passe
forgot-explanation = Saisissez votre adresse e‑mail et nous vous enverrons un lien pour réinitialiser votre mot de passe.
forgot-button = Envoyer le lien
forgot-back = Retour à la connexion
reset-sent-title = Consultez votre messagerie
reset-sent = Si un compte a cette adresse, nous y avons envoyé un lien pour réinitialiser le mot de passe.
reset-sent-to = Si { $email } a un compte, nous y avons envoyé un lien pour réinitialiser le mot de passe.
reset-sent-hint = Le lien fonctionne pendant 30 minutes. Rien reçu ? Regardez dans vos courriers indésirables.
reset-sent-resend = Renvoyer
reset-title = Définir un nouveau mot de passe
reset-explanation = Choisissez un nouveau mot de passe pour { $email }. Les autres appareils seront déconnectés.
reset-new-password = Nouveau mot de passe
reset-button = Définir le mot de passe
reset-over = Il a déjà été utilisé, a expiré, ou a été remplacé par un e‑mail plus récent.
reset-over-again = Obtenir un nouveau lien
log-in-forgot = Mot de passe oublié ?
log-in-password-set = Votre mot de passe a été modifié. Connectez-vous avec le nouveau.
log-in-confirmed = Votre e‑mail est vérifié. Connectez-vous pour continuer.
log-in-unproved-hint = Vous venez de vous inscrire ? Suivez d’abord le lien de l’e‑mail que nous vous avons envoyé.
password-breached = Ce mot de passe est apparu dans une fuite de données. Choisissez-en un autre.

## Whose account holds an address

whose-account-title = Ce compte est-il à vous ?
whose-account-exists = Vous avez vérifié { $email }. Un compte avec cette adresse existe déjà, mais l’adresse n’y a jamais été vérifiée.
whose-account = À qui est ce compte ?
whose-account-which = { $username }, créé { $when }
whose-account-organizations = Membre de :
whose-account-mine = Il est à moi
whose-account-mine-what = Le conserver. Les anciens moyens de connexion cessent de fonctionner, et les autres appareils sont déconnectés.
whose-account-not-mine = Il n’est pas à moi
whose-account-not-mine-what = Créer un nouveau compte. L’autre est conservé, sans cette adresse.
whose-account-button = Continuer
whose-account-not-answered = Choisissez l’une des deux réponses.
whose-account-changed = Un autre compte a maintenant l’adresse. Vérifiez-le, et répondez à nouveau.

## Accounts without an address

no-address = Pas d’adresse e‑mail
no-address-title = Ajoutez une adresse e‑mail
no-address-why = Quelqu’un d’autre a vérifié l’adresse qu’avait votre compte. Ajoutez-en une autre, pour pouvoir réinitialiser votre mot de passe.
no-address-hint = Nous enverrons un lien et un code à l’adresse.
no-address-log-in = Un autre compte a vérifié l’adresse e‑mail de votre compte { $username }.
no-address-add-to-log-in = Ajoutez-en une nouvelle pour vous connecter.
no-address-other-way = Connectez-vous autrement
no-address-needs-proof = Connectez-vous avec votre mot de passe ou une clé d’accès, puis ajoutez une adresse.
no-address-by-operator = Votre compte n’a ni mot de passe ni clé d’accès. Demandez à un administrateur d’ajouter une adresse.
no-address-add = Ajouter une adresse e‑mail
no-address-later = Pas maintenant

## Change of address

account-email-title = Adresse e‑mail
account-email-pending = Nouvelle adresse
account-email-pending-hint = Vérifiez-la pour commencer à l’utiliser.
account-email-pending-sent = Nous avons envoyé un code à { $email }.
account-email-confirm = Vérifier
account-email-cancel = Conserver l’adresse actuelle
account-email-change = Modifier l’adresse e‑mail
account-email-change-hint = Nous enverrons un lien et un code à la nouvelle adresse, et préviendrons votre adresse actuelle.
account-email-new = Nouvelle adresse e‑mail
account-email-send = Envoyer l’e‑mail de vérification
account-email-changed = Votre adresse e‑mail a été modifiée.
email-change-same = C’est déjà votre adresse.
account-unproved-title = Vérifiez votre adresse e‑mail
account-unproved = Vérifiez { $email } pour pouvoir récupérer votre compte. Saisissez le code reçu par e‑mail ou demandez-en un nouveau.
account-unproved-enter = Saisir le code
undo-title = Rétablir votre adresse e‑mail ?
undo-explanation = { $email } redevient l’adresse de votre compte.
undo-consequences = Vous serez déconnecté partout et un nouveau mot de passe vous sera demandé.
undo-button = Rétablir l’adresse
undo-ignore = Vous l’avez changée vous-même ? Vous pouvez fermer cette page.
undo-over = Il a déjà été utilisé, ou a plus de 72 heures. Si quelqu’un d’autre a modifié votre compte, contactez l’assistance.

## Emails

mail-label = { $label } :
mail-button-instead = Si le bouton ne fonctionne pas, ouvrez ce lien :
mail-reason-account = Vous recevez cet e‑mail parce que { $to } a un compte sur { $site }.
mail-duration = { $unit ->
    [minutes] { $count ->
        [one] { $count } minute
       *[other] { $count } minutes
    }
    [hours] { $count ->
        [one] { $count } heure
       *[other] { $count } heures
    }
   *[days] { $count ->
        [one] { $count } jour
       *[other] { $count } jours
    }
}
mail-code-until = Le code expire dans { $duration } et ne fonctionne qu’une fois.
mail-code-or-button = Le code expire dans { $duration }, le bouton dans { $link }.
mail-code-or-link = Le code expire dans { $duration }. Ce lien fait la même chose et expire dans { $link } :
mail-device = Appareil : { $device }
mail-not-you = Si c’était vous, tout va bien. Sinon, changez votre mot de passe et déconnectez tous les autres appareils.
mail-provider-not-you = Si c’était vous, tout va bien. Sinon, dissociez-le, changez votre mot de passe et déconnectez tous les autres appareils.
mail-verify-button = Vérifier l’adresse e‑mail
mail-invitation-subject = Invitation à « { $organization } » sur { $site }
mail-invitation-subject-by = { $inviter } vous invite à « { $organization } » sur { $site }
mail-invitation-heading = Rejoindre « { $organization } »
mail-invitation-by = { $inviter } vous invite à rejoindre « { $organization } » avec le rôle { $role ->
    [owner] Propriétaire
    [admin] Admin
   *[member] Membre
}.
mail-invitation-for = Vous êtes invité à rejoindre « { $organization } » avec le rôle { $role ->
    [owner] Propriétaire
    [admin] Admin
   *[member] Membre
}.
mail-invitation-button = Voir l’invitation
mail-invitation-until = L’invitation est pour { $to } seulement. Le lien expire dans { $duration }.
mail-invitation-reason = Vous recevez cet e‑mail parce que quelqu’un sur { $site } a invité { $to }. Si vous ne l’attendiez pas, vous pouvez ignorer cet e‑mail. Rien ne se passe tant que vous n’acceptez pas.
mail-verify-subject = Vérifiez votre adresse e‑mail
mail-verify-what = Saisissez ce code pour vérifier { $to } pour votre compte sur { $site } :
mail-verify-reason = Vous recevez cet e‑mail parce que quelqu’un a saisi { $to } sur { $site }. Si ce n’était pas vous, vous pouvez ignorer cet e‑mail.
mail-confirmation-code-subject = Confirmez votre identité
mail-confirmation-code-what = Saisissez ce code pour confirmer que le compte de { $to } sur { $site } est à vous :
mail-confirmation-code-not-you = Ne le donnez à personne. Si vous ne l’avez pas demandé, quelqu’un utilise peut-être votre compte : connectez-vous, et mettez fin aux sessions qui ne sont pas les vôtres.
mail-reset-subject = Réinitialisez votre mot de passe
mail-reset-what = Nous avons reçu une demande de réinitialisation du mot de passe de { $to } sur { $site }.
mail-reset-button = Réinitialiser le mot de passe
mail-reset-until = Le lien expire dans { $duration } et ne fonctionne qu’une fois.
mail-reset-not-you = Si vous n’avez rien demandé, vous pouvez ignorer cet e‑mail. Votre mot de passe reste le même.
mail-set-password-subject = Votre compte sur { $site }
mail-set-password-heading = Définissez votre mot de passe
mail-set-password-what = Un compte sur { $site } a été créé pour { $to }. Définissez un mot de passe pour vous connecter.
mail-set-password-button = Définir le mot de passe
mail-set-password-reason = Vous recevez cet e‑mail parce que { $site } a créé un compte avec { $to }. Si vous ne l’attendiez pas, vous pouvez ignorer cet e‑mail.
mail-password-changed-subject = Votre mot de passe a été modifié
mail-password-changed-what = Le mot de passe de votre compte sur { $site } a été modifié le { $when }.
mail-password-changed-button = Ce n’était pas moi
mail-password-changed-not-you = Si c’était vous, tout va bien. Sinon, réinitialisez votre mot de passe maintenant. Vous serez alors déconnecté partout. Supprimez ensuite les clés d’accès et les comptes associés qui ne sont pas à vous : ils permettent de se connecter sans le mot de passe.
mail-change-subject = Vérifiez votre nouvelle adresse e‑mail
mail-change-what = Saisissez ce code pour que { $to } devienne l’adresse e‑mail de votre compte sur { $site } :
mail-change-until-then = D’ici là, le compte garde son ancienne adresse.
mail-change-reason = Vous recevez cet e‑mail parce que quelqu’un a saisi { $to } comme nouvelle adresse e‑mail sur { $site }. Si ce n’était pas vous, vous pouvez ignorer cet e‑mail.
mail-changed-subject = Votre adresse e‑mail a été modifiée
mail-person = « { $name } » ({ $account })
mail-changed-what = Le compte { $username } sur { $site } a une nouvelle adresse e‑mail depuis le { $when }. { $to } n’est plus son adresse.
mail-changed-button = Annuler la modification
mail-changed-until = Si c’était vous, tout va bien. Sinon, annulez la modification : vous avez encore { $duration }. Votre adresse est rétablie, et le compte est déconnecté partout.
mail-changed-reason = Vous recevez cet e‑mail parce que { $to } était l’adresse e‑mail d’un compte sur { $site }.
mail-replaced-by = Cette modification vient de { $site }. Si vous ne l’attendiez pas, contactez { $site }.
mail-passkey-added-subject = Une clé d’accès a été ajoutée
mail-passkey-added-what = La clé d’accès « { $name } » a été ajoutée à votre compte sur { $site } le { $when }.
mail-passkey-removed-subject = Une clé d’accès a été retirée
mail-passkey-removed-what = La clé d’accès « { $name } » a été retirée de votre compte sur { $site } le { $when }.
mail-passkeys-removed-subject = Toutes les clés d’accès ont été retirées
mail-passkeys-removed-what = Toutes les clés d’accès ont été retirées de votre compte sur { $site } le { $when }.
mail-app-added-subject = Une application d’authentification a été ajoutée
mail-app-added-what = Une application d’authentification a été ajoutée à votre compte sur { $site } le { $when }. Ses codes sont désormais demandés à la connexion.
mail-app-removed-subject = Une application d’authentification a été retirée
mail-app-removed-what = L’application d’authentification a été retirée de votre compte sur { $site } le { $when }. Ses codes ne sont plus demandés à la connexion.
mail-codes-added-subject = Nouveaux codes de récupération
mail-codes-added-what = De nouveaux codes de récupération ont été créés pour votre compte sur { $site } le { $when }.
mail-codes-removed-subject = Des codes de récupération ont été retirés
mail-codes-removed-what = Les codes de récupération de votre compte sur { $site } ont été retirés le { $when }.
mail-provider-connected-subject = { $name } a été associé
mail-provider-connected-what = { $name } a été associé à votre compte sur { $site } le { $when }. Vous pouvez maintenant vous connecter avec { $name }.
mail-provider-disconnected-subject = { $name } a été dissocié
mail-provider-disconnected-what = { $name } a été dissocié de votre compte sur { $site } le { $when }. Vous ne pouvez plus vous connecter avec { $name }.
mail-method-button = Vérifier vos paramètres de sécurité
mail-connections-button = Vérifier vos comptes associés
mail-account-button = Vérifier votre compte
mail-disabled-subject = Votre compte a été désactivé
mail-disabled-what = Votre compte { $username } sur { $site } a été désactivé le { $when }. Il est déconnecté partout et ne permet plus de se connecter.
mail-enabled-subject = Votre compte a été activé
mail-enabled-what = Votre compte { $username } sur { $site } a été activé le { $when }. Vous pouvez de nouveau vous connecter.
mail-enabled-button = Se connecter
mail-sessions-ended-subject = Vous avez été déconnecté
mail-sessions-ended-what = Des sessions de votre compte { $username } sur { $site } ont pris fin le { $when }.
mail-sessions-ended-button = Vérifier vos sessions
mail-role-changed-subject = Vos rôles de plateforme ont été modifiés
mail-role-changed-what = Les rôles de plateforme de votre compte { $username } sur { $site } ont été modifiés le { $when }.
mail-role-changed-now = { $count ->
        [0] Le compte n’en a plus.
        [one] Son rôle est maintenant { $roles }.
       *[other] Ses rôles sont maintenant { $roles }.
    }
mail-told-by = Un administrateur de { $site } a fait cette modification. Si vous ne l’attendiez pas, contactez { $site }.
mail-deed-subject = Un compte privilégié a été modifié
mail-deed-what = { $deed ->
    [disabled] Le compte { $username } sur { $site } a été désactivé par un administrateur le { $when }.
    [enabled] Le compte { $username } sur { $site } a été activé par un administrateur le { $when }.
    [role] Les rôles de plateforme du compte { $username } sur { $site } ont été modifiés par un administrateur le { $when }.
    [email] L’adresse e‑mail du compte { $username } sur { $site } a été modifiée par un administrateur le { $when }.
    [sessions] Un administrateur a mis fin à des sessions du compte { $username } sur { $site } le { $when }.
    [factors] Les seconds facteurs du compte { $username } sur { $site } ont été retirés par un administrateur le { $when }.
    [identity] Un compte externe a été dissocié du compte { $username } sur { $site } par un administrateur le { $when }.
    [deleted] Le compte { $username } sur { $site } a été supprimé par un administrateur le { $when }.
   *[renamed] Le compte { $username } sur { $site } a été modifié par un administrateur le { $when }.
}
mail-deed-why = Il a un rôle de plateforme, ou en avait un. Le journal d’audit dit qui l’a fait, et pourquoi.
mail-deed-button = Voir le compte
mail-deed-reason = Vous recevez cet e‑mail parce que { $to } est l’adresse d’un administrateur de { $site }.
mail-recovered-subject = Votre compte a été rétabli
mail-recovered-what = Votre compte { $username } sur { $site }, qui avait été supprimé, a été rétabli le { $when } à partir d’une sauvegarde. Vérifiez par quels moyens on peut s’y connecter.
mail-deleted-subject = Votre compte a été supprimé
mail-deleted-what = Le compte { $username } sur { $site } a été supprimé le { $when }, avec tout ce qu’il contenait. Cette action est irréversible.
mail-deleted-not-you = Si vous ne l’attendiez pas, contactez { $site }.
mail-deleted-reason = Vous recevez cet e‑mail parce que { $to } était l’adresse e‑mail de ce compte.
mail-test-subject = E‑mail de test de { $site }
mail-test-heading = L’e‑mail fonctionne
mail-test-what = Ceci est un test. Les e‑mails de { $site } arrivent à { $to }.
mail-test-reason = Vous recevez cet e‑mail parce qu’un administrateur de { $site } a envoyé un test.

mail-sign-up-subject = Terminez votre inscription à { $site }
mail-sign-up-heading = Terminez votre inscription
mail-sign-up-what = Saisissez ce code sur la page d’inscription. Ne le partagez pas :
mail-sign-up-account-exists = Un compte avec { $to } existe déjà, mais l’adresse n’y a jamais été vérifiée. La page suivante demande si ce compte est à vous. Rien n’est supprimé.
mail-sign-up-reason = Vous recevez cet e‑mail parce que quelqu’un s’inscrit à { $site } avec { $to }. Si ce n’était pas vous, vous pouvez ignorer cet e‑mail. Sans votre vérification, aucun compte n’est créé.
mail-taken-subject = Vous avez déjà un compte sur { $site }
mail-taken-heading = Vous avez déjà un compte
mail-taken-what = Quelqu’un a essayé d’utiliser { $to } pour un compte sur { $site }. Si c’était vous, vous avez déjà un compte.
mail-taken-button = Se connecter
mail-taken-not-you = Mot de passe oublié ? Vous pouvez le réinitialiser sur la page de connexion. Si ce n’était pas vous, vous pouvez ignorer cet e‑mail. Rien n’a été modifié.

## Two-factor log-in

security-two-factor-on = { $count ->
        [one] Il reste { $count } code de récupération.
       *[other] Il reste { $count } codes de récupération.
    }
security-two-factor-off = Désactivée
end-other-sessions = Me déconnecter partout ailleurs
password-yours = Votre mot de passe
download = Télécharger
second-factor-title = Authentification à deux facteurs
second-factor-code-title = Authentification à deux facteurs
second-factor-code-why = Saisissez le code de votre application d’authentification pour { $username }.
second-factor-recovery-title = Saisissez un code de récupération
second-factor-recovery-why = Saisissez l’un des codes de récupération que vous avez enregistrés pour { $username }. Chaque code fonctionne une fois.
second-factor-recovery-code = Code de récupération
second-factor-recovery-shape = Il a la forme xxxx-xxxx-xxxx-xxxx.
second-factor-remember = Faire confiance à cet appareil pendant 30 jours
second-factor-remember-hint = Pas sur un appareil partagé.
second-factor-no-app = Vous ne pouvez pas utiliser votre application ?
second-factor-use-recovery = Utiliser un code de récupération
second-factor-use-app = Utiliser votre application d’authentification
second-factor-lost = Codes également perdus ?
second-factor-other-account = Se connecter avec un autre compte
second-factor-wrong-code = Code incorrect. Saisissez celui que votre application affiche maintenant.
second-factor-used-code = Ce code a déjà servi. Attendez le suivant.
second-factor-wrong-recovery-code = Code de récupération incorrect, ou déjà utilisé.
second-factor-run-out = Le temps de connexion est écoulé. Connectez-vous à nouveau.
second-factor-out-of-tries = Trop de codes incorrects. Connectez-vous à nouveau.
second-factor-codes-refused = Trop de codes incorrects. Connectez-vous avec un code de récupération, ou contactez l’assistance.
two-factor-title = Authentification à deux facteurs
two-factor-why = Après votre mot de passe, nous demandons un code de votre téléphone. Quelqu’un qui a votre mot de passe n’entre toujours pas.
two-factor-app = Application d’authentification
two-factor-off-why = Il vous faut une application d’authentification, par exemple celle de votre téléphone ou de votre gestionnaire de mots de passe. Cela prend une minute.
two-factor-set-up = Configurer
two-factor-scan = 1. Ajoutez votre compte à l’application
two-factor-scan-how = Scannez le QR code avec votre application d’authentification, ouvrez l’application sur cet appareil, ou saisissez la clé à la main. Gardez la clé secrète.
two-factor-account = Il apparaît dans votre application comme { $email }.
two-factor-qr = QR code avec la clé
two-factor-open-app = Ouvrir dans une application de cet appareil
two-factor-key = Clé
two-factor-confirm = 2. Saisissez le code
two-factor-confirm-why = Saisissez le code pour terminer. Rien n’est activé avant.
two-factor-code = Code
two-factor-wrong-code = Code incorrect. Vérifiez l’heure de votre téléphone et essayez le suivant.
two-factor-turn-on = Activer
two-factor-on = Activée depuis le { $since }
two-factor-move = Pour changer d’application, désactivez-la puis configurez-la à nouveau.
two-factor-remove = Désactiver l’authentification à deux facteurs ?
two-factor-remove-what = Votre mot de passe seul suffira pour vous connecter. Vos codes de récupération et appareils de confiance sont aussi retirés.
two-factor-remove-codes = Nous ne demanderons plus de code. Vos codes de récupération et appareils de confiance sont aussi retirés.
two-factor-turn-off = Désactiver
recovery-codes-title = Codes de récupération
recovery-codes-left = { $count ->
        [0] Il n’en reste aucun. Créez-en maintenant : sans eux, perdre votre téléphone, c’est perdre votre compte.
        [one] Il en reste un sur 10. Créez-en bientôt de nouveaux.
       *[other] Il en reste { $count } sur 10.
    }
recovery-codes-link = Nouveaux codes
recovery-codes-few = Presque épuisés
recovery-codes-ask = Créer de nouveaux codes de récupération ?
recovery-codes-replace = Les nouveaux codes remplacent les anciens, qui ne fonctionnent plus.
recovery-codes-button = Créer de nouveaux codes
recovery-codes-keep-old = Conserver mes codes
recovery-codes-turned-on = L’authentification à deux facteurs est activée
recovery-codes-new = Vos nouveaux codes de récupération
recovery-codes-keep = Enregistrez ces codes
recovery-codes-once = Chaque code fonctionne une fois. Ils ne seront plus affichés.
recovery-codes-void = Vos codes précédents ne fonctionnent plus.
recovery-codes-where = Gardez-les dans un gestionnaire de mots de passe ou avec des papiers importants, pas seulement sur votre téléphone.
recovery-codes-kept = J’ai enregistré ces codes
recovery-codes-file = Codes de récupération pour { $brand }
devices-title = Appareils de confiance
devices-none = Aucun appareil de confiance. Chaque connexion demande un code.
devices-count = { $count ->
        [one] { $count } appareil de confiance. Changer votre mot de passe le retire.
       *[other] { $count } appareils de confiance. Changer votre mot de passe les retire.
    }
devices-forget = Tous les retirer

## Passkeys

security-passkeys = { $count ->
        [0] Aucune
        [one] Une
       *[other] { $count }
    }
passkeys-title = Clés d’accès
passkeys-why = Connectez-vous avec votre empreinte, votre visage ou le code PIN de l’appareil au lieu d’un mot de passe. Une clé d’accès ne fonctionne que sur ce site.
passkeys-own = Vos clés d’accès
passkeys-several = Ajoutez-en une par appareil, ou une que votre gestionnaire de mots de passe synchronise.
passkeys-none = Vous n’avez pas encore de clé d’accès.
passkeys-added = Votre clé d’accès a été ajoutée. Ouvrez-la pour lui donner un autre nom.
passkeys-renamed = Votre clé d’accès a été renommée.
passkeys-removed = Votre clé d’accès a été retirée.
passkeys-impossible = Les clés d’accès demandent HTTPS et un nom de domaine. L’adresse de ce site n’en a pas.
passkey-add = Ajouter une clé d’accès
passkey-used = Utilisée { $when }
passkey-unused = Ajoutée { $when }, pas encore utilisée
passkey-backed-up = Sauvegardée
passkey-backed-up-what = Elle est sauvegardée : vous la gardez si vous perdez un appareil.
passkey-added = Ajoutée { $when }.
passkey-new-title = Ajouter une clé d’accès
passkey-new-how = Votre navigateur vous demandera où l’enregistrer, puis votre empreinte, votre visage ou votre code PIN.
passkey-name-hint = Un nom pour la reconnaître, comme celui de l’appareil.
passkey-create = Créer la clé d’accès
passkey-needs-script = Les clés d’accès demandent JavaScript et un navigateur qui les prend en charge.
passkey-no-answer = Votre clé d’accès n’a pas fonctionné. Réessayez, ou utilisez un autre moyen.
passkey-log-in = Se connecter avec une clé d’accès
passkey-log-in-refused = Cette clé d’accès n’est pas acceptée ici. Connectez-vous avec votre mot de passe.
passkey-void = Cela a pris trop de temps, ou a été envoyé deux fois. Réessayez.
passkey-refused = Cette clé d’accès ne peut pas être utilisée : elle doit vérifier votre empreinte, votre visage ou votre code PIN. Essayez un autre appareil.
passkey-known = Cette clé d’accès est déjà enregistrée.
passkey-too-many = Vous avez déjà { $max } clés d’accès. Retirez-en d’abord une.
passkey-last = C’est votre seul moyen de vous connecter. Ajoutez-en d’abord un autre.
passkey-rename = Renommer
passkey-remove = Retirer cette clé d’accès
passkey-remove-title = Retirer « { $name } » ?
passkey-remove-question = Retirer cette clé d’accès ?
passkey-remove-why = Pour un appareil que vous n’avez plus.
passkey-remove-what = Vous ne pourrez plus vous connecter avec cette clé d’accès. Supprimez-la aussi dans votre navigateur ou gestionnaire de mots de passe, pour qu’elle ne soit plus proposée.
passkey-remove-button = Retirer la clé d’accès

# --- The gate: refusals, shown on an application's own host

gate-login = Connectez-vous pour continuer
gate-login-why = Vous devez vous connecter pour voir cette page.
gate-unknown-address = La connexion n’est pas configurée pour ce site
gate-unknown-address-why = Envoyez cette référence à l’administrateur du site.
gate-step-up = Confirmez votre identité
gate-step-up-why = Cette page demande une connexion récente ou un second facteur.
gate-step-up-unknown = Vous ne pouvez pas confirmer votre identité ici
gate-forbidden = Vous n’avez pas accès à cette page
gate-forbidden-why = Demandez l’accès à un administrateur.
gate-away = Nous ne pouvons pas vérifier votre accès pour le moment. Réessayez dans quelques secondes.
gate-error = Les règles d’accès de cette page sont illisibles. Envoyez cette référence à l’administrateur du site.
gate-account = Aller à votre compte

# --- The pages of administrators

admin = Administration
admin-sections = Administration
admin-overview = Vue d’ensemble
admin-people = Personnes
admin-done = C’est fait. Le journal d’audit en garde la trace.
admin-nothing = Aucun
admin-command = En ligne de commande :
admin-pages = Pages
admin-first-page = Plus récents
admin-next-page = Suivant
admin-filter = Rechercher
admin-filter-none = Effacer
admin-any = Tous
admin-off = Désactivé
admin-act = Action
admin-remove = Retirer
admin-search = Recherche
admin-search-on = Continuer la recherche
admin-search-further = Rien jusqu’ici. La recherche peut continuer.
admin-state = État
admin-state-active = Actif
admin-state-disabled = Désactivé
admin-state-unverified = E‑mail non vérifié
admin-platform-role = Rôle de plateforme
admin-platform-roles = Rôles de plateforme
admin-role = { $role ->
        [admin] Administrateur
        [auditor] Auditeur
       *[monitor] Observateur
    }
admin-role-what = { $role ->
        [admin] Administrateur : peut tout faire ici
        [auditor] Auditeur : voit tout ici et ne modifie rien
       *[monitor] Observateur : voit seulement la vue d’ensemble
    }
admin-role-unknown = Choisissez parmi les rôles proposés.
admin-kind = Quoi
admin-when = Quand
admin-actor = Qui
admin-actor-of = { $actor ->
        [user] La personne
        [administrator] Administrateur
        [operator] Opérateur
       *[unknown] Inconnu
    }
admin-person-deleted = Compte supprimé
admin-settings-none = Tout a sa valeur par défaut.
admin-settings-default = { $count ->
        [one] { $count } réglage avec sa valeur par défaut
       *[other] { $count } réglages avec leurs valeurs par défaut
    }
admin-detail = Détail
admin-address = Adresse
admin-device = Appareil
admin-methods = Connexion par
admin-began = Début
admin-used = Dernière utilisation
admin-outcome = Dernier résultat
admin-created = Création
admin-last-login = Dernière connexion
admin-provider = Fournisseur
admin-issuer = Émetteur
admin-subject = Sujet
admin-delivery-state = { $state ->
        [pending] En attente
        [processing] En cours d’envoi
        [delivered] Envoyé
       *[failed] Échec
    }

## The form of an act

admin-reason = Motif
admin-reason-why = Conservé dans le journal d’audit. Seuls les administrateurs et les auditeurs le voient.
admin-reason-missing = Dites pourquoi, en quelques mots.
admin-reason-long = Un motif compte 500 caractères au maximum.
admin-reason-control = Un motif est une ligne de texte simple.
admin-not-yourself = Demandez à un autre administrateur : personne ne désactive, ne rétrograde ni ne supprime son propre compte.
admin-last-administrator = C’est le dernier administrateur qui peut se connecter. Donnez d’abord ce rôle à quelqu’un d’autre.
admin-mailed-lately = Un e‑mail vient d’être envoyé à cette adresse. Réessayez dans { $seconds } secondes.

## People

admin-people-search-hint = Le début d’une adresse e‑mail, d’un nom d’utilisateur ou d’un nom ; un identifiant entier
admin-people-none = Personne ne correspond. Recherchez le début d’une adresse e‑mail, d’un nom d’utilisateur ou d’un nom, ou effacez les filtres.
admin-login = Moyens de connexion
admin-access = Accès
admin-email-verified = L’adresse e‑mail est vérifiée
admin-disabled-since = Désactivé depuis
admin-language = Langue
admin-external-id = Identifiant dans l’application
admin-authenticator = Application d’authentification
admin-recovery-codes = Codes de récupération restants
admin-passkeys = Clés d’accès
admin-trusted-devices = Appareils de confiance
admin-sessions-none = Aucune session ouverte.
admin-identities-none = Aucun compte externe n’est associé.
admin-organizations-none = Membre d’aucune organisation.
admin-mails = E‑mails
admin-mails-none = Aucun e‑mail n’a été envoyé récemment à cette adresse.
admin-audit = Journal d’audit
admin-audit-all = Tout le journal d’audit
admin-audit-none = Rien ces 90 derniers jours.
admin-person-new = Nouveau compte
admin-person-new-what = Le compte n’a pas de mot de passe. La personne en définit un par un lien que nous lui envoyons, ou se connecte avec un compte associé.
admin-person-new-mail = Lui envoyer un lien pour définir un mot de passe
admin-person-new-button = Créer le compte
admin-disable = Désactiver le compte
admin-disable-what = La personne est déconnectée partout et ne peut plus se connecter jusqu’à ce que le compte soit réactivé. Rien n’est supprimé.
admin-disable-button = Désactiver le compte
admin-enable = Activer le compte
admin-enable-what = La personne peut de nouveau se connecter, comme avant.
admin-enable-button = Activer le compte
admin-unlock = Débloquer la connexion
admin-unlock-what = Les échecs ne retardent plus la connexion à ce compte, d’aucun réseau. Quelqu’un pourrait continuer à deviner : si ce n’était pas la personne, envoyez aussi une réinitialisation du mot de passe.
admin-unlock-button = Débloquer la connexion
admin-verification-what = Nous envoyons encore une fois le lien et le code qui vérifient l’adresse.
admin-verification-button = Envoyer le lien
admin-verification = Renvoyer la vérification
admin-end-sessions = Déconnecter partout
admin-end-sessions-what = Toutes les sessions prennent fin. La personne peut se reconnecter aussitôt.
admin-end-sessions-button = Déconnecter partout
admin-end-session = Mettre fin à la session
admin-end-session-what = Cet appareil est déconnecté. La personne peut se reconnecter aussitôt.
admin-end-session-button = Mettre fin à la session
admin-two-factor = Réinitialiser l’authentification à deux facteurs
admin-two-factor-what = L’application d’authentification, les codes de récupération, les clés d’accès et les appareils de confiance sont retirés, et toutes les sessions prennent fin. Le mot de passe seul suffit ensuite : assurez-vous que c’est bien la personne qui le demande.
admin-two-factor-button = Réinitialiser l’authentification à deux facteurs
admin-reset = Envoyer une réinitialisation du mot de passe
admin-reset-what = Nous envoyons à son adresse un lien pour définir un nouveau mot de passe. L’ancien reste valable jusqu’à son utilisation.
admin-reset-button = Envoyer le lien
admin-email = Modifier l’adresse e‑mail
admin-email-what = L’ancienne adresse est prévenue. Les liens déjà envoyés cessent de fonctionner.
admin-email-button = Modifier l’adresse e‑mail
admin-roles = Modifier les rôles de plateforme
admin-roles-what = Ce que le compte peut faire sur ces pages. Chaque administrateur est prévenu.
admin-roles-button = Enregistrer les rôles
admin-delete = Supprimer le compte
admin-delete-what = Le compte, ses sessions, ses adhésions et son organisation personnelle sont supprimés définitivement.
admin-delete-button = Supprimer définitivement
admin-remove-identity = Dissocier le compte externe
admin-remove-identity-what = Il ne permet plus de se connecter ici, même si c’était le dernier moyen. La personne est prévenue.
admin-remove-identity-button = Dissocier

## The overview

admin-findings = Reste à configurer
admin-figures = Envois
admin-day = Dernières 24 heures
admin-week = 7 derniers jours
admin-chart-table = Sous forme de tableau
admin-since = Depuis
admin-count = Nombre
admin-signups = Inscriptions
admin-logins = Connexions
admin-login-failures = Échecs de connexion
admin-deliveries-sent = Événements livrés
admin-deliveries-failed = Événements en échec
admin-mails-sent = E‑mails envoyés
admin-mails-failed = E‑mails en échec
admin-events-waiting = Événements en attente
admin-mails-waiting = E‑mails en attente
admin-events-failed = Événements en échec
admin-mails-not-sent = E‑mails en échec
admin-counted = { $count }
admin-counted-at-least = { $count } ou plus
admin-until = Jusqu’à
admin-ended = Fin
admin-organization = Organisation
admin-about = Au sujet de
admin-verbatim = { $text }

## Why could they not log in?

admin-standing = Ce qui empêche une connexion
admin-standing-none = Rien : le compte peut se connecter maintenant.
admin-standing-what = Quoi
admin-standing-when = Quand et où
admin-standing-do = Que faire
admin-standing-enable = Activez le compte, si la personne peut de nouveau se connecter.
admin-standing-verify = Renvoyez la vérification, ou marquez l’adresse comme vérifiée.
admin-standing-no-way-in = Ni mot de passe, ni clé d’accès, ni compte associé
admin-standing-give-way-in = Envoyez une réinitialisation du mot de passe.
admin-standing-way-in-mailed = La personne définit un mot de passe par le lien de l’e‑mail, jusque-là.
admin-standing-limited = Les connexions sont retardées après des échecs
admin-standing-limited-there = Les connexions depuis cette adresse sont retardées après des échecs
admin-standing-limited-others = Les connexions depuis d’autres adresses sont retardées après des échecs
admin-standing-unlock = Attendez jusque-là, ou débloquez la connexion.
admin-standing-codes = Les codes de l’application d’authentification sont refusés après des codes incorrects
admin-standing-unlock-codes = La personne utilise un code de récupération, ou vous débloquez la connexion.
admin-standing-mail = Un e‑mail à cette personne n’a pas été remis
admin-standing-mail-do = Vérifiez l’adresse, puis renvoyez-le.
admin-login-attempts = Dernières tentatives
admin-login-attempts-none = Aucune tentative ces 90 derniers jours.

## The audit log

admin-audit-search-hint = Une adresse e‑mail, un nom d’utilisateur ou un identifiant, aussi d’une organisation ; operator, unknown ou key:NAME
admin-audit-nothing = Rien ne correspond. Les entrées sont conservées 90 jours.
admin-audit-csv = Télécharger en CSV (virgules)
admin-audit-ndjson = Télécharger en NDJSON
admin-audit-format = Choisissez CSV ou NDJSON.
admin-audit-too-many = Il y a plus de { $max } entrées. Choisissez une période plus courte, ou utilisez la ligne de commande ci-dessous.

## Deliveries

admin-replay-all = Relancer les événements en échec
admin-replay-waiting = Envoyer maintenant les événements en attente
admin-replay-events = Relancer des événements
admin-replay-events-what = Chaque événement en échec, ou chacun de ceux qui attendent leur prochaine tentative, est renvoyé avec toutes ses tentatives. Cela continue quand vous fermez cette page.
admin-replay-state = Choisissez les événements en échec ou ceux en attente.
admin-replay-waiting-days = Laissez le jour vide : les événements en attente sont envoyés quel que soit leur jour.
admin-replay-all-button = Relancer
admin-replay-channel = Seuls les événements peuvent être relancés tous à la fois.
admin-kind-unknown = Choisissez parmi les types proposés.
admin-time-unreadable = Saisissez un jour comme 2026-07-01, ou une heure comme 2026-07-01T08:30:00Z.
admin-job-state = { $state ->
        [running] En cours
        [done] Terminé
       *[failed] Échec
    }
admin-job-progress = Progression
admin-job-replayed = À renvoyer
admin-job-done = { $done } sur { $total }
admin-deliveries-still-failed = Événements en échec
admin-verified = Vérifié

## Organizations

admin-organizations-search-hint = Le début du nom, ou un identifiant
admin-organizations-empty = Aucune organisation ne correspond. Saisissez le début de son nom ou son identifiant, ou effacez la recherche. Les membres créent des équipes sur leurs propres pages ; « doorward org create » en crée une ici.
admin-created-by = Créée par
admin-members = Membres
admin-members-none = Aucun membre.
admin-joined = Arrivée
admin-invitations = Invitations
admin-invitations-none = Personne n’a été invité. Les membres invitent sur leurs propres pages ; « doorward invitation create » le fait ici.
admin-invitation-state = { $state ->
        [pending] En attente
        [accepted] Acceptée
        [revoked] Révoquée
        [declined] Refusée
       *[expired] Expirée
    }
admin-ends = Expire
admin-organization-rename = Renommer l’organisation
admin-organization-rename-what = Les membres voient aussitôt le nouveau nom. Les liens et les identifiants restent.
admin-organization-delete = Supprimer l’organisation
admin-organization-delete-what = L’organisation, ses adhésions et ses invitations sont supprimées définitivement. Ses membres conservent leur compte.
admin-member-role = Modifier le rôle
admin-member-role-button = Enregistrer le rôle
admin-member-remove = Retirer le membre
admin-member-remove-what = La personne quitte l’organisation aussitôt, et les invitations qu’elle a envoyées sont révoquées. Le compte est conservé.
admin-invitation-revoke = Révoquer l’invitation
admin-invitation-revoke-what = Son lien ne fonctionne plus. La personne peut être invitée à nouveau.
admin-revoke = Révoquer

## Deliveries

admin-deliveries = Envois
admin-delivery = Envoi
admin-deliveries-no-events = Aucun webhook ne correspond. Changez les filtres, ou vérifiez que les webhooks sont configurés : « doorward webhooks ping » les essaie.
admin-deliveries-no-mails = Aucun e‑mail ne correspond. Changez les filtres, ou vérifiez que l’e‑mail est configuré : « doorward mail test » l’essaie.
admin-deliveries-kind-hint = Le nom entier, comme user.created ou password-reset
admin-channel = Canal
admin-channel-name = { $channel ->
        [mail] E‑mails
       *[webhook] Webhooks
    }
admin-attempts = Tentatives
admin-attempts-none = Pas encore essayé.
admin-answer = Réponse
admin-milliseconds = Millisecondes
admin-mail-to = À
admin-mail-subject = Objet
admin-finished = Terminé
admin-due = Prévu
admin-outcome-of = { $outcome ->
        [delivered] Arrivé
        [status] Refusé par le destinataire
        [refused] Refusé
        [deferred] Refusé pour l’instant
        [session] Le serveur de messagerie a refusé la conversation
        [login] Le serveur de messagerie a refusé la connexion
        [sender] Le serveur de messagerie a refusé l’expéditeur
        [name] Nom non résolu
        [connect] Pas de connexion
        [tls] Erreur TLS
        [timeout] Délai dépassé
        [closed] Connexion fermée
        [interrupted] Le processus s’est terminé
        [disabled] Type non activé
        [starttls] Pas de STARTTLS
        [lost_after_data] Perdu après l’e‑mail : il est peut-être arrivé
        [unsendable] Envoi impossible
        [expired] Délai expiré
        [withdrawn] Retiré
        [internal] Erreur interne
       *[other] { $outcome }
    }
admin-replay = Renvoyer
admin-replay-what = L’événement est renvoyé aussitôt, avec le même identifiant et le même contenu, et avec toutes ses tentatives. Les destinataires qui connaissent l’identifiant l’ignorent.
admin-replay-under-way = L’envoi est en cours. Regardez à nouveau dans une minute.

## API keys

admin-api-keys = Clés d’API
admin-api-keys-none = Aucune clé d’API. « doorward api-key create » en crée une pour le backend de votre application, et l’affiche une fois.
admin-api-key-state = { $state ->
        [live] Active
        [expired] Expirée
       *[revoked] Révoquée
    }
admin-scopes = Droits
admin-networks = Réseaux autorisés
admin-api-key-revoke = Révoquer la clé d’API
admin-api-key-revoke-what = Le backend qui l’utilise est désormais refusé. « doorward api-key rotate » remplace une clé sans interruption.

## Providers

admin-providers = Fournisseurs
admin-providers-none = Aucun fournisseur. « doorward provider add » permet de se connecter avec un compte externe.
admin-provider-kind = Type
admin-client-id = Identifiant client
admin-redirect-uri = Adresse de redirection
admin-provider-secret = Secret
admin-secret-set = Défini
admin-secret-missing = Manquant
admin-on = Activé

## Settings

admin-settings = Paramètres
admin-setting = Paramètre
admin-value = Valeur
admin-source = Origine
admin-source-of = { $source ->
        [environment] Environnement
        [file] Fichier
       *[default] Valeur par défaut
    }
admin-default = Valeur par défaut
admin-id = Identifiant
