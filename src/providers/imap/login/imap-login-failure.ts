import { BANDWIDTH_PAUSE_MS, isOverBandwidth } from '../session/imap-failures';
import { CERTIFICATE_PROBLEMS } from '../session/certificate-problems';
import { EgressRefused, HostUnknown } from '../../../platform/egress/egress-guard';
import { type FailureKind, ProviderFailure } from '../../gateway/provider-call';
import { ProviderRateLimited, ProviderRejected, ProviderUnavailable } from '../../port/mail-provider.errors';

/** Problems of connecting to a mailbox. */
export type ImapProblemCode =
  | 'imap-host-unknown'
  | 'imap-host-refused'
  | 'imap-host-unreachable'
  | 'imap-port-closed'
  | 'imap-not-imap'
  | 'imap-tls-failed'
  | 'imap-certificate-untrusted'
  | 'imap-certificate-changed'
  | 'imap-starttls-missing'
  | 'imap-starttls-unsafe'
  | 'imap-login-failed'
  | 'imap-login-expired'
  | 'imap-login-not-allowed'
  | 'imap-password-not-taken'
  | 'imap-token-refused'
  | 'imap-token-not-taken'
  | 'imap-too-many-connections'
  | 'imap-rate-limited'
  | 'imap-unavailable'
  | 'imap-connection-lost';

/** Fields of a connection, as people fill them in. */
export type ImapField = 'host' | 'port' | 'security' | 'username' | 'password' | 'certificateSha256';

export interface ImapConnectProblem {
  readonly code: ImapProblemCode;
  /** Description of the problem in our words. */
  readonly detail: string;
  /** The field that the user can correct; null when the user can only try later. */
  readonly field: ImapField | null;
  /** Text of the server: one line of at most 200 characters; null without one. */
  readonly serverText: string | null;
}

interface Meaning {
  readonly kind: FailureKind;
  readonly detail: string;
  readonly field: ImapField | null;
}

const NOT_IN_TIME = 'The server did not answer in time.';

const MEANINGS: Readonly<Record<ImapProblemCode, Meaning>> = {
  'imap-host-unknown': {
    kind: 'unavailable',
    detail: 'The host name cannot be resolved.',
    field: 'host',
  },
  'imap-host-refused': {
    kind: 'refused',
    detail: 'The host leads to an address this service does not connect to.',
    field: 'host',
  },
  'imap-host-unreachable': { kind: 'unavailable', detail: NOT_IN_TIME, field: null },
  'imap-port-closed': {
    kind: 'unavailable',
    detail: 'The server refuses connections on this port.',
    field: 'port',
  },
  'imap-not-imap': {
    kind: 'unavailable',
    detail: 'The server on this port does not speak IMAP: check the port and the protection.',
    field: 'port',
  },
  'imap-tls-failed': {
    kind: 'unavailable',
    detail: 'TLS failed: the server does not speak TLS on this port, or only a version before 1.2.',
    field: 'security',
  },
  'imap-certificate-untrusted': {
    kind: 'refused',
    detail: 'The certificate of the server cannot be verified.',
    field: 'certificateSha256',
  },
  'imap-certificate-changed': {
    kind: 'refused',
    detail: 'The server has another certificate than the one that was confirmed.',
    field: 'certificateSha256',
  },
  'imap-starttls-missing': {
    kind: 'refused',
    detail: 'The server does not offer STARTTLS on this port, and passwords are never sent in the clear.',
    field: 'security',
  },
  'imap-starttls-unsafe': {
    kind: 'refused',
    detail: 'The connection was tampered with before TLS began; no password was sent.',
    field: 'security',
  },
  'imap-login-failed': {
    kind: 'unauthorized',
    detail: 'The server refused the user name or the password.',
    field: 'password',
  },
  'imap-login-expired': {
    kind: 'unauthorized',
    detail: 'The password has expired.',
    field: 'password',
  },
  'imap-login-not-allowed': {
    kind: 'unauthorized',
    detail: 'The server does not let this user in by IMAP.',
    field: 'username',
  },
  'imap-password-not-taken': {
    kind: 'refused',
    detail: 'The server takes no passwords.',
    field: 'password',
  },
  'imap-token-refused': {
    kind: 'unauthorized',
    detail:
      'The server did not accept the access that was granted: check that IMAP is allowed for the mailbox.',
    field: null,
  },
  'imap-token-not-taken': {
    kind: 'refused',
    detail: 'The server takes no access tokens.',
    field: null,
  },
  'imap-too-many-connections': {
    kind: 'concurrency',
    detail: 'The server accepts no more connections at the moment.',
    field: null,
  },
  'imap-rate-limited': {
    kind: 'rateLimited',
    detail: 'The server accepts no more requests for this mailbox at the moment.',
    field: null,
  },
  'imap-unavailable': {
    kind: 'unavailable',
    detail: 'The server says that it is not available at the moment.',
    field: null,
  },
  'imap-connection-lost': {
    kind: 'unavailable',
    detail: 'The server closed the connection.',
    field: null,
  },
};

