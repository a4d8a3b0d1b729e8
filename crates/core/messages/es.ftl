# Español, con «usted». Los mismos nombres en el mismo orden que en en.ftl.
# Not read by a native speaker yet: corrections are welcome.

language-name = Español

## Around every page

languages = Idioma
skip-to-content = Ir al contenido
account-sections = Cuenta
account-menu = Menú de la cuenta, { $account }
person-named = { $name } ({ $account })
log-out = Cerrar sesión
back-to-app = Volver a { $brand }
terms = Condiciones
privacy = Privacidad
support = Ayuda
title-error = Error:
form-stale = Esta página ha caducado. No se ha cambiado nada. Inténtelo de nuevo.
form-no-cookie = No se ha cambiado nada porque su navegador no ha enviado ninguna cookie. Permita las cookies de este sitio web, compruebe que la dirección empieza por { $base } y recargue la página.
form-other-origin = Este formulario vino de { $origin }, pero pertenece a { $base }. No se ha cambiado nada. Abra { $base }.
form-not-of-page = Esta página llevaba abierta más de 15 minutos, u otra página envió el formulario. No se ha cambiado nada. Revise el formulario y envíelo de nuevo.

## Fields

email = Correo electrónico
email-missing = Introduzca su dirección de correo electrónico.
email-too-long = Una dirección de correo electrónico tiene como máximo { $max } caracteres.
email-invalid = Esta dirección de correo electrónico no es válida.
email-taken = Ya existe una cuenta con esta dirección de correo electrónico. Inicie sesión con ella.
email-verified = Esta dirección de correo electrónico ya está verificada.
address-verified = Verificado
address-not-verified = Sin verificar
username = Nombre de usuario
username-characters = Use solo letras (de la a a la z), números, puntos, guiones bajos y guiones.
username-length = Use entre { $min } y { $max } caracteres.
username-is-id = Un nombre de usuario no puede parecer un identificador. Elija otro.
username-taken = Este nombre de usuario ya está en uso. Elija otro o deje el campo vacío.
username-in-use = Este nombre de usuario ya está en uso. Elija otro.
username-missing = Introduzca un nombre de usuario.
password = Contraseña
password-show = Mostrar la contraseña
password-hint = Al menos { $min } caracteres.
password-more = Faltan { $count } caracteres.
password-one-more = Falta un carácter.
password-enough = Longitud suficiente.
password-too-short = Use al menos { $min } caracteres.
password-too-long = Use como máximo { $max } caracteres.
password-common = Esta contraseña es demasiado común. Elija otra.
password-personal = No use su nombre ni su correo electrónico como contraseña.
password-same = Esta es su contraseña actual. Elija otra.
password-wrong = Contraseña incorrecta.
optional = (opcional)

## Log-in

log-in-title = Iniciar sesión en { $brand }
log-in-name = Correo electrónico o nombre de usuario
log-in-button = Iniciar sesión
log-in-new-here = ¿No tiene cuenta?
log-in-sign-up = Registrarse
log-in-wrong = Correo electrónico o contraseña incorrectos.
log-in-or = o
log-in-last-used = Lo usó la última vez

## Sign-up

sign-up-title = Crear su cuenta
sign-up-join = Unirse a { $organization }
sign-up-invited-by = { $inviter } le ha invitado.
setup-title = Crear el primer administrador
setup-why = Esta cuenta gestionará el servicio. El enlace funciona una sola vez.
setup-done = Su cuenta está lista. Ahora gestiona este servicio.
setup-over = Ya se usó, ha caducado o lo reemplazó uno más reciente. «doorward setup-link» muestra uno nuevo mientras el servicio no tenga administrador.
sign-up-email-fixed = Su invitación es para esta dirección.
sign-up-username-hint = Déjelo vacío y elegiremos uno por usted.
sign-up-username-hint-numbered = Si está en uso, añadimos un número. Déjelo vacío y elegiremos uno por usted.
sign-up-username-rule = Letras, números, puntos, guiones y guiones bajos.
sign-up-username-rule-numbered = Letras, números, puntos, guiones y guiones bajos. Si está en uso, añadimos un número.
sign-up-agree = Al crear una cuenta, acepta las { $terms } y la { $privacy }.
sign-up-agree-terms = Al crear una cuenta, acepta las { $terms }.
sign-up-agree-privacy = La { $privacy } explica cómo usamos sus datos.
sign-up-terms = condiciones de servicio
sign-up-privacy = política de privacidad
sign-up-button = Crear cuenta
sign-up-back = Volver a la invitación
sign-up-have-account = ¿Ya tiene una cuenta?

## Times, durations, devices

date = { $day } de { $month ->
        [1] enero
        [2] febrero
        [3] marzo
        [4] abril
        [5] mayo
        [6] junio
        [7] julio
        [8] agosto
        [9] septiembre
        [10] octubre
        [11] noviembre
       *[12] diciembre
    } de { $year }
moment = { date }, { $time } UTC
clock = { $time } UTC
ago-now = ahora mismo
ago-minutes = { $count ->
        [one] hace { $count } minuto
       *[other] hace { $count } minutos
    }
ago-hours = { $count ->
        [one] hace { $count } hora
       *[other] hace { $count } horas
    }
ago-days = { $count ->
        [one] hace { $count } día
       *[other] hace { $count } días
    }
ago-months = { $count ->
        [one] hace { $count } mes
       *[other] hace { $count } meses
    }
ago-years = { $count ->
        [one] hace { $count } año
       *[other] hace { $count } años
    }
seconds = { $count ->
        [one] { $count } segundo
       *[other] { $count } segundos
    }
minutes = { $count ->
        [one] { $count } minuto
       *[other] { $count } minutos
    }
hours = { $count ->
        [one] { $count } hora
       *[other] { $count } horas
    }
device = { $browser } en { $system }
device-with-address = { $device }, { $address }
device-unknown = Dispositivo desconocido
address-unknown = Dirección IP desconocida
place-local = Red local ({ $address })
place-here = Esta red ({ $address })
today = Hoy
yesterday = Ayer

## Errors

error-status = Error { $status }
error-reference = Referencia
error-to-account = Ir a su cuenta
error-to-log-in = Ir al inicio de sesión
error-logged-in = Ha iniciado sesión como { $account }.
use-another-account = Usar otra cuenta
error-try-again = Inténtelo de nuevo en { $wait }.
error-try-now = Ya puede intentarlo de nuevo.
error-retry = Intentar de nuevo
error-support = Contactar con soporte
error-bad-request = Hay un problema con esta solicitud
error-bad-request-why = Estaba incompleta o dañada. No se ha cambiado nada. Vuelva atrás e inténtelo de nuevo.
error-forbidden = No puede hacer esto
error-script = Esta página no se puede cargar desde otra
error-script-alone = No se ha cambiado nada. Ábrala por separado.
error-script-open = Abrir la página
error-not-found = Página no encontrada
error-not-found-why = Puede que el enlace sea antiguo o que la dirección esté mal escrita.
error-method = Esta página no se puede abrir así
error-method-why = No se ha cambiado nada. Empiece de nuevo desde el principio.
error-too-large = Es demasiado para enviarlo
error-too-large-why = Acorte lo que ha introducido y envíelo de nuevo.
error-too-many = Demasiados intentos
error-too-many-why = Limitamos los intentos para proteger las cuentas.
error-internal = Algo ha salido mal
error-internal-why = Es culpa nuestra, no suya. Inténtelo de nuevo en un momento.
error-internal-tell = Si sigue ocurriendo, contacte con soporte e indique esta referencia.
error-unavailable = Volvemos enseguida
error-unavailable-why = Estamos en mantenimiento o con mucha carga.

## Log-in: what can come between

disabled-title = Cuenta desactivada
disabled-why = Un administrador ha desactivado esta cuenta. No puede iniciar sesión con ella.
disabled-help = Si cree que es un error, contacte con soporte.
disabled-other = Iniciar sesión con otra cuenta
refused-by-application-title = Ha iniciado sesión
refused-by-application-why = La aplicación le ha enviado de vuelta aquí. Puede que no acepte su cuenta { $username }.
refused-by-application-as = Su cuenta aquí es { $username }.
refused-by-application-help = Inténtelo de nuevo, o cierre la sesión y use otra cuenta.
continue = Continuar
log-out-title = Cerrar sesión
log-out-question = ¿Desea cerrar la sesión en este dispositivo?
log-out-stay = Mantener la sesión
log-out-two = Para continuar, cierre ambas sesiones y entre en la cuenta que quiera.
log-out-two-title = Tiene la sesión iniciada en dos cuentas
log-out-both = Cerrar ambas sesiones

## Sign-up: where not everyone may

sign-up-closed = El registro está cerrado
sign-up-closed-why = Aquí no se pueden crear cuentas nuevas.
sign-up-by-invitation = El registro es por invitación
sign-up-by-invitation-why = Si ha recibido una invitación, abra el enlace de su correo.
sign-up-invitation-void = Esta invitación ya no es válida
sign-up-invitation-void-why = Se ha usado, revocado o sustituido, o ha caducado. Pida una nueva a la persona que le invitó.

## Login with others

