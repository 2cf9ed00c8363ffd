import { BeforeApplicationShutdown, Injectable, Logger } from '@nestjs/common';
import type { Response } from 'express';
import type { AuthenticatedUser } from '../../common/auth/authenticated-user';
import { SessionEndings } from '../../common/auth/session-endings.port';
import { SseStreams } from '../../common/http/sse/sse-streams';
import { SseTimings } from '../../common/http/sse/sse-timings';
import { ToastFeed } from './toast-feed';
import { ToastNews } from './toast-news';
import { ToastsService } from './toasts.service';

/**
 * Event streams of toasts. That something has happened comes through Redis from whichever process recorded it; what,
 * is read from the table, then and with every heartbeat.
 */
@Injectable()
export class ToastStreams implements BeforeApplicationShutdown {
  private readonly logger = new Logger(ToastStreams.name);
  private readonly streams: SseStreams;

  constructor(
    private readonly toasts: ToastsService,
    private readonly news: ToastNews,
    sessions: SessionEndings,
    timings: SseTimings,
  ) {
    this.streams = new SseStreams(sessions, timings);
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
