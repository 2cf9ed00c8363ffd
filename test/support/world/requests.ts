import type { WireRequest } from './exchange';
import type { Operation, Parameter } from './operations';
import type { World } from './world';

/** A valid request of an operation, made of a world's resources. */
export interface ValidRequest {
  readonly operation: Operation;
  /** The parameters by name, not encoded. */
  readonly parameters: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string>>;
  /** The JSON body; undefined for none. */
  readonly body: unknown;
  /** The form with one file. */
  readonly file: string | undefined;
  /** The body of a request that is bytes. */
  readonly bytes: string | undefined;
  readonly headers: Readonly<Record<string, string>>;
  /** Whose call succeeds. */
  readonly caller: 'owner' | 'admin' | 'nobody';
  /** The answer to the caller: the documented success, unless the state of the world forbids it. */
  readonly answer: { readonly status: number; readonly code?: string };
}

interface Parts extends Partial<Pick<ValidRequest, 'query' | 'body' | 'file' | 'bytes' | 'headers'>> {
  /** Why the documented example is not sent although it is valid. */
  readonly because?: string;
}
type Entry = Parts | ((world: World) => Parts);

const OUTSIDE = 'the example leads to a server of others';

/**
 * Parts of requests that cannot be made of the document: examples whose fields exclude each other, secrets, files. An
 * operation that is not here is sent its documented example, with the world's resources in it. The authorisation matrix fails
 * for an entry that is not needed.
 */
const OVERRIDES: Readonly<Record<string, Entry>> = {
  'POST /api/auth/login': ({ user }) => ({
    body: { email: user.email, password: user.password },
    because: 'the address of the example has no account until it registers',
  }),
  'POST /api/auth/api-keys': ({ accountId }) => ({
    body: { name: 'Another', scope: 'read', accountIds: [accountId] },
    because: 'the end of the key in the example will have passed one day',
  }),
  'POST /api/auth/mailbox/imap/discover': { body: { email: 'ada@gmail.com' }, because: OUTSIDE },
  'POST /api/auth/mailbox/imap/test': ({ imapServer }) => ({ body: imapServer, because: OUTSIDE }),
  'POST /api/auth/mailbox/imap': ({ imapServer }) => ({ body: imapServer, because: OUTSIDE }),

  'POST /api/mailbox/{accountId}/messages/batch': ({ parameters }) => ({
    body: { ids: [parameters['messageId']] },
    because: 'the mailbox has no message of the example',
  }),
  'POST /api/mailbox/{accountId}/messages/bulk': ({ parameters }) => ({
    body: { action: 'label', labelId: parameters['labelId'], messageIds: [parameters['messageId']] },
  }),

  'POST /api/coverage/{accountId}/deletable': ({ parameters }) => ({
    body: { messageIds: [parameters['messageId']] },
  }),

  'POST /api/archive/{accountId}/archive': ({ parameters }) => ({
    body: { messageIds: [parameters['messageId']] },
    because: 'the search of the example finds nothing',
  }),
  'POST /api/archive/{accountId}/exports': ({ parameters }) => ({
    body: { format: 'zip', mailIds: [parameters['mailId']] },
  }),
  // Another number than it has: the mail is needed.
  'POST /api/archive/{accountId}/delete': ({ parameters }) => ({
    body: { mailIds: [parameters['mailId']], confirmedCount: 2 },
  }),
  'POST /api/archive/{accountId}/export-mailbox': ({ parameters }) => ({
    body: { select: { mailIds: [parameters['mailId']] }, format: 'maildir' },
    because: 'the search of the example finds nothing',
  }),
  'POST /api/restore/{accountId}': ({ accountId, parameters }) => ({
    body: { select: { mailIds: [parameters['mailId']] }, target: { accountId } },
    because: 'the search of the example finds nothing',
  }),
  'POST /api/offload/{accountId}/plans': ({ parameters }) => ({
    body: { select: { messageIds: [parameters['messageId']] }, mode: 'fast' },
  }),
  'PUT /api/offload/{accountId}/schedule': ({ parameters }) => ({
    body: {
      select: { messageIds: [parameters['messageId']] },
      mode: 'fast',
      graceDays: 30,
      maxPerNight: 10,
      isActive: false,
    },
  }),

  'PUT /api/storage/config': { body: { type: 'local' }, because: OUTSIDE },
  'POST /api/storage/test-objstore': {
    body: { endpoint: 'http://127.0.0.1:1', accessKeyId: 'nobody', secretAccessKey: 'nothing' },
    because: OUTSIDE,
  },

  'POST /api/import/{accountId}/mbox': {
    file: 'From x@example.org Thu Nov 24 18:22:48 1986\nFrom: x@example.org\nMessage-ID: <mbox@x>\n\nText\n\n',
  },
  'POST /api/import/{accountId}/uploads': {
    body: { filename: 'mail.mbox', size: Number.MAX_SAFE_INTEGER },
    because: 'it would count among the two uploads that a user may have',
  },
  'PATCH /api/import/{accountId}/uploads/{uploadId}': { headers: { 'Upload-Offset': '0' }, bytes: '' },
  'POST /api/import/{accountId}/imap': {
    body: { host: '127.0.0.1', port: 1, secure: false, user: 'nobody', pass: 'nothing' },
    because: OUTSIDE,
  },
  'POST /api/import/{accountId}/imap/forecast': {
    body: { host: '127.0.0.1', port: 1, secure: false, user: 'nobody', pass: 'nothing' },
    because: OUTSIDE,
  },

  'PUT /api/saved-searches/reorder': ({ secondSearchId, parameters }) => ({
    body: { ids: [secondSearchId, parameters['searchId']] },
  }),
  'POST /api/webhooks': ({ options }) => ({
    body: { name: 'World', events: ['quota.warning'], url: options.receiver.url(`/${options.name}`) },
    because: OUTSIDE,
  }),
  'PUT /api/webhooks/{webhookId}': { body: { name: 'Renamed' }, because: OUTSIDE },

  'POST /api/privacy/{accountId}/encryption/decrypt-mail': ({ encryptedMailId, values }) => ({
    body: { mailId: encryptedMailId, passphrase: values['passphrase'] },
  }),
};

