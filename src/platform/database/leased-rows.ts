import type { DataSource, EntityTarget } from 'typeorm';
import type { AdvisoryLock } from './advisory-locks';
import { BaseRepository } from './base.repository';
import { column, RowShape } from './row-shape';
import { Transaction, Transactions } from './transactions';

/** Names the holder of a row. Every write names the token, so that a process that has lost the row cannot touch it. */
export interface Lease {
  /** The row's first key column. */
  readonly id: string;
  /** Drawn for this row when it was claimed. */
  readonly token: string;
}

/** Columns that a table needs for `LeasedRows`. */
export interface LeasedEntity {
  leaseToken: string | null;
  leaseUntil: Date | null;
}

export interface Claim<T> {
  /**
   * A SELECT of the key columns of the rows to take, `FOR UPDATE SKIP LOCKED`. It must leave out rows whose
   * `lease_until` has not passed.
   */
  readonly pick: string;
  /** Parameters of `pick`, `set` and `read`, from `$1` on. */
  readonly parameters: readonly unknown[];
  /** Assignments besides the lease; they see the row as it was. */
  readonly set?: string;
  /** Columns to read from the claimed rows, which are named `claimed`. */
  readonly read: string;
  readonly shape: RowShape<T>;
  /** Claims with the same lock follow one another, so that each sees what those before it have taken. */
  readonly turn?: { readonly lock: AdvisoryLock; readonly name?: string };
}

/** SQL for the time that is the given number of milliseconds from now. */
export const millisecondsFromNow = (parameter: string): string =>
  `clock_timestamp() + make_interval(secs => ${parameter}::float8 / 1000)`;

/** A lease that is held. */
export interface Renewal extends Lease {
  /** false: its row is locked just now, and its end is as it was. */
  readonly renewed: boolean;
}

const RENEWAL: RowShape<Renewal> = { id: column.text, token: column.text, renewed: column.boolean };

/** Assignments that end a lease. */
export const NO_LEASE = 'lease_token = NULL, lease_until = NULL';

const idsOf = (leases: readonly Lease[]): string[] => leases.map(({ id }) => id);
const tokensOf = (leases: readonly Lease[]): string[] => leases.map(({ token }) => token);

/**
 * Rows of a table that processes share out as work. A process claims a row for a limited time, renews the lease while it
 * works, and writes only while it holds it. A row of a process that was killed is free again when its lease has ended.
 * See ADR 34.
 */
export class LeasedRows<E extends LeasedEntity> extends BaseRepository<E> {
  private readonly transactions: Transactions;

  constructor(dataSource: DataSource, entity: EntityTarget<E>) {
    super(dataSource, entity);
    this.transactions = new Transactions(dataSource);
  }

  /** Takes the rows that `pick` selects. @returns what `read` selects of them */
  async claim<T extends object>(claim: Claim<T>, leaseMs: number): Promise<T[]> {
    const { turn } = claim;
    if (!turn) return this.take(claim, leaseMs);
    return this.transactions.run(async (transaction) => {
      // The lock is taken by a separate statement: the claim's snapshot must begin after the lock is held.
      if (turn.name === undefined) {
        await this.execute('SELECT pg_advisory_xact_lock($1)', [turn.lock], transaction);
      } else {
        await this.execute(
          'SELECT pg_advisory_xact_lock($1, hashtext($2))',
          [turn.lock, turn.name],
          transaction,
        );
      }
      return this.take(claim, leaseMs, transaction);
    });
  }

