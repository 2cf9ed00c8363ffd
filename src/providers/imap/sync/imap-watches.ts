import { Injectable, Logger } from '@nestjs/common';
import { ProviderGateway } from '../../gateway/provider-gateway';
import type { ProviderAccount } from '../../port/mailbox-provider.port';
import { MailboxWatches, type WatchEnd, type WatchOptions } from '../../port/mailbox-watches.port';
import { ImapAccountsRepository } from '../login/imap-accounts.repository';
import { countCommands } from '../session/imap-calls';
import { ImapConnectionLimits } from '../session/imap-connection-limits';
import { ImapConnections, type ReservedSession } from '../session/imap-connections';
import { unavailable } from '../session/imap-failures';
import { idle, IDLE_RESTART_MS, notifyOfAllFolders } from './imap-idle';
import { FolderMissing } from '../session/imap-session';
import { ImapWatchStates, RENEW_WATCH_MS, type WatchLease } from './imap-watch-states';
import { setTimeout, setInterval, timeoutSignal } from '../../../platform/concurrency/timers';

/** Longest watch, in milliseconds. The next login shows whether the account may still be watched. */
const LONGEST_WATCH_MS = 60 * 60_000;
/** Time within which changes are reported once, in milliseconds. */
const TOGETHER_MS = 1_000;

interface Listening extends ReservedSession {
  /** Whether changes of all folders are reported, not only those of INBOX. */
  readonly isWhole: boolean;
}

/**
 * Watches mailboxes on IMAP servers. Each watch uses a separate connection, and only where the account has one to
 * spare.
 */
@Injectable()
export class ImapWatches extends MailboxWatches {
  readonly providers = ['imap'];
  private readonly logger = new Logger(ImapWatches.name);

  constructor(
    private readonly gateway: ProviderGateway,
    private readonly accounts: ImapAccountsRepository,
    private readonly connections: ImapConnections,
    private readonly limits: ImapConnectionLimits,
    private readonly states: ImapWatchStates,
  ) {
    super();
  }

  async watch(account: ProviderAccount, { signal, onChange }: WatchOptions): Promise<WatchEnd> {
    const server = await this.accounts.find(account.id);
    const { capabilities = [] } = server ?? {};
    if (!server || (capabilities.length > 0 && !capabilities.includes('IDLE'))) return 'impossible';
    const lease = await this.states.claim(account.id);
    if (!lease) return 'elsewhere';
    const lost = new AbortController();
    const until = AbortSignal.any([signal, lost.signal, timeoutSignal(LONGEST_WATCH_MS)]);
    const isKept = async (): Promise<boolean> =>
      (await lease.renew()) && (await this.limits.allowsWatch(account.id, server.maxConnections));
    const renewing = setInterval(() => void this.endUnless(isKept, lost), RENEW_WATCH_MS);
    try {
      const listening = await this.connect(account, until);
      if (!listening) return 'impossible';
      try {
        await this.listen(listening, lease, { signal: until, onChange });
      } finally {
        await listening.release();
      }
      return 'ended';
    } finally {
      clearInterval(renewing);
      await this.tryRedis(() => lease.end());
    }
  }

  /**
   * Opens a connection with INBOX open, ready for IDLE; null when the account has none to spare or the server lacks
   * IDLE.
   */
  private connect(account: ProviderAccount, signal: AbortSignal): Promise<Listening | null> {
    return this.gateway.call(
      { account, endpoint: 'IDLE', priority: 'spare', signal },
      async (attempt): Promise<Listening | null> => {
        const { signal: guard } = attempt;
        const secret = { kind: attempt.secretKind, value: attempt.secret };
        const reserved = await this.connections.reserve({
          account,
          secret,
          priority: 'spare',
          signal: guard,
        });
        if (!reserved) return null;
        const { session } = reserved;
        session.guard(guard);
        try {
          if (!session.has('IDLE')) {
            await reserved.release();
            return null;
          }
          await session.open('INBOX');
          return { ...reserved, isWhole: await notifyOfAllFolders(session.commands) };
        } catch (error) {
          await reserved.release();
          throw error instanceof FolderMissing ? unavailable('folder', error) : error;
        } finally {
          session.guard(undefined);
          countCommands(session.commands.takeSent(), 'IDLE', attempt);
        }
      },
    );
  }

  private async listen(
    { session, isWhole }: Listening,
    lease: WatchLease,
    { signal, onChange }: WatchOptions,
  ): Promise<void> {
    let telling: NodeJS.Timeout | undefined;
    let hasMore = false;
    const change = (): Promise<void> => this.tryRedis(() => lease.change());
    const announce = (): void => {
      hasMore = telling !== undefined;
      if (telling) return;
      void change();
      telling = setTimeout(() => {
        telling = undefined;
        // A sync since the first of these changes may have run before the last one.
        void (hasMore ? change() : Promise.resolve()).then(onChange);
      }, TOGETHER_MS);
    };
    try {
      await idle(session.commands.client, {
        signal,
        restartMs: IDLE_RESTART_MS,
        onReady: () => void this.tryRedis(() => lease.begin(isWhole)),
        onChange: announce,
      });
    } finally {
      clearTimeout(telling);
    }
  }

  private async endUnless(isKept: () => Promise<boolean>, lost: AbortController): Promise<void> {
    await this.tryRedis(async () => {
      if (!(await isKept())) lost.abort();
    });
  }

  /** Stores a state of the watch. Without Redis no process knows of it, and mailboxes are polled. */
  private async tryRedis(say: () => Promise<void>): Promise<void> {
    try {
      await say();
    } catch (error) {
      this.logger.debug(`Could not store the state of a watch: ${String(error)}`);
    }
  }
}
