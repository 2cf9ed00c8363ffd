import type { SandboxMailbox } from '../../../../sandbox/src/sandbox-server';
import { SelectionsCron } from '../../../../src/mailbox/selections/selections.cron';
import type { ApiAnswer } from '../../../support/api-client';
import { startTestApp, TestApp } from '../../../support/app';
import { nightly } from '../../../support/nightly';
import type { TestUser } from '../../../support/test-user';

interface Connected {
  readonly path: string;
  readonly id: string;
  readonly mailbox: SandboxMailbox;
  readonly ids: readonly string[];
}

const EMPTY = {
  count: 0,
  unreadCount: 0,
  starredCount: 0,
  importantCount: 0,
  oldest: null,
  newest: null,
};

describe('Selections', () => {
  let sut: TestApp;
  let user: TestUser;
  let mailboxes = 0;

  beforeAll(async () => {
    sut = await startTestApp({ sandbox: { messages: 1 } });
    user = await sut.user();
    await sut.dataSource.query('UPDATE users SET max_mailbox_accounts = 50');
  });

  afterAll(() => sut?.close());

  /** Messages in the inbox without marks. */
  async function connect(messages: number): Promise<Connected> {
    const email = `selection${(mailboxes += 1)}-${messages}@sandbox.mailroom.test`;
    const id = await user.connect(email);
    const mailbox = sut.sandbox.mailbox(email);
    const ids = mailbox.ids();
    mailbox.changeLabels(ids, {
      add: ['INBOX'],
      remove: ['TRASH', 'SPAM', 'UNREAD', 'STARRED', 'IMPORTANT'],
    });
    sut.sandbox.stats.reset();
    return { path: `/api/mailbox/${id}`, id, mailbox, ids };
  }

  async function select(path: string, body: object): Promise<any> {
    const answer = await user.api.post(`${path}/selections`, body);
    expect(answer.status).toBe(201);
    return answer.body;
  }

  /** Has the whole mailbox indexed. */
  async function index({ id, ids }: Connected): Promise<void> {
    for (let start = 0; start < ids.length; start += 100) {
      const { status } = await user.api.post(`/api/mailbox/${id}/messages/batch`, {
        ids: ids.slice(start, start + 100),
      });
      expect(status).toBe(200);
    }
    sut.sandbox.stats.reset();
  }

  const bulk = async (
    path: string,
    body: object,
    headers?: Record<string, string>,
  ): Promise<ApiAnswer<any>> => user.api.post(`${path}/messages/bulk`, body, headers && { headers });

  it.each([false, true])(
    'should freeze the result of a query, with the figures for a decision; indexed: %s',
    async (isIndexed) => {
      const connected = await connect(1_200);
      const { path, mailbox, ids } = connected;
      mailbox.changeLabels(ids.slice(0, 100), { add: ['UNREAD'] });
      mailbox.changeLabels(ids.slice(50, 70), { add: ['STARRED'] });
      mailbox.changeLabels(ids.slice(60, 90), { add: ['IMPORTANT'] });
      mailbox.changeLabels(ids.slice(1_000), { remove: ['INBOX'] });
      if (isIndexed) await index(connected);

      const all = await select(path, { query: 'in:inbox' });
      expect(all).toMatchObject({
        query: 'in:inbox',
        count: 1_000,
        unreadCount: 100,
        starredCount: 20,
        importantCount: 30,
        leftOutStarredCount: 0,
        leftOutImportantCount: 0,
        sizeBytes: isIndexed ? (expect.any(Number) as number) : null,
      });
      expect(Date.parse(all.oldest as string)).toBeLessThan(Date.parse(all.newest as string));
      const kept = Date.parse(all.expires_at as string) - Date.now();
      expect(Math.abs(kept - 15 * 60_000)).toBeLessThan(60_000);
      // Two pages of ids, and what the index does not know: three marks and the messages at both ends.
      const { calls } = sut.sandbox.stats;
      expect(calls['messages.list']).toBe(isIndexed ? 2 : 5);
      expect(calls['messages.get'] ?? 0).toBe(isIndexed ? 0 : 2);

      const spared = await select(path, { query: 'in:inbox', leaveOut: ['starred', 'important'] });
      expect(spared).toMatchObject({
        count: 960,
        unreadCount: 60,
        starredCount: 0,
        importantCount: 0,
        leftOutStarredCount: 20,
        leftOutImportantCount: 30,
      });
    },
  );

  it('should be returned for a query that finds nothing', async () => {
    const { path } = await connect(3);
    expect(await select(path, { query: 'from:nobody@nowhere.example' })).toMatchObject(EMPTY);
  });

  it('should change exactly what was counted, even if mail has arrived or changed since', async () => {
    const { path, mailbox, ids } = await connect(700);
    const { id: selectionId, count } = await select(path, { query: 'in:inbox' });
    expect(count).toBe(700);
    const arrived = mailbox.insert(Buffer.from('Subject: New\r\n\r\n'), { labelIds: ['INBOX'] });
    mailbox.changeLabels(ids.slice(0, 5), { remove: ['INBOX'] });

    const { status, body } = await bulk(path, { action: 'trash', selectionId, confirmedCount: count });
    expect({ status, message: body.message }).toEqual({
      status: 202,
      message: 'Bulk operation started: 700 messages',
    });
    const job = await user.jobEnd(body.jobId as string);
    expect(job).toMatchObject({ status: 'completed', total: 700, processed: 700, failed: 0 });
    expect([...job.payload.messageIds].sort()).toEqual([...ids].sort());
    expect(ids.every((id) => mailbox.labels(id).includes('TRASH'))).toBe(true);
    expect(mailbox.labels(arrived)).toContain('INBOX');
  });

  it('should refuse a number other than the counted one, and change nothing', async () => {
    const { path, id, mailbox, ids } = await connect(4);
    const { id: selectionId } = await select(path, { query: '' });
    for (const confirmedCount of [3, 5]) {
      const changed = await bulk(path, { action: 'trash', selectionId, confirmedCount });
      expect(changed).toMatchObject({ status: 409, body: { code: 'count-mismatch' } });
      const archived = await user.api.post(`/api/archive/${id}/archive`, { selectionId, confirmedCount });
      expect(archived).toMatchObject({ status: 409, body: { code: 'count-mismatch' } });
    }
    expect(ids.some((each) => mailbox.labels(each).includes('TRASH'))).toBe(false);
    const { body } = await user.api.get(`/api/jobs?accountId=${id}`);
    expect(body.filter(({ type }: { type: string }) => type !== 'index_mailbox')).toEqual([]);
  });

  it('should be refused when expired, of another mailbox, or non-existent', async () => {
    const { path, id } = await connect(2);
    const other = await connect(2);
    const { id: foreign } = await select(other.path, { query: '' });
    const { id: expired } = await select(path, { query: '' });
    await sut.dataSource.query('UPDATE selections SET expires_at = clock_timestamp() WHERE id = $1', [
      expired,
    ]);
    for (const selectionId of [foreign, expired, '01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d']) {
      const named = { selectionId, confirmedCount: 2 };
      expect(await bulk(path, { action: 'delete', ...named })).toMatchObject({
        status: 409,
        body: { code: 'selection-expired' },
      });
      expect(await user.api.post(`/api/archive/${id}/archive`, named)).toMatchObject({
        status: 409,
        body: { code: 'selection-expired' },
      });
    }
    await sut.app.get(SelectionsCron).deleteExpired();
    const rows = await sut.dataSource.query('SELECT id FROM selections WHERE id = ANY($1)', [
      [foreign, expired],
    ]);
    expect(rows).toEqual([{ id: foreign }]);
  });

  it('should be used for archiving and then a change, and by a repeated request after it has expired', async () => {
    const { path, id, mailbox, ids } = await connect(3);
    const { id: selectionId } = await select(path, { query: '' });
    const named = { selectionId, confirmedCount: 3 };
    const archived = await user.api.post(`/api/archive/${id}/archive`, named);
    expect(archived.status).toBe(202);
    const end = await user.jobEnd(archived.body.jobId as string);
    expect(end).toMatchObject({ status: 'completed', result: { archived: 3 } });
    const first = await bulk(path, { action: 'delete', ...named }, { 'Idempotency-Key': 'once' });
    expect(first.status).toBe(202);
    await user.jobEnd(first.body.jobId as string);
    expect(ids.filter((each) => mailbox.ids().includes(each))).toEqual([]);
    await sut.dataSource.query('DELETE FROM selections');
    const again = await bulk(path, { action: 'delete', ...named }, { 'Idempotency-Key': 'once' });
    expect(again).toMatchObject({ status: 202, body: first.body });
  });

  it('should be limited to the ten newest of a user', async () => {
    const { path } = await connect(1);
    const made: string[] = [];
    for (let number = 0; number < 11; number += 1) {
      const { id } = await select(path, { query: '' });
      made.push(id as string);
    }
    const rows = await sut.dataSource.query<{ id: string }[]>(
      'SELECT id FROM selections WHERE user_id = $1 ORDER BY created_at',
      [user.id],
    );
    expect(rows.map(({ id }) => id)).toEqual(made.slice(1));
  });

  it.each<[string, object, string]>([
    ['no query', {}, 'query'],
    ['a query that is no text', { query: 7 }, 'query'],
    ['an endless query', { query: 'x'.repeat(2_001) }, 'query'],
    ['control characters', { query: 'a\u0000b' }, 'query'],
    ['an unknown mark', { query: '', leaveOut: ['red'] }, 'leaveOut'],
    ['no list of marks', { query: '', leaveOut: null }, 'leaveOut'],
    ['a mark twice', { query: '', leaveOut: ['starred', 'starred'] }, 'leaveOut'],
  ])('should answer 400 to %s', async (_case, body, field) => {
    const { path } = await connect(1);
    expect(await user.api.post(`${path}/selections`, body)).toMatchObject({
      status: 400,
      body: { code: 'validation-failed', errors: [{ field }] },
    });
  });

  it.each<[string, object, string]>([
    ['no count', { selectionId: '01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d' }, 'confirmedCount'],
    [
      'a count of none',
      { selectionId: '01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d', confirmedCount: 0 },
      'confirmedCount',
    ],
    ['a selection that is no id', { selectionId: 'x', confirmedCount: 1 }, 'selectionId'],
    [
      'a selection and ids',
      { selectionId: '01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d', confirmedCount: 1, messageIds: ['a'] },
      'selectionId',
    ],
  ])('should answer 400 to a change of %s', async (_case, body, field) => {
    const { path } = await connect(1);
    expect(await bulk(path, { action: 'trash', ...body })).toMatchObject({
      status: 400,
      body: { code: 'validation-failed', errors: [{ field }] },
    });
  });

  nightly('should refuse more than one change allows', async () => {
    const { path } = await connect(50_001);
    expect(await user.api.post(`${path}/selections`, { query: 'in:anywhere' })).toMatchObject({
      status: 400,
      body: { code: 'selection-too-large' },
    });
  });
});
