<?php
$fixtures = json_decode(stream_get_contents(STDIN), true);

function decode(string $text): string
{
    return base64_decode(strtr($text, '-_', '+/'));
}

/** OpenSSL takes the two numbers of an ES256 signature in DER. */
function der(string $signature): string
{
    $numbers = '';
    foreach (str_split($signature, 32) as $number) {
        $number = ltrim($number, "\0");
        $number = ord($number[0] ?? "\0") > 127 || $number === '' ? "\0" . $number : $number;
        $numbers .= "\2" . chr(strlen($number)) . $number;
    }
    return "\x30" . chr(strlen($numbers)) . $numbers;
}

function is_signed(array $jwk, string $message, string $signature): bool
{
    if (strlen($signature) !== 64) {
        return false;
    }
    if ($jwk['alg'] === 'EdDSA') {
        return sodium_crypto_sign_verify_detached($signature, $message, decode($jwk['x']));
    }
    // SubjectPublicKeyInfo of a P-256 key (RFC 5480).
    $der = hex2bin('3059301306072a8648ce3d020106082a8648ce3d03010703420004') . decode($jwk['x']) . decode($jwk['y']);
    $pem = "-----BEGIN PUBLIC KEY-----\n" . chunk_split(base64_encode($der), 64, "\n") . "-----END PUBLIC KEY-----\n";
    return openssl_verify($message, der($signature), $pem, OPENSSL_ALGO_SHA256) === 1;
}

foreach ($fixtures['tokens'] as ['token' => $token]) {
    [$header, $claims, $signature] = explode('.', $token);
    $given = json_decode(decode($header), true);
    $fits = fn ($key) => $key['kid'] === $given['kid'] && $key['alg'] === $given['alg'];
    $jwk = current(array_filter($fixtures['sets']['both']['keys'], $fits));
    $right = $jwk && $given['typ'] === 'at+jwt' && is_signed($jwk, "$header.$claims", decode($signature));
    $claims = json_decode(decode($claims), true);
    $right = $right && $claims['iss'] === $fixtures['issuer'] && in_array($fixtures['audience'], $claims['aud'], true);
    echo var_export($right && $claims['exp'] > time(), true), "\n";
}