provider-continue = Continuar con { $provider }
provider-start-title = ¿Iniciar sesión con { $provider }?
provider-start-what = Otro sitio le ha enviado aquí. Continúe solo si quiere iniciar sesión en { $brand }.
provider-canceled = No ha terminado de iniciar sesión con { $provider }. Inténtelo de nuevo o inicie sesión de otra forma. Referencia: { $reference }
provider-refused = No se ha podido iniciar sesión con { $provider }. Inténtelo de nuevo o inicie sesión de otra forma. Referencia: { $reference }
provider-away = { $provider } no responde en este momento. Inténtelo más tarde o inicie sesión de otra forma. Referencia: { $reference }
departure-title = Continuar a { $host }
departure-what = Va a salir de esta página hacia { $host }. Si no ocurre nada, use el botón.
connect-title = Ya tiene una cuenta
connect-log-in = Existe una cuenta con { $email }. Inicie sesión en ella para conectarla con { $provider }.
connect-not-now = Ahora no
connect-mail = Existe una cuenta con { $email }, sin contraseña ni llave de acceso. Le enviaremos un código para conectarla con { $provider }.
connect-mail-sent = Enviamos un código a { $email }. Introdúzcalo aquí para conectar la cuenta con { $provider }.
connect-offer = ¿Conectar este inicio de sesión con su cuenta? Después podrá entrar de las dos formas.
connect-with = Conectar con { $account }
connect-other = Ha iniciado sesión con otra cuenta. Cierre la sesión y vuelva a iniciarla con { $provider }.
connect-logged-in = Sesión de
connect-void = Ha tardado demasiado, o se hizo en otra pestaña. Empiece de nuevo.
details-title = Completar el registro
details-address = { $provider } no nos ha indicado su dirección de correo electrónico. Introdúzcala para crear su cuenta.
details-username = Elija un nombre de usuario para crear su cuenta.
identity-taken-title = Ya está conectada
identity-taken-why = Otra cuenta está conectada con esta cuenta en { $provider }. Desconéctela allí primero.
identities-full-title = Demasiadas cuentas conectadas
identities-full-why = Una cuenta se puede conectar con { $max } más como máximo. Quite una primero.
invited-elsewhere-title = Esta invitación es para otra persona
invited-elsewhere-why = Es para { $email }, que no es la dirección de su cuenta en { $provider }. Regístrese con { $email } o pida otra invitación.
confirm-email-code-there = Para verificar { $email }, introduzca el código del correo en el navegador donde se registró.
connections-title = Cuentas conectadas
connections-why = Otras cuentas con las que puede iniciar sesión.
connections-own = Sus cuentas conectadas
connections-none = No ha conectado ninguna cuenta.
connections-add = Conectar una cuenta
connections-add-why = Inicie sesión aquí con una cuenta que ya tiene en otro sitio.
connections-last = Es su única forma de iniciar sesión. Primero establezca una contraseña o añada una llave de acceso.
connections-connected = Su cuenta está conectada.
connections-removed = La cuenta se ha desconectado.
connection-used = Usada { $when }
connection-unused = Conectada { $when }, aún sin usar
connection-gone = Ya no está disponible
connections-add-another = Conectar una segunda cuenta
connection-remove = Desconectar
connection-remove-one = Desconectar { $provider }
security-connections = { $count ->
        [0] Ninguna
        [one] Una
       *[other] { $count }
    }

## Confirm that it is you

confirm-title = Confirme que es usted
confirm-why = Antes de continuar, tenemos que comprobar que es usted.
confirm-factor-why = Esta página necesita un segundo factor.
confirm-code-why = Introduzca el código de su aplicación de autenticación.
confirm-no-factor = Su cuenta aún no tiene ninguno. Configure la autenticación de dos factores o añada una llave de acceso, y vuelva a abrir la página.
confirm-set-up-factor = Configurar la autenticación de dos factores
confirm-codes-refused = Se introdujeron demasiados códigos incorrectos para esta cuenta, así que ya no aceptamos códigos de su aplicación. Use un código de recuperación.
confirm-account = Cuenta
confirm-back = Volver a su cuenta
confirm-passkey = Usar una llave de acceso
confirm-passkey-wrong = Esa llave de acceso no ha funcionado. Inténtelo de nuevo o use otra forma.
confirm-no-password = Su cuenta no tiene contraseña. Si no puede usar su llave de acceso, establezca una contraseña por correo.
confirm-mail = Su cuenta no tiene contraseña ni llave de acceso. Podemos enviar un código a { $email } en su lugar.
confirm-mail-sent = Hemos enviado un código a { $email }. Introdúzcalo aquí.
confirm-mail-send = Enviarme un código por correo
confirm-not-asked-for = Eso no se pide aquí. Use otra forma de esta página.
own-code-wrong = { $left ->
    [0] Código incorrecto. Envíe uno nuevo.
    [one] Código incorrecto. Queda un intento.
   *[other] Código incorrecto. Quedan { $left } intentos.
}
own-code-over = Este código ya no funciona. Envíe uno nuevo.
own-codes-refused = Se introdujeron demasiados códigos incorrectos, así que por ahora no aceptamos ninguno. Establezca en su lugar una contraseña por correo.
confirm-nothing = Necesitamos una forma de comprobar que es usted, y su cuenta no tiene contraseña, llave de acceso ni correo electrónico. Inicie sesión de nuevo como de costumbre: se le pedirá un correo electrónico. Si no, pida a su administrador que lo añada.
confirm-nothing-title = Añada un correo electrónico para continuar
confirm-log-in-again = Cerrar sesión y volver a entrar
confirm-set-password = Enviarme un enlace para establecer una contraseña

## Account

account-title = Su cuenta
account-section = Perfil
account-warning = Puede que alguien haya usado una de sus sesiones
account-warning-why = El { $when } se usó una copia antigua de una cookie de sesión, por lo que cerramos esa sesión. Restaurar un navegador desde una copia de seguridad puede causarlo. Si no se lo explica, contacte con soporte.
account-profile = Perfil
account-roles = Roles
account-since = Miembro desde { $since }
account-id = Identificador de usuario
account-organization = Organización
account-organization-kind = Tipo
account-add-name = Añadir un nombre
address-verified-now = Su correo electrónico está verificado.
joined = Se ha unido a { $organization }.
recovery-code-used = Ha usado un código de recuperación. { $left ->
        [0] Era el último. Cree nuevos en la página de seguridad.
        [one] Queda uno. Cree nuevos en la página de seguridad.
       *[other] Quedan { $left }.
    }
account-warning-link = Revisar sus sesiones
account-data = Sus datos
account-data-why = Todo lo que guardamos sobre usted.
account-delete = Eliminar su cuenta
account-delete-why = Eliminar definitivamente su cuenta y sus datos.
account-delete-title = ¿Eliminar su cuenta?
account-delete-what = Se eliminará { $email } definitivamente, con:
account-delete-data = Su perfil, métodos de inicio de sesión y sesiones
account-delete-organizations = { $count ->
        [one] La organización { $names }, a la que solo pertenece usted
       *[other] { $count } organizaciones a las que solo pertenece usted: { $names }
    }
account-delete-memberships = { $count ->
        [one] Su pertenencia a { $names }
       *[other] Sus { $count } pertenencias: { $names }
    }
account-delete-final = Esta acción no se puede deshacer.
account-delete-button = Eliminar la cuenta
account-deleted = Su cuenta se ha eliminado
account-deleted-what = Se ha cerrado su sesión y ya no pertenece a ninguna organización.
account-last-owner = Es el último propietario de { $organizations }. Primero haga propietario a otro miembro o elimine la organización.
user-last-owner = La cuenta es la última propietaria de { $organizations }. Primero haga propietario a otro miembro o elimine la organización.
account-last-admin = Es el último administrador. Primero haga administrador a otra cuenta.
cancel = Cancelar
keep = Conservarla

## Username

display-name = Nombre
display-name-title = Su nombre
display-name-why = Algunos de nuestros correos le llaman así, y las aplicaciones pueden mostrarlo. No tiene que ser único, y no inicia sesión con él.
display-name-hint = Hasta 100 caracteres. Déjelo vacío para quitarlo.
display-name-button = Guardar el nombre
display-name-saved = Su nombre se ha guardado.
display-name-removed = Su nombre se ha quitado.
username-title = Cambiar su nombre de usuario
username-change-what = Las personas y las aplicaciones ven el nuevo nombre al instante, y usted inicia sesión con él. Durante 90 días nadie más puede usar el anterior.
username-hint = De 2 a 64 letras, números, puntos, guiones o guiones bajos.
username-button = Cambiar el nombre de usuario
username-changed = Su nombre de usuario se ha cambiado.

## Security

security-title = Seguridad
security-sign-in = Métodos de inicio de sesión
security-seen = Dónde tiene la sesión iniciada
security-recommended = Recomendado
security-on = Activada
security-sessions-count = { $count ->
        [one] Solo en este dispositivo
       *[other] { $count } sesiones
    }
security-password-set = Establecida
security-password-none = Ninguna: inicia sesión sin ella
security-password-changed = Último cambio { $when }
password-title = Cambiar su contraseña
password-first-title = Establecer una contraseña
password-current = Contraseña actual
password-new = Contraseña nueva
password-end-others = Cerrar sesión en los demás dispositivos
password-button = Cambiar la contraseña
password-first-button = Establecer contraseña
password-changed = Su contraseña se ha cambiado.
password-changed-others = Su contraseña se ha cambiado. Las llaves de acceso y las cuentas conectadas inician sesión sin ella: elimine las que no sean suyas.
password-others = Una contraseña nueva no termina otras formas de iniciar sesión. Compruebe que son suyas:

## Sessions

sessions-title = Sesiones
sessions-warning-do = Cierre la sesión en los demás dispositivos y cambie su contraseña.
sessions-warning-alone = Por seguridad, cambie su contraseña.
sessions-this = Este dispositivo
sessions-line = { $place } · Activa { $used } · Desde { $since }
sessions-others-why = Cierre la sesión en los que no reconozca.
sessions-none = No tiene la sesión iniciada en ningún otro sitio.
sessions-end = Cerrar sesión
sessions-end-one = Cerrar sesión en { $device }
sessions-end-others = Cerrar sesión en todos los demás dispositivos
sessions-ended-one = Se ha cerrado la sesión en ese dispositivo.
sessions-ended-others = Se ha cerrado la sesión en todos los demás dispositivos.

