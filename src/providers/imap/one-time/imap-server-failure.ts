import { EgressRefused } from '../../../platform/egress/egress-guard';
import { DomainError } from '../../../platform/http/domain-error';
import { ProviderFailure } from '../../gateway/provider-call';
import { ImapLoginFailure, type ImapProblemCode } from '../login/imap-login-failure';
import { ImapProtocolError } from '../session/imap-failures';
import { FolderMissing } from '../session/imap-session';

export type ImapServerProblem =
  | 'imap-host-unreachable'
  | 'imap-tls-failed'
  | 'imap-tls-required'
  | 'imap-login-failed'
  | 'imap-unavailable'
  | 'imap-throttled'
  | 'imap-folder-not-found'
  | 'imap-folder-refused'
  | 'imap-connection-lost'
  | 'imap-too-slow'
  | 'imap-over-quota'
  | 'imap-protocol-error';

/** Problems that a new connection may solve, if an earlier one has worked. */
const PASSING: readonly ImapServerProblem[] = [
  'imap-host-unreachable',
  'imap-unavailable',
  'imap-connection-lost',
  'imap-too-slow',
];

/** A failure of a server that an import or a restore names, described in our words, never the server's. */
export class ImapServerFailure extends DomainError {
  readonly mayPass: boolean;

  /** @param retryAt end of a pause that the server wants: a job waits until then */
  constructor(problem: ImapServerProblem, detail = DETAILS[problem], retryAt?: Date) {
    super({ code: problem, status: 502, detail, level: 'info', retryAt });
    this.mayPass = PASSING.includes(problem);
  }
}

const DETAILS: Readonly<Record<ImapServerProblem, string>> = {
  'imap-host-unreachable': 'There is no way to the server.',
  'imap-tls-failed': 'TLS failed: the server does not speak TLS on this port, or only an old version.',
  'imap-tls-required': 'The server refuses passwords over an unprotected connection.',
  'imap-login-failed': 'The server refused the user name or the password.',
  'imap-unavailable': 'The server says that it is not available at the moment.',
  'imap-throttled': 'The server limits what a mailbox may transfer, and the limit is reached.',
  'imap-folder-not-found': 'The server has no such folder.',
  'imap-folder-refused': 'The server does not let this user read the folder.',
  'imap-connection-lost': 'The server closed the connection.',
  'imap-too-slow': 'The server sends less than 16 kB a second, which is too slow to import from.',
  'imap-over-quota': 'The mailbox is full: the server takes no more messages.',
  'imap-protocol-error': "The server's answer was not what IMAP allows.",
};

/** Codes of jobs, by the finer codes of connecting a mailbox. */
const PROBLEMS: Readonly<Record<ImapProblemCode, ImapServerProblem>> = {
  'imap-host-unknown': 'imap-host-unreachable',
  'imap-host-refused': 'imap-host-unreachable',
  'imap-host-unreachable': 'imap-host-unreachable',
  'imap-port-closed': 'imap-host-unreachable',
  'imap-not-imap': 'imap-host-unreachable',
  'imap-tls-failed': 'imap-tls-failed',
  'imap-certificate-untrusted': 'imap-tls-failed',
  'imap-certificate-changed': 'imap-tls-failed',
  'imap-starttls-missing': 'imap-tls-failed',
  'imap-starttls-unsafe': 'imap-tls-failed',
  'imap-login-failed': 'imap-login-failed',
  'imap-login-expired': 'imap-login-failed',
  'imap-login-not-allowed': 'imap-login-failed',
  'imap-password-not-taken': 'imap-login-failed',
  'imap-token-refused': 'imap-login-failed',
  'imap-token-not-taken': 'imap-login-failed',
  'imap-too-many-connections': 'imap-unavailable',
  'imap-rate-limited': 'imap-unavailable',
  'imap-unavailable': 'imap-unavailable',
  'imap-connection-lost': 'imap-connection-lost',
};

