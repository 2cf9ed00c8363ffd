import { Injectable, Logger, type OnApplicationShutdown } from '@nestjs/common';
import { sleep } from '../../../platform/concurrency/abortable';
import { isDependencyUnavailable } from '../../../platform/logging/system-errors';
import { ProviderFailure } from '../../gateway/provider-call';
import { MailboxDisconnected, ProviderUnavailable } from '../../port/mail-provider.errors';
import type { CallPriority, ProviderAccount } from '../../port/mailbox-provider.port';
import { type ImapAccount, ImapAccountsRepository } from '../login/imap-accounts.repository';
import { type ConnectionLease, ImapConnectionLimits, LEAST_FOR_WATCH } from './imap-connection-limits';
import { unavailable } from './imap-failures';
import { IDLE_RESTART_MS } from '../sync/imap-idle';
import { ImapLogin, type LoginSecret } from '../login/imap-login';
import { ImapSession } from './imap-session';
import { setInterval } from '../../../platform/concurrency/timers';

/** Time without use after which a connection is closed, in milliseconds. */
const IDLE_MS = 60_000;
/** Age after which a connection is no longer used, in milliseconds: servers close old ones in the middle of commands. */
const MAX_AGE_MS = 15 * 60_000;
const RENEW_MS = 8_000;
/** Longest silence on the connection of a watch, which is silent for up to `IDLE_RESTART_MS`. */
const WATCH_SILENCE_MS = IDLE_RESTART_MS + 60_000;
/** Extensions that lose mail at some providers, by preset. */
const DISTRUSTED: Readonly<Record<string, readonly string[]>> = { icloud: ['QRESYNC'] };

interface Pooled {
  readonly session: ImapSession;
  readonly lease: ConnectionLease;
  readonly openedAt: number;
  readonly secret: LoginSecret;
  /** Server and user of the login, see `loginOf`. */
  readonly login: string;
  usedAt: number;
  isBusy: boolean;
}

export interface SessionUse {
  readonly account: ProviderAccount;
  readonly secret: LoginSecret;
  readonly priority: CallPriority;
  readonly signal: AbortSignal;
}

/** A connection and the stored server of its account. */
export interface UsedSession {
  readonly session: ImapSession;
  readonly server: ImapAccount;
}

/** A connection that its holder uses alone until it is released. */
export interface ReservedSession {
  readonly session: ImapSession;
  release(): Promise<void>;
}

/**
 * Connections of this process to IMAP servers: few for each account, kept for a minute after use and replaced after 15
 * minutes.
 */
@Injectable()
export class ImapConnections implements OnApplicationShutdown {
  private readonly logger = new Logger(ImapConnections.name);
  private readonly pools = new Map<string, Set<Pooled>>();
  private readonly sweeping: NodeJS.Timeout;

  constructor(
    private readonly accounts: ImapAccountsRepository,
    private readonly login: ImapLogin,
    private readonly limits: ImapConnectionLimits,
  ) {
    this.sweeping = setInterval(() => void this.sweep(), RENEW_MS).unref();
  }

  async onApplicationShutdown(): Promise<void> {
    clearInterval(this.sweeping);
    await Promise.all([...this.pools.keys()].map((accountId) => this.close(accountId)));
  }

  /**
   * Runs `work` with a connection that no other call uses meanwhile.
   * @throws ProviderFailure when no connection is available; the errors of `work`
   */
  async use<T>(use: SessionUse, work: (used: UsedSession) => Promise<T>): Promise<T> {
    const server = await this.accounts.find(use.account.id);
    if (!server) throw disconnected();
    const pooled = await this.take(use, server);
    const { session } = pooled;
    session.guard(use.signal);
    try {
      return await work({ session, server });
    } finally {
      session.guard(undefined);
      pooled.isBusy = false;
      pooled.usedAt = Date.now();
      if (!session.usable || Date.now() - pooled.openedAt > MAX_AGE_MS)
        await this.drop(use.account.id, pooled);
    }
  }

  /**
   * Opens a connection for a watch.
   * @returns null when the account has no connection to spare
   * @throws ProviderFailure when it cannot be opened
   */
  async reserve(use: SessionUse): Promise<ReservedSession | null> {
    const server = await this.accounts.find(use.account.id);
    if (!server) throw disconnected();
    for (;;) {
      const lease = await this.leaseFor(use.account.id, server.maxConnections, LEAST_FOR_WATCH);
      if (lease === 'full') return null;
      if ('waitMs' in lease) {
        await sleep(lease.waitMs, use.signal);
        continue;
      }
      const pooled = await this.open(use, server, lease, WATCH_SILENCE_MS);
      return { session: pooled.session, release: () => this.drop(use.account.id, pooled) };
    }
  }

  /** Closes the account's connections in this process, including those in use. */
  async close(accountId: string): Promise<void> {
    for (const pooled of this.pools.get(accountId) ?? []) {
      pooled.session.close();
      await this.drop(accountId, pooled);
    }
  }