## Activity

activity-title = Actividad
activity-why = Lo que ha ocurrido en su cuenta en los últimos 90 días.
activity-filter = Filtro
activity-all = Todo
activity-none = Todavía nada.
activity-kind = { $kind ->
        [account_created] Cuenta creada
        [account_deleted] Cuenta eliminada
        [account_disabled] Cuenta desactivada
        [account_enabled] Cuenta activada
        [account_unlocked] Cuenta desbloqueada tras inicios de sesión fallidos
        [roles_changed] Roles de plataforma cambiados
        [signed_in] Sesión iniciada
        [sign_in_failed] Inicio de sesión fallido: contraseña incorrecta
        [sign_in_refused] Inicio de sesión rechazado: la cuenta estaba desactivada
        [sign_in_limited] Inicio de sesión rechazado tras demasiados intentos
        [signed_out] Sesión cerrada
        [confirmed] Confirmado con contraseña o llave de acceso
        [confirm_failed] Confirmación fallida
        [session_ended] Sesión cerrada en un dispositivo
        [sessions_ended] Sesión cerrada en todos los demás dispositivos
        [reuse_detected] Sesión terminada: se usó una cookie de sesión antigua
        [password_changed] Contraseña cambiada
        [password_reset] Contraseña restablecida por correo
        [password_reset_sent] Enlace para restablecer la contraseña enviado
        [verification_sent] Correo para verificar la dirección enviado
        [email_verified] Correo electrónico verificado
        [email_changed] Correo electrónico cambiado
        [email_change_undone] Cambio de correo electrónico deshecho
        [email_released] Correo electrónico pasado a otra cuenta, cuyo titular lo verificó
        [username_changed] Nombre de usuario cambiado
        [name_changed] Nombre cambiado
        [totp_enabled] Aplicación de autenticación añadida
        [totp_disabled] Aplicación de autenticación quitada
        [second_factor_failed] Inicio de sesión fallido: contraseña correcta, segundo factor incorrecto
        [second_factor_missing] Contraseña aceptada, segundo factor pendiente
        [recovery_codes_made] Nuevos códigos de recuperación creados
        [recovery_code_used] Código de recuperación usado
        [device_remembered] Dispositivo marcado como de confianza
        [passkey_added] Llave de acceso añadida
        [passkey_renamed] Llave de acceso renombrada
        [passkey_removed] Llave de acceso quitada
        [identity_connected] Cuenta externa conectada
        [identity_removed] Cuenta externa desconectada
        [provider_refused] Inicio de sesión con otra cuenta rechazado
        [passkey_copied] Llave de acceso rechazada: puede que exista una copia
        [data_exported] Datos descargados
        [details_changed] Datos de la aplicación cambiados
        [api_key_created] Clave de API creada
        [api_key_revoked] Clave de API revocada
        [api_key_rotated] Clave de API renovada
        [api_key_refused] Clave de API rechazada
        [provider_added] Proveedor añadido
        [provider_changed] Proveedor cambiado
        [provider_removed] Proveedor quitado
        [organization_created] Organización creada
        [organization_renamed] Organización renombrada
        [organization_deleted] Organización eliminada
        [member_added] Miembro añadido a una organización
        [member_role_changed] Rol en una organización cambiado
        [member_removed] Miembro quitado de una organización
        [invitation_created] Invitación a una organización creada
        [invitation_resent] Invitación a una organización reenviada
        [invitation_revoked] Invitación a una organización revocada
        [deliveries_replayed] Webhooks enviados de nuevo
        [admin_refused] Cambio de un administrador rechazado
        [audit_exported] Registro de auditoría descargado
       *[other] { $kind }
    }
activity-prompt = { $prompt ->
        [password_change] Para cambiar la contraseña
        [account_deletion] Para eliminar la cuenta
        [two_factor_removal] Para desactivar la autenticación de dos factores
        [email_verification] Para verificar el correo electrónico
        [passkey] Con una llave de acceso
       *[other] { $prompt }
    }
activity-by-operator = Por un administrador
activity-times = { $count ->
        [one] { $count } vez
       *[other] { $count } veces
    }
activity-look-twice = Inusual
activity-latest = Más recientes
activity-older = Anteriores

## Data

export-title = Descargar sus datos
export-what = Recibe un archivo JSON con su perfil, pertenencias, invitaciones, sesiones y actividad. No contiene contraseñas ni nada con lo que se pueda iniciar sesión. Aun así, guárdelo en privado.
export-elsewhere = Las aplicaciones guardan sus propios datos, que no se incluyen.
export-button = Descargar

## Organizations

organizations-section = Organizaciones
organizations-yours = Sus organizaciones
organizations-yours-why = Las aplicaciones ven la que está activa en esta sesión.
organizations-line = { $members ->
        [one] 1 miembro
       *[other] { $members } miembros
    } · { role }
organizations-line-personal = { $name } · Solo usted
organizations-active = Activa
organizations-switch = Cambiar
organizations-switch-to = Cambiar a { $organization }
organizations-create = Crear una organización
organizations-create-why = Será su propietario y podrá invitar a otras personas.
organizations-create-button = Crear organización
name = Nombre
kind = { $kind ->
        [personal] Personal
       *[team] Equipo
    }
role = { $role ->
        [owner] Propietario
        [admin] Administrador
       *[member] Miembro
    }
role-label = Rol
roles-explained = Los miembros ven quién está en la organización. Los administradores pueden invitar y gestionar miembros. Los propietarios pueden hacerlo todo.
organization-line = Su rol: { role }
organization-personal-why = Una organización personal no tiene otros miembros. Dura tanto como su cuenta.
organization-tabs = Páginas de la organización
organization-settings = Configuración
organization-settings-title = Configuración de { $organization }
organization-invitations-title = Invitaciones a { $organization }
organization-switched = Ahora trabaja en { $kind ->
        [personal] su organización personal
       *[team] { $organization }
    }.
organization-created = { $organization } se ha creado. Ahora trabaja en ella.
organization-renamed = El nombre se ha cambiado.
organization-left = Ha salido de la organización. { organization-switched }
organization-deleted = La organización se ha eliminado. { organization-switched }
organization-members = Miembros
organization-members-many = { $members } miembros, los más recientes primero
organization-alone = Por ahora es el único miembro. Invite a las personas con las que trabaja.
organization-find = Buscar un miembro
organization-find-by = Nombre de usuario o correo
organization-find-button = Buscar
organization-members-none = No hay más miembros.
organization-members-not-found = Ningún miembro tiene un nombre de usuario o correo que empiece por «{ $search }».
organization-you = { $username } (usted)
organization-pages = Páginas de miembros
organization-all-members = Todos los miembros
organization-first-page = Primera página
organization-next-page = Página siguiente
organization-invitations = Invitaciones
organization-pending = Invitaciones enviadas
organization-expired = Caducada
organization-invitations-none = No hay invitaciones pendientes.
organization-invitation-until = Caduca el { $until }
organization-invitation-expired = Caducó el { $until }
organization-new-link = Enviar un nuevo enlace
organization-invitation-acts = Acciones para { $email }
organization-revoke = Revocar
organization-remove-expired = Quitar
organization-invitation-ended = La invitación se ha revocado.
organization-invite-button = Invitar
organization-invite-addresses = Direcciones de correo electrónico
organization-invite-several = Puede introducir varias, separadas por comas, espacios o saltos de línea.
organization-link-made = Invitación creada
organization-link-for = Enlace para { $email }
organization-link-mailed = Invitación enviada a { $email }
organization-link-mailed-why = También puede copiar el enlace y compartirlo usted. Funciona solo para esta dirección, hasta el { $until }. No volverá a mostrarse.
organization-links-made = { $count } invitaciones creadas
organization-links-mailed = { $count } invitaciones enviadas
organization-links-mailed-why = También puede copiar los enlaces y compartirlos usted. Cada uno funciona solo para su dirección, hasta el { $until }. No volverán a mostrarse.
organization-link-why = Aquí no está configurado el correo: copie el enlace y compártalo usted. Funciona solo para esta dirección, hasta el { $until }. No volverá a mostrarse.
organization-links-why = Aquí no está configurado el correo: copie los enlaces y compártalos usted. Cada uno funciona solo para su dirección, hasta el { $until }. No volverán a mostrarse.
copy = Copiar
copied = Copiado
organization-name-why = Visible para los miembros y las aplicaciones.
organization-rename-button = Cambiar nombre
organization-leave-row = Salir de la organización
organization-delete-row-what = Todos los miembros pierden el acceso de inmediato. Esta acción no se puede deshacer.
organization-leave = Salir de { $organization }
organization-leave-question = ¿Salir de la organización?
organization-leave-not-yet = Todavía no puede salir
organization-leave-what = Perderá el acceso de inmediato. Necesitará una invitación para volver.
organization-leave-button = Salir
organization-stay = Quedarse
organization-choose-owner = Elegir otro propietario
organization-delete = Eliminar { $organization }
organization-delete-question = ¿Eliminar la organización?
organization-delete-what = Todos los miembros pierden el acceso de inmediato y terminan las invitaciones pendientes. Los miembros conservan su cuenta. Esta acción no se puede deshacer.
organization-delete-confirm = Para confirmar, escriba el nombre de la organización: { $organization }
organization-delete-wrong-name = Este no es el nombre de la organización.
organization-delete-button = Eliminar la organización
member-title = { $username } en { $organization }
member-role-button = Cambiar rol
member-role-changed = El rol se ha cambiado.
member-remove = Quitar de { $organization }
member-remove-title = ¿Quitar a { $username } de { $organization }?
member-remove-question = ¿Quitar a este miembro?
member-remove-why = { $username } pierde de inmediato el acceso a { $organization }. Su cuenta no se elimina.
member-removed = El miembro se ha quitado.
member-remove-button = Quitar a { $username }
role-missing = Elija un rol.
organization-back = Volver a la organización
name-missing = Introduzca un nombre.
name-too-long = Use como máximo { $max } caracteres.
name-invisible = Un nombre no puede tener caracteres invisibles.
name-address = Un nombre no puede contener una dirección web ni una @.
name-marks = Un nombre no puede empezar por un acento ni acumular acentos.
name-unreadable = Un nombre necesita una letra o un número.
invite-own-address = Esta es su propia dirección.
invite-member-already = Esta persona ya es miembro.
invite-invited-already = Esta dirección ya tiene una invitación. Cree un nuevo enlace para ella.
invite-too-many-at-once = Puede invitar a { $max } personas a la vez como máximo.
invite-too-soon = Esta dirección ha recibido demasiados correos últimamente. Inténtelo más tarde.
invite-limited = Ha enviado muchas invitaciones. Las de abajo no se enviaron: inténtelo de nuevo en { $wait }.
invite-refused = { $count ->
        [one] No se invitó a una dirección.
       *[other] No se invitó a { $count } direcciones.
    }