/**
 * Describes a failed login.
 * @param isTls whether TLS begins with the first byte
 * @returns the described failure; the error itself when it is neither a failure of the server nor a refused address
 */
export function describeLoginFailure(error: unknown, isTls: boolean): unknown {
  if (!(error instanceof ImapLoginFailure)) return error;
  const { code, detail } = error.problem;
  if (code === 'imap-host-refused') return new EgressRefused(detail);
  if (code === 'imap-rate-limited' && error.retryAt !== null) return throttled(error.retryAt);
  // Over TLS the server does not object to the connection.
  if (code === 'imap-password-not-taken' && !isTls) return new ImapServerFailure('imap-tls-required');
  return new ImapServerFailure(PROBLEMS[code], detail);
}

/**
 * Describes the failure of a command after the login.
 * @returns the described failure; the error itself when it is the signal's reason or a fault of ours
 */
export function describeCommandFailure(error: unknown): unknown {
  if (error instanceof FolderMissing) {
    const { cause } = error;
    const isForbidden = cause instanceof ProviderFailure && cause.reason === 'noperm';
    const isLocked = cause instanceof ProviderFailure && cause.kind !== 'refused';
    if (isLocked) return new ImapServerFailure('imap-unavailable');
    return new ImapServerFailure(isForbidden ? 'imap-folder-refused' : 'imap-folder-not-found');
  }
  if (!(error instanceof ProviderFailure)) return error;
  const { kind, reason, retryAt } = error;
  if (kind === 'rateLimited' && retryAt !== null) return throttled(retryAt);
  if (kind === 'concurrency' || kind === 'rateLimited') return new ImapServerFailure('imap-unavailable');
  if (kind === 'unauthorized') return new ImapServerFailure('imap-login-failed');
  if (kind === 'refused') return new ImapServerFailure('imap-protocol-error');
  if (reason === 'timeout') return new ImapServerFailure('imap-too-slow');
  if (NOT_NOW.has(reason)) return new ImapServerFailure('imap-unavailable');
  return new ImapServerFailure(isLost(error) ? 'imap-connection-lost' : 'imap-protocol-error');
}

const throttled = (retryAt: number): ImapServerFailure =>
  new ImapServerFailure('imap-throttled', undefined, new Date(retryAt));

/**
 * Returns the reason for which a server refused a command for good, e.g. `overquota`, or `no` without one; null for
 * other failures.
 */
export function refusalReason(error: unknown): string | null {
  const refusal = error instanceof FolderMissing ? error.cause : error;
  return refusal instanceof ProviderFailure && refusal.kind === 'refused' ? refusal.reason : null;
}

/**
 * Whether the server has answered a command, even if only that it cannot now. Without an answer the command may have
 * taken effect.
 */
export function isAnswered(error: unknown): boolean {
  if (refusalReason(error) !== null) return true;
  if (!(error instanceof ProviderFailure)) return false;
  return ANSWERED.has(error.kind) || NOT_NOW.has(error.reason);
}

const ANSWERED: ReadonlySet<string> = new Set(['concurrency', 'rateLimited', 'unauthorized']);
/** Response codes (RFC 5530) of commands that may succeed later. */
const NOT_NOW = new Set(['unavailable', 'inuse', 'serverbug']);
const LOST = new Set(['NoConnection', 'EConnectionClosed', 'StateLogout', 'ECONNRESET', 'EPIPE', 'ETIMEOUT']);

/** Whether the connection was lost, by the client's error. A connection that was found closed counts as lost. */
function isLost({ error: { cause } }: ProviderFailure): boolean {
  if (cause instanceof ImapProtocolError) return false;
  const { code } = (cause ?? { code: 'NoConnection' }) as { readonly code?: unknown };
  return typeof code === 'string' && (LOST.has(code) || code.startsWith('ClosedAfterConnect'));
}
