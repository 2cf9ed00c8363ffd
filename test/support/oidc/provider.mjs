/**
 * A real OpenID provider (the certified `oidc-provider`) as a process of its own, since it is an ES module. It asks
 * for no input: the `login_hint` of the request signs in, or else the current person, and `deny` refuses. Started with PORT, CLIENT_ID,
 * CLIENT_SECRET and REDIRECT_URI; reads commands, one JSON document a line, from standard input and answers each with a
 * line: `{"account": {"sub": …, claims}}`, `{"person": sub}`, `{"rotate": true}` for new keys, `{"away": true|false}`.
 */
import { generateKeyPairSync } from 'node:crypto';
import { createServer } from 'node:http';
import { createInterface } from 'node:readline';
import Provider, { interactionPolicy } from 'oidc-provider';

const { PORT, CLIENT_ID, CLIENT_SECRET, REDIRECT_URI } = process.env;
const ISSUER = `http://127.0.0.1:${PORT}`;

const accounts = new Map();
let person;
let keys = 0;
let away = false;
let handle = newProvider();

function newSigningKey() {
  keys += 1;
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  return { ...privateKey.export({ format: 'jwk' }), kid: `key-${keys}`, use: 'sig', alg: 'RS256' };
}

function newProvider() {
  const provider = new Provider(ISSUER, {
    clients: [
      {
        client_id: CLIENT_ID,
        client_secret: CLIENT_SECRET,
        redirect_uris: [REDIRECT_URI],
        response_types: ['code'],
        grant_types: ['authorization_code'],
      },
    ],
    jwks: { keys: [newSigningKey()] },
    cookies: { keys: ['only for tests'] },
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'] },
    pkce: { required: () => true, methods: ['S256'] },
    features: { devInteractions: { enabled: false } },
    interactions: { policy: interactionPolicy.base(), url: (_context, { uid }) => `/interaction/${uid}` },
    findAccount: (_context, sub) => {
      const claims = accounts.get(sub);
      return claims && { accountId: sub, claims: () => claims };
    },
    loadExistingGrant: async (context) => {
      const { client, session, provider: own } = context.oidc;
      const grant = new own.Grant({ clientId: client.clientId, accountId: session.accountId });
      grant.addOIDCScope('openid email profile');
      await grant.save();
      return grant;
    },
  });
  const callback = provider.callback();
  return async (request, response) => {
    if (!request.url.startsWith('/interaction/')) return callback(request, response);
    const { params } = await provider.interactionDetails(request, response);
    const { login_hint: accountId = person } = params;
    const result =
      accountId === 'deny'
        ? { error: 'access_denied', error_description: 'The <person> said no' }
        : { login: { accountId } };
    await provider.interactionFinished(request, response, result, { mergeWithLastSubmission: false });
  };
}

const commands = {
  account: (claims) => accounts.set(claims.sub, claims),
  person: (sub) => (person = sub),
  rotate: () => (handle = newProvider()),
  away: (is) => (away = is),
};

createServer((request, response) => {
  if (away) return request.socket.destroy();
  handle(request, response).catch((error) => {
    console.error(error);
    response.writeHead(500).end();
  });
}).listen(Number(PORT), '127.0.0.1', () => console.log('ready'));

createInterface({ input: process.stdin })
  .on('line', (line) => {
    for (const [name, argument] of Object.entries(JSON.parse(line))) commands[name](argument);
    console.log('done');
  })
  .on('close', () => process.exit(0));
