import { Injectable } from '@nestjs/common';
import * as http from 'node:http';
import * as https from 'node:https';
import { EgressGuard, EgressRefused, HostUnknown, PinnedAddress } from '../../platform/egress/egress-guard';
import type { WebhookAnswer, WebhookFailure, WebhookRequest } from './webhook-formats';
import {
  MAX_ANSWER_BYTES,
  MAX_ANSWER_HEADER_BYTES,
  MAX_INTERIM_ANSWERS,
  WebhookTimings,
} from './webhook-timings';
import { setTimeout } from '../../platform/concurrency/timers';

/** The receiver sent no valid HTTP response, or one that exceeds the limits. */
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

/** The failure code of an error of the network, of TLS or of the HTTP parser. */
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
 * @returns milliseconds from `now`, 0 for a past date; undefined without a valid value
 */
export function retryAfterMs(header: string | undefined, now: Date): number | undefined {
  if (header === undefined) return undefined;
  if (/^\d{1,10}$/.test(header)) return Number(header) * 1_000;
  // `Date.parse` accepts almost anything; HTTP dates begin with the day of the week.
  const date = /^[A-Z][a-z]{2,8}, /.test(header) ? Date.parse(header) : NaN;
  return Number.isNaN(date) ? undefined : Math.max(0, date - now.getTime());
}

interface Head {
  readonly status: number;
  readonly retryAfterMs: number | undefined;
}

/**
 * Sends one POST to an untrusted server. It resolves the name once and connects to the address that it has checked; the
 * whole request takes at most `WebhookTimings.requestMs`; it follows no redirect and reads at most `MAX_ANSWER_BYTES` of
 * the answer. Every request opens a new connection, without a proxy.
 */
@Injectable()
export class WebhookClient {
  constructor(
    private readonly guard: EgressGuard,
    private readonly timings: WebhookTimings,
  ) {}

  /**
   * Sends once. Never throws: failures are the answer's `error`.
   * @param userId owner of the webhook
   * @param stop ends the request early, with the error `interrupted` unless it has been answered
   */
  async post(message: WebhookRequest, userId: string, stop?: AbortSignal): Promise<WebhookAnswer> {
    const started = performance.now();
    const end = new AbortController();
    const abort = (): void => end.abort();
    const timer = setTimeout(abort, this.timings.requestMs);
    stop?.addEventListener('abort', abort, { once: true });
    if (stop?.aborted) abort();
    const elapsedMs = (): number => Math.round(performance.now() - started);
    try {
      const url = this.guard.checkUrl(message.url);
      const address = await this.guard.resolve(url.hostname, userId, end.signal);
      const head = await this.exchange(url, address, message, end.signal);
      const redirect = head.status >= 300 && head.status <= 399;
      return { ...head, error: redirect ? 'redirect' : null, durationMs: elapsedMs() };
    } catch (error) {
      const failure = stop?.aborted ? 'interrupted' : end.signal.aborted ? 'timed-out' : failureOf(error);
      return { status: 0, error: failure, durationMs: elapsedMs() };
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
        lookup: this.guard.createPinnedLookup(to),
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
      // With a status the request is answered, however the body ends.
      request.on('error', (error) => (head ? resolve(head) : reject(error)));
      // An upgrade of the protocol without being asked closes the connection without an error.
      request.on('close', () => (head ? resolve(head) : reject(new UnreadableAnswer())));
      request.end(message.body);
    });
  }
}

/** @returns null for a status outside of HTTP's range */
function readHead(answer: http.IncomingMessage): Head | null {
  const status = answer.statusCode ?? 0;
  if (status < 200 || status > 599) return null;
  return { status, retryAfterMs: retryAfterMs(answer.headers['retry-after'], new Date()) };
}

/** Discards the body as it comes in; calls `onEnd` when it has ended in any way, or is too long. */
function discard(answer: http.IncomingMessage, onEnd: () => void): void {
  let length = 0;
  answer.on('data', (chunk: Buffer) => {
    length += chunk.length;
    if (length > MAX_ANSWER_BYTES) onEnd();
  });
  answer.on('error', onEnd);
  answer.on('close', onEnd);
}
