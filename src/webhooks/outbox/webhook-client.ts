import { Injectable } from '@nestjs/common';
import * as http from 'node:http';
import * as https from 'node:https';
import { EgressGuard, PinnedAddress } from '../../common/egress/egress-guard';
import type { WebhookRequest } from '../formats/webhook-request';
import { LookupTurns } from './lookup-turns';
import { failureOf, retryAfterMs, UnreadableAnswer, WebhookAnswer } from './webhook-answer';
import {
  MAX_ANSWER_BYTES,
  MAX_ANSWER_HEADER_BYTES,
  MAX_INTERIM_ANSWERS,
  WebhookTimings,
} from './webhook-timings';

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
  private readonly lookups = new LookupTurns();

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
      const address = await this.lookups.within(userId, end.signal, () => this.guard.resolve(url.hostname));
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
