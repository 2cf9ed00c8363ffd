import { parseForArchive } from '../../src/archive/archiving/parse-message.task';
import { ArchiveStores } from '../../src/archive-storage/archive-store.port';
import { ArchiveWriter, WriteOptions, WrittenBatch } from '../../src/archive/writing/archive-writer';
import type { MailToArchive } from '../../src/archive/writing/mail-to-archive';
import { startTestApp, TestApp } from '../support/app';
import { ArchiveFixture } from '../support/archive/archive-fixture';
import { deleteFiles } from '../support/archive/settled-files';
import { eml } from '../support/archive/eml';
import { StoreDouble } from '../support/archive/store-double';
import type { TestUser } from '../support/test-user';

describe('Duplicates at archiving', () => {
  let app: TestApp;
  let user: TestUser;
  let box: ArchiveFixture;
  let sut: ArchiveWriter;
  let stores: StoreDouble;
  let boxes = 0;

  beforeAll(async () => {
    app = await startTestApp({ sandbox: { messages: 1 } });
    user = await app.user();
    await app.dataSource.query('UPDATE users SET max_mailbox_accounts = 50');
    sut = app.app.get(ArchiveWriter);
    stores = StoreDouble.over(app.app.get(ArchiveStores));
  });

  beforeEach(async () => {
    box = await connect();
  });

  afterEach(() => stores.behave({}));
  afterAll(() => app?.close());

  const connect = (): Promise<ArchiveFixture> =>
    ArchiveFixture.connect(app, user, `duplicates${(boxes += 1)}-1@sandbox.mailroom.test`);

  /** @param header Message-ID; null for a mail without one */
  const aMail = (messageId: string, header: string | null, text = 'text'): MailToArchive => {
    const raw = eml('Subject: x', ...(header === null ? [] : [`Message-ID: ${header}`]), '', text);
    const parsed = parseForArchive({ raw });
    const date = new Date('2024-02-29T12:00:00Z');
    return { messageId, threadId: messageId, date, labelIds: [], snippet: '', raw, parsed };
  };

  const write = (
    mails: MailToArchive[],
    options: Partial<WriteOptions> = {},
    into = box,
  ): Promise<WrittenBatch> =>
    sut.write({ userId: user.id, accountId: into.accountId }, mails, {
      replace: false,
      skipDuplicates: true,
      ...options,
    });

  it.each<[string, MailToArchive, MailToArchive, boolean]>([
    ['the same Message-ID', aMail('a', '<1@x>', 'one'), aMail('b', '<1@x>', 'two'), true],
    ['another Message-ID', aMail('a', '<1@x>'), aMail('b', '<2@x>'), false],
    ['a Message-ID in other case', aMail('a', '<A@x>'), aMail('b', '<a@x>'), false],
    ['no Message-ID and the same bytes', aMail('a', null), aMail('b', null), true],
    ['no Message-ID and other bytes', aMail('a', null, 'one'), aMail('b', null, 'two'), false],
    [
      'a very long Message-ID',
      aMail('a', `<${'x'.repeat(9_000)}@x>`),
      aMail('b', `<${'x'.repeat(9_000)}@x>`),
      true,
    ],
  ])('should judge a mail with %s', async (_what, first, second, isDuplicate) => {
    await write([first]);
    const { archived, duplicates, kept } = await write([second]);
    expect([archived, duplicates, kept]).toEqual(isDuplicate ? [[], ['b'], []] : [['b'], [], []]);
    expect((await box.files()).length).toBe(isDuplicate ? 1 : 2);
  });

  it('should recognise duplicates within one batch', async () => {
    const batch = [
      aMail('a', '<1@x>'),
      aMail('b', '<1@x>'),
      aMail('c', null),
      aMail('d', null),
      aMail('e', '<2@x>'),
    ];
    const written = await write(batch);
    expect([written.archived, written.duplicates]).toEqual([
      ['a', 'c', 'e'],
      ['b', 'd'],
    ]);
    expect(await box.files()).toHaveLength(3);
  });

  it('should keep, not count as a duplicate, what is archived under the same id', async () => {
    await write([aMail('a', '<1@x>')]);
    expect(await write([aMail('a', '<1@x>')])).toMatchObject({ archived: [], duplicates: [], kept: ['a'] });
  });

  it('should archive everything when it is not asked for', async () => {
    await write([aMail('a', '<1@x>')]);
    expect((await write([aMail('b', '<1@x>')], { skipDuplicates: false })).archived).toEqual(['b']);
  });

  it('should not take mail of another account for a duplicate', async () => {
    await write([aMail('a', '<1@x>')]);
    expect((await write([aMail('b', '<1@x>')], {}, await connect())).archived).toEqual(['b']);
  });

  it('should not write files of duplicates, nor ask for room for them', async () => {
    const batch = Array.from({ length: 10 }, (_, number) => aMail(`a${number}`, `<${number}@x>`));
    await write(batch);
    let puts = 0;
    stores.behave({
      beforePut: async () => {
        puts += 1;
      },
    });
    await app.dataSource.query('UPDATE users SET storage_quota_bytes = 0 WHERE id = $1', [user.id]);
    const again = await write(batch.map((mail) => ({ ...mail, messageId: `again-${mail.messageId}` })));
    await app.dataSource.query('UPDATE users SET storage_quota_bytes = DEFAULT WHERE id = $1', [user.id]);
    expect([again.duplicates.length, again.refused, puts]).toEqual([10, [], 0]);
  });

  it('should let no duplicate slip through between two that write at once', async () => {
    const gate = stores.gate('putDone');
    const first = write([aMail('a', '<1@x>'), aMail('c', null)]);
    await gate.reached;
    stores.behave({});
    expect((await write([aMail('b', '<1@x>'), aMail('d', null)])).archived).toEqual(['b', 'd']);
    gate.open();
    expect(await first).toMatchObject({ archived: [], duplicates: ['a', 'c'], kept: [] });
    const keys = [...(await box.rows()).values()].map(({ storage_key }) => storage_key as string);
    await deleteFiles(app);
    expect(await box.files()).toEqual(keys.sort());
  });

  it('should leave each mail once however many write at once', async () => {
    const results = await Promise.all(
      Array.from({ length: 6 }, (_, writer) =>
        write(Array.from({ length: 15 }, (_, number) => aMail(`w${writer}-${number}`, `<${number}@x>`))),
      ),
    );
    expect(results.flatMap(({ archived }) => archived)).toHaveLength(15);
    expect(results.flatMap(({ duplicates }) => duplicates)).toHaveLength(75);
    await deleteFiles(app);
    expect(await box.files()).toHaveLength(15);
  });

  it('should look duplicates up in their indexes whatever the planner knows', async () => {
    await app.dataSource.query(
      `INSERT INTO archived_mails (id, user_id, account_id, mailbox_message_id, thread_id, message_id_header, subject,
         sender, recipient, date, size_bytes, has_attachments, label_ids, snippet, storage, storage_key, sha256)
       SELECT gen_random_uuid(), $1, $2, 'm' || n, 't', CASE WHEN n % 10 > 0 THEN '<bulk' || n || '@x>' END, '', '', '',
              now(), 1, false, '{}', '', 'local', 'k' || n, encode(sha256(n::text::bytea), 'hex')
         FROM generate_series(1, 30000) n`,
      [user.id, box.accountId],
    );
    const batch = Array.from({ length: 200 }, (_, number) =>
      aMail(`p${number}`, `<bulk${number * 7 + 1}@x>`),
    );
    const startedAt = performance.now();
    const { duplicates } = await write(batch);
    expect(duplicates.length).toBeGreaterThan(150);
    // A scan of the table for each mail would take many seconds.
    expect(performance.now() - startedAt).toBeLessThan(5_000);
  });
});
