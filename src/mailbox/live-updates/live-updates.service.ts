import { BeforeApplicationShutdown, Injectable, Logger } from '@nestjs/common';
import type { Response } from 'express';
import { AccessRevocation } from '../../platform/access/access-revocation.port';
import type { SessionUser } from '../../platform/access/authenticated-user';
import { JoinedFeed } from '../../platform/sse/joined-feed';
import type { SseOutlet } from '../../platform/sse/sse-connection';
import { SseStreams, SseTimings } from '../../platform/sse/sse-streams';
import { JobStreamsService } from '../../platform/jobs/job-streams.service';
import { AccountUpdates } from '../accounts/account-updates';
import { toMailboxAccountResponse } from '../accounts/dto/mailbox-accounts.response';
import { MailboxAccountsService } from '../accounts/mailbox-accounts.service';
import { ToastStreams } from '../../notify/notifications/toast-streams';
import { AccountFeed } from './account-feed';

/**
 * Serves one stream of all data that a page shows live, since browsers open only six connections to an origin and each
 * stream takes one. Only toasts have ids, so that a client can resume them; jobs and accounts begin with their present
 * state each time. See ADR 63.
 */
@Injectable()
export class LiveUpdatesService implements BeforeApplicationShutdown {
  private readonly logger = new Logger(LiveUpdatesService.name);
  private readonly streams: SseStreams<SessionUser>;

  constructor(
    private readonly jobs: JobStreamsService,
    private readonly toasts: ToastStreams,
    private readonly accounts: MailboxAccountsService,
    private readonly accountUpdates: AccountUpdates,
    revocation: AccessRevocation,
    timings: SseTimings,
  ) {
    this.streams = new SseStreams(revocation, timings);
  }

  /** Serves the stream until the client disconnects or its session ends. @throws TooManyStreams */
  async stream(user: SessionUser, lastEventId: string | null, response: Response): Promise<void> {
    await this.streams.serve(
      user,
      response,
      (connection) =>
        new JoinedFeed([
          this.toasts.feedOf(user, lastEventId, connection),
          this.jobs.feedOfAll(user, connection.withoutIds()),
          this.accountFeed(user.id, connection.withoutIds()),
        ]),
    );
  }

  beforeApplicationShutdown(): void {
    this.streams.stop();
  }

  private accountFeed(userId: string, outlet: SseOutlet): AccountFeed {
    const source = {
      read: async () => {
        const accounts = await this.accounts.listByUser(userId);
        const now = new Date();
        return accounts.map((account) => toMailboxAccountResponse(account, now));
      },
      listen: (listener: () => void) => this.accountUpdates.listen(userId, listener),
    };
    return new AccountFeed(outlet, source, (error) =>
      this.logger.debug(`Accounts could not be read: ${String(error)}`),
    );
  }
}