/** A failed login. */
export class ImapLoginFailure extends ProviderFailure {
  readonly problem: ImapConnectProblem;

  /**
   * @param detail sentence that is more exact than the usual one of the code
   * @param options `detail` replaces the usual sentence of the code; `serverText` is shown to the user and is no part of the message
   */
  constructor(
    code: ImapProblemCode,
    options: { detail?: string; serverText?: unknown; reason?: string; retryAt?: number | null } = {},
  ) {
    const { kind, field, ...meaning } = MEANINGS[code];
    const { detail = meaning.detail, reason = code, retryAt = null } = options;
    super({ kind, reason, retryAt, error: createCallersError(kind, reason, detail, retryAt) });
    this.problem = { code, detail, field, serverText: toOneLine(options.serverText) };
  }
}

function createCallersError(kind: FailureKind, reason: string, detail: string, retryAt: number | null) {
  const cause = new Error(`IMAP login: ${reason}`);
  if (kind === 'refused') return new ProviderRejected(reason, detail, cause);
  if (kind === 'rateLimited' || kind === 'concurrency')
    return new ProviderRateLimited(new Date(retryAt ?? Date.now()), cause);
  return new ProviderUnavailable(cause);
}

/** Fields of the IMAP client's errors. Their texts may contain anything. */
interface ClientError {
  readonly code?: unknown;
  readonly message?: unknown;
  readonly reason?: unknown;
  readonly authenticationFailed?: unknown;
  readonly serverResponseCode?: unknown;
  readonly responseStatus?: unknown;
  readonly responseText?: unknown;
  readonly tlsFailed?: unknown;
  readonly throttleReset?: unknown;
}

const NO_WAY = 'There is no way to the server.';
const UNREACHABLE: Readonly<Record<string, string>> = {
  EHOSTUNREACH: NO_WAY,
  ENETUNREACH: NO_WAY,
  EADDRNOTAVAIL: NO_WAY,
  ETIMEDOUT: NOT_IN_TIME,
  CONNECT_TIMEOUT: NOT_IN_TIME,
};

/**
 * Matches texts of servers that refuse a connection without a response code, or with another one (Dovecot:
 * UNAVAILABLE).
 */
const CONNECTIONS =
  /(too many|maximum (number of )?|limit (of|on) .{0,20})\b.{0,40}connection|simultaneous|concurrent/i;
const THROTTLED =
  /throttl|bandwidth|rate.?limit|too many (requests|logins|login attempts|commands|failed|failures)/i;

/** Pause after a refusal for too many requests when the server does not say how long, in milliseconds. */
const THROTTLE_MS = 60_000;

/**
 * Classifies an error from before or during the login.
 * @param isTls whether TLS begins with the first byte
 */
