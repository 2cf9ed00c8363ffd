import { AsyncLocalStorage } from 'node:async_hooks';
import pg, { type PoolClient, type PoolConfig } from 'pg';
import { waitForBackgroundTurn } from '../concurrency/background-pace';
import { linkedSignal } from '../concurrency/abortable';
import { FairSemaphore } from '../concurrency/fair-semaphore';
import type { Share } from '../concurrency/semaphore';
import { currentRequest } from '../http/request-context';
import { dependencyUnavailable } from '../http/to-domain-error';
import { TooManyAtOnce } from './database.errors';
import type { DatabaseUse } from '../context/database-scope';
import { currentDatabaseUse } from './database-use';

type Connected = (error: Error | undefined, client: PoolClient | undefined, done: Done) => void;
/** @param broken whether the connection is closed rather than used again */
type Done = (broken?: Error | boolean) => void;

/** A connection of the driver, with the id of the server process that serves it. */
type ServedClient = PoolClient & { readonly processID: number };

export interface PoolShares {
  /** Connections that the requests of all users together may use: the rest is for jobs, sign-in and probes. */
  readonly ofUsers: number;
  readonly perUser: number;
  /** The time-out of statements that no user waits for, and of every new connection. */
  readonly statementMs: number;
}

/** The driver, with a pool whose connections users share: for the option `driver` of a data source. */
export function driverWithShares(shares: PoolShares): typeof pg {
  const turns = new FairSemaphore({ capacity: shares.ofUsers, perKey: shares.perUser });
  class BoundPool extends SharedPool {
    constructor(options?: PoolConfig) {
      super(turns, shares.statementMs, options);
    }
  }
  return { ...pg, Pool: BoundPool };
}

/**
 * Connections that users share fairly, each of them a few at a time. Every statement gets the time-out of the work it
 * belongs to (`DatabaseUse`); as connections keep it, that rarely costs a statement more. See ADR 48.
 */
class SharedPool extends pg.Pool {
  /** Statement time-outs in milliseconds of the connections whose time-out differs from that of a new one. */
  private readonly limits = new WeakMap<PoolClient, number>();
  /**
   * Runs a cancellation without the context of the user whose statement it ends, so that it takes none of their turns.
   */
  private readonly withoutContext = AsyncLocalStorage.snapshot();

  constructor(
    private readonly turns: FairSemaphore,
    private readonly statementMs: number,
    options?: PoolConfig,
  ) {
    super(options);
    // The statement under way fails with it, or the next one; an event without a listener would end the process.
    this.on('connect', (client) => client.on('error', () => undefined));
  }

  override connect(): Promise<PoolClient>;
  override connect(connected: Connected): void;
  override connect(connected?: Connected): Promise<PoolClient> | void {
    // The data source gives a function, and keeps to `done`.
    if (!connected) return super.connect();
    this.lend().then(
      ([client, done]) => connected(undefined, client, done),
      (error: Error) => connected(error, undefined, () => undefined),
    );
  }

  private async lend(): Promise<[PoolClient, Done]> {
    await waitForBackgroundTurn();
    const scope = currentDatabaseUse();
    const signal = scope?.use.signal;
    const turn = scope && !scope.isInTransaction ? await this.turnOf(scope.use) : undefined;
    let client: PoolClient | undefined;
    try {
      client = await super.connect();
      signal?.throwIfAborted();
      await this.setStatementTimeout(client, scope?.use);
      signal?.throwIfAborted();
      return [client, this.createDone(client, turn, signal)];
    } catch (error) {
      // The connection is sound when the client has only stopped waiting.
      client?.release(error !== signal?.reason);
      turn?.release();
      throw error;
    }
  }

  private async turnOf(use: DatabaseUse): Promise<Share> {
    const { userId, weight, turnMs } = use;
    use.signal?.throwIfAborted();
    const free = this.turns.tryReserve(userId, weight);
    if (free) return free;
    const refusal = (): Error =>
      this.turns.isWithinLimit(userId, weight)
        ? dependencyUnavailable(new Error('Other users have all connections in use.'))
        : new TooManyAtOnce();
    const waiting = linkedSignal(use.turnSignal?.(), turnMs, refusal);
    try {
      return await this.turns.reserve(userId, weight, waiting.signal);
    } finally {
      waiting.release();
    }
  }

  private async setStatementTimeout(client: PoolClient, use: DatabaseUse | undefined): Promise<void> {
    // The statements that find out which user a request is from are quick under any limit.
    if (!use && currentRequest()) return;
    const wanted = use?.statementMs ?? this.statementMs;
    if ((this.limits.get(client) ?? this.statementMs) === wanted) return;
    await client.query(`SET statement_timeout = ${wanted}`);
    this.limits.set(client, wanted);
  }

  private createDone(client: PoolClient, turn: Share | undefined, signal: AbortSignal | undefined): Done {
    let isCancelled = false;
    const cancel = (): void => {
      isCancelled = true;
      // Should it fail, the statement ends by its time-out.
      this.withoutContext(() =>
        super.query('SELECT pg_cancel_backend($1)', [(client as ServedClient).processID]),
      ).catch(() => undefined);
    };
    signal?.addEventListener('abort', cancel, { once: true });
    return (broken) => {
      signal?.removeEventListener('abort', cancel);
      turn?.release();
      // A cancellation still on its way would end whatever this connection did next.
      client.release(isCancelled || broken);
    };
  }
}