invite-refused-address = { $email }: { $why }
refused-not-permitted = Su rol en esta organización no lo permite.
refused-above-own-role = Solo un propietario puede hacerlo. No puede dar ni quitar un rol superior al suyo.
refused-last-owner = Una organización necesita un propietario. Primero haga propietario a otro miembro.
refused-personal = Una organización personal no tiene otros miembros, y dura tanto como la cuenta de su propietario.
refused-no-teams = Aquí no puede crear organizaciones.
refused-no-invitations = Las invitaciones están desactivadas: cada organización es personal.
refused-not-pending = Esta invitación ya no está pendiente.
refused-operators-invitation = Un administrador creó esta invitación, y solo un administrador puede crear un nuevo enlace para ella.
refused-unverified = Verifique su correo electrónico antes de invitar a otras personas.
refused-unverified-link = Verificar su correo electrónico
refused-too-many-pending = Hay 100 invitaciones a la espera de respuesta. Revoque algunas antes de invitar a más personas.
refused-protected = Esta cuenta tiene roles de plataforma, así que no se puede hacer aquí.
in-english = { $sentence }

## Invitations

invitation-title = Invitación a { $organization }
invitation-other = Esta invitación es para otra persona
invitation-other-why = Es para { $email }, pero ha iniciado sesión como { $own }.
invitation-log-out = Cerrar sesión y continuar
invitation-join = ¿Unirse a { $organization }?
invitation-not-yet = Todavía no puede unirse a { $organization }
invitation-for-you = Tiene una invitación con el rol { $role ->
        [owner] Propietario
        [admin] Administrador
       *[member] Miembro
    }. Ha iniciado sesión como { $username }.
invitation-for-you-by = { $inviter } le invita con el rol { $role ->
        [owner] Propietario
        [admin] Administrador
       *[member] Miembro
    }. Ha iniciado sesión como { $username }.
invitation-accept = Aceptar
invitation-for-address = { $email } tiene una invitación con el rol { $role ->
        [owner] Propietario
        [admin] Administrador
       *[member] Miembro
    }.
invitation-for-address-by = { $inviter } invita a { $email } con el rol { $role ->
        [owner] Propietario
        [admin] Administrador
       *[member] Miembro
    }.
invitation-has-account = Inicie sesión para aceptar.
invitation-either = Inicie sesión o cree una cuenta con esta dirección para aceptar.
invitation-log-in-only = Inicie sesión con esta dirección para aceptar. Aquí no se pueden crear cuentas nuevas.
invitation-sign-up = Crear una cuenta
invitation-no-sign-up = Aquí no se pueden crear cuentas nuevas. Pregunte a la persona que le invitó.
invitation-decline = Rechazar
invitation-ends = La invitación caduca el { $until }.
invitation-accepted-own = Ya se ha unido
invitation-accepted-own-why = Ya es miembro de { $organization }. No hay nada más que hacer.
invitation-accepted = Esta invitación ya se ha usado
invitation-accepted-why = Funciona una sola vez. Inicie sesión con la cuenta que la aceptó.
invitation-declined = Invitación rechazada
invitation-declined-why = Si fue un error, pida una nueva invitación.
invitation-revoked = Esta invitación se ha revocado
invitation-revoked-why = Pregunte a la persona que le invitó si hay una nueva.
invitation-expired = Esta invitación ha caducado
invitation-expired-why = Pida un nuevo enlace a la persona que le invitó.
invitation-void = Esta invitación no es válida
invitation-void-why = Puede que el enlace esté incompleto o que uno más reciente lo haya sustituido. Pida un nuevo enlace a la persona que le invitó.
invitation-to-organizations = Sus organizaciones

## Proof of an address

verify-title = Revise su correo
verify-sent = Hemos enviado un código de 6 cifras a { $email }.
verify-not-sent = Verifique { $email } para poder recuperar su cuenta. Le enviaremos un código.
verify-code = Código de verificación
verify-code-hint = El código funciona durante 10 minutos. También puede seguir el enlace del correo.
code-sends-itself = El código se envía al introducir las seis cifras.
code-sends-itself-chosen = El código se envía cuando se han introducido las seis cifras y está marcada la casilla de abajo.
resend-wait = Enviar de nuevo en { $wait }
verify-code-wrong = { $left ->
    [0] Código incorrecto. Envíe uno nuevo o use el enlace del correo.
    [one] Código incorrecto. Queda un intento.
   *[other] Código incorrecto. Quedan { $left } intentos.
}
verify-code-replaced = Un correo más reciente tiene otro código. Introduzca ese.
verify-code-over = Este código ya no funciona. Envíe uno nuevo o use el enlace del correo.
verify-button = Verificar
verify-resend = Enviar de nuevo
verify-send = Enviar código
verify-send-new = Enviar un código nuevo
verify-sent-again = Hemos enviado un código nuevo. El anterior ya no funciona.
verify-later = Verificar más tarde
verify-wrong-address = ¿Dirección incorrecta?
verify-change-address = Cambiarla
verify-start-over = Empezar de nuevo
confirm-email-title = Verifique su correo electrónico
confirm-email = ¿Es { $email } su dirección de correo electrónico?
confirm-email-elsewhere = Para verificar { $email } en este dispositivo, introduzca la contraseña con la que se registró.
confirm-email-password-hint = Esto confirma que la cuenta es suya.
confirm-email-password-wrong = Contraseña incorrecta.
confirm-email-button = Verificar mi correo
confirm-email-not-me = ¿No se registró, u olvidó la contraseña?
confirm-email-set-password = Establecer una nueva
confirm-email-ignore = ¿No se registró? Puede cerrar esta página.
link-over-title = Este enlace ya no funciona
proof-over = Ya se usó, ha caducado o un correo más reciente lo ha sustituido. Inicie sesión o regístrese para recibir uno nuevo.
link-other-title = Este enlace es para otra cuenta
link-other = Ha iniciado sesión con otra cuenta. Cierre la sesión y abra el enlace de nuevo.
link-to-log-in = Ir al inicio de sesión
address-taken-title = Esta dirección ya tiene una cuenta
address-taken = Inicie sesión con ella o restablezca su contraseña si la olvidó.
proof-invitation-void-title = Esta invitación ya no es válida
proof-invitation-void = Su correo electrónico está verificado, pero la invitación con la que se registró ya no es válida. Pida una nueva a la persona que le invitó.

## Forgotten password

forgot-title = Restablecer su contraseña
forgot-explanation = Introduzca su dirección de correo electrónico y le enviaremos un enlace para restablecer su contraseña.
forgot-button = Enviar enlace
forgot-back = Volver al inicio de sesión
reset-sent-title = Revise su correo
reset-sent = Si una cuenta tiene esta dirección, le hemos enviado un enlace para restablecer la contraseña.
reset-sent-to = Si { $email } tiene una cuenta, le hemos enviado un enlace para restablecer la contraseña.
reset-sent-hint = El enlace funciona durante 30 minutos. ¿No ha llegado? Mire en la carpeta de correo no deseado.
reset-sent-resend = Enviar de nuevo
reset-title = Establecer una nueva contraseña
reset-explanation = Elija una nueva contraseña para { $email }. Se cerrará la sesión en los demás dispositivos.
reset-new-password = Contraseña nueva
reset-button = Establecer contraseña
reset-over = Ya se usó, ha caducado o un correo más reciente lo ha sustituido.
reset-over-again = Obtener un nuevo enlace
log-in-forgot = ¿Olvidó la contraseña?
log-in-password-set = Su contraseña se ha cambiado. Inicie sesión con la nueva.
log-in-confirmed = Su correo electrónico está verificado. Inicie sesión para continuar.
log-in-unproved-hint = ¿Se acaba de registrar? Siga primero el enlace del correo que le enviamos.
password-breached = Esta contraseña ha aparecido en una filtración de datos. Elija otra.

## Whose account holds an address

