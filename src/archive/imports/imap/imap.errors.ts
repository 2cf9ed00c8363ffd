import { CERTIFICATE_PROBLEMS } from '../../../providers/imap/session/certificate-problems';
import { DomainError } from '../../../platform/http/domain-error';

export type ImapProblem =
  | 'imap-host-unreachable'
  | 'imap-tls-failed'
  | 'imap-tls-required'
  | 'imap-login-failed'
  | 'imap-unavailable'
  | 'imap-folder-not-found'
  | 'imap-folder-refused'
  | 'imap-connection-lost'
  | 'imap-too-slow'
  | 'imap-over-quota'
  | 'imap-protocol-error';

/** Problems that a new connection may solve, when one has worked before. */
const PASSING: readonly ImapProblem[] = [
  'imap-host-unreachable',
  'imap-unavailable',
  'imap-connection-lost',
  'imap-too-slow',
];

export const TOO_SLOW = 'The server sends less than 16 kB a second, which is too slow to import from.';

/** A failure of an IMAP server, described in our words, never the server's. */
export class ImapFailure extends DomainError {
  readonly mayPass: boolean;

  constructor(problem: ImapProblem, detail: string) {
    super({ code: problem, status: 502, detail, level: 'info' });
    this.mayPass = PASSING.includes(problem);
  }
}

/** Fields of the IMAP client's errors; their texts may hold anything. */
interface ClientError {
  readonly code?: unknown;
  readonly message?: unknown;
  readonly authenticationFailed?: unknown;
  readonly serverResponseCode?: unknown;
  readonly responseStatus?: unknown;
  readonly tlsFailed?: unknown;
}

export type ImapStage = 'connect' | 'open' | 'read';

const TIMEOUT = 'The server did not answer in time.';
const UNREACHABLE: Readonly<Record<string, string>> = {
  ENOTFOUND: 'The host name cannot be resolved.',
  EAI_AGAIN: 'The host name cannot be resolved at the moment.',
  ECONNREFUSED: 'The server refuses connections on this port.',
  EHOSTUNREACH: 'There is no way to the server.',
  ENETUNREACH: 'There is no way to the server.',
  EADDRNOTAVAIL: 'There is no way to the server.',
  ETIMEDOUT: TIMEOUT,
  CONNECT_TIMEOUT: TIMEOUT,
  GREETING_TIMEOUT:
    'The server on this port did not greet like an IMAP server: check the port and the TLS setting.',
};

const NO_TLS = 'TLS failed: the server does not speak TLS on this port, or only an old version.';

const LOST = new Set(['NoConnection', 'EConnectionClosed', 'StateLogout', 'ECONNRESET', 'EPIPE', 'ETIMEOUT']);
/** Response codes (RFC 5530) of a server that could, but not now. */
const NOT_NOW = new Set(['UNAVAILABLE', 'INUSE', 'LIMIT', 'SERVERBUG', 'THROTTLED']);

/** Classifies a failure by codes only. @param secure TLS from the first byte */
export function describeImapError(error: unknown, stage: ImapStage, secure: boolean): ImapFailure {
  if (error instanceof ImapFailure) return error;
  const { code, authenticationFailed, responseStatus, tlsFailed } = (error ?? {}) as ClientError;
  const name = typeof code === 'string' ? code : '';
  const response = responseCode(error as ClientError);
  const lost = LOST.has(name) || name.startsWith('ClosedAfterConnect');

  if (CERTIFICATE_PROBLEMS[name]) return new ImapFailure('imap-tls-failed', CERTIFICATE_PROBLEMS[name]);
  if (name.startsWith('ERR_SSL') || name.startsWith('ERR_TLS') || name === 'EPROTO' || tlsFailed) {
    return new ImapFailure('imap-tls-failed', NO_TLS);
  }
  if (stage === 'connect') {
    if (UNREACHABLE[name]) return new ImapFailure('imap-host-unreachable', UNREACHABLE[name]);
    // An alert instead of a handshake ends in a reset as well.
    if (secure && name === 'ECONNRESET') return new ImapFailure('imap-tls-failed', NO_TLS);
  }
  if (lost) return new ImapFailure('imap-connection-lost', 'The server closed the connection.');
  if (NOT_NOW.has(response)) {
    return new ImapFailure('imap-unavailable', 'The server says that it is not available at the moment.');
  }
  if (authenticationFailed) {
    if (response === 'PRIVACYREQUIRED' || (error as ClientError).message === 'Login is disabled') {
      return new ImapFailure(
        'imap-tls-required',
        'The server refuses passwords over an unprotected connection.',
      );
    }
    return new ImapFailure('imap-login-failed', 'The server refused the user name or the password.');
  }
  if (stage === 'open' && responseStatus === 'NO') {
    return response === 'NOPERM'
      ? new ImapFailure('imap-folder-refused', 'The server does not let this user read the folder.')
      : new ImapFailure('imap-folder-not-found', 'The server has no such folder.');
  }
  return new ImapFailure('imap-protocol-error', "The server's answer was not what IMAP allows.");
}

const responseCode = (error: ClientError | null | undefined): string =>
  typeof error?.serverResponseCode === 'string' ? error.serverResponseCode.toUpperCase() : '';
