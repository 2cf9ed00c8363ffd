import { FailureKind, ProviderFailure } from '../../gateway/provider-call';
import {
  LabelExists,
  LabelNotFound,
  ProviderRejected,
  ProviderUnavailable,
  ReauthRequired,
} from '../../port/mail-provider.errors';
import type { DomainError } from '../../../platform/http/domain-error';

/** Fields of the IMAP client's errors. Their texts may contain anything. */
interface ClientError {
  readonly code?: unknown;
  readonly responseStatus?: unknown;
  readonly responseText?: unknown;
  readonly serverResponseCode?: unknown;
  readonly response?: {
    readonly attributes?: readonly { readonly section?: readonly { readonly value?: unknown }[] }[];
  };
  readonly throttleReset?: unknown;
}

/** The server broke the protocol, or sent something that cannot be true. The connection is closed. */
export class ImapProtocolError extends Error {}

/** Returns the response code (RFC 5530) of a refused command, in upper case; empty without one. */
export function refusalCode(error: unknown): string {
  const { serverResponseCode, response } = (error ?? {}) as ClientError;
  if (typeof serverResponseCode === 'string') return serverResponseCode.toUpperCase();
  const code = response?.attributes?.[0]?.section?.[0]?.value;
  return typeof code === 'string' ? code.toUpperCase() : '';
}

/** Returns `NO` or `BAD` when the server refused the command; null when there was no answer. */
export function refusalStatus(error: unknown): 'NO' | 'BAD' | null {
  const { responseStatus } = (error ?? {}) as ClientError;
  return responseStatus === 'NO' || responseStatus === 'BAD' ? responseStatus : null;
}

const REFUSED: Readonly<Record<string, () => { kind: FailureKind; error: DomainError }>> = {
  AUTHENTICATIONFAILED: () => ({ kind: 'unauthorized', error: new ReauthRequired() }),
  AUTHORIZATIONFAILED: () => ({ kind: 'unauthorized', error: new ReauthRequired() }),
  EXPIRED: () => ({ kind: 'unauthorized', error: new ReauthRequired() }),
  UNAVAILABLE: () => ({ kind: 'unavailable', error: new ProviderUnavailable() }),
  INUSE: () => ({ kind: 'unavailable', error: new ProviderUnavailable() }),
  SERVERBUG: () => ({ kind: 'unavailable', error: new ProviderUnavailable() }),
  LIMIT: () => ({ kind: 'concurrency', error: new ProviderUnavailable() }),
  THROTTLED: () => ({ kind: 'rateLimited', error: new ProviderUnavailable() }),
  OVERQUOTA: () => ({
    kind: 'refused',
    error: new ProviderRejected('mailboxFull', 'The mailbox is full: the server takes no more messages.'),
  }),
  NONEXISTENT: () => ({ kind: 'refused', error: new LabelNotFound() }),
  TRYCREATE: () => ({ kind: 'refused', error: new LabelNotFound() }),
  ALREADYEXISTS: () => ({ kind: 'refused', error: new LabelExists() }),
  NOPERM: () => ({ kind: 'refused', error: new ProviderRejected('insufficientRights', NO_RIGHT) }),
  CANNOT: () => ({ kind: 'refused', error: new ProviderRejected('unsupported', CANNOT) }),
  TOOBIG: () => ({ kind: 'refused', error: new ProviderRejected('invalidArgument', TOO_BIG) }),
};
const NO_RIGHT = 'The server does not let this account change the folder.';
const CANNOT = 'The server cannot do this.';
const TOO_BIG = 'The server does not take a message of this size.';
const REFUSAL = 'The server refused the command.';

const OF_CONNECTIONS = /connection|concurrent|simultaneous|mail_max_userip/i;
const OF_RATE = /throttl|too many (?:requests|commands)|bandwidth|rate limit|try again later/i;
/** Pause after a mailbox has transferred more than its provider allows. Gmail locks it for an hour to a day. */
export const BANDWIDTH_PAUSE_MS = 15 * 60_000;

export const isOverBandwidth = (text: string): boolean => /bandwidth/i.test(text);

/** Translates an error of the client into one for the gateway. Errors of our own code are returned as they are. */
export function imapFailure(error: unknown): unknown {
  if (error instanceof ProviderFailure) return error;
  const status = refusalStatus(error);
  if (status === null) return isOfConnection(error) ? unavailable(reasonOf(error), error) : error;
  const code = refusalCode(error);
  const { responseText } = error as ClientError;
  const text = typeof responseText === 'string' ? responseText : '';
  if (OF_RATE.test(text) || (error as ClientError).code === 'ETHROTTLE') return rateLimited(error, text);
  // Dovecot calls a refusal for too many connections UNAVAILABLE.
  if (OF_CONNECTIONS.test(text) && (code === 'UNAVAILABLE' || code === 'LIMIT' || code === '')) {
    return new ProviderFailure({
      kind: 'concurrency',
      reason: 'connections',
      error: new ProviderUnavailable(error),
    });
  }
  const known = REFUSED[code];
  if (known) return new ProviderFailure({ reason: code.toLowerCase(), ...known() });
  const detail = status === 'BAD' ? 'The server does not understand the command.' : REFUSAL;
  return new ProviderFailure({
    kind: 'refused',
    reason: status.toLowerCase(),
    error: new ProviderRejected(status === 'BAD' ? 'protocol' : 'refused', detail, error),
  });
}

export function unavailable(reason: string, cause?: unknown): ProviderFailure {
  return new ProviderFailure({ kind: 'unavailable', reason, error: new ProviderUnavailable(cause) });
}

/** Builds the failure for a request that we refuse ourselves, before anything is sent. */
export function buildRefusal(reason: string, detail: string): ProviderFailure {
  return new ProviderFailure({ kind: 'refused', reason, error: new ProviderRejected(reason, detail) });
}

function rateLimited(error: unknown, text: string): ProviderFailure {
  const { throttleReset } = error as ClientError;
  const asked = typeof throttleReset === 'number' ? throttleReset : null;
  const pauseMs = asked ?? (isOverBandwidth(text) ? BANDWIDTH_PAUSE_MS : null);
  return new ProviderFailure({
    kind: 'rateLimited',
    reason: 'throttled',
    retryAt: pauseMs === null ? null : Date.now() + pauseMs,
    error: new ProviderUnavailable(error),
  });
}

/**
 * Whether an error is one of the connection. Errors of sockets and of the client's parser have a code; faults of our
 * own code have none.
 */
function isOfConnection(error: unknown): boolean {
  return error instanceof ImapProtocolError || typeof (error as ClientError | null)?.code === 'string';
}

function reasonOf(error: unknown): string {
  const { code } = error as ClientError;
  if (typeof code !== 'string') return 'protocol';
  return /^E[A-Z_]{2,20}$/.test(code) ? code : 'connection';
}