/** Valid requests that the state of the world refuses, with the status and the code of the refusal. */
const REFUSED: Readonly<Record<string, readonly [status: number, code: string]>> = {
  'POST /api/auth/invitation': [404, 'invitation-invalid'],
  'POST /api/auth/invitation/accept': [404, 'invitation-invalid'],
  'POST /api/auth/password-reset': [404, 'password-reset-invalid'],
  'POST /api/auth/password-reset/complete': [404, 'password-reset-invalid'],
  'POST /api/auth/mailbox/device': [503, 'provider-not-configured'],
  'POST /api/auth/mailbox/imap': [400, 'imap-port-closed'],
  'POST /api/import/{accountId}/imap/forecast': [400, 'imap-host-unreachable'],
  'PATCH /api/auth/mailbox/{accountId}': [409, 'mailbox-not-renamable'],
  'GET /api/auth/mailbox/{accountId}/imap': [404, 'imap-account-not-found'],
  'PATCH /api/auth/mailbox/{accountId}/imap': [404, 'imap-account-not-found'],
  'POST /api/auth/2fa/enable': [403, 'totp-invalid'],
  'POST /api/auth/2fa/disable': [409, 'totp-not-enabled'],
  'POST /api/auth/2fa/recovery-codes': [409, 'totp-not-enabled'],
  'POST /api/auth/passkeys': [400, 'passkey-invalid'],
  'POST /api/auth/passkeys/sign-in': [401, 'passkey-refused'],
  'GET /api/auth/oidc/login': [404, 'oidc-not-configured'],
  'GET /api/auth/oidc/callback': [404, 'oidc-not-configured'],
  'POST /api/auth/oidc/link': [404, 'oidc-not-configured'],
  'POST /api/auth/oidc/unlink': [409, 'oidc-not-linked'],
  'POST /api/jobs/{jobId}/resume': [409, 'job-not-resumable'],
  'POST /api/jobs/{jobId}/retry-failed': [409, 'job-not-retryable'],
  'POST /api/jobs/{jobId}/undo': [409, 'job-not-finished'],
  'POST /api/archive/{accountId}/delete': [409, 'count-mismatch'],
  'POST /api/restore/{accountId}/{restoreId}/start': [409, 'dry-run-missing'],
  'DELETE /api/offload/{accountId}/plans/{planId}': [409, 'plan-done'],
  'POST /api/offload/{accountId}/plans/{planId}/confirm': [409, 'plan-done'],
  'POST /api/import/{accountId}/uploads': [413, 'upload-too-large'],
  'POST /api/import/{accountId}/uploads/{uploadId}/complete': [409, 'upload-incomplete'],
  'PUT /api/journal/{accountId}': [409, 'journal-not-available'],
  'POST /api/journal/{accountId}/replace': [409, 'journal-not-available'],
  'POST /api/admin/users/{userId}/invitation': [409, 'user-has-signed-in'],
  'POST /api/privacy/encryption/setup': [409, 'encryption-already-configured'],
};

/** Operations of which the document shows no valid request and no override does, and entries without an operation. */
export function gaps(operations: readonly Operation[]): string[] {
  const keys = new Set(operations.map(({ key }) => key));
  const where = 'in test/support/world/requests.ts';
  return [
    ...operations
      .filter(({ key }) => !(key in OVERRIDES))
      .flatMap((operation) =>
        missingExamples(operation).map(
          (what) =>
            `${operation.key}: give ${what} an @example in the DTO, or an entry in OVERRIDES ${where}`,
        ),
      ),
    ...[...Object.keys(OVERRIDES), ...Object.keys(REFUSED)]
      .filter((key) => !keys.has(key))
      .map((key) => `${key}: stands ${where}, but not in openapi.json`),
  ];
}