whose-account-title = ¿Es suya esta cuenta?
whose-account-exists = Ha verificado { $email }. Ya existe una cuenta con esta dirección, pero allí nunca se verificó.
whose-account = ¿De quién es la cuenta?
whose-account-which = { $username }, creada { $when }
whose-account-organizations = Miembro de:
whose-account-mine = Es mía
whose-account-mine-what = Conservarla. Las formas anteriores de iniciar sesión dejan de funcionar y se cierra la sesión en los demás dispositivos.
whose-account-not-mine = No es mía
whose-account-not-mine-what = Crear una cuenta nueva. La otra se conserva, sin esta dirección.
whose-account-button = Continuar
whose-account-not-answered = Elija una de las dos respuestas.
whose-account-changed = Ahora otra cuenta tiene la dirección. Compruébela y responda de nuevo.

## Accounts without an address

no-address = Sin correo electrónico
no-address-title = Añada un correo electrónico
no-address-why = Otra persona verificó la dirección que tenía su cuenta. Añada otra para poder restablecer su contraseña.
no-address-hint = Enviaremos un enlace y un código a la dirección.
no-address-log-in = Otra cuenta ha verificado el correo electrónico de su cuenta { $username }.
no-address-add-to-log-in = Añada uno nuevo para iniciar sesión.
no-address-other-way = Inicie sesión de otra forma
no-address-needs-proof = Inicie sesión con su contraseña o una llave de acceso y después añada una dirección.
no-address-by-operator = Su cuenta no tiene contraseña ni llave de acceso. Pida a un administrador que añada una dirección.
no-address-add = Añadir un correo electrónico
no-address-later = Ahora no

## Change of address

account-email-title = Correo electrónico
account-email-pending = Dirección nueva
account-email-pending-hint = Verifíquela para empezar a usarla.
account-email-pending-sent = Hemos enviado un código a { $email }.
account-email-confirm = Verificar
account-email-cancel = Conservar la dirección actual
account-email-change = Cambiar el correo electrónico
account-email-change-hint = Enviaremos un enlace y un código a la dirección nueva, y avisaremos a la actual.
account-email-new = Nuevo correo electrónico
account-email-send = Enviar correo de verificación
account-email-changed = Su correo electrónico se ha cambiado.
email-change-same = Esta ya es su dirección.
account-unproved-title = Verifique su correo electrónico
account-unproved = Verifique { $email } para poder recuperar su cuenta. Introduzca el código de nuestro correo o pida uno nuevo.
account-unproved-enter = Introducir código
undo-title = ¿Restaurar su correo electrónico?
undo-explanation = { $email } vuelve a ser la dirección de su cuenta.
undo-consequences = Se cerrará su sesión en todas partes y se le pedirá una nueva contraseña.
undo-button = Restaurar la dirección
undo-ignore = ¿La cambió usted? Puede cerrar esta página.
undo-over = Ya se usó o tiene más de 72 horas. Si otra persona cambió su cuenta, contacte con soporte.

## Emails

mail-label = { $label }:
mail-button-instead = Si el botón no funciona, abra este enlace:
mail-reason-account = Recibe este correo porque { $to } tiene una cuenta en { $site }.
mail-duration = { $unit ->
    [minutes] { $count ->
        [one] { $count } minuto
       *[other] { $count } minutos
    }
    [hours] { $count ->
        [one] { $count } hora
       *[other] { $count } horas
    }
   *[days] { $count ->
        [one] { $count } día
       *[other] { $count } días
    }
}
mail-code-until = El código caduca en { $duration } y funciona una sola vez.
mail-code-or-button = El código caduca en { $duration }; el botón, en { $link }.
mail-code-or-link = El código caduca en { $duration }. Este enlace hace lo mismo y caduca en { $link }:
mail-device = Dispositivo: { $device }
mail-not-you = Si fue usted, no tiene que hacer nada. Si no, cambie su contraseña y cierre la sesión en los demás dispositivos.
mail-provider-not-you = Si fue usted, no tiene que hacer nada. Si no, desconéctela, cambie su contraseña y cierre la sesión en los demás dispositivos.
mail-verify-button = Verificar el correo electrónico
mail-invitation-subject = Invitación a «{ $organization }» en { $site }
mail-invitation-subject-by = { $inviter } le invita a «{ $organization }» en { $site }
mail-invitation-heading = Unirse a «{ $organization }»
mail-invitation-by = { $inviter } le invita a unirse a «{ $organization }» con el rol { $role ->
    [owner] Propietario
    [admin] Administrador
   *[member] Miembro
}.
mail-invitation-for = Tiene una invitación para unirse a «{ $organization }» con el rol { $role ->
    [owner] Propietario
    [admin] Administrador
   *[member] Miembro
}.
mail-invitation-button = Ver la invitación
mail-invitation-until = La invitación es solo para { $to }. El enlace caduca en { $duration }.
mail-invitation-reason = Recibe este correo porque alguien en { $site } ha invitado a { $to }. Si no lo esperaba, puede ignorarlo. No ocurre nada si no acepta.
mail-verify-subject = Verifique su correo electrónico
mail-verify-what = Introduzca este código para verificar { $to } para su cuenta en { $site }:
mail-verify-reason = Recibe este correo porque alguien introdujo { $to } en { $site }. Si no fue usted, puede ignorarlo.
mail-confirmation-code-subject = Confirme que es usted
mail-confirmation-code-what = Introduzca este código para confirmar que la cuenta de { $to } en { $site } es suya:
mail-confirmation-code-not-you = No se lo dé a nadie. Si no lo pidió, puede que alguien esté usando su cuenta: inicie sesión y cierre las sesiones que no sean suyas.
mail-reset-subject = Restablezca su contraseña
mail-reset-what = Hemos recibido una solicitud para restablecer la contraseña de { $to } en { $site }.
mail-reset-button = Restablecer la contraseña
mail-reset-until = El enlace caduca en { $duration } y funciona una sola vez.
mail-reset-not-you = Si no lo pidió, puede ignorar este correo. Su contraseña no cambia.
mail-set-password-subject = Su cuenta en { $site }
mail-set-password-heading = Establezca su contraseña
mail-set-password-what = Se ha creado una cuenta en { $site } para { $to }. Establezca una contraseña para iniciar sesión.
mail-set-password-button = Establecer la contraseña
mail-set-password-reason = Recibe este correo porque { $site } creó una cuenta con { $to }. Si no lo esperaba, puede ignorarlo.
mail-password-changed-subject = Su contraseña se ha cambiado
mail-password-changed-what = La contraseña de su cuenta en { $site } se cambió el { $when }.
mail-password-changed-button = No fui yo
mail-password-changed-not-you = Si fue usted, no tiene que hacer nada. Si no, restablezca su contraseña ahora. Con ello se cierra su sesión en todas partes. Después elimine las llaves de acceso y las cuentas conectadas que no sean suyas: inician sesión sin la contraseña.
mail-change-subject = Verifique su nuevo correo electrónico
mail-change-what = Introduzca este código para que { $to } sea el correo electrónico de su cuenta en { $site }:
mail-change-until-then = Hasta entonces, la cuenta conserva su dirección anterior.
mail-change-reason = Recibe este correo porque alguien introdujo { $to } como su nuevo correo electrónico en { $site }. Si no fue usted, puede ignorarlo.
mail-changed-subject = Su correo electrónico se ha cambiado
mail-person = «{ $name }» ({ $account })
mail-changed-what = La cuenta { $username } en { $site } tiene un nuevo correo electrónico desde el { $when }. { $to } ya no es su dirección.
mail-changed-button = Deshacer el cambio
mail-changed-until = Si fue usted, no tiene que hacer nada. Si no, deshaga el cambio: le quedan { $duration }. Su dirección se restaura y se cierra la sesión de la cuenta en todas partes.
mail-changed-reason = Recibe este correo porque { $to } era el correo electrónico de una cuenta en { $site }.
mail-replaced-by = { $site } hizo este cambio. Si no lo esperaba, contacte con { $site }.
mail-passkey-added-subject = Se ha añadido una llave de acceso
mail-passkey-added-what = La llave de acceso «{ $name }» se añadió a su cuenta en { $site } el { $when }.
mail-passkey-removed-subject = Se ha quitado una llave de acceso
mail-passkey-removed-what = La llave de acceso «{ $name }» se quitó de su cuenta en { $site } el { $when }.
mail-passkeys-removed-subject = Se han quitado todas las llaves de acceso
mail-passkeys-removed-what = Todas las llaves de acceso se quitaron de su cuenta en { $site } el { $when }.
mail-app-added-subject = Se ha añadido una aplicación de autenticación
mail-app-added-what = Se añadió una aplicación de autenticación a su cuenta en { $site } el { $when }. Ahora se piden sus códigos al iniciar sesión.
mail-app-removed-subject = Se ha quitado una aplicación de autenticación
mail-app-removed-what = La aplicación de autenticación se quitó de su cuenta en { $site } el { $when }. Ya no se piden sus códigos al iniciar sesión.
mail-codes-added-subject = Nuevos códigos de recuperación
mail-codes-added-what = Se crearon nuevos códigos de recuperación para su cuenta en { $site } el { $when }.
mail-codes-removed-subject = Se han quitado los códigos de recuperación
mail-codes-removed-what = Los códigos de recuperación de su cuenta en { $site } se quitaron el { $when }.
mail-provider-connected-subject = Se ha conectado { $name }
mail-provider-connected-what = { $name } se conectó a su cuenta en { $site } el { $when }. Ahora puede iniciar sesión con { $name }.
mail-provider-disconnected-subject = Se ha desconectado { $name }
mail-provider-disconnected-what = { $name } se desconectó de su cuenta en { $site } el { $when }. Ya no puede iniciar sesión con { $name }.
mail-method-button = Revisar su configuración de seguridad
mail-connections-button = Revisar sus cuentas conectadas
mail-account-button = Revisar su cuenta
mail-disabled-subject = Su cuenta se ha desactivado
mail-disabled-what = Su cuenta { $username } en { $site } se desactivó el { $when }. Se ha cerrado su sesión en todas partes y no puede iniciarla.
mail-enabled-subject = Su cuenta se ha activado
mail-enabled-what = Su cuenta { $username } en { $site } se activó el { $when }. Puede volver a iniciar sesión.
mail-enabled-button = Iniciar sesión
mail-sessions-ended-subject = Se ha cerrado su sesión
mail-sessions-ended-what = El { $when } se cerraron sesiones de su cuenta { $username } en { $site }.
mail-sessions-ended-button = Revisar sus sesiones
mail-role-changed-subject = Sus roles de plataforma han cambiado
mail-role-changed-what = Los roles de plataforma de su cuenta { $username } en { $site } se cambiaron el { $when }.
mail-role-changed-now = { $count ->
        [0] La cuenta ya no tiene ninguno.
        [one] Su rol es ahora { $roles }.
       *[other] Sus roles son ahora { $roles }.
    }
