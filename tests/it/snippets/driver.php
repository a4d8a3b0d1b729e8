<?php
require __DIR__ . '/verify.php';

foreach (json_decode(stream_get_contents(STDIN), true) as $one) {
    $body = base64_decode($one['body']);
    $genuine = is_genuine($one['secret'], $body, $one['signature']);
    $fresh = is_genuine_and_fresh($one['secret'], $body, $one['id'], $one['timestamp'], $one['signatures']);
    echo var_export($genuine, true), ' ', var_export($fresh, true), "\n";
}