const missingExamples = ({ query, headers, body, bodyExample, bodyTypes }: Operation): string[] => [
  ...[...query, ...headers]
    .filter((parameter) => parameter.required && exampleOf(parameter) === undefined)
    .map(({ name }) => name),
  ...(bodyTypes.length > 0 && (!body || bodyExample === undefined) ? ['the body'] : []),
];

/** Routes for administrators. */
export const isForAdmins = ({ problems }: Operation): boolean => problems(403).includes('admin-required');

/**
 * A valid request of an operation.
 * @throws naming what is missing for an operation or a path parameter that is new
 */
export function fill(operation: Operation, world: World): ValidRequest {
  const { because: _because, ...override } = overrideOf(operation, world) ?? {};
  const [status, code] = REFUSED[operation.key] ?? [operation.success];
  return {
    ...derive(operation, world),
    ...override,
    answer: code === undefined ? { status } : { status, code },
  };
}

function overrideOf({ key }: Operation, world: World): Parts | undefined {
  const entry = OVERRIDES[key];
  return typeof entry === 'function' ? entry(world) : entry;
}

/** Tells whether an override exists because the documented example is invalid, which a test can check. */
export function isOverriddenAsInvalid(operation: Operation, world: World): boolean {
  const override = overrideOf(operation, world);
  return override !== undefined && override.because === undefined;
}

/** A request as the document shows it, with the world's resources for the fields that name any. */
export function derive(operation: Operation, world: World): ValidRequest {
  const missing = operation.pathParameters.filter((name) => !world.parameters[name]);
  if (missing.length > 0)
    throw new Error(
      `${operation.key}: a world (test/support/world/world.ts) needs a value for ${missing.join()}`,
    );
  return {
    operation,
    parameters: Object.fromEntries(operation.pathParameters.map((name) => [name, world.parameters[name]!])),
    query: parametersOf(operation.query, world),
    body: withResources(operation.bodyExample, world),
    file: undefined,
    bytes: undefined,
    headers: parametersOf(operation.headers, world),
    caller: !operation.needsToken ? 'nobody' : isForAdmins(operation) ? 'admin' : 'owner',
    answer: { status: operation.success },
  };
}

const exampleOf = ({ schema, example }: Parameter): unknown =>
  example ?? schema?.example ?? schema?.enum?.[0];

/** Required parameters, and defaults, which change nothing. A passphrase opens mails that a job may have encrypted. */
function parametersOf(parameters: readonly Parameter[], world: World): Record<string, string> {
  return Object.fromEntries(
    parameters.flatMap((parameter) => {
      const { name, required, schema } = parameter;
      const value =
        name === 'X-Archive-Passphrase'
          ? world.values['passphrase']
          : (schema?.default ?? (required ? (world.valueOf(name) ?? exampleOf(parameter)) : undefined));
      return value === undefined ? [] : [[name, typeof value === 'string' ? value : JSON.stringify(value)]];
    }),
  );
}

/** A documented example in which fields that name a resource, and secrets, have the world's. */
function withResources(example: unknown, world: World): unknown {
  if (Array.isArray(example)) return example.map((item) => withResources(item, world));
  if (typeof example !== 'object' || example === null) return example;
  return Object.fromEntries(
    Object.entries(example).map(([name, value]) => [
      name,
      worldsOwn(name, value, world) ?? withResources(value, world),
    ]),
  );
}

function worldsOwn(name: string, value: unknown, world: World): unknown {
  if (typeof value === 'string') return world.valueOf(name);
  const one = Array.isArray(value) && name.endsWith('s') ? world.valueOf(name.slice(0, -1)) : undefined;
  return one === undefined ? undefined : [one];
}

const BOUNDARY = 'boundary-of-a-form';

/** A request as it goes over the wire. @param token a bearer token; null for none */
export function toWire(request: ValidRequest, token: string | null): WireRequest {
  const { operation, parameters, query, file } = request;
  const path = operation.path.replace(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(parameters[name]!),
  );
  const search = new URLSearchParams(query).toString();
  const headers: Record<string, string> = { ...request.headers };
  if (token !== null) headers['authorization'] = `Bearer ${token}`;
  let content: Buffer | undefined;
  if (file !== undefined) {
    headers['content-type'] = `multipart/form-data; boundary=${BOUNDARY}`;
    content = Buffer.from(
      `--${BOUNDARY}\r\nContent-Disposition: form-data; name="file"; filename="mail.mbox"\r\n\r\n${file}\r\n--${BOUNDARY}--\r\n`,
    );
  } else if (request.bytes !== undefined) {
    headers['content-type'] = 'application/octet-stream';
    content = Buffer.from(request.bytes);
  } else if (request.body !== undefined) {
    headers['content-type'] = 'application/json';
    content = Buffer.from(JSON.stringify(request.body));
  }
  return {
    method: operation.method,
    target: search ? `${path}?${search}` : path,
    headers,
    ...(content ? { body: content } : {}),
  };
}