mail-told-by = Un administrador de { $site } hizo este cambio. Si no lo esperaba, contacte con { $site }.
mail-deed-subject = Se ha cambiado una cuenta con privilegios
mail-deed-what = { $deed ->
    [disabled] Un administrador desactivó la cuenta { $username } en { $site } el { $when }.
    [enabled] Un administrador activó la cuenta { $username } en { $site } el { $when }.
    [role] Un administrador cambió los roles de plataforma de la cuenta { $username } en { $site } el { $when }.
    [email] Un administrador cambió el correo electrónico de la cuenta { $username } en { $site } el { $when }.
    [sessions] Un administrador cerró sesiones de la cuenta { $username } en { $site } el { $when }.
    [factors] Un administrador quitó los segundos factores de la cuenta { $username } en { $site } el { $when }.
    [identity] Un administrador desconectó una cuenta externa de la cuenta { $username } en { $site } el { $when }.
    [deleted] Un administrador eliminó la cuenta { $username } en { $site } el { $when }.
   *[renamed] Un administrador cambió la cuenta { $username } en { $site } el { $when }.
}
mail-deed-why = Tiene o tenía un rol de plataforma. El registro de auditoría indica quién lo hizo y por qué.
mail-deed-button = Ver la cuenta
mail-deed-reason = Recibe este correo porque { $to } es la dirección de un administrador de { $site }.
mail-recovered-subject = Su cuenta se ha recuperado
mail-recovered-what = Su cuenta { $username } en { $site }, que se había eliminado, se recuperó de una copia de seguridad el { $when }. Compruebe con qué se puede iniciar sesión en ella.
mail-deleted-subject = Su cuenta se ha eliminado
mail-deleted-what = La cuenta { $username } en { $site } se eliminó el { $when }, con todo su contenido. Esta acción no se puede deshacer.
mail-deleted-not-you = Si no lo esperaba, contacte con { $site }.
mail-deleted-reason = Recibe este correo porque { $to } era el correo electrónico de esta cuenta.
mail-test-subject = Correo de prueba de { $site }
mail-test-heading = El correo funciona
mail-test-what = Esto es una prueba. Los correos de { $site } llegan a { $to }.
mail-test-reason = Recibe este correo porque un administrador de { $site } envió una prueba.

mail-sign-up-subject = Complete su registro en { $site }
mail-sign-up-heading = Complete su registro
mail-sign-up-what = Introduzca este código en la página de registro. No lo comparta:
mail-sign-up-account-exists = Ya existe una cuenta con { $to }, pero la dirección nunca se verificó. La página siguiente pregunta si esa cuenta es suya. No se elimina nada.
mail-sign-up-reason = Recibe este correo porque alguien se está registrando en { $site } con { $to }. Si no fue usted, puede ignorarlo. Si no verifica, no se crea ninguna cuenta.
mail-taken-subject = Ya tiene una cuenta en { $site }
mail-taken-heading = Ya tiene una cuenta
mail-taken-what = Alguien intentó usar { $to } para una cuenta en { $site }. Si fue usted, ya tiene una cuenta.
mail-taken-button = Iniciar sesión
mail-taken-not-you = ¿Olvidó la contraseña? Puede restablecerla en la página de inicio de sesión. Si no fue usted, puede ignorar este correo. No se ha cambiado nada.

## Two-factor log-in

security-two-factor-on = { $count ->
        [one] Queda un código de recuperación.
       *[other] Quedan { $count } códigos de recuperación.
    }
security-two-factor-off = Desactivada
end-other-sessions = Cerrar mi sesión en los demás dispositivos
password-yours = Su contraseña
download = Descargar
second-factor-title = Autenticación de dos factores
second-factor-code-title = Autenticación de dos factores
second-factor-code-why = Introduzca el código de su aplicación de autenticación para { $username }.
second-factor-recovery-title = Introduzca un código de recuperación
second-factor-recovery-why = Introduzca uno de los códigos de recuperación que guardó para { $username }. Cada código funciona una vez.
second-factor-recovery-code = Código de recuperación
second-factor-recovery-shape = Tiene la forma xxxx-xxxx-xxxx-xxxx.
second-factor-remember = Confiar en este dispositivo durante 30 días
second-factor-remember-hint = No en un dispositivo compartido.
second-factor-no-app = ¿No puede usar su aplicación?
second-factor-use-recovery = Usar un código de recuperación
second-factor-use-app = Usar su aplicación de autenticación
second-factor-lost = ¿También ha perdido los códigos?
second-factor-other-account = Iniciar sesión con otra cuenta
second-factor-wrong-code = Código incorrecto. Introduzca el que muestra su aplicación ahora.
second-factor-used-code = Este código ya se usó. Espere al siguiente.
second-factor-wrong-recovery-code = Código de recuperación incorrecto o ya usado.
second-factor-run-out = El inicio de sesión ha caducado. Inicie sesión de nuevo.
second-factor-out-of-tries = Demasiados códigos incorrectos. Inicie sesión de nuevo.
second-factor-codes-refused = Demasiados códigos incorrectos. Inicie sesión con un código de recuperación o contacte con soporte.
two-factor-title = Autenticación de dos factores
two-factor-why = Después de la contraseña, pedimos un código de su teléfono. Quien tenga su contraseña sigue sin poder entrar.
two-factor-app = Aplicación de autenticación
two-factor-off-why = Necesita una aplicación de autenticación, como la de su teléfono o la de su gestor de contraseñas. Lleva un minuto.
two-factor-set-up = Configurar
two-factor-scan = 1. Añada su cuenta a la aplicación
two-factor-scan-how = Escanee el código QR con su aplicación de autenticación, abra la aplicación en este dispositivo o introduzca la clave a mano. Mantenga la clave en secreto.
two-factor-account = En su aplicación aparece como { $email }.
two-factor-qr = Código QR con la clave
two-factor-open-app = Abrir en una aplicación de este dispositivo
two-factor-key = Clave
two-factor-confirm = 2. Introduzca el código
two-factor-confirm-why = Introduzca el código para terminar. Hasta entonces no está activada.
two-factor-code = Código
two-factor-wrong-code = Código incorrecto. Compruebe la hora de su teléfono y pruebe con el siguiente.
two-factor-turn-on = Activar
two-factor-on = Activada desde el { $since }
two-factor-move = Para cambiar de aplicación, desactívela y configúrela de nuevo.
two-factor-remove = ¿Desactivar la autenticación de dos factores?
two-factor-remove-what = Bastará su contraseña para iniciar sesión. También se quitan sus códigos de recuperación y dispositivos de confianza.
two-factor-remove-codes = Ya no pediremos un código. También se quitan sus códigos de recuperación y dispositivos de confianza.
two-factor-turn-off = Desactivar
recovery-codes-title = Códigos de recuperación
recovery-codes-left = { $count ->
        [0] No queda ninguno. Cree nuevos ahora: sin ellos, perder el teléfono es perder la cuenta.
        [one] Queda uno de 10. Cree nuevos pronto.
       *[other] Quedan { $count } de 10.
    }
recovery-codes-link = Códigos nuevos
recovery-codes-few = Quedan pocos
recovery-codes-ask = ¿Crear nuevos códigos de recuperación?
recovery-codes-replace = Los códigos nuevos sustituyen a los anteriores, que dejan de funcionar.
recovery-codes-button = Crear códigos nuevos
recovery-codes-keep-old = Conservar mis códigos
recovery-codes-turned-on = La autenticación de dos factores está activada
recovery-codes-new = Sus nuevos códigos de recuperación
recovery-codes-keep = Guarde estos códigos
recovery-codes-once = Cada código funciona una vez. No volverán a mostrarse.
recovery-codes-void = Sus códigos anteriores ya no funcionan.
recovery-codes-where = Guárdelos en un gestor de contraseñas o con documentos importantes, no solo en el teléfono.
recovery-codes-kept = He guardado estos códigos
recovery-codes-file = Códigos de recuperación de { $brand }
devices-title = Dispositivos de confianza
devices-none = No hay dispositivos de confianza. Cada inicio de sesión pide un código.
devices-count = { $count ->
        [one] Un dispositivo de confianza. Cambiar la contraseña lo quita.
       *[other] { $count } dispositivos de confianza. Cambiar la contraseña los quita.
    }
devices-forget = Quitar todos

## Passkeys

security-passkeys = { $count ->
        [0] Ninguna
        [one] Una
       *[other] { $count }
    }
