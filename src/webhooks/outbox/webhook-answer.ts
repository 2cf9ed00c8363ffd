import { EgressRefused, HostUnknown } from '../../common/egress/egress-guard';

/** Why there was no answer, or none that can count. Stable: owners of webhooks read them. */
export type WebhookFailure =
  | 'address-refused'
  | 'host-unknown'
  | 'host-unreachable'
  | 'connection-refused'
  | 'connection-failed'
  | 'connection-lost'
  | 'tls-failed'
  | 'answer-unreadable'
  | 'timed-out'
  | 'interrupted'
  /** Answered with a redirect, which is not followed. */
  | 'redirect'
  /** The service could not make the request. */
  | 'not-sent';

/** What came of one request. */
export interface WebhookAnswer {
  /** HTTP status, 0 for no answer. */
  readonly status: number;
  /** null for an answer, of whatever status, that is no redirect. */
  readonly error: WebhookFailure | null;
  readonly durationMs: number;
  /** What the receiver asked for with `Retry-After` (RFC 9110, 10.2.3); as far away as it likes. */
  readonly retryAfterMs?: number;
}

/** The receiver said something that is no HTTP answer, or not within its limits. */
export class UnreadableAnswer extends Error {}

const CODES: Readonly<Record<string, WebhookFailure>> = {
  ECONNREFUSED: 'connection-refused',
  ECONNRESET: 'connection-lost',
  EPIPE: 'connection-lost',
  EHOSTUNREACH: 'host-unreachable',
  ENETUNREACH: 'host-unreachable',
  EADDRNOTAVAIL: 'host-unreachable',
  ETIMEDOUT: 'timed-out',
  EPROTO: 'tls-failed',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'tls-failed',
  SELF_SIGNED_CERT_IN_CHAIN: 'tls-failed',
  HOSTNAME_MISMATCH: 'tls-failed',
  INVALID_CA: 'tls-failed',
};

/** The failure that an error of the network, of TLS or of the HTTP parser stands for. */
export function failureOf(error: unknown): WebhookFailure {
  if (error instanceof HostUnknown) return 'host-unknown';
  if (error instanceof EgressRefused) return 'address-refused';
  if (error instanceof UnreadableAnswer) return 'answer-unreadable';
  const code = String((error as NodeJS.ErrnoException).code);
  if (code.startsWith('HPE_')) return 'answer-unreadable';
  if (/^(ERR_SSL_|ERR_TLS_|CERT_|CRL_|UNABLE_TO_|ERROR_IN_C)/.test(code)) return 'tls-failed';
  return CODES[code] ?? 'connection-failed';
}

/**
 * Reads a `Retry-After`: seconds, or a date (RFC 9110, 10.2.3).
 * @returns milliseconds from `now`, 0 for a date that has passed; undefined when it says nothing
 */
export function retryAfterMs(header: string | undefined, now: Date): number | undefined {
  if (header === undefined) return undefined;
  if (/^\d{1,10}$/.test(header)) return Number(header) * 1_000;
  // `Date.parse` takes nearly everything for a date; those of HTTP begin with the day of the week.
  const date = /^[A-Z][a-z]{2,8}, /.test(header) ? Date.parse(header) : NaN;
  return Number.isNaN(date) ? undefined : Math.max(0, date - now.getTime());
}
