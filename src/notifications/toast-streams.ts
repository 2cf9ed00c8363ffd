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
  /** The last event the client showed, on an earlier connection. */
  readonly lastEventId: string | null;
  positionOf(lastEventId: string | null): Promise<StreamPosition>;
  since(position: StreamPosition): Promise<EventsSince>;
  /** Calls the listener when something may be new. @returns call it to stop */
  listen(listener: () => void): Promise<() => void>;
}

/**
 * Toasts for one client. Broadcasts only say when to read: the feed reads the events from the table, from the position
 * where the last read ended. For a client that reads slowly it waits until that has caught up.
 */
export class ToastFeed implements SseFeed {
  private position!: StreamPosition;
  private live = false;
  private closed = false;
  private reading = false;
  /** Whether something may be new since the last read began. */
  private due = false;

  constructor(
    private readonly connection: SseConnection,
    private readonly source: ToastSource,
    private readonly failed: (error: unknown) => void,
  ) {
    connection.onDrain(() => {
      if (this.due) this.readSoon();
    });
  }

  listen(): Promise<() => void> {
    return this.source.listen(() => this.readSoon());
  }

  async begin(): Promise<() => void> {
    const { lastEventId } = this.source;
    this.position = await this.source.positionOf(lastEventId);
    const missed = this.position.after === null ? null : await this.source.since(this.position);
    return () => {
      this.live = true;
      // A client that loses the connection before the first toast continues from here.
      if (missed === null) this.connection.mark(newId());
      else this.show(missed);
      if (this.due) this.readSoon();
    };
  }

  async catchUp(): Promise<void> {
    await this.read();
  }

  close(): void {
    this.closed = true;
  }

  private readSoon(): void {
    // The next heartbeat reads again, or ends the stream.
    this.read().catch((error: unknown) => this.failed(error));
  }

  private async read(): Promise<void> {
    this.due = true;
    if (!this.live || this.reading) return;
    this.reading = true;
    try {
      while (this.due && !this.closed && !this.connection.congested) {
        this.due = false;
        const newer = await this.source.since(this.position);
        if (!this.closed) this.show(newer);
      }
    } catch (error) {
      this.due = true;
      throw error;
    } finally {
      this.reading = false;
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
 * Event streams of toasts. The process that recorded an event says so through Redis; each stream then reads the table, as
 * it does with every heartbeat.
 */
@Injectable()
export class ToastStreams implements BeforeApplicationShutdown {
  private readonly logger = new Logger(ToastStreams.name);
  private readonly streams: SseStreams<AuthenticatedUser>;

  constructor(
    private readonly toasts: ToastsService,
    private readonly broadcast: ToastBroadcast,
    revocation: AccessRevocation,
    timings: SseTimings,
  ) {
    this.streams = new SseStreams(revocation, timings);
  }

  /**
   * Streams the user's events until the client goes away or its session ends. A client that names the last event it
   * showed first gets those it has missed.
   * @throws TooManyStreams
   */
  async stream(user: AuthenticatedUser, lastEventId: string | null, response: Response): Promise<void> {
    const source = {
      lastEventId,
      positionOf: (shown: string | null) => this.toasts.positionOf(user.id, shown),
      since: (position: Parameters<ToastsService['since']>[1]) => this.toasts.since(user.id, position),
      listen: (listener: () => void) => this.broadcast.listen(user.id, listener),
    };
    const failed = (error: unknown): void => this.logger.debug(`Toasts could not be read: ${String(error)}`);
    await this.streams.serve(user, response, (connection) => new ToastFeed(connection, source, failed));
  }

  beforeApplicationShutdown(): void {
    this.streams.stop();
  }
}