passkeys-title = Llaves de acceso
passkeys-why = Inicie sesión con su huella, su rostro o el PIN del dispositivo en lugar de una contraseña. Una llave de acceso solo funciona en este sitio.
passkeys-own = Sus llaves de acceso
passkeys-several = Añada una por dispositivo, o una que se sincronice con su gestor de contraseñas.
passkeys-none = Aún no tiene ninguna llave de acceso.
passkeys-added = Su llave de acceso se ha añadido. Ábrala para darle otro nombre.
passkeys-renamed = El nombre de su llave de acceso se ha cambiado.
passkeys-removed = Su llave de acceso se ha quitado.
passkeys-impossible = Las llaves de acceso necesitan HTTPS y un nombre de dominio. La dirección de este sitio no los tiene.
passkey-add = Añadir una llave de acceso
passkey-used = Usada { $when }
passkey-unused = Añadida { $when }, aún sin usar
passkey-backed-up = Con copia
passkey-backed-up-what = Tiene copia de seguridad: la conserva si pierde un dispositivo.
passkey-added = Añadida { $when }.
passkey-new-title = Añadir una llave de acceso
passkey-new-how = Su navegador le preguntará dónde guardarla y le pedirá su huella, su rostro o su PIN.
passkey-name-hint = Un nombre para reconocerla, como el del dispositivo.
passkey-create = Crear llave de acceso
passkey-needs-script = Las llaves de acceso necesitan JavaScript y un navegador compatible.
passkey-no-answer = Su llave de acceso no ha funcionado. Inténtelo de nuevo o use otra forma.
passkey-log-in = Iniciar sesión con una llave de acceso
passkey-log-in-refused = Esta llave de acceso no se acepta aquí. Inicie sesión con su contraseña.
passkey-void = Ha tardado demasiado o se envió dos veces. Inténtelo de nuevo.
passkey-refused = Esta llave de acceso no se puede usar: debe comprobar su huella, su rostro o su PIN. Pruebe con otro dispositivo.
passkey-known = Esta llave de acceso ya está registrada.
passkey-too-many = Ya tiene { $max } llaves de acceso. Quite una primero.
passkey-last = Es su única forma de iniciar sesión. Añada otra primero.
passkey-rename = Cambiar nombre
passkey-remove = Quitar esta llave de acceso
passkey-remove-title = ¿Quitar «{ $name }»?
passkey-remove-question = ¿Quitar esta llave de acceso?
passkey-remove-why = Para un dispositivo que ya no tiene.
passkey-remove-what = No podrá iniciar sesión con esta llave de acceso. Elimínela también en su navegador o gestor de contraseñas, para que no se vuelva a ofrecer.
passkey-remove-button = Quitar llave de acceso

# --- The gate: refusals, shown on an application's own host

gate-login = Inicie sesión para continuar
gate-login-why = Tiene que iniciar sesión para ver esta página.
gate-unknown-address = El inicio de sesión no está configurado para este sitio
gate-unknown-address-why = Envíe esta referencia al administrador del sitio.
gate-step-up = Confirme que es usted
gate-step-up-why = Esta página pide un inicio de sesión reciente o un segundo factor.
gate-step-up-unknown = Aquí no puede confirmar su identidad
gate-forbidden = No tiene acceso a esta página
gate-forbidden-why = Pida acceso a un administrador.
gate-away = No podemos comprobar su acceso en este momento. Inténtelo de nuevo en unos segundos.
gate-error = No se pueden leer las reglas de acceso de esta página. Envíe esta referencia al administrador del sitio.
gate-account = Ir a su cuenta

# --- The pages of administrators

admin = Administración
admin-sections = Administración
admin-overview = Resumen
admin-people = Personas
admin-done = Hecho. El registro de auditoría tiene una entrada.
admin-nothing = Ninguno
admin-command = En la línea de comandos:
admin-pages = Páginas
admin-first-page = Más recientes
admin-next-page = Siguiente
admin-filter = Buscar
admin-filter-none = Borrar
admin-any = Todos
admin-off = Desactivado
admin-act = Acción
admin-remove = Quitar
admin-search = Búsqueda
admin-search-on = Seguir buscando
admin-search-further = Nada por ahora. Queda más por buscar.
admin-state = Estado
admin-state-active = Activa
admin-state-disabled = Desactivada
admin-state-unverified = Correo sin verificar
admin-platform-role = Rol de plataforma
admin-platform-roles = Roles de plataforma
admin-role = { $role ->
        [admin] Administrador
        [auditor] Auditor
       *[monitor] Observador
    }
admin-role-what = { $role ->
        [admin] Administrador: puede hacerlo todo aquí
        [auditor] Auditor: lo ve todo aquí y no cambia nada
       *[monitor] Observador: solo ve el resumen
    }
admin-role-unknown = Elija entre los roles ofrecidos.
admin-kind = Qué
admin-when = Cuándo
admin-actor = Quién
admin-actor-of = { $actor ->
        [user] La persona
        [administrator] Administrador
        [operator] Operador
       *[unknown] Desconocido
    }
admin-person-deleted = Cuenta eliminada
admin-settings-none = Todo tiene su valor predeterminado.
admin-settings-default = { $count ->
        [one] Un ajuste con su valor predeterminado
       *[other] { $count } ajustes con sus valores predeterminados
    }
admin-detail = Detalle
admin-address = Dirección
admin-device = Dispositivo
admin-methods = Inicio de sesión con
admin-began = Inicio
admin-used = Último uso
admin-outcome = Último resultado
admin-created = Creación
admin-last-login = Último inicio de sesión
admin-provider = Proveedor
admin-issuer = Emisor
admin-subject = Sujeto
admin-delivery-state = { $state ->
        [pending] En espera
        [processing] Enviándose
        [delivered] Enviado
       *[failed] Fallido
    }

## The form of an act

admin-reason = Motivo
admin-reason-why = Se guarda en el registro de auditoría. Solo lo ven los administradores y los auditores.
admin-reason-missing = Diga por qué, en pocas palabras.
admin-reason-long = Un motivo tiene como máximo 500 caracteres.
admin-reason-control = Un motivo es una línea de texto sin formato.
admin-not-yourself = Pídaselo a otro administrador: nadie desactiva, degrada ni elimina su propia cuenta.
admin-last-administrator = Es el último administrador que puede iniciar sesión. Primero haga administrador a otra persona.
admin-mailed-lately = Se acaba de enviar un correo a esta dirección. Inténtelo de nuevo en { $seconds } segundos.

## People

admin-people-search-hint = El comienzo de un correo electrónico, un nombre de usuario o un nombre; un identificador completo
admin-people-none = No hay coincidencias. Busque el comienzo de un correo electrónico, un nombre de usuario o un nombre, o borre los filtros.
admin-login = Cómo inicia sesión
admin-access = Acceso
admin-email-verified = El correo electrónico está verificado
admin-disabled-since = Desactivada desde
admin-language = Idioma
admin-external-id = Identificador en la aplicación
admin-authenticator = Aplicación de autenticación
admin-recovery-codes = Códigos de recuperación restantes
admin-passkeys = Llaves de acceso
admin-trusted-devices = Dispositivos de confianza
admin-sessions-none = Sin sesiones abiertas.
admin-identities-none = No hay cuentas externas conectadas.
admin-organizations-none = No es miembro de ninguna organización.
admin-mails = Correos
admin-mails-none = No se ha enviado ningún correo a esta dirección últimamente.
admin-audit = Registro de auditoría
admin-audit-all = Todo en el registro de auditoría
admin-audit-none = Nada en los últimos 90 días.
admin-person-new = Cuenta nueva
admin-person-new-what = La cuenta no tiene contraseña. La persona establece una con un enlace que le enviamos, o inicia sesión con una cuenta conectada.
admin-person-new-mail = Enviarle un enlace para establecer una contraseña
admin-person-new-button = Crear cuenta
admin-disable = Desactivar la cuenta
admin-disable-what = Se cierra su sesión en todas partes y no puede iniciarla hasta que la cuenta se active de nuevo. No se elimina nada.
admin-disable-button = Desactivar la cuenta
admin-enable = Activar la cuenta
admin-enable-what = Puede volver a iniciar sesión, como antes.
admin-enable-button = Activar la cuenta
admin-unlock = Desbloquear el inicio de sesión
admin-unlock-what = Los intentos fallidos ya no retrasan el inicio de sesión en esta cuenta, desde ninguna red. Alguien podría seguir probando: si no fue la persona, envíe también un restablecimiento de contraseña.
admin-unlock-button = Desbloquear el inicio de sesión
admin-verification-what = Enviamos una vez más el enlace y el código que verifican la dirección.
admin-verification-button = Enviar el enlace
admin-verification = Enviar de nuevo la verificación
admin-end-sessions = Cerrar sesión en todas partes
admin-end-sessions-what = Todas las sesiones terminan. Puede volver a iniciar sesión enseguida.
admin-end-sessions-button = Cerrar sesión en todas partes
admin-end-session = Cerrar la sesión
admin-end-session-what = Se cierra la sesión en este dispositivo. Puede volver a iniciarla enseguida.
admin-end-session-button = Cerrar la sesión
admin-two-factor = Restablecer la autenticación de dos factores
admin-two-factor-what = Se quitan la aplicación de autenticación, los códigos de recuperación, las llaves de acceso y los dispositivos de confianza, y todas las sesiones terminan. Después basta la contraseña: asegúrese de que es la persona quien lo pide.
admin-two-factor-button = Restablecer la autenticación de dos factores
admin-reset = Enviar un restablecimiento de contraseña
admin-reset-what = Enviamos a su dirección un enlace para establecer una nueva contraseña. La actual sigue valiendo hasta que lo use.
admin-reset-button = Enviar el enlace
admin-email = Cambiar el correo electrónico
admin-email-what = Se avisa a la dirección anterior. Los enlaces enviados antes dejan de funcionar.
admin-email-button = Cambiar el correo electrónico
admin-roles = Cambiar los roles de plataforma
admin-roles-what = Lo que la cuenta puede hacer en estas páginas. Se avisa a todos los administradores.
admin-roles-button = Guardar roles
admin-delete = Eliminar la cuenta
admin-delete-what = La cuenta, sus sesiones, sus pertenencias y su organización personal se eliminan definitivamente.
admin-delete-button = Eliminar definitivamente
admin-remove-identity = Desconectar la cuenta externa
admin-remove-identity-what = Ya no inicia sesión aquí, aunque fuera la última forma. Se avisa a la persona.
admin-remove-identity-button = Desconectar

