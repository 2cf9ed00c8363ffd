import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { newId } from '../../../../src/platform/crypto/ids';
import { Transactions } from '../../../../src/platform/database/transactions';
import { JobsService } from '../../../../src/platform/jobs/jobs.service';
import { JobsFixture } from '../../../support/jobs/jobs-fixture';
import { Batches, FailuresNotified, NeverNotified } from '../../../support/jobs/test-kinds';
import { waitFor } from '../../../support/wait';
import { describeNightly } from '../../../support/nightly';

interface StoredNotification {
  readonly type: string;
  readonly body: string;
  readonly data: Record<string, unknown>;
}

const SLOW = { items: 120, batch: 4, batchMs: 40 };

describe('The end of a job', () => {
  let sut: JobsFixture;

  const notifications = (userId: string): Promise<StoredNotification[]> =>
    sut.dataSource.query('SELECT type, body, data FROM notifications WHERE user_id = $1', [userId]);

  /** Makes the first `times` notifications fail with the SQLSTATE. */
  async function failNotifications(sqlState: string, times: number): Promise<void> {
    await sut.dataSource.query('CREATE SEQUENCE notification_tries');
    await sut.dataSource.query(
      `CREATE FUNCTION fail_notification() RETURNS trigger LANGUAGE plpgsql AS $$
       BEGIN
         IF nextval('notification_tries') <= ${times} THEN
           RAISE EXCEPTION 'not now' USING ERRCODE = '${sqlState}';
         END IF;
         RETURN NEW;
       END $$`,
    );
    await sut.dataSource.query(
      'CREATE TRIGGER fail_notification BEFORE INSERT ON notifications FOR EACH ROW EXECUTE FUNCTION fail_notification()',
    );
  }

  async function mendNotifications(): Promise<void> {
    await sut.dataSource.query('DROP FUNCTION IF EXISTS fail_notification() CASCADE');
    await sut.dataSource.query('DROP SEQUENCE IF EXISTS notification_tries');
  }

  describe('with one process', () => {
    beforeAll(async () => {
      sut = await JobsFixture.create();
    });

    afterAll(() => sut.close());

    afterEach(mendNotifications);

    it('should be reported once when the job completes, with its counts', async () => {
      const owner = await sut.owner();
      const jobId = await sut.start(Batches, owner, { failEvery: 5 });
      await sut.ended(owner.userId, jobId);
      expect(await notifications(owner.userId)).toEqual([
        {
          type: 'job_completed',
          body: '8 of 10 items were processed; 2 failed.',
          data: {
            jobId,
            type: 'test_batches',
            status: 'completed',
            accountId: owner.accountId,
            total: 10,
            processed: 8,
            failed: 2,
            error: null,
          },
        },
      ]);
    });

    it('should be reported once when the job fails, with the reason', async () => {
      const owner = await sut.owner();
      const jobId = await sut.start(Batches, owner, { throws: 'domain' });
      await sut.ended(owner.userId, jobId);
      expect(await notifications(owner.userId)).toEqual([
        {
          type: 'job_failed',
          body: 'Connect it again. 5 of 10 items were processed before.',
          data: expect.objectContaining({ jobId, status: 'failed', error: 'Connect it again.' }),
        },
      ]);
    });

    it('should not be reported for cancelled jobs, pending or active', async () => {
      const owner = await sut.owner();
      const active = await sut.start(Batches, owner, SLOW);
      const waiting = await sut.start(Batches, owner, SLOW);
      await sut.until(owner.userId, active, 'under way', (job) => job.processed > 0);
      for (const jobId of [waiting, active]) {
        await sut.app.get(JobsService).cancel(owner.userId, jobId);
        await sut.ended(owner.userId, jobId);
      }
      expect(await notifications(owner.userId)).toEqual([]);
    });

    it('should be reported as the definition of its kind says', async () => {
      const owner = await sut.owner();
      const [quietEnd, quietFailure, success, failure] = await Promise.all([
        sut.start(NeverNotified, owner),
        sut.start(NeverNotified, owner, { throws: 'domain' }),
        sut.start(FailuresNotified, owner),
        sut.start(FailuresNotified, owner, { throws: 'domain' }),
      ]);
      for (const jobId of [quietEnd, quietFailure, success, failure]) await sut.ended(owner.userId, jobId);
      expect((await notifications(owner.userId)).map(({ data }) => data['jobId'])).toEqual([failure]);
    });

    it('should be written even if the notification fails', async () => {
      const owner = await sut.owner();
      // Not a moment's weakness: a check violation.
      await failNotifications('23514', 1);
      const unnotified = await sut.start(Batches, owner);
      expect(await sut.ended(owner.userId, unnotified)).toMatchObject({
        status: 'completed',
        result: { attempts: 1 },
      });
      const next = await sut.start(Batches, owner);
      await sut.ended(owner.userId, next);
      expect((await notifications(owner.userId)).map(({ data }) => data['jobId'])).toEqual([next]);
    });

    it.each(['40P01', '55P03'])(
      'should be written and reported as soon as the database allows it, and nothing run again: %s',
      async (sqlState) => {
        const owner = await sut.owner();
        await failNotifications(sqlState, 2);
        const jobId = await sut.start(Batches, owner);
        expect(await sut.ended(owner.userId, jobId)).toMatchObject({
          status: 'completed',
          processed: 10,
          result: { attempts: 1 },
        });
        expect(await notifications(owner.userId)).toHaveLength(1);
        expect(await sut.runs(jobId)).toBe(1);
      },
    );

    it('should be written even if notifications fail for a long time', async () => {
      const owner = await sut.owner();
      await failNotifications('40P01', 1_000);
      const jobId = await sut.start(Batches, owner);
      expect(await sut.ended(owner.userId, jobId)).toMatchObject({
        status: 'completed',
        result: { attempts: 1 },
      });
      expect(await notifications(owner.userId)).toEqual([]);
    });

    it('should not keep other jobs of the process from their heartbeat, however long it waits', async () => {
      const [waiting, other] = await Promise.all([sut.owner(), sut.owner()]);
      const gate = sut.dataSource.createQueryRunner();
      await gate.startTransaction();
      try {
        await gate.query('LOCK TABLE notifications IN SHARE MODE');
        const jobId = await sut.start(Batches, waiting);
        const beating = await sut.start(Batches, other, { items: 60, batch: 1, batchMs: 40 });
        await sut.until(other.userId, beating, 'beyond its lease', ({ processed }) => processed > 55);
        expect(await sut.record(waiting.userId, jobId)).toMatchObject({ status: 'active' });
        await gate.rollbackTransaction();
        expect(await sut.ended(waiting.userId, jobId)).toMatchObject({ result: { attempts: 1 } });
        expect(await sut.ended(other.userId, beating)).toMatchObject({ result: { attempts: 1 } });
      } finally {
        await gate.release();
      }
    });

    it('should neither block the deletion of the user nor be affected by it', async () => {
      const owners = await Promise.all(Array.from({ length: 24 }, () => sut.owner()));
      for (const owner of owners) await sut.start(Batches, owner, { items: 3, batch: 1, batchMs: 10 });
      await Promise.all(
        owners.map(async ({ userId }, index) => {
          await delay(index * 12);
          await sut.dataSource.query('DELETE FROM users WHERE id = $1', [userId]);
        }),
      );
      const owner = await sut.owner();
      const jobId = await sut.start(Batches, owner);
      expect(await sut.ended(owner.userId, jobId)).toMatchObject({ status: 'completed' });
      expect(await notifications(owner.userId)).toHaveLength(1);
    });

    it('should take its locks in the same order as the deletion of the user', async () => {
      // Between the write of the end and the notification, time for a deletion to come in between.
      await sut.dataSource.query(
        `CREATE FUNCTION pause_at_end() RETURNS trigger LANGUAGE plpgsql AS $$
         BEGIN PERFORM pg_sleep(0.5); RETURN NEW; END $$`,
      );
      await sut.dataSource.query(
        `CREATE TRIGGER pause_at_end AFTER UPDATE ON jobs FOR EACH ROW
         WHEN (NEW.status = 'completed') EXECUTE FUNCTION pause_at_end()`,
      );
      try {
        const owner = await sut.owner();
        await sut.start(Batches, owner);
        await waitFor('the end to be written', async () => {
          const pauses: unknown[] = await sut.dataSource.query(
            `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event = 'PgSleep'`,
          );
          return pauses.length > 0;
        });
        await sut.dataSource.query('DELETE FROM users WHERE id = $1', [owner.userId]);
        expect(await notifications(owner.userId)).toEqual([]);
      } finally {
        await sut.dataSource.query('DROP FUNCTION pause_at_end() CASCADE');
      }
    });

    it('should not affect the rest of its transaction when an attempt fails', async () => {
      const owner = await sut.owner();
      const committed: string[] = [];
      await sut.app.get(Transactions).run(async (transaction) => {
        const rename = (name: string): Promise<unknown> =>
          transaction.manager.query('UPDATE users SET name = $2 WHERE id = $1', [owner.userId, name]);
        await rename('before');
        transaction.afterCommit(() => void committed.push('outer'));
        const attempt = transaction.runInSavepoint(async () => {
          await rename('within');
          transaction.afterCommit(() => void committed.push('inner'));
          await transaction.manager.query('SELECT 1 / 0');
        });
        await expect(attempt).rejects.toThrow('division by zero');
        await transaction.runInSavepoint(async () =>
          transaction.afterCommit(() => void committed.push('second')),
        );
      });
      const [user] = await sut.dataSource.query('SELECT name FROM users WHERE id = $1', [owner.userId]);
      expect(user).toEqual({ name: 'before' });
      expect(committed).toEqual(['outer', 'second']);
    });
  });

  describeNightly('with processes that are lost', () => {
    beforeEach(async () => {
      sut = await JobsFixture.create({ role: 'api', worker: 'api' });
    });

    afterEach(() => sut.close());

    it('should be reported once for a job that was killed and run again', async () => {
      const owner = await sut.owner();
      const victim = await sut.startProcess('victim');
      const jobId = await sut.start(Batches, owner, SLOW);
      await sut.until(owner.userId, jobId, 'under way', (job) => job.processed > 8);
      victim.kill('SIGKILL');
      await once(victim, 'exit');
      await Promise.all(['heir', 'rival'].map((worker) => sut.startApp({ role: 'worker', worker })));
      expect(await sut.ended(owner.userId, jobId)).toMatchObject({ result: { attempts: 2 } });
      expect(await notifications(owner.userId)).toEqual([
        expect.objectContaining({ type: 'job_completed', data: expect.objectContaining({ processed: 120 }) }),
      ]);
    });

    it('should be reported once for jobs that fail after too many losses, whichever process finds them', async () => {
      const owners = await Promise.all(Array.from({ length: 10 }, () => sut.owner()));
      for (const owner of owners) await sut.start(Batches, owner, SLOW);
      const quiet = await sut.owner();
      const cancelled = await sut.owner();
      await sut.start(NeverNotified, quiet, SLOW);
      const doomed = await sut.start(Batches, cancelled, SLOW);
      // As the third process that dies leaves them.
      await sut.dataSource.query(
        `UPDATE jobs SET status = CASE WHEN user_id = $2 THEN 'cancelled' ELSE 'active' END, processed = 4,
           lost_attempts = 2, lease_token = $1, lease_until = now() - interval '1 second'`,
        [newId(), cancelled.userId],
      );
      await Promise.all(['one', 'two', 'three'].map((worker) => sut.startApp({ role: 'worker', worker })));
      await waitFor('all jobs to end', async () => {
        const open = await sut.dataSource.query('SELECT FROM jobs WHERE completed_at IS NULL');
        return open.length === 0;
      });
      for (const { userId } of owners) {
        expect(await notifications(userId)).toEqual([
          {
            type: 'job_failed',
            body: expect.stringMatching(/^The job was given up: three times .* 4 /),
            data: expect.objectContaining({ status: 'failed', processed: 4 }),
          },
        ]);
      }
      expect(await notifications(quiet.userId)).toEqual([]);
      expect(await notifications(cancelled.userId)).toEqual([]);
      expect(await sut.record(cancelled.userId, doomed)).toMatchObject({ status: 'cancelled', error: null });
    });
  });
});
