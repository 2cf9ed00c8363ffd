import { Injectable } from '@nestjs/common';
import * as http from 'node:http';
import * as https from 'node:https';
import { abortable } from '../common/concurrency/abortable';
import { KeyedQueue } from '../common/concurrency/keyed-queue';
import { EgressGuard, EgressRefused, HostUnknown, PinnedAddress } from '../common/egress/egress-guard';
import type { WebhookRequest } from './webhook-formats';
import {
  MAX_ANSWER_BYTES,
  MAX_ANSWER_HEADER_BYTES,
  MAX_INTERIM_ANSWERS,
  WebhookTimings,
} from './webhook-timings';

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

interface Head {
  readonly status: number;
  readonly retryAfterMs: number | undefined;
}

/**
 * One POST to somebody else's server, which may do anything: the name is resolved once and the connection goes to the
 * address that was checked; everything together takes at most `WebhookTimings.requestMs`; no redirect is followed, and
 * no more of the answer is read than `MAX_ANSWER_BYTES`. Every request has a connection of its own, without a proxy.
 */
@Injectable()
export class WebhookClient {
  /**
   * One look-up at a time for each user. Few threads ask the system's resolver, and a name whose servers never answer
   * holds one for long after nobody waits for it any more.
   */
  private readonly lookups = new KeyedQueue();

  constructor(
    private readonly guard: EgressGuard,
    private readonly timings: WebhookTimings,
  ) {}

  /**
   * Sends once. Never throws: what goes wrong is an `error` of the answer.
   * @param userId whose webhook it is; names of their webhooks are looked up one after the other
   * @param stop ends the request early; unless its answer is there already, that is `interrupted`
   */
  async post(message: WebhookRequest, userId: string, stop?: AbortSignal): Promise<WebhookAnswer> {
    const started = performance.now();
    const end = new AbortController();
    const abort = (): void => end.abort();
    const timer = setTimeout(abort, this.timings.requestMs);
    stop?.addEventListener('abort', abort, { once: true });
    if (stop?.aborted) abort();
    const took = (): number => Math.round(performance.now() - started);
    try {
      const url = this.guard.checkUrl(message.url);
      const lookup = this.lookups.run(userId, () => this.guard.resolve(url.hostname), { signal: end.signal });
      const address = await abortable(lookup, end.signal);
      const head = await this.exchange(url, address, message, end.signal);
      const redirect = head.status >= 300 && head.status <= 399;
      return { ...head, error: redirect ? 'redirect' : null, durationMs: took() };
    } catch (error) {
      const failure = stop?.aborted ? 'interrupted' : end.signal.aborted ? 'timed-out' : failureOf(error);
      return { status: 0, error: failure, durationMs: took() };
    } finally {
      clearTimeout(timer);
      stop?.removeEventListener('abort', abort);
    }
  }

  private exchange(url: URL, to: PinnedAddress, message: WebhookRequest, end: AbortSignal): Promise<Head> {
    return new Promise((resolve, reject) => {
      const send = url.protocol === 'https:' ? https.request : http.request;
      const request = send(url, {
        method: 'POST',
        headers: { ...message.headers, 'content-length': message.body.length },
        // No shared agent: neither its idle connections nor its proxy.
        agent: false,
        lookup: this.guard.pinned(to),
        rejectUnauthorized: true,
        maxHeaderSize: MAX_ANSWER_HEADER_BYTES,
        signal: end,
      });
      let interim = 0;
      let head: Head | null = null;
      request.on('information', () => {
        interim += 1;
        if (interim > MAX_INTERIM_ANSWERS) request.destroy(new UnreadableAnswer());
      });
      request.on('response', (answer) => {
        const answered = (head = readHead(answer));
        if (!answered) return request.destroy(new UnreadableAnswer());
        discard(answer, () => {
          request.destroy();
          resolve(answered);
        });
      });
      // The status is there: however the body ends, it has been answered.
      request.on('error', (error) => (head ? resolve(head) : reject(error)));
      // A change of protocol that nobody asked for ends without an error.
      request.on('close', () => (head ? resolve(head) : reject(new UnreadableAnswer())));
      request.end(message.body);
    });
  }
}

/** @returns null for a status that HTTP does not have */
function readHead(answer: http.IncomingMessage): Head | null {
  const status = answer.statusCode ?? 0;
  if (status < 200 || status > 599) return null;
  return { status, retryAfterMs: retryAfterMs(answer.headers['retry-after'], new Date()) };
}

/** Throws the body away as it comes in; `onEnd` once it has ended, in whatever way, or is too long. */
function discard(answer: http.IncomingMessage, onEnd: () => void): void {
  let length = 0;
  answer.on('data', (chunk: Buffer) => {
    length += chunk.length;
    if (length > MAX_ANSWER_BYTES) onEnd();
  });
  answer.on('error', onEnd);
  answer.on('close', onEnd);
}
