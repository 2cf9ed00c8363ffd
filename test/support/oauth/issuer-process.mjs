/**
 * The certified `oidc-provider` as an issuer of access to mail, as a process of its own, since it is an ES module. It has
 * two clients: a public one under Microsoft's addresses, also for codes (RFC 8628), and a confidential one as for Google.
 * The current person signs in. Started with PORT and REDIRECT_URI; reads commands, one JSON document a line, from
 * standard input and answers each with a line: `{"person": address | "deny"}`, `{"lifetime": seconds}` of access tokens,
 * `{"end": true}` for all grants. `GET /grants` answers the number of grants with tokens.
 */
import { generateKeyPairSync } from 'node:crypto';
import { createServer } from 'node:http';
import { createInterface } from 'node:readline';
import Provider, { interactionPolicy } from 'oidc-provider';

const { PORT, REDIRECT_URI, MICROSOFT_SCOPE, GOOGLE_SCOPE } = process.env;
const ISSUER = `http://127.0.0.1:${PORT}`;
const MICROSOFT = '/common/oauth2/v2.0';

let person = 'deny';
let lifetime = 3_600;

const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const policy = interactionPolicy.base();
policy.add(new interactionPolicy.Prompt({ name: 'select_account', requestable: true }), 0);

const provider = new Provider(ISSUER, {
  clients: [
    {
      client_id: 'public-client',
      token_endpoint_auth_method: 'none',
      redirect_uris: [REDIRECT_URI],
      response_types: ['code'],
      grant_types: ['authorization_code', 'refresh_token', 'urn:ietf:params:oauth:grant-type:device_code'],
    },
    {
      client_id: 'confidential-client',
      client_secret: 'confidential-secret',
      token_endpoint_auth_method: 'client_secret_post',
      redirect_uris: [REDIRECT_URI],
      response_types: ['code'],
      grant_types: ['authorization_code', 'refresh_token'],
    },
    // The mail server, which asks about tokens.
    {
      client_id: 'mail-server',
      client_secret: 'mail-server-secret',
      redirect_uris: [],
      response_types: [],
      grant_types: [],
    },
  ],
  jwks: { keys: [{ ...privateKey.export({ format: 'jwk' }), kid: 'key', use: 'sig', alg: 'RS256' }] },
  cookies: { keys: ['only for tests'] },
  scopes: ['openid', 'offline_access', MICROSOFT_SCOPE, GOOGLE_SCOPE],
  claims: { openid: ['sub'], email: ['email'], profile: ['preferred_username'] },
  // As Microsoft and Google do, the ID token has the claims of the scopes.
  conformIdTokenClaims: false,
  pkce: { required: () => true, methods: ['S256'] },
  routes: {
    authorization: `${MICROSOFT}/authorize`,
    token: `${MICROSOFT}/token`,
    device_authorization: `${MICROSOFT}/devicecode`,
    code_verification: '/device',
    revocation: '/revoke',
    introspection: '/introspect',
  },
  ttl: { AccessToken: () => lifetime },
  issueRefreshToken: () => true,
  rotateRefreshToken: true,
  extraTokenClaims: (_context, token) => ({ username: token.accountId }),
  features: {
    devInteractions: { enabled: false },
    deviceFlow: { enabled: true },
    introspection: { enabled: true, allowedPolicy: (_context, client) => client.clientId === 'mail-server' },
    revocation: { enabled: true },
  },
  interactions: { policy, url: (_context, { uid }) => `/interaction/${uid}` },
  findAccount: (_context, sub) => ({
    accountId: sub,
    claims: () => ({ sub, email: sub, preferred_username: sub }),
  }),
});
const callback = provider.callback();

/** Grants with tokens. */
const grants = new Set();
provider.on('grant.success', (context) => grants.add(context.oidc.entities.Grant.jti));
provider.on('grant.revoked', (_context, grantId) => grants.delete(grantId));

async function handle(request, response) {
  if (request.url === '/grants') return response.end(JSON.stringify(grants.size));
  if (!request.url.startsWith('/interaction/')) return callback(request, response);
  const { params, grantId } = await provider.interactionDetails(request, response);
  if (person === 'deny') return provider.interactionFinished(request, response, { error: 'access_denied' });
  const grant = grantId
    ? await provider.Grant.find(grantId)
    : new provider.Grant({ accountId: person, clientId: params.client_id });
  grant.addOIDCScope(params.scope);
  const result = {
    select_account: {},
    login: { accountId: person },
    consent: { grantId: await grant.save() },
  };
  return provider.interactionFinished(request, response, result);
}

createServer((request, response) => {
  handle(request, response).catch((error) => {
    console.error(error);
    response.writeHead(500).end();
  });
}).listen(Number(PORT), '127.0.0.1', () => console.log('ready'));

const commands = {
  person: (address) => (person = address),
  lifetime: (seconds) => (lifetime = seconds),
  end: async () => {
    for (const id of grants) {
      for (const model of ['AccessToken', 'RefreshToken']) await provider[model].revokeByGrantId(id);
      grants.delete(id);
    }
  },
};

createInterface({ input: process.stdin })
  .on('line', async (line) => {
    for (const [name, argument] of Object.entries(JSON.parse(line))) await commands[name](argument);
    console.log('done');
  })
  .on('close', () => process.exit(0));
