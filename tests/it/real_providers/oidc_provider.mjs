// npm's oidc-provider with its own pages for login and consent. Arguments: the folder of `scripts/providers`, and what is
// set as JSON: port, redirect_uri, alg, method. Prints a line when it listens. GET /rotate?ALG: another key signs.
import { generateKeyPairSync, randomUUID } from 'node:crypto';
import { createServer } from 'node:http';

const [folder, text] = process.argv.slice(2);
const { Provider } = await import(`${folder}/node_modules/oidc-provider/lib/index.js`);
const { port, redirect_uri, alg, method } = JSON.parse(text);
const kinds = {
  RS256: ['rsa', { modulusLength: 2048 }],
  PS256: ['rsa', { modulusLength: 2048 }],
  ES256: ['ec', { namedCurve: 'P-256' }],
  EdDSA: ['ed25519', {}],
};

function provider(signing) {
  const { privateKey } = generateKeyPairSync(...kinds[signing]);
  const key = { ...privateKey.export({ format: 'jwk' }), alg: signing, use: 'sig', kid: randomUUID() };
  const made = new Provider(`http://localhost:${port}`, {
    clients: [{
      client_id: 'doorward',
      client_secret: 'a secret: with %, / and +',
      redirect_uris: [redirect_uri],
      token_endpoint_auth_method: method,
      id_token_signed_response_alg: signing,
    }],
    jwks: { keys: [key] },
    cookies: { keys: ['a key that lasts'] },
    // By default the ID token has nothing of this, but only userinfo.
    claims: { email: ['email', 'email_verified'], profile: ['name'] },
    findAccount: (_, id) => ({
      accountId: id,
      claims: () => ({ sub: id, email: `${id}@example.com`, email_verified: true, name: `The ${id}` }),
    }),
    enabledJWA: { idTokenSigningAlgValues: Object.keys(kinds) },
  });
  return made.callback();
}

// Sessions and grants are the process's, and stay.
let answer = provider(alg);
createServer((request, response) => {
  const [path, query] = request.url.split('?');
  if (path !== '/rotate') return answer(request, response);
  answer = provider(query);
  return response.end('rotated');
}).listen(port, '127.0.0.1', () => console.log('listens'));
