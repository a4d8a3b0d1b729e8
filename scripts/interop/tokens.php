<?php
// Verifies tests/fixtures/tokens.json with firebase/php-jwt, as its documentation has it; argument 2 is its folder.
spl_autoload_register(function (string $class) use ($argv) {
    $file = $argv[2] . '/src/' . basename(str_replace('\\', '/', $class)) . '.php';
    if (is_file($file)) {
        require $file;
    }
});

use Firebase\JWT\JWK;
use Firebase\JWT\JWT;

$fixtures = json_decode(file_get_contents($argv[1]), true);
preg_match('/\[(\d+\.\d+\.\d+)\]/', (string) @file_get_contents($argv[2] . '/CHANGELOG.md'), $version);
foreach ($fixtures['sets'] as $set => $keys) {
    foreach ($fixtures['tokens'] as $fixture) {
        if (!in_array($set, ['both', $fixture['alg']], true)) {
            continue;
        }
        try {
            $claims = JWT::decode($fixture['token'], JWK::parseKeySet($keys));
            if ($claims->iss !== $fixtures['issuer'] || !in_array($fixtures['audience'], $claims->aud, true)) {
                throw new UnexpectedValueException('another issuer or audience');
            }
            $outcome = 'accepted';
        } catch (Throwable $error) {
            $outcome = 'refused ' . preg_replace('/\s+/', ' ', $error->getMessage());
        }
        echo implode("\t", ['tokens', 'firebase/php-jwt', $version[1] ?? '', $set, $fixture['alg'], $fixture['case'], $outcome]), "\n";
    }
}
