import { ContinuousArchivingModule } from '../../../../src/keep/continuous/continuous-archiving.module';
import { startFeature, type Feature, type FeatureUser } from '../../../support/medium/feature';
import { labelsOf, LedgerFixture } from '../../../support/ledger/ledger-fixture';

const mail = (subject: string): string =>
  `From: Ann <ann@example.test>\r\nTo: me@example.test\r\nSubject: ${subject}\r\nMessage-ID: <${subject}@x.test>\r\n\r\nhello\r\n`;

describe('Coverage ledger', () => {
  let app: Feature;
  let user: FeatureUser;
  let boxes = 0;

  beforeAll(async () => {
    app = await startFeature({ modules: [ContinuousArchivingModule] });
    user = await app.user();
  });
  afterAll(() => app?.close());

  const start = (messages: number, mode?: string): Promise<LedgerFixture> =>
    LedgerFixture.start(app, user, `ledger${(boxes += 1)}-${messages}@sandbox.mailroom.test`, mode);

  const isMailbox = async (sut: LedgerFixture): Promise<void> => {
    const rows = await sut.rows();
    expect(new Map([...rows].map(([id, { labels }]) => [id, labels]))).toEqual(
      new Map([...labelsOf(sut.mailbox)].sort()),
    );
    const { kept, counted } = await sut.totals();
    expect(kept).toEqual(counted);
  };

  it('should have a row for each message, spam and trash included, and move with the cursor', async () => {
    const sut = await start(30);
    await isMailbox(sut);
    expect(await sut.ledger.findState(sut.accountId)).toMatchObject({ mode: 'keep', exact: true });
    const [first, second, third] = sut.mailbox.ids() as [string, string, string];
    const added = sut.mailbox.insert(mail('added'));
    const bare = sut.mailbox.insert(mail('bare'), { labelIds: [] });
    sut.mailbox.changeLabels(first, { add: ['TRASH'], remove: ['INBOX'] });
    sut.mailbox.changeLabels(second, { add: ['STARRED'] });
    sut.mailbox.remove(third);
    await sut.follow();
    await isMailbox(sut);
    const rows = await sut.rows();
    expect(rows.get(added)).toMatchObject({ class: 'pending', mailId: null });
    expect(rows.get(bare)).toMatchObject({ class: 'pending', labels: [] });
    expect(rows.has(third)).toBe(false);
  });

  it('should lease due messages once, the newest first, and accept every outcome', async () => {
    const sut = await start(0);
    const ids = ['one', 'two', 'three', 'four', 'five'].map((subject) => sut.mailbox.insert(mail(subject)));
    await sut.follow();
    const leased = await sut.ledger.leaseDue(sut.accountId, 4);
    expect(leased.map(({ messageId }) => messageId).sort()).toEqual(ids.slice(1).sort());
    expect(await sut.ledger.leaseDue(sut.accountId, 4)).toEqual([
      expect.objectContaining({ messageId: ids[0], class: 'pending', attempts: 0, mailId: null }),
    ]);
    expect(await sut.ledger.leaseDue(sut.accountId, 4)).toEqual([]);

    await sut.ledger.fail(sut.accountId, [{ messageId: ids[0]!, reason: 'provider-rejected' }]);
    await sut.ledger.exclude(sut.accountId, [
      { messageId: ids[1]!, exclusion: 'spam' },
      { messageId: ids[2]!, exclusion: 'younger_than', until: new Date(Date.now() - 1_000) },
    ]);
    await sut.ledger.release(sut.accountId, [ids[3]!]);
    await sut.ledger.release(sut.accountId, [ids[4]!], new Date(Date.now() + 60_000));
    const again = await sut.ledger.leaseDue(sut.accountId, 4);
    // The database chooses the order of rows that are leased together.
    expect(new Map(again.map(({ messageId, class: name }) => [messageId, name]))).toEqual(
      new Map([
        [ids[3], 'pending'],
        [ids[2], 'excluded'],
      ]),
    );
    const { kept, counted } = await sut.totals();
    expect(kept).toEqual(counted);
    expect(await sut.ledger.findBacklogs([sut.accountId])).toEqual([
      { accountId: sut.accountId, pending: 2, failed: 1, oldestPendingAt: expect.anything() },
    ]);

    sut.mailbox.changeLabels(ids[1]!, { add: ['STARRED'] });
    await sut.follow();
    expect((await sut.rows()).get(ids[1]!)).toMatchObject({ class: 'pending', detail: '' });
  });

  it('should follow the archive: archived, removed, gone', async () => {
    const sut = await start(0);
    const ids = ['a', 'b', 'c'].map((subject) => sut.mailbox.insert(mail(subject)));
    await sut.follow();
    await sut.archive.archive({ messageIds: ids });
    const archived = await sut.archive.rows();
    let rows = await sut.rows();
    for (const id of ids) {
      const { id: mailId, size_bytes: bytes } = archived.get(id);
      expect(rows.get(id)).toMatchObject({ class: 'archived', mailId, bytes: Number(bytes) });
    }
    sut.mailbox.changeLabels(ids[0]!, { add: ['TRASH'] });
    sut.mailbox.remove(ids[1]!);
    await sut.follow();
    const after = await sut.archive.rows();
    expect(after.get(ids[0]!)).toMatchObject({ presence: 'trash', label_ids: ['INBOX', 'UNREAD'] });
    expect(after.get(ids[1]!)).toMatchObject({ presence: 'gone' });
    await isMailbox(sut);

    await app.dataSource.query('DELETE FROM archived_mails WHERE account_id = $1', [sut.accountId]);
    rows = await sut.rows();
    expect(rows.get(ids[0]!)).toMatchObject({ class: 'excluded', detail: 'removed', mailId: null });
    await isMailbox(sut);
  });

  it('should cost accounts without a ledger nothing', async () => {
    const sut = await start(5, 'off');
    await sut.follow();
    await sut.archive.archive({ messageIds: sut.mailbox.ids() });
    sut.mailbox.remove(sut.mailbox.ids()[0]!);
    await sut.follow();
    expect((await sut.rows()).size).toBe(0);
    expect(await sut.totals()).toEqual({ kept: [], counted: [] });
  });

  it('should not be exact once the history is lost, until a later reconcile has ended', async () => {
    const sut = await start(10);
    sut.mailbox.remove(sut.mailbox.ids()[0]!);
    sut.mailbox.expireHistory();
    sut.mailbox.insert(mail('later'));
    await sut.follow();
    expect(await sut.ledger.findState(sut.accountId)).toMatchObject({ exact: false });
    expect(await sut.reconcile()).toBe(true);
    await isMailbox(sut);
  });
});