export function imapLoginFailure(error: unknown, isTls: boolean, now = Date.now()): ImapLoginFailure {
  if (error instanceof ImapLoginFailure) return error;
  // A command after the login failed. Its cause is the client's error.
  if (error instanceof ProviderFailure && error.error.cause !== undefined)
    return imapLoginFailure(error.error.cause, isTls, now);
  if (error instanceof HostUnknown) return new ImapLoginFailure('imap-host-unknown');
  if (error instanceof EgressRefused) return new ImapLoginFailure('imap-host-refused');
  const client = (error ?? {}) as ClientError;
  const { tlsFailed, throttleReset } = client;
  const code = typeof client.code === 'string' ? client.code : '';

  if (CERTIFICATE_PROBLEMS[code])
    return new ImapLoginFailure('imap-certificate-untrusted', {
      detail: CERTIFICATE_PROBLEMS[code],
      reason: code,
    });
  if (code === 'STARTTLS_INJECTION') return new ImapLoginFailure('imap-starttls-unsafe');
  if (tlsFailed && code === '') return new ImapLoginFailure('imap-starttls-missing');
  if (code.startsWith('ERR_SSL') || code.startsWith('ERR_TLS') || code === 'EPROTO' || tlsFailed)
    return new ImapLoginFailure('imap-tls-failed');
  if (code === 'ECONNREFUSED') return new ImapLoginFailure('imap-port-closed');
  if (code === 'GREETING_TIMEOUT') return new ImapLoginFailure('imap-not-imap');
  if (UNREACHABLE[code])
    return new ImapLoginFailure('imap-host-unreachable', { detail: UNREACHABLE[code], reason: code });
  // An alert instead of a handshake ends in a reset as well.
  if (isTls && code === 'ECONNRESET') return new ImapLoginFailure('imap-tls-failed');
  if (code === 'ETHROTTLE') {
    const wait = typeof throttleReset === 'number' ? throttleReset : THROTTLE_MS;
    return new ImapLoginFailure('imap-rate-limited', {
      retryAt: now + wait,
      serverText: client.responseText,
    });
  }
  const said = client.responseText ?? client.reason;
  const text = typeof said === 'string' ? said : '';
  return new ImapLoginFailure(problemOfAnswer(client, text), {
    serverText: said,
    retryAt: isOverBandwidth(text) ? now + BANDWIDTH_PAUSE_MS : null,
    reason: reasonOf(client),
  });
}

/** Returns the problem that an answer, a BYE or an end without an answer stands for. */
function problemOfAnswer(client: ClientError, text: string): ImapProblemCode {
  const { authenticationFailed, message, responseStatus } = client;
  const response = responseCode(client);
  if (response === 'LIMIT' || CONNECTIONS.test(text)) return 'imap-too-many-connections';
  if (response === 'THROTTLED' || THROTTLED.test(text)) return 'imap-rate-limited';
  if (['UNAVAILABLE', 'INUSE', 'SERVERBUG'].includes(response)) return 'imap-unavailable';
  if (response === 'EXPIRED') return 'imap-login-expired';
  if (response === 'AUTHORIZATIONFAILED' || response === 'CONTACTADMIN') return 'imap-login-not-allowed';
  if (response === 'PRIVACYREQUIRED' || NO_PASSWORDS.has(message)) return 'imap-password-not-taken';
  if (authenticationFailed && responseStatus !== 'BAD') return 'imap-login-failed';
  return responseStatus === 'BAD' || responseStatus === 'NO' ? 'imap-unavailable' : 'imap-connection-lost';
}

/** The client's messages for servers that announce no way to log in with a password. */
const NO_PASSWORDS = new Set<unknown>(['Login is disabled', 'No matching authentication method']);

const responseCode = ({ serverResponseCode }: ClientError): string =>
  typeof serverResponseCode === 'string' ? serverResponseCode.toUpperCase() : '';

/** Returns a label for metrics: the server's response code if RFC 5530 defines it; undefined otherwise. */
const reasonOf = (client: ClientError): string | undefined =>
  /^(AUTHENTICATIONFAILED|AUTHORIZATIONFAILED|EXPIRED|UNAVAILABLE|INUSE|SERVERBUG|LIMIT|PRIVACYREQUIRED|CONTACTADMIN)$/.exec(
    responseCode(client),
  )?.[0];

const MAX_SERVER_TEXT = 200;

/** Turns a server's text, which may have any content and length, into one short line; null when it is empty. */
function toOneLine(text: unknown): string | null {
  if (typeof text !== 'string') return null;
  const clean = text
    .replace(/[\p{C}\p{Z}]+/gu, ' ')
    .trim()
    .slice(0, MAX_SERVER_TEXT);
  // The cut may have left half of a surrogate pair.
  return clean.replace(/[\uD800-\uDBFF]$/, '') || null;
}
