import { DataSource, EntitySchema } from 'typeorm';
import { setTimeout as delay } from 'node:timers/promises';
import { AdvisoryLock } from '../../../../src/platform/database/advisory-locks';
import { dataSourceOptions } from '../../../../src/platform/database/data-source-options';
import { newId } from '../../../../src/platform/crypto/ids';
import { Lease, LeasedEntity, LeasedRows } from '../../../../src/platform/database/leased-rows';
import { column } from '../../../../src/platform/database/row-shape';
import { createTestDatabase } from '../../../support/database';

interface Errand extends LeasedEntity {
  readonly id: string;
  readonly task: string;
  readonly runs: number;
}

const Errands = new EntitySchema<Errand>({
  name: 'Errand',
  tableName: 'errands',
  columns: {
    id: { type: 'uuid', primary: true },
    task: { type: 'varchar', primary: true },
    runs: { type: 'integer' },
    leaseToken: { type: 'uuid', nullable: true },
    leaseUntil: { type: 'timestamptz', nullable: true },
  },
});

const LEASE_MS = 60_000;
const RUNS = { runs: column.number };
const TASK = { returning: 'task', shape: { task: column.text } };

describe('LeasedRows', () => {
  let database: { url: string; drop: () => Promise<void> };
  let dataSource: DataSource;
  let sut: LeasedRows<Errand>;

  beforeAll(async () => {
    database = await createTestDatabase({ migrated: false });
    const options = dataSourceOptions(database.url, { entities: [], migrations: [] }, 10);
    dataSource = await new DataSource({ ...options, entities: [Errands] }).initialize();
    await dataSource.query(`
      CREATE TABLE errands (id uuid, task text, runs int NOT NULL DEFAULT 0, lease_token uuid, lease_until timestamptz,
        PRIMARY KEY (id, task))`);
    sut = new LeasedRows(dataSource, Errands);
  });

  beforeEach(() => dataSource.query('DELETE FROM errands'));

  afterAll(async () => {
    await dataSource.destroy();
    await database.drop();
  });

  const add = async (...tasks: string[]): Promise<string> => {
    const id = newId();
    for (const task of tasks) await dataSource.query('INSERT INTO errands VALUES ($1, $2)', [id, task]);
    return id;
  };
  const claim = (limit: number, leaseMs = LEASE_MS): Promise<(Lease & { task: string })[]> =>
    sut.claim(
      {
        pick: `SELECT id, task FROM errands WHERE lease_until IS NULL OR lease_until < clock_timestamp()
               ORDER BY task LIMIT $1 FOR UPDATE SKIP LOCKED`,
        parameters: [limit, 5],
        set: 'runs = runs + $2',
        read: 'SELECT id, lease_token AS token, task FROM claimed ORDER BY task',
        shape: { id: column.text, token: column.text, task: column.text },
        turn: { lock: AdvisoryLock.JobClaims, name: 'errands' },
      },
      leaseMs,
    );
  const stored = (): Promise<Errand[]> => dataSource.getRepository(Errands).find({ order: { task: 'ASC' } });
  const expire = (): Promise<unknown> =>
    dataSource.query(`UPDATE errands SET lease_until = clock_timestamp() - interval '1 s'`);

  it('should lease the selected rows, and none twice', async () => {
    await add('a', 'b', 'c');
    const taken = await Promise.all(Array.from({ length: 4 }, () => claim(1)));
    expect(
      taken
        .flat()
        .map(({ task }) => task)
        .sort(),
    ).toEqual(['a', 'b', 'c']);
    expect((await stored()).map(({ runs }) => runs)).toEqual([5, 5, 5]);
  });

  it('should give each row a token of its own', async () => {
    await add('a', 'b');
    const [first, second] = await claim(2);
    expect(first!.id).toBe(second!.id);
    expect(first!.token).not.toBe(second!.token);
    await sut.write(first!, { set: 'runs = 0', ...TASK });
    expect((await stored()).map(({ runs }) => runs)).toEqual([0, 5]);
  });

  it('should free a row when its lease has ended, and lock out the former holder', async () => {
    await add('a');
    const [lost] = await claim(1, 1_500);
    expect(await claim(1)).toEqual([]);
    await delay(1_600);
    const [taken] = await claim(1);
    expect(await sut.write(lost!, { set: 'runs = 0', ...TASK })).toBeNull();
    expect(await sut.renew([lost!], LEASE_MS)).toEqual([]);
    await sut.release([lost!]);
    expect(await sut.delete([lost!])).toBe(0);
    expect(
      await sut.write(taken!, { set: 'runs = $3', parameters: [9], returning: 'runs', shape: RUNS }),
    ).toEqual({ runs: 9 });
  });

  it('should renew held rows, with the watched columns', async () => {
    await add('a', 'b');
    const [first, second] = await claim(2);
    await expire();
    await sut.release([second!]);
    expect(await sut.renew([first!, second!], LEASE_MS, RUNS)).toEqual([
      { id: first!.id, token: first!.token, runs: 5, renewed: true },
    ]);
    expect((await claim(2)).map(({ task }) => task)).toEqual(['b']);
  });

  it('should renew the others while another transaction has locked one, which still counts as held', async () => {
    await add('a', 'b');
    const [locked, free] = await claim(2);
    await expire();
    const other = dataSource.createQueryRunner();
    await other.startTransaction();
    await other.query(`SELECT FROM errands WHERE task = 'a' FOR UPDATE`);
    const renewals = await sut.renew([locked!, free!], LEASE_MS);
    await other.rollbackTransaction();
    await other.release();
    expect(new Map(renewals.map(({ token, renewed }) => [token, renewed]))).toEqual(
      new Map([
        [locked!.token, false],
        [free!.token, true],
      ]),
    );
    const rows = await stored();
    expect(rows.map(({ leaseUntil }) => leaseUntil! > new Date())).toEqual([false, true]);
  });

  it('should write only while the condition is true', async () => {
    await add('a');
    const [held] = await claim(1);
    const set = 'runs = 0';
    expect(await sut.write(held!, { set, where: 'runs = $3', parameters: [1], ...TASK })).toBeNull();
    expect(await sut.write(held!, { set, where: 'runs = $3', parameters: [5], ...TASK })).toEqual({
      task: 'a',
    });
  });

  it('should release rows, except those locked by another transaction', async () => {
    await add('a', 'b');
    const held = await claim(2);
    const other = dataSource.createQueryRunner();
    await other.startTransaction();
    await other.query(`SELECT FROM errands WHERE task = 'a' FOR UPDATE`);
    await sut.release(held, 'runs = runs - 1');
    await other.rollbackTransaction();
    await other.release();
    expect((await stored()).map(({ runs, leaseToken }) => [runs, leaseToken === null])).toEqual([
      [5, false],
      [4, true],
    ]);
  });

  it('should delete held rows', async () => {
    await add('a', 'b', 'c');
    const [first, second] = await claim(2);
    expect(await sut.delete([first!, second!])).toBe(2);
    expect((await stored()).map(({ task }) => task)).toEqual(['c']);
  });
});
