import { randomUUID } from 'node:crypto';
import { JobInterrupted } from '../../../../src/platform/jobs/jobs.errors';
import {
  type ItemResult,
  RestoreItemsRepository,
} from '../../../../src/keep/restore/restore-items.repository';
import { startTestApp, type TestApp } from '../../../support/app';
import { mail, RestoreFixture } from '../../../support/restore/restore-fixture';
import type { TestUser } from '../../../support/test-user';

const RESULT: ItemResult = {
  outcome: 'inserted',
  notes: [],
  reason: null,
  targetId: 'theirs',
  targetThread: null,
  contentSha256: null,
};

describe('The mails of a restore that another process has taken over', () => {
  let app: TestApp;
  let user: TestUser;
  let restoreId: string;
  let items: RestoreItemsRepository;
  const token = randomUUID();
  let jobId: string;

  beforeAll(async () => {
    app = await startTestApp({ sandbox: { messages: 1 } });
    user = await app.user();
    items = app.app.get(RestoreItemsRepository);
    const source = await RestoreFixture.connect(app, user, 'lease-0@sandbox.mailroom.test');
    await source.insertAndArchive(mail());
    restoreId = await source.plan({ select: { all: true }, target: { accountId: source.accountId } });
    [{ id: jobId }] = await app.dataSource.query('SELECT id FROM jobs WHERE user_id = $1 LIMIT 1', [user.id]);
    await app.dataSource.query('UPDATE jobs SET lease_token = $2 WHERE id = $1', [jobId, token]);
  });
  afterAll(() => app?.close());

  const stateOf = async (): Promise<unknown> => {
    const [row] = await app.dataSource.query(
      'SELECT state, target_id FROM restore_items WHERE restore_id = $1',
      [restoreId],
    );
    return row;
  };

  it('should be written only by the process that holds the job', async () => {
    const lost = { id: jobId, token: randomUUID() };
    const held = { id: jobId, token };
    const begin = items.markBegun(restoreId, [0], 'cursor', lost);
    await expect(begin).rejects.toEqual(new JobInterrupted('lease-lost'));
    expect(await stateOf()).toEqual({ state: 'pending', target_id: null });
    await items.markBegun(restoreId, [0], 'cursor', held);
    expect(await stateOf()).toEqual({ state: 'inserting', target_id: null });
    for (const write of ['markArrived', 'markDone'] as const)
      await expect(items[write](restoreId, 0, RESULT, lost)).rejects.toEqual(
        new JobInterrupted('lease-lost'),
      );
    expect(await stateOf()).toEqual({ state: 'inserting', target_id: null });
    await items.markDone(restoreId, 0, RESULT, held);
    expect(await stateOf()).toEqual({ state: 'done', target_id: 'theirs' });
  });
});
