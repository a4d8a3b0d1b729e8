<?php
// An application that reads headers as PHP does.
$read = [];
foreach (['HTTP_X_SVC_USER_ID', 'HTTP_X_SVC_USER_ROLES', 'HTTP_REMOTE_USER', 'HTTP_X_REMOTE_USER'] as $name) {
    if (isset($_SERVER[$name])) {
        $read[$name] = $_SERVER[$name];
    }
}
$body = json_encode((object) $read);
header('Content-Length: ' . strlen($body));
echo $body;