  private async take(use: SessionUse, server: ImapAccount): Promise<Pooled> {
    const { account, secret, signal } = use;
    for (;;) {
      for (const pooled of this.pools.get(account.id) ?? []) {
        if (pooled.isBusy) continue;
        if (
          pooled.session.usable &&
          isSameSecret(pooled.secret, secret) &&
          pooled.login === loginOf(server)
        ) {
          pooled.isBusy = true;
          return pooled;
        }
        await this.drop(account.id, pooled);
      }
      const lease = await this.leaseFor(account.id, server.maxConnections);
      // The gateway reduces the calls of this process when its own connections fill the limit, not when other processes
      // hold them.
      if (lease === 'full') throw full(!this.pools.has(account.id));
      if ('waitMs' in lease) {
        // One of the connections in use may be free by then.
        await sleep(lease.waitMs, signal);
        continue;
      }
      return this.open(use, server, lease);
    }
  }

  private async leaseFor(
    accountId: string,
    most: number,
    least?: number,
  ): ReturnType<ImapConnectionLimits['take']> {
    try {
      return await this.limits.take(accountId, most, least);
    } catch (error) {
      throw isDependencyUnavailable(error) ? unavailable('redis', error) : error;
    }
  }

  private async open(
    { account, secret, signal }: SessionUse,
    server: ImapAccount,
    lease: ConnectionLease,
    silenceMs?: number,
  ): Promise<Pooled> {
    const distrusted = new Set(server.preset === null ? [] : (DISTRUSTED[server.preset] ?? []));
    let session: ImapSession | null = null;
    try {
      const client = await this.login.open(server, secret, {
        userId: account.userId,
        signal,
        qresync: !distrusted.has('QRESYNC'),
        ...(silenceMs !== undefined && { timings: { silenceMs } }),
      });
      session = new ImapSession(client, distrusted, server.gmailLabels);
      // Without this extension all messages would seem to have lost their labels.
      if (server.gmailLabels && !session.has('X-GM-EXT-1')) throw unavailable('capability');
      await this.accounts.setCapabilities(account.id, session.capabilities);
      const now = Date.now();
      const pooled: Pooled = {
        session,
        lease,
        secret,
        login: loginOf(server),
        openedAt: now,
        usedAt: now,
        isBusy: true,
      };
      // The pool is looked up only now, since it may have been deleted with its last connection meanwhile.
      const pool = this.pools.get(account.id) ?? new Set<Pooled>();
      this.pools.set(account.id, pool.add(pooled));
      return pooled;
    } catch (error) {
      session?.close();
      await this.release(lease);
      if (error instanceof ProviderFailure && error.kind === 'concurrency')
        await this.limits.recordRefusal(account.id);
      throw error;
    }
  }

  private async drop(accountId: string, pooled: Pooled): Promise<void> {
    const pool = this.pools.get(accountId);
    if (!pool?.delete(pooled)) return;
    if (pool.size === 0) this.pools.delete(accountId);
    if (pooled.session.usable) await pooled.session.logout();
    await this.release(pooled.lease);
  }

  /** Releases a lease. One that cannot be released expires. */
  private async release(lease: ConnectionLease): Promise<void> {
    try {
      await lease.release();
    } catch (error) {
      this.logger.warn(`Could not log out of a connection: ${String(error)}`);
    }
  }

  private async sweep(): Promise<void> {
    for (const [accountId, pool] of this.pools) {
      for (const pooled of pool) {
        const isIdle = !pooled.isBusy && Date.now() - pooled.usedAt > IDLE_MS;
        try {
          if (isIdle || (!pooled.isBusy && !pooled.session.usable)) await this.drop(accountId, pooled);
          else await pooled.lease.renew();
        } catch (error) {
          this.logger.warn(`Could not renew a connection: ${String(error)}`);
        }
      }
    }
  }
}

const disconnected = (): ProviderFailure =>
  new ProviderFailure({ kind: 'refused', reason: 'disconnected', error: new MailboxDisconnected() });

/**
 * Builds the failure for the case that all connections are in use, here or in other processes. The gateway retries
 * soon.
 */
const full = (areOthers: boolean): ProviderFailure =>
  new ProviderFailure({
    kind: 'concurrency',
    reason: 'connections',
    origin: areOthers ? 'others' : 'process',
    error: new ProviderUnavailable(),
  });

/** A renewed token is of the same grant: connections that were opened with the former one stay in use. */
const isSameSecret = (one: LoginSecret, other: LoginSecret): boolean =>
  one.kind === other.kind && (one.kind === 'token' || one.value === other.value);

/** Identifies server and user of a login, so that no connection with former settings is used. */
const loginOf = ({ host, port, security, username, certificateSha256 }: ImapAccount): string =>
  JSON.stringify([host, port, security, username, certificateSha256]);
