import { newId } from '../../../../src/platform/crypto/ids';
import { ImportThreadsService } from '../../../../src/archive/imports/threading/import-threads.service';
import type { ThreadedMessage } from '../../../../src/archive/imports/threading/message-references';
import { startTestApp, TestApp } from '../../../support/app';
import type { TestUser } from '../../../support/test-user';

const DAY = 24 * 60 * 60 * 1000;
const START = Date.UTC(2024, 0, 1);

interface Mail extends Partial<ThreadedMessage> {
  readonly messageId: string;
}

/** Threads of imported mail in the database, over HTTP; what is an import's own work is tested with the imports. */
describe('Threads of imported mail', () => {
  let sut: TestApp;
  const owners = new Map<string, TestUser>();

  beforeAll(async () => {
    sut = await startTestApp({ sandbox: { messages: 1 } });
  });
  afterAll(() => sut.close());

  const connect = async (): Promise<string> => {
    const user = await sut.user();
    const accountId = await user.connect('threads-1@sandbox.mailroom.test');
    owners.set(accountId, user);
    return accountId;
  };

  const complete = (mail: Mail): ThreadedMessage => ({
    inReplyTo: null,
    references: null,
    subject: `About ${mail.messageId}`,
    sender: 'alice@example.com',
    recipient: 'bob@example.com',
    date: new Date(START),
    ...mail,
  });

  /** Puts mails into the archive as a batch of an import does. */
  async function importBatch(accountId: string, mails: readonly Mail[]): Promise<string[]> {
    const threads = sut.app.get(ImportThreadsService);
    const messages = mails.map(complete);
    const assigned = await threads.assign(accountId, messages);
    for (const [index, message] of messages.entries()) await insert(accountId, message, assigned[index]!);
    await threads.recordArchived(
      accountId,
      mails.map(({ messageId }) => messageId),
    );
    return assigned;
  }

  const insert = (accountId: string, message: ThreadedMessage, threadId: string): Promise<unknown> =>
    sut.dataSource.query(
      `INSERT INTO archived_mails (id, user_id, account_id, mailbox_message_id, thread_id, message_id_header, subject,
         sender, recipient, date, size_bytes, has_attachments, label_ids, snippet, in_reply_to, references_header,
         storage, storage_key, sha256)
       VALUES ($1::uuid, $2, $3, $4, $5, $4, $6, $7, $8, $9, 10, false, '{}', '', $10, $11, 'local', $1::text, '')`,
      [
        newId(),
        owners.get(accountId)!.id,
        accountId,
        message.messageId,
        threadId,
        message.subject,
        message.sender,
        message.recipient,
        message.date,
        message.inReplyTo,
        message.references,
      ],
    );

  /** The conversations as the API shows them: sorted Message-IDs, the latest conversation first. */
  async function threadsOf(accountId: string): Promise<string[][]> {
    const { status, body } = await owners
      .get(accountId)!
      .api.get(`/api/archive/${accountId}/threads?limit=100`);
    expect(status).toBe(200);
    const rows: { thread_id: string; id: string }[] = await sut.dataSource.query(
      'SELECT thread_id, mailbox_message_id AS id FROM archived_mails WHERE account_id = $1 ORDER BY 2',
      [accountId],
    );
    const [totals] = await sut.dataSource.query(
      'SELECT mails, threads FROM archive_totals WHERE account_id = $1',
      [accountId],
    );
    expect(totals).toEqual({ mails: rows.length, threads: body.total });
    return body.threads.map((thread: any) => {
      const mails = rows.filter((row) => row.thread_id === thread.thread_id);
      expect(thread.message_count).toBe(mails.length);
      return mails.map(({ id }) => id);
    });
  }

  const CHAIN: Mail[] = [
    { messageId: '<a@x>' },
    { messageId: '<b@x>', inReplyTo: '<a@x>' },
    { messageId: '<c@x>', references: '<missing@x> <b@x>' },
    { messageId: '<d@x>', references: '<missing@x>' },
    { messageId: '<other@x>', date: new Date(START - DAY) },
  ];

  it.each([
    ['in order', [0, 1, 2, 3, 4], 1],
    ['backwards', [4, 3, 2, 1, 0], 1],
    ['the ends first', [0, 3, 4, 2, 1], 1],
    ['backwards in pairs', [3, 2, 4, 1, 0], 2],
    ['all at once', [2, 3, 0, 4, 1], 5],
  ])('should find the same conversations %s', async (_name, order, batchSize) => {
    const accountId = await connect();
    for (let start = 0; start < order.length; start += batchSize) {
      await importBatch(
        accountId,
        order.slice(start, start + batchSize).map((index) => CHAIN[index]!),
      );
    }
    expect(await threadsOf(accountId)).toEqual([['<a@x>', '<b@x>', '<c@x>', '<d@x>'], ['<other@x>']]);
  });

  it('should keep the latest date and the counts when conversations are joined', async () => {
    const accountId = await connect();
    await importBatch(accountId, [
      { messageId: '<1@x>', date: new Date(START + 5 * DAY) },
      { messageId: '<2@x>', date: new Date(START + 3 * DAY) },
    ]);
    expect(await threadsOf(accountId)).toEqual([['<1@x>'], ['<2@x>']]);
    await importBatch(accountId, [{ messageId: '<3@x>', references: '<1@x> <2@x>' }]);
    expect(await threadsOf(accountId)).toEqual([['<1@x>', '<2@x>', '<3@x>']]);
    const [{ latest_date: latest }] = await sut.dataSource.query(
      'SELECT latest_date FROM archived_threads WHERE account_id = $1',
      [accountId],
    );
    expect(latest).toEqual(new Date(START + 5 * DAY));
  });

  it('should return the same threads when a batch is repeated', async () => {
    const accountId = await connect();
    const first = await importBatch(accountId, CHAIN);
    const again = await sut.app.get(ImportThreadsService).assign(accountId, CHAIN.map(complete));
    expect(again).toEqual(first);
    await sut.app.get(ImportThreadsService).recordArchived(
      accountId,
      CHAIN.map(({ messageId }) => messageId),
    );
    expect(await threadsOf(accountId)).toHaveLength(2);
  });

  it("should join the provider's thread, and never change it", async () => {
    const accountId = await connect();
    await insert(accountId, complete({ messageId: '<early@x>' }), 'p1');
    await importBatch(accountId, [{ messageId: '<reply2@x>', inReplyTo: '<reply1@x>' }]);
    await importBatch(accountId, [{ messageId: '<reply1@x>', inReplyTo: '<early@x>' }]);
    expect(await threadsOf(accountId)).toEqual([['<early@x>', '<reply1@x>', '<reply2@x>']]);
    await insert(accountId, complete({ messageId: '<apart@x>', date: new Date(START - DAY) }), 'p2');
    await importBatch(accountId, [{ messageId: '<bridge@x>', references: '<apart@x> <early@x>' }]);
    expect(await threadsOf(accountId)).toEqual([
      ['<bridge@x>', '<early@x>', '<reply1@x>', '<reply2@x>'],
      ['<apart@x>'],
    ]);
    const threads = await sut.dataSource.query(
      'SELECT DISTINCT thread_id FROM archived_mails WHERE account_id = $1',
      [accountId],
    );
    expect(threads.map((row: any) => row.thread_id).sort()).toEqual(['p1', 'p2']);
  });

  it('should move mail that was imported before its conversation was archived from the provider', async () => {
    const accountId = await connect();
    await importBatch(accountId, [{ messageId: '<late2@x>', references: '<late1@x>' }]);
    await insert(accountId, complete({ messageId: '<late1@x>' }), 'p1');
    await importBatch(accountId, [{ messageId: '<late3@x>', references: '<late1@x> <late2@x>' }]);
    expect(await threadsOf(accountId)).toEqual([['<late1@x>', '<late2@x>', '<late3@x>']]);
  });

  it('should join mail imported before the copy of the provider was archived, when it is imported again', async () => {
    const accountId = await connect();
    const replies: Mail[] = [
      { messageId: '<first@x>', references: '<origin@x>' },
      { messageId: '<second@x>', references: '<first@x>' },
    ];
    await importBatch(accountId, replies);
    await insert(accountId, complete({ messageId: '<origin@x>' }), 'p1');
    expect(await threadsOf(accountId)).toHaveLength(2);
    await sut.app.get(ImportThreadsService).recordArchived(accountId, ['<first@x>', '<second@x>']);
    expect(await threadsOf(accountId)).toEqual([['<first@x>', '<origin@x>', '<second@x>']]);
  });

  it('should join thousands of mails to another conversation in less than quadratic time', async () => {
    const accountId = await connect();
    const count = 4_000;
    const rows = Array.from({ length: count }, (_, n) => [newId(), `<many-${n}@x>`]);
    const thread = `import-${'f'.repeat(16)}`;
    await importBatch(accountId, [{ messageId: '<few@x>' }]);
    // A session that has changed a single mail before has made its plans for a single mail.
    await importBatch(accountId, [{ messageId: '<one@x>', references: '<bridge@x> <few@x>' }]);
    await sut.dataSource.query(
      `INSERT INTO archived_mails (id, user_id, account_id, mailbox_message_id, thread_id, message_id_header, subject,
         sender, recipient, date, size_bytes, has_attachments, label_ids, snippet, storage, storage_key, sha256)
       SELECT r.id, $1, $2, r.mid, $3, r.mid, '', '', '', now(), 10, false, '{}', '', 'local', r.id::text, ''
         FROM unnest($4::uuid[], $5::text[]) AS r (id, mid)`,
      [
        owners.get(accountId)!.id,
        accountId,
        thread,
        rows.map(([id]) => id),
        rows.map(([, messageId]) => messageId),
      ],
    );
    const change = async (from: string, to: string): Promise<number> => {
      const startedAt = performance.now();
      await runner.query(
        'UPDATE archived_mails SET thread_id = $3 WHERE account_id = $1 AND thread_id = $2',
        [accountId, from, to],
      );
      return performance.now() - startedAt;
    };
    const runner = sut.dataSource.createQueryRunner();
    try {
      const [{ thread_id: single }] = await runner.query(
        `SELECT thread_id FROM archived_mails WHERE account_id = $1 AND mailbox_message_id = '<one@x>'`,
        [accountId],
      );
      await change(single as string, 'import-0000000000000001');
      expect(await change(thread, 'import-0000000000000001')).toBeLessThan(4_000);
    } finally {
      await runner.release();
    }
    expect(await threadsOf(accountId)).toHaveLength(1);
  });

  it.each([
    ['the reply last', [0, 1, 2, 3, 4]],
    ['the reply first', [4, 3, 2, 1, 0]],
  ])('should use subject and participants without References, %s', async (_name, order) => {
    const accountId = await connect();
    const mails: Mail[] = [
      {
        messageId: '<1@x>',
        subject: 'Lunch',
        sender: 'Alice <alice@example.com>',
        recipient: 'bob@example.com',
      },
      { messageId: '<2@x>', subject: 'Lunch', sender: 'carol@example.com', recipient: 'dave@example.com' },
      { messageId: '<3@x>', subject: 'News', date: new Date(START - 40 * DAY) },
      {
        messageId: '<4@x>',
        subject: 'Re: News',
        sender: 'bob@example.com',
        recipient: 'alice@example.com',
        date: new Date(START - DAY),
      },
      {
        messageId: '<5@x>',
        subject: 'AW: [list] lunch',
        sender: 'bob@example.com',
        recipient: 'ALICE@example.com',
        date: new Date(START + 30 * DAY),
      },
    ];
    for (const index of order) await importBatch(accountId, [mails[index]!]);
    expect(await threadsOf(accountId)).toEqual([['<1@x>', '<5@x>'], ['<2@x>'], ['<4@x>'], ['<3@x>']]);
  });

  it('should keep accounts separate', async () => {
    const [one, other] = [await connect(), await connect()];
    await importBatch(one, [{ messageId: '<a@x>' }]);
    const [thread] = await importBatch(other, [{ messageId: '<b@x>', references: '<a@x>' }]);
    expect(await threadsOf(one)).toEqual([['<a@x>']]);
    expect(await threadsOf(other)).toEqual([['<b@x>']]);
    expect(thread).toMatch(/^import-[0-9a-f]{16}$/);
  });

  it('should accept ids and addresses of any kind', async () => {
    const accountId = await connect();
    const odd = { sender: '"\u0000\u001f" <a\u0000\u001f@x>', recipient: '<<>>', subject: 'Re: \u0000' };
    const messages = [
      complete({ messageId: `<${'l'.repeat(5_000)}@x>`, ...odd }),
      complete({ messageId: '<n\u0000ul@x>', references: `<${'r'.repeat(900)}`, ...odd }),
      { ...complete({ messageId: '' }), messageId: null, references: '<a@x>'.repeat(5_000) },
    ];
    expect(await sut.app.get(ImportThreadsService).assign(accountId, messages)).toHaveLength(3);
  });
});
