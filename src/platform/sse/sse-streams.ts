import { Logger } from '@nestjs/common';
import type { Response } from 'express';
import { SseConnection } from './sse-connection';
import { StreamLimit } from './stream-limit';
import { setInterval } from '../concurrency/timers';

/** Intervals of event streams, in milliseconds; tests inject shorter ones. */
export class SseTimings {
  /** A comment that keeps proxies from closing a quiet stream, and a look at what its news may have missed. */
  readonly heartbeatMs: number = 15_000;
}

/** Heartbeats in a row that a client may leave unread, be it the end: two minutes. */
const MAX_UNREAD_BEATS = 8;

/** Tells when a user may no longer have the stream they were given. */
export interface StreamRevocation<U> {
  /** @returns call it to stop listening */
  onRevoked(user: U, listener: () => void): () => void;
  isRevoked(user: U): Promise<boolean>;
}

/** The source of the events of one connection. Its methods are called in this order; `catchUp` is called repeatedly. */
export interface SseFeed {
  /** Begins to listen, before `begin` reads: what happens meanwhile is not missed. @returns call it to stop */
  listen(): Promise<() => void>;
  /** Reads what the stream starts with; what it throws becomes a problem document. @returns shows it, and all news after it */
  begin(): Promise<() => void>;
  /** Is called with every heartbeat, and sends what news did not bring. An error from it ends the stream. */
  catchUp(): Promise<void>;
  /** Nothing is shown any more. */
  close(): void;
}

/**
 * Event streams of one kind in this process. They end with the client, with its session, and with the process. Each
 * user may have a limited number of them.
 */
export class SseStreams<U extends { readonly id: string }> {
  private readonly logger = new Logger(SseStreams.name);
  private readonly connections = new Set<SseConnection>();
  private readonly limit = new StreamLimit();
  private stopping = false;

  constructor(
    private readonly revocation: StreamRevocation<U>,
    private readonly timings: SseTimings = new SseTimings(),
  ) {}

  /**
   * Answers a request with a stream; to HEAD, with its headers alone. Resolves when the stream is open.
   * @throws TooManyStreams, and what the feed throws before the stream is open
   */
  async serve(user: U, response: Response, feedOf: (connection: SseConnection) => SseFeed): Promise<void> {
    const connection = new SseConnection(response);
    if (response.req.method === 'HEAD') {
      connection.open();
      connection.end();
      return;
    }
    const leave = [this.limit.take(user.id), this.revocation.onRevoked(user, () => connection.end())];
    const feed = feedOf(connection);
    const finish = (): void => {
      for (const undo of leave) undo();
      feed.close();
    };
    try {
      leave.push(await feed.listen());
      const show = await feed.begin();
      // The session may have ended before this process listened for its end, which it has forgotten by now.
      if (await this.revocation.isRevoked(user)) connection.end();
      if (this.stopping || connection.closed) {
        connection.end();
        finish();
        return;
      }
      this.connections.add(connection);
      let unread = 0;
      const heartbeat = setInterval(() => {
        // Ended, but what it was sent before has not been taken: until then it keeps its place, too.
        unread = connection.congested || connection.closed ? unread + 1 : 0;
        if (unread >= MAX_UNREAD_BEATS) connection.cut();
        else if (!connection.closed) void this.beat(connection, feed, user);
      }, this.timings.heartbeatMs);
      connection.onClose(() => {
        clearInterval(heartbeat);
        finish();
        this.connections.delete(connection);
      });
      connection.open();
      show();
    } catch (error) {
      finish();
      throw error;
    }
  }

  /** Open streams would keep the HTTP server from closing; clients connect again to another process. */
  stop(): void {
    this.stopping = true;
    for (const connection of this.connections) connection.end();
  }

  private async beat(connection: SseConnection, feed: SseFeed, user: U): Promise<void> {
    connection.comment('heartbeat');
    try {
      // The news of its end may have been lost on the way.
      if (await this.revocation.isRevoked(user)) connection.end();
      else if (!connection.closed) await feed.catchUp();
    } catch (error) {
      // The subject of the stream was deleted, or the database is away: the client connects again and gets the reason.
      this.logger.debug(`Stream ended: ${String(error)}`);
      connection.end();
    }
  }
}
