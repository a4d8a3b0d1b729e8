<?php
require __DIR__ . '/claims_of.php';

$given = json_decode(stream_get_contents(STDIN), true);
foreach ($given['assertions'] as $assertion) {
    try {
        echo claims_of($assertion, $given['keys'])['email'], "\n";
    } catch (Throwable) {
        echo "refused\n";
    }
}