  /**
   * Prolongs leases to `leaseMs` from now. Rows that another transaction has locked keep their end, so that the others
   * need not wait for these. A lease missing from the answer is lost.
   * @param watched further columns to read
   */
  async renew<W extends object = object>(
    leases: readonly Lease[],
    leaseMs: number,
    watched?: RowShape<W>,
  ): Promise<(Renewal & W)[]> {
    const { table, key } = this.names();
    const shape = { ...RENEWAL, ...watched } as RowShape<Renewal & W>;
    const columns = [`leased.${key} AS id`, 'leased.lease_token AS token']
      .concat(Object.keys(watched ?? {}).map((name) => `leased.${name}`))
      .join(', ');
    return this.queryRows(
      shape,
      `WITH lease AS (SELECT * FROM unnest($1::uuid[], $2::uuid[]) AS lease (id, token)),
       held AS (
         SELECT leased.${key}, leased.lease_token FROM ${table} AS leased
         JOIN lease ON leased.${key} = lease.id AND leased.lease_token = lease.token
         FOR NO KEY UPDATE OF leased SKIP LOCKED
       ), renewed AS (
         UPDATE ${table} AS leased SET lease_until = ${millisecondsFromNow('$3')}
         FROM held WHERE leased.${key} = held.${key} AND leased.lease_token = held.lease_token
         RETURNING ${columns}
       )
       SELECT *, true AS renewed FROM renewed
       UNION ALL
       SELECT ${columns}, false FROM ${table} AS leased
       JOIN lease ON leased.${key} = lease.id AND leased.lease_token = lease.token
       WHERE lease.token NOT IN (SELECT token FROM renewed)`,
      [idsOf(leases), tokensOf(leases), leaseMs],
    );
  }

  /**
   * Writes to a row that is held.
   * @param update `set`: assignments, `NO_LEASE` among them when the row is given back; `where`: a further condition;
   *   parameters of both from `$3` on
   * @returns the columns of `returning`; null: the lease is lost, or the condition does not hold
   */
  async write<T extends object>(
    { id, token }: Lease,
    update: {
      readonly set: string;
      readonly parameters?: readonly unknown[];
      readonly where?: string;
      readonly returning: string;
      readonly shape: RowShape<T>;
    },
    transaction?: Transaction,
  ): Promise<T | null> {
    const { table, key } = this.names();
    const [row] = await this.queryRows(
      update.shape,
      `UPDATE ${table} SET ${update.set}
       WHERE ${key} = $1 AND lease_token = $2 AND ${update.where ?? 'true'}
       RETURNING ${update.returning}`,
      [id, token, ...(update.parameters ?? [])],
      transaction,
    );
    return row ?? null;
  }

  /**
   * Gives rows back. A locked row is left out: another process is deleting it or taking it over.
   * @param set assignments besides the lease
   */
  async release(leases: readonly Lease[], set?: string): Promise<void> {
    const { table, key } = this.names();
    await this.execute(
      `WITH held AS (
         SELECT leased.${key}, leased.lease_token FROM ${table} AS leased
         JOIN unnest($1::uuid[], $2::uuid[]) AS lease (id, token)
           ON leased.${key} = lease.id AND leased.lease_token = lease.token
         FOR UPDATE OF leased SKIP LOCKED
       )
       UPDATE ${table} AS leased SET ${set ? `${set}, ` : ''}${NO_LEASE}
       FROM held WHERE leased.${key} = held.${key} AND leased.lease_token = held.lease_token`,
      [idsOf(leases), tokensOf(leases)],
    );
  }

  /** Deletes rows that are held. @returns how many; fewer than given: the other leases are lost */
  async delete(leases: readonly Lease[], transaction?: Transaction): Promise<number> {
    const { table, key } = this.names();
    return this.executeAndCount(
      `DELETE FROM ${table} AS leased USING unnest($1::uuid[], $2::uuid[]) AS lease (id, token)
       WHERE leased.${key} = lease.id AND leased.lease_token = lease.token`,
      [idsOf(leases), tokensOf(leases)],
      transaction,
    );
  }

  private take<T extends object>(claim: Claim<T>, leaseMs: number, transaction?: Transaction): Promise<T[]> {
    const { table, keys } = this.names();
    const duration = `$${claim.parameters.length + 1}`;
    return this.queryRows(
      claim.shape,
      `WITH picked AS (${claim.pick}),
       claimed AS (
         UPDATE ${table} AS leased SET
           lease_token = gen_random_uuid(), lease_until = ${millisecondsFromNow(duration)}
           ${claim.set ? `, ${claim.set}` : ''}
         FROM picked WHERE ${keys.map((column) => `leased.${column} = picked.${column}`).join(' AND ')}
         RETURNING leased.*
       )
       ${claim.read}`,
      [...claim.parameters, leaseMs],
      transaction,
    );
  }

  private names(): { table: string; key: string; keys: readonly string[] } {
    const { tableName, primaryColumns } = this.getTable().metadata;
    const keys = primaryColumns.map(({ databaseName }) => databaseName);
    return { table: tableName, key: keys[0]!, keys };
  }
}
