import { parseForArchive } from '../../../../src/archive/mails/archiving/parse-message.task';
import { FileDeletions } from '../../../../src/archive/files/file-deletions';
import { ArchiveStores } from '../../../../src/archive/files/archive-store.port';
import {
  ArchiveWriter,
  WriteOptions,
  WrittenBatch,
} from '../../../../src/archive/mails/writing/archive-writer';
import type { MailToArchive } from '../../../../src/archive/mails/writing/mail-to-archive';
import { MailsModule } from '../../../../src/archive/mails/mails.module';
import { ProfileModule } from '../../../../src/operations/profile/profile.module';
import { deleteFiles } from '../../../support/archive/settled-files';
import { startFeature, type Feature, type FeatureUser } from '../../../support/medium/feature';
import { ArchiveFixture } from '../../../support/archive/archive-fixture';
import { eml } from '../../../support/archive/eml';
import { StoreDouble } from '../../../support/archive/store-double';

describe('Storage quota', () => {
  let app: Feature;
  let user: FeatureUser;
  let box: ArchiveFixture;
  let sut: ArchiveWriter;
  let stores: StoreDouble;
  let boxes = 0;

  beforeAll(async () => {
    app = await startFeature({ modules: [MailsModule, ProfileModule] });
    sut = app.get(ArchiveWriter);
    stores = StoreDouble.over(app.get(ArchiveStores));
  });

  beforeEach(async () => {
    user = await app.user();
    box = await connect();
  });

  afterEach(() => stores.behave({}));
  afterAll(() => app?.close());

  const connect = (messages = 1): Promise<ArchiveFixture> =>
    ArchiveFixture.connect(app, user, `quota${(boxes += 1)}-${messages}@sandbox.mailroom.test`);

  /** A mail of exactly so many bytes. */
  const aMail = (messageId: string, bytes: number): MailToArchive => {
    const head = eml(`Subject: ${messageId}`, '', '');
    const raw = Buffer.concat([head, Buffer.alloc(bytes - head.length, 'x')]);
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

  const write = (
    mails: MailToArchive[],
    options: Partial<WriteOptions> = {},
    into = box,
  ): Promise<WrittenBatch> =>
    sut.write({ userId: user.id, accountId: into.accountId }, mails, { replace: false, ...options });

  const setQuota = (bytes: number): Promise<unknown> =>
    app.dataSource.query('UPDATE users SET storage_quota_bytes = $2 WHERE id = $1', [user.id, bytes]);

  const usedBytes = async (): Promise<number> =>
    (await user.api.get('/api/auth/me')).body.storageUsedBytes as number;

  /** Marks the user has been told of, in the order they were. */
  const warnings = async (): Promise<number[]> => {
    const { body } = await user.api.get('/api/notifications?limit=100');
    const told: any[] = body.notifications.filter(({ type }: any) => type === 'quota_warning');
    return told.map(({ data }) => data.percent as number).reverse();
  };

  it('should archive what fits, in order, and refuse the rest without leaving a file of it', async () => {
    await setQuota(1_000);
    const written = await write([aMail('a', 400), aMail('b', 500), aMail('c', 200), aMail('d', 50)]);
    expect(written).toMatchObject({ archived: ['a', 'b'], bytes: 900, kept: [], refused: ['c', 'd'] });
    expect([await usedBytes(), (await box.files()).length]).toEqual([900, 2]);
  });

  it('should fill the quota to the last byte and not beyond', async () => {
    await setQuota(1_000);
    expect((await write([aMail('a', 1_000)])).refused).toEqual([]);
    expect((await write([aMail('b', 100)])).refused).toEqual(['b']);
    expect(await usedBytes()).toBe(1_000);
  });

  it('should not write the files of mails for which there is no space', async () => {
    await setQuota(500);
    const put: string[] = [];
    stores.behave({
      beforePut: async (key) => {
        put.push(key);
      },
    });
    await write([aMail('a', 400), aMail('b', 400), aMail('c', 50)]);
    expect(put).toHaveLength(1);
  });

  it('should count all accounts of the user together, and no other user', async () => {
    const other = await connect();
    await setQuota(1_000);
    await write([aMail('a', 700)]);
    expect((await write([aMail('b', 400)], {}, other)).refused).toEqual(['b']);
    expect((await write([aMail('b', 300)], {}, other)).archived).toEqual(['b']);
    expect(await usedBytes()).toBe(1_000);
  });

  it('should be enforced when accounts of one user are written to at once, without deadlock', async () => {
    const others = await Promise.all([connect(), connect(), connect()]);
    await setQuota(20_000);
    const writes = [box, ...others].flatMap((account, which) =>
      Array.from({ length: 6 }, (_, number) =>
        write([aMail(`m${which}-${number}a`, 1_000), aMail(`m${which}-${number}b`, 1_000)], {}, account),
      ),
    );
    const results = await Promise.all(writes);
    const archived = results.flatMap((result) => result.archived);
    expect([archived.length, await usedBytes()]).toEqual([20, 20_000]);
    expect(results.flatMap(({ refused }) => refused)).toHaveLength(28);
    const accounts = [box, ...others];
    // Files of refused mails are deleted after their batch.
    await Promise.all(accounts.map(({ accountId }) => app.get(FileDeletions).drain(accountId)));
    const files = await Promise.all(accounts.map((account) => account.files()));
    expect(files.flat()).toHaveLength(20);
    expect(await warnings()).toEqual([80, 90, 100]);
  });

  it('should refuse by the usage at the time the rows are written', async () => {
    await setQuota(1_000);
    const gate = stores.gate('putDone');
    const first = write([aMail('a', 600), aMail('b', 300)]);
    await gate.reached;
    stores.behave({});
    await write([aMail('c', 300)]);
    gate.open();
    expect(await first).toMatchObject({ archived: ['a'], refused: ['b'] });
    await app.get(FileDeletions).drain(box.accountId);
    expect([await usedBytes(), (await box.files()).length]).toEqual([900, 2]);
  });

  describe('mails that replace others', () => {
    it('should count only by the difference in size', async () => {
      await setQuota(1_000);
      await write([aMail('a', 900)]);
      const written = await write([aMail('a', 950), aMail('b', 50)], { replace: true });
      expect(written).toMatchObject({ archived: ['a', 'b'], refused: [] });
      expect(await usedBytes()).toBe(1_000);
    });

    it('should keep a mail when there is no space for its replacement', async () => {
      await setQuota(1_000);
      await write([aMail('a', 900)]);
      const files = await box.files();
      expect((await write([aMail('a', 1_100)], { replace: true })).refused).toEqual(['a']);
      expect([await usedBytes(), await box.files()]).toEqual([900, files]);
    });

    it('should be accepted above a lowered quota when they are not larger', async () => {
      await write([aMail('a', 900), aMail('b', 500)]);
      await setQuota(1_000);
      const written = await write([aMail('a', 800), aMail('c', 50)], { replace: true });
      expect(written).toMatchObject({ archived: ['a'], refused: ['c'] });
      expect(await usedBytes()).toBe(1_300);
    });
  });

  it('should delete nothing and refuse everything above a lowered quota', async () => {
    await write([aMail('a', 900)]);
    await setQuota(0);
    expect((await write([aMail('b', 50)])).refused).toEqual(['b']);
    expect([await usedBytes(), (await box.rows()).size]).toEqual([900, 1]);
    expect((await write([aMail('a', 900)])).kept).toEqual(['a']);
  });

  describe('warnings', () => {
    it('should report each mark once, with usage and quota', async () => {
      await setQuota(1_000);
      for (const [number, bytes] of [700, 110, 50, 50, 40, 50].entries())
        await write([aMail(`m${number}`, bytes)]);
      expect(await warnings()).toEqual([80, 90, 100]);
      const { body } = await user.api.get('/api/notifications?limit=100');
      expect(body.notifications[0]).toMatchObject({
        type: 'quota_warning',
        data: { usedBytes: 1_000, quotaBytes: 1_000, percent: 100 },
      });
    });

    it('should report only the highest mark when several are crossed at once', async () => {
      await setQuota(1_000);
      await write([aMail('a', 950)]);
      expect(await warnings()).toEqual([90]);
    });

    it('should report a refusal once, and again when there was more space in between', async () => {
      await setQuota(1_000);
      await write([aMail('a', 500), aMail('b', 470)]);
      await write([aMail('c', 100)]);
      await write([aMail('c', 100)]);
      expect(await warnings()).toEqual([90, 100]);
      await app.dataSource.query('DELETE FROM archived_mails WHERE mailbox_message_id = $1', ['a']);
      await write([aMail('d', 600)]);
      expect(await warnings()).toEqual([90, 100, 100]);
    });

    it('should be repeated after usage fell below a mark or the quota was raised', async () => {
      await setQuota(1_000);
      await write([aMail('a', 700), aMail('b', 150)]);
      await app.dataSource.query(`DELETE FROM archived_mails WHERE mailbox_message_id = 'b'`);
      await write([aMail('c', 150)]);
      expect(await warnings()).toEqual([80, 80]);
      await setQuota(2_000);
      await write([aMail('d', 700)]);
      await write([aMail('e', 50)]);
      expect(await warnings()).toEqual([80, 80, 80]);
    });

    it('should not be sent for a batch that was rolled back', async () => {
      await setQuota(1_000);
      await app.dataSource.query(
        `CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS
           $$ BEGIN RAISE EXCEPTION 'refused' USING ERRCODE = '58000'; END $$;
         CREATE TRIGGER refuse AFTER INSERT ON archived_mails FOR EACH STATEMENT EXECUTE FUNCTION refuse()`,
      );
      await expect(write([aMail('a', 900)])).rejects.toThrow('refused');
      await app.dataSource.query('DROP TRIGGER refuse ON archived_mails; DROP FUNCTION refuse()');
      // The files are left to the worker that deletes files.
      await deleteFiles(app);
      expect([await warnings(), await usedBytes(), await box.files()]).toEqual([[], 0, []]);
      await write([aMail('a', 900)]);
      expect(await warnings()).toEqual([90]);
    });
  });
});
