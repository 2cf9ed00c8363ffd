import { BeforeApplicationShutdown, Injectable, Logger } from '@nestjs/common';
import type { Response } from 'express';
import { AccessRevocation } from '../../platform/access/access-revocation.port';
import type { AuthenticatedUser } from '../../platform/access/authenticated-user';
import { newId } from '../../platform/crypto/ids';
import type { SseConnection } from '../../platform/sse/sse-connection';
import { SseStreams, SseTimings } from '../../platform/sse/sse-streams';
import { type FeedSource, TableFeed } from '../../platform/sse/table-feed';
import type { SseFeed } from '../../platform/sse/sse-streams';
import { toToastResponse } from './dto/toasts.response';
import type { EventsSince, StreamPosition } from './recent-events.repository';
import { ToastBroadcast } from './toast-broadcast';
import { ToastsService } from './toasts.service';

export interface ToastSource extends FeedSource {
  /** The last event the client showed, on an earlier connection. */
  readonly lastEventId: string | null;
  positionOf(lastEventId: string | null): Promise<StreamPosition>;
  readSince(position: StreamPosition): Promise<EventsSince>;
}

/** Toasts for one client: read from the table, from the position where the last read ended. */
export class ToastFeed extends TableFeed<ToastSource, EventsSince> {
  private position!: StreamPosition;

  constructor(
    private readonly connection: SseConnection,
    source: ToastSource,
    failed: (error: unknown) => void,
  ) {
    super(connection, source, failed);
  }

  protected async readFirst(): Promise<() => void> {
    this.position = await this.source.positionOf(this.source.lastEventId);
    const missed = this.position.after === null ? null : await this.read();
    return () => {
      // A client that loses the connection before the first toast continues from here.
      if (missed === null) this.connection.mark(newId());
      else this.show(missed);
    };
  }

  protected read(): Promise<EventsSince> {
    return this.source.readSince(this.position);
  }

  protected show({ events, position }: EventsSince): void {
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
    await this.streams.serve(user, response, (connection) => this.feedOf(user, lastEventId, connection));
  }

  /** The events of `stream`, for a stream that also has other events. */
  feedOf(user: AuthenticatedUser, lastEventId: string | null, connection: SseConnection): SseFeed {
    const source = {
      lastEventId,
      positionOf: (shown: string | null) => this.toasts.positionOf(user.id, shown),
      readSince: (position: Parameters<ToastsService['readSince']>[1]) =>
        this.toasts.readSince(user.id, position),
      listen: (listener: () => void) => this.broadcast.listen(user.id, listener),
    };
    const logFailure = (error: unknown): void =>
      this.logger.debug(`Toasts could not be read: ${String(error)}`);
    return new ToastFeed(connection, source, logFailure);
  }

  beforeApplicationShutdown(): void {
    this.streams.stop();
  }
}
