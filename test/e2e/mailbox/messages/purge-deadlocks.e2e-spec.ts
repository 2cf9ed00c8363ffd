import { startTestApp, type TestApp } from '../../../support/app';
import { ArchiveFixture } from '../../../support/archive/archive-fixture';
import type { TestUser } from '../../../support/test-user';

const MESSAGES = 20;

/** PostgreSQL ends the first transaction that deletes from a table, as it ends one of two that wait for each other. */
describe('The deletion of an account or a user whose transaction ends in a deadlock', () => {
  let sut: TestApp;
  /** An administrator, as the first user is. */
  let user: TestUser;
  let accountId: string;
  let tables: string[] = [];
  let boxes = 0;

  beforeAll(async () => {
    sut = await startTestApp({ own: true, sandbox: { messages: 1 } });
    user = await sut.user();
    await sut.dataSource.query('UPDATE users SET max_mailbox_accounts = 50');
    // A sequence is not set back with its transaction.
    await sut.dataSource.query(`
      CREATE SEQUENCE deletions;
      CREATE FUNCTION deadlock_first() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        IF nextval('deletions') = 1 THEN
          RAISE EXCEPTION 'deadlock detected' USING ERRCODE = 'deadlock_detected';
        END IF;
        RETURN NULL;
      END $$`);
  });
  afterAll(() => sut?.close());

  beforeEach(async () => {
    const email = `deadlock${(boxes += 1)}-${MESSAGES}@sandbox.mailroom.test`;
    const archive = await ArchiveFixture.connect(sut, user, email);
    accountId = archive.accountId;
    await archive.archive({ messageIds: archive.mailbox.ids().slice(0, 3) });
    const { body } = await user.api.post(`/api/unsubscribe/${accountId}/scan`);
    expect(await user.jobEnd(body.jobId as string)).toMatchObject({ status: 'completed' });
  });
  afterEach(async () => {
    for (const table of tables) await sut.dataSource.query(`DROP TRIGGER deadlock ON ${table}`);
    tables = [];
  });

  const deadlockIn = async (table: string): Promise<void> => {
    await sut.dataSource.query('ALTER SEQUENCE deletions RESTART');
    await sut.dataSource.query(
      `CREATE TRIGGER deadlock AFTER DELETE ON ${table} FOR EACH STATEMENT EXECUTE FUNCTION deadlock_first()`,
    );
    tables.push(table);
  };
  const deletions = async (): Promise<number> => {
    const [{ count }] = await sut.dataSource.query('SELECT last_value::int AS count FROM deletions');
    return count as number;
  };
  const end = async (type: string): Promise<any> => {
    const [{ number }] = await sut.dataSource.query(
      'SELECT number FROM jobs WHERE type = $1 AND user_id = $2 ORDER BY number DESC LIMIT 1',
      [type, user.id],
    );
    await user.jobEnd(`${type}-${number}`, 60_000);
    const [job] = await sut.dataSource.query(
      'SELECT status, attempts, result FROM jobs WHERE type = $1 AND number = $2',
      [type, number],
    );
    return job;
  };

  it.each(['mailbox_messages', 'restore_items', 'mailbox_accounts'])(
    'should purge it in the same attempt: %s',
    async (table) => {
      await deadlockIn(table);
      expect((await user.api.delete(`/api/auth/mailbox/${accountId}?purge=true`)).status).toBeLessThan(300);
      expect(await end('purge_account')).toMatchObject({
        status: 'completed',
        attempts: 1,
        result: { mails: 3 },
      });
      expect(await deletions()).toBeGreaterThan(1);
      expect(await sut.dataSource.query('SELECT FROM mailbox_accounts WHERE id = $1', [accountId])).toEqual(
        [],
      );
    },
  );

  it.each(['sessions', 'jobs', 'users', 'file_deletions'])(
    'should delete a user in the same attempt: %s',
    async (table) => {
      const deleted = await sut.user();
      await deadlockIn(table);
      const { status, body } = await user.api.delete(`/api/admin/users/${deleted.id}`);
      expect(status).toBe(202);
      await user.jobEnd(body.jobId as string, 60_000);
      const [job] = await sut.dataSource.query(
        `SELECT status, attempts FROM jobs WHERE number = split_part($1, '-', 2)::bigint`,
        [body.jobId],
      );
      expect(job).toEqual({ status: 'completed', attempts: 1 });
      expect(await deletions()).toBeGreaterThan(1);
      expect(await sut.dataSource.query('SELECT FROM users WHERE id = $1', [deleted.id])).toEqual([]);
    },
  );

  it('should delete the data of a disconnected mailbox in the same attempt', async () => {
    await deadlockIn('mailbox_messages');
    expect((await user.api.delete(`/api/auth/mailbox/${accountId}`)).status).toBeLessThan(300);
    expect(await end('delete_mailbox_data')).toMatchObject({ status: 'completed', attempts: 1 });
    expect(await deletions()).toBeGreaterThan(1);
    const left = await sut.dataSource.query('SELECT FROM mailbox_messages WHERE account_id = $1', [
      accountId,
    ]);
    expect(left).toEqual([]);
  });
});
