import { once } from 'node:events';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import type { Pool, PoolClient } from 'pg';
import type { DomainError } from '../http/domain-error';
import { withDatabaseUse } from '../../../test/support/database-use';
import type { DatabaseUse } from '../context/database-scope';
import { runWithoutClient } from './database-use';
import { waitFor } from '../../../test/support/wait';
import { driverWithShares } from './shared-pool';

/** A message of PostgreSQL's protocol. */
function message(type: string, content = Buffer.alloc(0)): Buffer {
  const header = Buffer.alloc(5, type);
  header.writeInt32BE(content.length + 4, 1);
  return Buffer.concat([header, content]);
}

const READY = message('Z', Buffer.from('I'));
const WELCOME = Buffer.concat([message('R', Buffer.alloc(4)), READY]);
const DONE = Buffer.concat([message('C', Buffer.from('SET\0')), READY]);

/** Types of protocol messages that carry a statement: without parameters and with them. */
const STATEMENTS = new Set(['Q', 'P']);

interface Lent {
  readonly client: PoolClient;
  readonly done: () => void;
}

describe('A pool that users share', () => {
  let server: Server;
  let pool: Pool;
  let connections: number;
  /** Statements, as they arrive. */
  let statements: string[];
  let answer: (socket: Socket) => void;
  const use: DatabaseUse = { userId: 'one', weight: 1, statementMs: 7_000, turnMs: 60_000 };

  beforeEach(async () => {
    connections = 0;
    statements = [];
    answer = (socket) => socket.write(DONE);
    server = createServer((socket) => {
      connections += 1;
      let isStarted = false;
      socket.on('error', () => undefined);
      socket.on('data', (data) => {
        if (!isStarted) socket.write(WELCOME);
        else if (STATEMENTS.has(data.toString('latin1', 0, 1))) {
          statements.push(data.toString('latin1', 5).replaceAll('\0', ''));
          answer(socket);
        }
        isStarted = true;
      });
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const { Pool: Shared } = driverWithShares({ ofUsers: 2, perUser: 1, statementMs: 120_000 });
    pool = new Shared({ host: '127.0.0.1', port, user: 'test', database: 'test', ssl: false });
  });

  afterEach(async () => {
    await pool.end();
    server.close();
  });

  const lend = (): Promise<Lent> =>
    new Promise((resolve, reject) =>
      pool.connect((error, client, done) => (client ? resolve({ client, done }) : reject(error!))),
    );
  const lendFor = (of: Partial<DatabaseUse>): Promise<Lent> => withDatabaseUse({ ...use, ...of }, lend);
  const problemOf = (lent: Promise<Lent>): Promise<Pick<DomainError, 'status' | 'code' | 'headers'>> =>
    lent.then(
      ({ done }) => {
        done();
        throw new Error('A connection was lent.');
      },
      ({ status, code, headers }: DomainError) => ({ status, code, headers }),
    );

  it('should survive a connection that breaks while its time-out is set', async () => {
    answer = (socket) => socket.resetAndDestroy();
    await expect(lendFor({})).rejects.toThrow(/ECONNRESET|terminated/);
    answer = (socket) => socket.write(DONE);
    (await lendFor({})).done();
    expect(statements).toEqual(Array(2).fill('SET statement_timeout = 7000'));
    expect([connections, pool.totalCount]).toEqual([2, 1]);
  });

  it('should keep the connection of a client that left while it waited for one', async () => {
    const gone = new AbortController();
    const left = lendFor({ signal: gone.signal });
    gone.abort(new Error('gone'));
    await expect(left).rejects.toThrow('gone');
    expect(statements).toEqual([]);
    (await lendFor({})).done();
    expect([connections, pool.totalCount]).toEqual([1, 1]);
  });

  it('should cancel a statement without waiting for the user’s turn', async () => {
    const gone = new AbortController();
    const lent = await lendFor({ signal: gone.signal });
    withDatabaseUse(use, () => gone.abort(new Error('gone')));
    await waitFor('a second statement', async () => statements.length === 2);
    lent.done();
    expect(statements[1]).toContain('pg_cancel_backend');
  });

  it('should distinguish a user with too many statements from one waiting for others', async () => {
    const [first, second] = [await lendFor({}), await lendFor({ userId: 'two' })];
    expect(await problemOf(lendFor({ turnMs: 1 }))).toMatchObject({ status: 429, code: 'too-many-requests' });
    expect(await problemOf(lendFor({ turnMs: 1, userId: 'three' }))).toMatchObject({
      status: 503,
      code: 'service-unavailable',
      headers: { 'Retry-After': '5' },
    });
    first.done();
    (await lendFor({ turnMs: 1, userId: 'three' })).done();
    second.done();
  });

  it('should stop waiting for a turn when the client has left', async () => {
    const first = await lendFor({});
    const gone = new AbortController();
    const left = lendFor({ turnSignal: () => gone.signal });
    gone.abort(new Error('gone'));
    await expect(left).rejects.toThrow('gone');
    const owed = withDatabaseUse({ ...use, turnSignal: () => gone.signal }, () => runWithoutClient(lend));
    first.done();
    (await owed).done();
    expect(connections).toBe(1);
  });
});
