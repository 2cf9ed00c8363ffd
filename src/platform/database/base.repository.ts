import pg, { type Pool, type QueryConfig } from 'pg';
import { QueryFailedError } from 'typeorm';
import type { DataSource, EntityManager, EntityTarget, ObjectLiteral, Repository } from 'typeorm';
import { column, RowShape, typedRows } from './row-shape';
import { ISO_TIMESTAMPS } from './timestamps';
import type { Transaction } from './transactions';

export interface ReadStatement {
  /**
   * Unique in the service: PostgreSQL parses the statement once per connection, and plans it once if that plan promises to
   * be as good as one for the parameters. Without a name it does both each time.
   */
  readonly name?: string;
  readonly sql: string;
}

/**
 * The newest rows of a long list, for a statement with a name. PostgreSQL takes a limit that it does not know for a tenth
 * of all rows, and would plan the statement each time; of these it knows that they are few.
 */
export const KNOWN_PAGE = 100;

/**
 * The base of every repository: its table and raw SQL, inside a transaction when one is given.
 * Repositories add named queries with the owner in the WHERE clause; there is no generic `find`. See ADR 41.
 */
export abstract class BaseRepository<E extends ObjectLiteral> {
  protected constructor(
    protected readonly dataSource: DataSource,
    private readonly entity: EntityTarget<E>,
  ) {}

  protected getTable(transaction?: Transaction): Repository<E> {
    return this.getManager(transaction).getRepository(this.entity);
  }

  /**
   * Runs SQL with `$1`-style parameters; for UPDATE/DELETE … RETURNING the returned rows.
   * @throws RowMismatch when the answer does not have the columns of `shape`
   */
  protected async queryRows<T extends object>(
    shape: RowShape<T>,
    sql: string,
    parameters: readonly unknown[] = [],
    transaction?: Transaction,
  ): Promise<T[]> {
    return typedRows(shape, await this.runQuery(sql, parameters, transaction));
  }

  /**
   * Reads rows like `queryRows`, for the hottest reads: statements may have names, and timestamps come as the text of the
   * answer (`column.timestamp`).
   */
  protected async readRows<T extends object>(
    shape: RowShape<T>,
    { name, sql }: ReadStatement,
    parameters: readonly unknown[],
  ): Promise<T[]> {
    // The data source's own way runs the same through a query runner, which has neither.
    const { master } = this.dataSource.driver as unknown as { readonly master: Pool };
    try {
      return typedRows(
        shape,
        await readRows<T>(master, { name, text: sql, values: [...parameters], types: ISO_TIMESTAMPS }),
      );
    } catch (error) {
      throw error instanceof pg.DatabaseError ? new QueryFailedError(sql, [...parameters], error) : error;
    }
  }

  /** Rows that have every column of the repository's own table under the names of its entity. */
  protected async queryEntities(
    sql: string,
    parameters: readonly unknown[] = [],
    transaction?: Transaction,
  ): Promise<E[]> {
    const { columns } = this.getTable(transaction).metadata;
    const shape = Object.fromEntries(
      columns.map(({ propertyName }) => [propertyName, column.json<unknown>()]),
    );
    return typedRows(shape as unknown as RowShape<E>, await this.runQuery(sql, parameters, transaction));
  }

  /** Runs a statement whose answer does not matter. */
  protected async execute(
    sql: string,
    parameters: readonly unknown[] = [],
    transaction?: Transaction,
  ): Promise<void> {
    await this.runQuery(sql, parameters, transaction);
  }

  /** Runs an UPDATE or DELETE and returns how many rows it touched. */
  protected async executeAndCount(
    sql: string,
    parameters: readonly unknown[] = [],
    transaction?: Transaction,
  ): Promise<number> {
    const result: unknown = await this.getManager(transaction).query(sql, [...parameters]);
    return isRowsAndCount(result) ? result[1] : 0;
  }

  private async runQuery(
    sql: string,
    parameters: readonly unknown[],
    transaction?: Transaction,
  ): Promise<readonly unknown[]> {
    const result: unknown = await this.getManager(transaction).query(sql, [...parameters]);
    // The driver answers [rows, count] to UPDATE and DELETE and plain rows to everything else.
    if (isRowsAndCount(result)) return result[0];
    return Array.isArray(result) ? (result as unknown[]) : [];
  }

  private getManager(transaction?: Transaction): EntityManager {
    return transaction?.manager ?? this.dataSource.manager;
  }
}

/** Reads rows through `connect`, whose `done` ends the user's turn; the pool's own `query` would not call it. */
function readRows<T extends object>(pool: Pool, statement: QueryConfig): Promise<T[]> {
  return new Promise((resolve, reject) => {
    pool.connect((refused, client, done) => {
      if (refused || !client) return reject(refused ?? new Error('The pool gave no connection'));
      // The statement fails with the connection; an event without a listener would end the process.
      const ignore = (): void => undefined;
      client.on('error', ignore);
      const end = (broken?: Error): void => {
        client.off('error', ignore);
        done(broken);
      };
      client.query<T>(statement).then(
        ({ rows }) => {
          end();
          resolve(rows);
        },
        (error: Error) => {
          end(error instanceof pg.DatabaseError ? undefined : error);
          reject(error);
        },
      );
    });
  });
}

function isRowsAndCount(result: unknown): result is [unknown[], number] {
  return (
    Array.isArray(result) && result.length === 2 && Array.isArray(result[0]) && typeof result[1] === 'number'
  );
}

/** Rows a statement deletes at most: long transactions hold up everybody's vacuum. */
const BATCH = 1_000;

/**
 * Deletes in statements of bounded size until there is nothing left.
 * @param deleteSome deletes at most `limit` rows and says how many. @returns rows deleted
 */
export async function deleteInBatches(deleteSome: (limit: number) => Promise<number>): Promise<number> {
  let deleted = 0;
  for (;;) {
    const batch = await deleteSome(BATCH);
    deleted += batch;
    if (batch < BATCH) return deleted;
  }
}