## The overview

admin-findings = Falta por configurar
admin-figures = Entregas
admin-day = Últimas 24 horas
admin-week = Últimos 7 días
admin-chart-table = Como tabla
admin-since = Desde
admin-count = Cantidad
admin-signups = Registros
admin-logins = Inicios de sesión
admin-login-failures = Inicios de sesión fallidos
admin-deliveries-sent = Eventos entregados
admin-deliveries-failed = Eventos fallidos
admin-mails-sent = Correos enviados
admin-mails-failed = Correos fallidos
admin-events-waiting = Eventos en espera
admin-mails-waiting = Correos en espera
admin-events-failed = Eventos fallidos
admin-mails-not-sent = Correos fallidos
admin-counted = { $count }
admin-counted-at-least = { $count } o más
admin-until = Hasta
admin-ended = Fin
admin-organization = Organización
admin-about = Acerca de
admin-verbatim = { $text }

## Why could they not log in?

admin-standing = Qué impide iniciar sesión
admin-standing-none = Nada: la cuenta puede iniciar sesión ahora.
admin-standing-what = Qué
admin-standing-when = Cuándo y dónde
admin-standing-do = Qué hacer
admin-standing-enable = Active la cuenta, si puede volver a iniciar sesión.
admin-standing-verify = Envíe de nuevo la verificación, o marque la dirección como verificada.
admin-standing-no-way-in = Sin contraseña, llave de acceso ni cuenta conectada
admin-standing-give-way-in = Envíe un restablecimiento de contraseña.
admin-standing-way-in-mailed = La persona establece una contraseña con el enlace del correo, hasta entonces.
admin-standing-limited = Los inicios de sesión se retrasan tras intentos fallidos
admin-standing-limited-there = Los inicios de sesión desde esta dirección se retrasan tras intentos fallidos
admin-standing-limited-others = Los inicios de sesión desde otras direcciones se retrasan tras intentos fallidos
admin-standing-unlock = Espere hasta entonces, o desbloquee el inicio de sesión.
admin-standing-codes = Los códigos de la aplicación de autenticación se rechazan tras códigos incorrectos
admin-standing-unlock-codes = La persona usa un código de recuperación, o usted desbloquea el inicio de sesión.
admin-standing-mail = No se entregó un correo a esta persona
admin-standing-mail-do = Compruebe la dirección y envíelo de nuevo.
admin-login-attempts = Últimos intentos
admin-login-attempts-none = Ningún intento en los últimos 90 días.

## The audit log

admin-audit-search-hint = Un correo electrónico, un nombre de usuario o un identificador, también de una organización; operator, unknown o key:NAME
admin-audit-nothing = No hay coincidencias. Las entradas se guardan 90 días.
admin-audit-csv = Descargar CSV (comas)
admin-audit-ndjson = Descargar NDJSON
admin-audit-format = Elija CSV o NDJSON.
admin-audit-too-many = Hay más de { $max } entradas. Elija un período más corto o use la línea de comandos de abajo.

## Deliveries

admin-replay-all = Repetir los eventos fallidos
admin-replay-waiting = Enviar ahora los eventos en espera
admin-replay-events = Repetir eventos
admin-replay-events-what = Cada evento fallido, o cada uno que espera su próximo intento, se envía de nuevo con todos sus intentos. Continúa aunque cierre esta página.
admin-replay-state = Elija los eventos fallidos o los que están en espera.
admin-replay-waiting-days = Deje el día vacío: los eventos en espera se envían sea cual sea su día.
admin-replay-all-button = Repetir
admin-replay-channel = Solo los eventos se pueden repetir todos a la vez.
admin-kind-unknown = Elija entre los tipos ofrecidos.
admin-time-unreadable = Introduzca un día como 2026-07-01, o una hora como 2026-07-01T08:30:00Z.
admin-job-state = { $state ->
        [running] En curso
        [done] Terminado
       *[failed] Fallido
    }
admin-job-progress = Progreso
admin-job-replayed = Pendientes de nuevo
admin-job-done = { $done } de { $total }
admin-deliveries-still-failed = Eventos fallidos
admin-verified = Verificado

## Organizations

admin-organizations-search-hint = El comienzo del nombre o un identificador
admin-organizations-empty = No hay coincidencias. Escriba el comienzo de su nombre o su identificador, o borre la búsqueda. Los miembros crean equipos en sus propias páginas; «doorward org create» crea uno aquí.
admin-created-by = Creada por
admin-members = Miembros
admin-members-none = Sin miembros.
admin-joined = Se unió
admin-invitations = Invitaciones
admin-invitations-none = No se ha invitado a nadie. Los miembros invitan en sus propias páginas; «doorward invitation create» lo hace aquí.
admin-invitation-state = { $state ->
        [pending] En espera
        [accepted] Aceptada
        [revoked] Revocada
        [declined] Rechazada
       *[expired] Caducada
    }
admin-ends = Caduca
admin-organization-rename = Cambiar el nombre de la organización
admin-organization-rename-what = Los miembros ven el nuevo nombre al instante. Los enlaces y los identificadores no cambian.
admin-organization-delete = Eliminar la organización
admin-organization-delete-what = La organización, sus pertenencias y sus invitaciones se eliminan definitivamente. Sus miembros conservan su cuenta.
admin-member-role = Cambiar rol
admin-member-role-button = Guardar rol
admin-member-remove = Quitar miembro
admin-member-remove-what = Sale de la organización al instante, y se revocan las invitaciones que envió. La cuenta se conserva.
admin-invitation-revoke = Revocar la invitación
admin-invitation-revoke-what = Su enlace deja de funcionar. Se puede volver a invitar a la persona.
admin-revoke = Revocar

## Deliveries

admin-deliveries = Entregas
admin-delivery = Entrega
admin-deliveries-no-events = No hay webhooks que coincidan. Cambie los filtros, o compruebe que los webhooks están configurados: «doorward webhooks ping» los prueba.
admin-deliveries-no-mails = No hay correos que coincidan. Cambie los filtros, o compruebe que el correo está configurado: «doorward mail test» lo prueba.
admin-deliveries-kind-hint = El nombre completo, como user.created o password-reset
admin-channel = Canal
admin-channel-name = { $channel ->
        [mail] Correos
       *[webhook] Webhooks
    }
admin-attempts = Intentos
admin-attempts-none = Aún sin intentos.
admin-answer = Respuesta
admin-milliseconds = Milisegundos
admin-mail-to = Para
admin-mail-subject = Asunto
admin-finished = Terminado
admin-due = Previsto
admin-outcome-of = { $outcome ->
        [delivered] Entregado
        [status] Rechazado por el receptor
        [refused] Rechazado
        [deferred] Rechazado por ahora
        [session] El servidor de correo rechazó la conexión
        [login] El servidor de correo rechazó el inicio de sesión
        [sender] El servidor de correo rechazó el remitente
        [name] Nombre no resuelto
        [connect] Sin conexión
        [tls] Error de TLS
        [timeout] Tiempo agotado
        [closed] Conexión cerrada
        [interrupted] El proceso terminó
        [disabled] Tipo no activado
        [starttls] Sin STARTTLS
        [lost_after_data] Perdido tras el correo: puede que haya llegado
        [unsendable] No se puede enviar
        [expired] Se agotó su tiempo
        [withdrawn] Retirado
        [internal] Error interno
       *[other] { $outcome }
    }
admin-replay = Enviar de nuevo
admin-replay-what = El evento se envía de nuevo enseguida, con el mismo identificador y el mismo contenido, y con todos sus intentos. Los receptores que conocen el identificador lo ignoran.
admin-replay-under-way = Se está enviando ahora mismo. Vuelva a mirar en un minuto.

## API keys

admin-api-keys = Claves de API
admin-api-keys-none = No hay claves de API. «doorward api-key create» crea una para el backend de su aplicación y la muestra una vez.
admin-api-key-state = { $state ->
        [live] En uso
        [expired] Caducada
       *[revoked] Revocada
    }
admin-scopes = Permisos
admin-networks = Redes permitidas
admin-api-key-revoke = Revocar la clave de API
admin-api-key-revoke-what = El backend que la usa se rechaza desde ahora. «doorward api-key rotate» sustituye una clave sin interrupción.

## Providers

admin-providers = Proveedores
admin-providers-none = No hay proveedores. «doorward provider add» permite iniciar sesión con una cuenta externa.
admin-provider-kind = Tipo
admin-client-id = Identificador de cliente
admin-redirect-uri = Dirección de redirección
admin-provider-secret = Secreto
admin-secret-set = Establecido
admin-secret-missing = Falta
admin-on = Activado

## Settings

admin-settings = Configuración
admin-setting = Ajuste
admin-value = Valor
admin-source = Origen
admin-source-of = { $source ->
        [environment] Entorno
        [file] Archivo
       *[default] Predeterminado
    }
admin-default = Predeterminado
admin-id = Identificador
