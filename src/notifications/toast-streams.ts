import { BeforeApplicationShutdown, Injectable, Logger } from '@nestjs/common';
import type { Response } from 'express';
import { AccessRevocation } from '../access/access-revocation.port';
import type { AuthenticatedUser } from '../access/authenticated-user';
import { newId } from '../common/database/ids';
import type { SseConnection } from '../common/sse/sse-connection';
import { SseStreams, SseTimings } from '../common/sse/sse-streams';
import type { SseFeed } from '../common/sse/sse-streams';
import { toToastResponse } from './dto/toasts.response';
import type { EventsSince, StreamPosition } from './recent-events.repository';
import { ToastBroadcast } from './toast.handler';
import { ToastsService } from './toasts.service';

export interface ToastSource {
  /** What the client was shown last, on another connection. */
  readonly lastEventId: string | null;
  positionOf(lastEventId: string | null): Promise<StreamPosition>;
  since(position: StreamPosition): Promise<EventsSince>;
  /** Calls the listener when something may be new. @returns call it to stop */
  listen(listener: () => void): Promise<() => void>;
}

/**
 * Toasts for one client. News only say when to look: what is shown is read from the table, from where the last look
 * ended. A client that reads slowly is not looked for until it has caught up.
 */
export class ToastFeed implements SseFeed {
  private position!: StreamPosition;
  private live = false;
  private closed = false;
  private looking = false;
  /** Whether something may be new since the last look began. */
  private due = false;

  constructor(
    private readonly connection: SseConnection,
    private readonly source: ToastSource,
    private readonly failed: (error: unknown) => void,
  ) {
    connection.onDrain(() => {
      if (this.due) this.lookSoon();
    });
  }

  listen(): Promise<() => void> {
    return this.source.listen(() => this.lookSoon());
  }

  async begin(): Promise<() => void> {
    const { lastEventId } = this.source;
    this.position = await this.source.positionOf(lastEventId);
    const missed = this.position.after === null ? null : await this.source.since(this.position);
    return () => {
      this.live = true;
      // Lost before it has shown anything, the stream goes on from here all the same.
      if (missed === null) this.connection.mark(newId());
      else this.show(missed);
      if (this.due) this.lookSoon();
    };
  }

  async catchUp(): Promise<void> {
    await this.look();
  }

  close(): void {
    this.closed = true;
  }

  private lookSoon(): void {
    // What could not be read now is read with the next heartbeat, or the stream ends there.
    this.look().catch((error: unknown) => this.failed(error));
  }

  private async look(): Promise<void> {
    this.due = true;
    if (!this.live || this.looking) return;
    this.looking = true;
    try {
      while (this.due && !this.closed && !this.connection.congested) {
        this.due = false;
        const read = await this.source.since(this.position);
        if (!this.closed) this.show(read);
      }
    } catch (error) {
      this.due = true;
      throw error;
    } finally {
      this.looking = false;
    }
  }

  private show({ events, position }: EventsSince): void {
    this.position = position;
    for (const event of events) {
      this.connection.send({ event: 'notification', id: event.id, data: toToastResponse(event) });
    }
  }
}

/**
 * Event streams of toasts. That something has happened comes through Redis from whichever process recorded it; what,
 * is read from the table, then and with every heartbeat.
 */
@Injectable()
export class ToastStreams implements BeforeApplicationShutdown {
  private readonly logger = new Logger(ToastStreams.name);
  private readonly streams: SseStreams<AuthenticatedUser>;

  constructor(
    private readonly toasts: ToastsService,
    private readonly news: ToastBroadcast,
    revocation: AccessRevocation,
    timings: SseTimings,
  ) {
    this.streams = new SseStreams(revocation, timings);
  }

  /**
   * What happens to the user, until the client goes away or its session ends. With the id of what it was shown last, a
   * client gets what it has missed first.
   * @throws TooManyStreams
   */
  async stream(user: AuthenticatedUser, lastEventId: string | null, response: Response): Promise<void> {
    const source = {
      lastEventId,
      positionOf: (shown: string | null) => this.toasts.positionOf(user.id, shown),
      since: (position: Parameters<ToastsService['since']>[1]) => this.toasts.since(user.id, position),
      listen: (listener: () => void) => this.news.listen(user.id, listener),
    };
    const failed = (error: unknown): void => this.logger.debug(`Toasts could not be read: ${String(error)}`);
    await this.streams.serve(user, response, (connection) => new ToastFeed(connection, source, failed));
  }

  beforeApplicationShutdown(): void {
    this.streams.stop();
  }
}
