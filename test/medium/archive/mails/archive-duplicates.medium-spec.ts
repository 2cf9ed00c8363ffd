import { NamesOfEarlierImports1763700000022 } from '../../../../migrations/1763700000022-names-of-earlier-imports';
import { parseForArchive } from '../../../../src/archive/mails/archiving/parse-message.task';
import { ArchiveStores } from '../../../../src/archive/files/archive-store.port';
import {
  ArchiveWriter,
  WriteOptions,
  WrittenBatch,
} from '../../../../src/archive/mails/writing/archive-writer';
import type { MailToArchive } from '../../../../src/archive/mails/writing/mail-to-archive';
import { MailsModule } from '../../../../src/archive/mails/mails.module';
import { startFeature, type Feature, type FeatureUser } from '../../../support/medium/feature';
import { ArchiveFixture } from '../../../support/archive/archive-fixture';
import { deleteFiles } from '../../../support/archive/settled-files';
import { eml } from '../../../support/archive/eml';
import { StoreDouble } from '../../../support/archive/store-double';

describe('Duplicates at archiving', () => {
  let app: Feature;
  let user: FeatureUser;
  let box: ArchiveFixture;
  let sut: ArchiveWriter;
  let stores: StoreDouble;
  let boxes = 0;

  beforeAll(async () => {
    app = await startFeature({ modules: [MailsModule] });
    user = await app.user();
    sut = app.get(ArchiveWriter);
    stores = StoreDouble.over(app.get(ArchiveStores));
  });

  beforeEach(async () => {
    box = await connect();
  });

  afterEach(() => stores.behave({}));
  afterAll(() => app?.close());

  const connect = (): Promise<ArchiveFixture> =>
    ArchiveFixture.connect(app, user, `duplicates${(boxes += 1)}-1@sandbox.mailroom.test`);

  /** @param header Message-ID; null for a mail without one */
  const aMail = (
    messageId: string,
    header: string | null,
    text = 'text',
    ...fields: string[]
  ): MailToArchive => {
    const identified = header === null ? [] : [`Message-ID: ${header}`];
    const raw = eml(...fields, 'Subject: x', ...identified, '', text);
    const parsed = parseForArchive({ raw });
    const date = new Date('2024-02-29T12:00:00Z');
    return {
      messageId,
      threadId: messageId,
      date,
      receivedAt: date,
      dateSource: 'arrival' as const,
      labelIds: [],
      snippet: '',
      raw,
      parsed,
    };
  };
  const idsOf = ({ duplicates }: WrittenBatch): string[] => duplicates.map(({ messageId }) => messageId);

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
    ['the same bytes', aMail('a', '<1@x>'), aMail('b', '<1@x>'), true],
    [
      'the same content, come another way',
      aMail('a', '<1@x>', 'one', 'Received: from here'),
      aMail('b', '<1@x>', 'one', 'Received: from there', 'X-GM-THRID: 1', 'List-Id: <l>'),
      true,
    ],
    ['the same Message-ID and other text', aMail('a', '<1@x>', 'one'), aMail('b', '<1@x>', 'two'), false],
    [
      'the same Message-ID and another recipient',
      aMail('a', '<1@x>', 'one', 'To: a@x'),
      aMail('b', '<1@x>', 'one', 'To: b@x'),
      false,
    ],
    ['another Message-ID', aMail('a', '<1@x>'), aMail('b', '<2@x>'), false],
    ['a Message-ID in other case', aMail('a', '<A@x>'), aMail('b', '<a@x>'), false],
    ['no Message-ID and the same bytes', aMail('a', null), aMail('b', null), true],
    ['no Message-ID and other bytes', aMail('a', null, 'one'), aMail('b', null, 'two'), false],
    [
      'no Message-ID and the same content',
      aMail('a', null, 'one'),
      aMail('b', null, 'one', 'Received: from x'),
      false,
    ],
    [
      'a very long Message-ID',
      aMail('a', `<${'x'.repeat(9_000)}@x>`, 'one'),
      aMail('b', `<${'x'.repeat(9_000)}@x>`, 'one', 'Received: from x'),
      true,
    ],
  ])('should decide for a mail with %s', async (_what, first, second, isDuplicate) => {
    await write([first]);
    const { archived, duplicates, kept } = await write([second]);
    const name =
      first.parsed.messageId !== null && first.parsed.messageId === second.parsed.messageId ? 'b#2' : 'b';
    expect([archived, duplicates, kept]).toEqual(
      isDuplicate ? [[], [{ messageId: 'b', name: 'a' }], []] : [[name], [], []],
    );
    expect((await box.files()).length).toBe(isDuplicate ? 1 : 2);
  });

  it('should recognise duplicates within one batch', async () => {
    const batch = [
      aMail('a', '<1@x>'),
      aMail('b', '<1@x>'),
      aMail('c', null),
      aMail('d', null),
      aMail('e', '<2@x>'),
      aMail('a', '<1@x>', 'another'),
    ];
    const written = await write(batch);
    expect([written.archived, idsOf(written)]).toEqual([
      ['a', 'c', 'e', 'a#2'],
      ['b', 'd'],
    ]);
    expect(await box.files()).toHaveLength(4);
  });

  it('should number different mails with one Message-ID, the same whenever they arrive', async () => {
    const texts = ['one', 'two', 'three'];
    const batch = (): MailToArchive[] => texts.map((text) => aMail('<1@x>', '<1@x>', text));
    const names = ['<1@x>', '<1@x>#2', '<1@x>#3'];
    expect((await write(batch().slice(0, 2))).archived).toEqual(names.slice(0, 2));
    expect(await write(batch())).toMatchObject({
      archived: ['<1@x>#3'],
      duplicates: names.slice(0, 2).map((name) => ({ messageId: '<1@x>', name })),
    });
    const again = await write(batch().reverse());
    expect([again.archived, again.duplicates.map(({ name }) => name)]).toEqual([[], [...names].reverse()]);
    expect([...(await box.rows()).keys()].sort()).toEqual(names);
  });

  it('should not mistake a Message-ID for the number of another', async () => {
    const batch = [
      aMail('<1@x>#2', '<1@x>#2'),
      aMail('<1@x>', '<1@x>', 'one'),
      aMail('<1@x>', '<1@x>', 'two'),
      aMail('<1@x>', '<1@x>', 'three'),
    ];
    const names = ['<1@x>#2', '<1@x>', `sha256:${batch[2]!.parsed.sha256}`, '<1@x>#3'];
    expect((await write(batch)).archived).toEqual(names);
    expect(idsOf(await write(batch))).toHaveLength(4);
    expect((await box.rows()).size).toBe(4);
  });

  describe('of mails archived before their content hash was recorded', () => {
    const forget = (): Promise<unknown> =>
      app.dataSource.query('UPDATE archived_mails SET content_mac = NULL WHERE account_id = $1', [
        box.accountId,
      ]);
    const otherWay = aMail('b', '<1@x>', 'one', 'Received: from x');

    it('should read their files, once', async () => {
      await write([aMail('a', '<1@x>', 'one')]);
      await forget();
      expect(idsOf(await write([otherWay]))).toEqual(['b']);
      expect((await write([aMail('c', '<1@x>', 'two')])).archived).toEqual(['c#2']);
      await app.dataSource.query(`UPDATE archived_mails SET storage_key = 'gone' WHERE account_id = $1`, [
        box.accountId,
      ]);
      expect(idsOf(await write([otherWay]))).toEqual(['b']);
    });

    it('should recognise the same bytes without reading', async () => {
      await write([aMail('a', '<1@x>', 'one')]);
      await forget();
      await app.dataSource.query(`UPDATE archived_mails SET storage_key = 'gone' WHERE account_id = $1`, [
        box.accountId,
      ]);
      expect(idsOf(await write([aMail('b', '<1@x>', 'one')]))).toEqual(['b']);
    });

    it('should drop nothing that cannot be compared: missing, altered or encrypted mail', async () => {
      for (const change of [
        `storage_key = 'gone'`,
        `sha256 = repeat('0', 64)`,
        'is_encrypted = true',
        `storage = '${'0'.repeat(8)}-0000-7000-8000-${'0'.repeat(12)}'`,
      ]) {
        box = await connect();
        await write([aMail('a', '<1@x>', 'one')]);
        await forget();
        await app.dataSource.query(`UPDATE archived_mails SET ${change} WHERE account_id = $1`, [
          box.accountId,
        ]);
        expect([change, (await write([otherWay])).archived]).toEqual([change, ['b#2']]);
      }
    });
  });

  it('should recognise encrypted mails by their recorded hashes', async () => {
    const anonymous = aMail('', null);
    const named = { ...anonymous, messageId: `sha256:${anonymous.parsed.sha256}` };
    await write([aMail('a', '<1@x>', 'one'), named]);
    await app.dataSource.query(
      `UPDATE archived_mails SET is_encrypted = true, sha256 = repeat('0', 64) WHERE account_id = $1`,
      [box.accountId],
    );
    const again = await write([aMail('b', '<1@x>', 'one', 'Received: from x'), named]);
    expect(idsOf(again)).toEqual(['b', named.messageId]);
    expect((await write([aMail('b', '<1@x>', 'two')])).archived).toEqual(['b#2']);
  });

  it('should recognise the same bytes of a mail in which no Message-ID was found before', async () => {
    const mail = aMail('<1@x>', '<1@x>');
    const name = `sha256:${mail.parsed.sha256}`;
    await write([{ ...mail, messageId: name, parsed: { ...mail.parsed, messageId: null } }]);
    const known = [{ messageId: '<1@x>', name }];
    expect(await write([mail])).toMatchObject({ archived: [], duplicates: known });
    await app.dataSource.query(
      `UPDATE archived_mails SET is_encrypted = true, sha256 = repeat('0', 64) WHERE account_id = $1`,
      [box.accountId],
    );
    expect(await write([mail])).toMatchObject({ archived: [], duplicates: known });
  });

  it('should give earlier imports ids that no provider uses, where these are free', async () => {
    const taken = 'message-id:taken@x';
    await write([
      aMail('plain@x', 'plain@x'),
      aMail('taken@x', 'taken@x'),
      aMail(taken, taken),
      aMail('<1@x>', '<1@x>'),
      aMail('18c1f0', '<2@x>'),
      aMail('18c1f1', null),
    ]);
    const runner = app.dataSource.createQueryRunner();
    try {
      const migration = new NamesOfEarlierImports1763700000022();
      await migration.up(runner);
      await migration.up(runner);
    } finally {
      await runner.release();
    }
    const names = ['18c1f0', '18c1f1', '<1@x>', 'message-id:plain@x', taken, 'taken@x'];
    expect([...(await box.rows()).keys()].sort()).toEqual(names);
    expect(await write([aMail('message-id:plain@x', 'plain@x')])).toMatchObject({
      archived: [],
      duplicates: [{ name: 'message-id:plain@x' }],
    });
  });

  it('should report mail archived under the same id correctly', async () => {
    await write([aMail('a', '<1@x>')]);
    expect(await write([aMail('a', '<1@x>')])).toMatchObject({
      archived: [],
      duplicates: [{ messageId: 'a', name: 'a' }],
      kept: [],
    });
  });

  it('should archive everything when deduplication is off', async () => {
    await write([aMail('a', '<1@x>')]);
    expect((await write([aMail('b', '<1@x>')], { skipDuplicates: false })).archived).toEqual(['b']);
  });

  it('should not treat mail of another account as a duplicate', async () => {
    await write([aMail('a', '<1@x>')]);
    expect((await write([aMail('b', '<1@x>')], {}, await connect())).archived).toEqual(['b']);
  });

  it('should not write files of duplicates, nor reserve space for them', async () => {
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

  it('should let no duplicate slip through between two concurrent writers', async () => {
    const gate = stores.gate('putDone');
    const first = write([aMail('a', '<1@x>'), aMail('c', null)]);
    await gate.reached;
    stores.behave({});
    expect((await write([aMail('b', '<1@x>'), aMail('d', null)])).archived).toEqual(['b', 'd']);
    gate.open();
    expect(await first).toMatchObject({
      archived: [],
      duplicates: [
        { messageId: 'a', name: 'b' },
        { messageId: 'c', name: 'd' },
      ],
      kept: [],
    });
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

  it('should keep different mails apart, however many are written at once', async () => {
    const texts = Array.from({ length: 8 }, (_, number) => `text ${number}`);
    const results = await Promise.all(
      Array.from({ length: 6 }, (_, writer) =>
        write(
          [...texts.slice(writer), ...texts.slice(0, writer)].map((text) => aMail('<1@x>', '<1@x>', text)),
        ),
      ),
    );
    const names = ['<1@x>', ...texts.slice(1).map((_, number) => `<1@x>#${number + 2}`)];
    expect(results.flatMap(({ archived }) => archived).sort()).toEqual(names.sort());
    expect(results.flatMap(idsOf)).toHaveLength(40);
    const rows = [...(await box.rows()).values()];
    expect(new Set(rows.map(({ sha256 }) => sha256)).size).toBe(8);
    await deleteFiles(app);
    expect(await box.files()).toHaveLength(8);
  });
});
