import { Transactions } from '../../../../src/platform/database/transactions';

import { HistoryListener, type HistoryChanges } from '../../../../src/mailbox/index/history-listener.port';
import { startTestApp, type TestApp } from '../../../support/app';
import { encryptByHand, setUpPassphrase } from '../../../support/encryption/encrypted-mail';
import { checkEverything, hurry, StoredFile } from '../../../support/integrity/integrity-fixture';
import { LedgerFixture } from '../../../support/ledger/ledger-fixture';
import type { TestUser } from '../../../support/test-user';

const mail = (subject: string): string =>
  `From: Ann <ann@example.test>\r\nTo: me@example.test\r\nSubject: ${subject}\r\nMessage-ID: <${subject}@x.test>\r\n\r\nhello\r\n`;

describe('Copies in the coverage ledger', () => {
  let app: TestApp;
  let admin: TestUser;
  let boxes = 0;

  beforeAll(async () => {
    app = await startTestApp({ own: true, sandbox: { messages: 1 } });
    hurry(app);
    admin = await app.user('admin');
  });
  afterAll(() => app?.close());

  const start = async (...subjects: string[]): Promise<{ sut: LedgerFixture; ids: string[] }> => {
    const user = await app.user();
    const sut = await LedgerFixture.start(app, user, `copies${(boxes += 1)}-0@sandbox.mailroom.test`);
    const ids = subjects.map((subject) => sut.mailbox.insert(mail(subject), { labelIds: ['INBOX'] }));
    await sut.follow();
    await sut.archive.archive({ messageIds: ids });
    return { sut, ids };
  };
  const fileOf = async (sut: LedgerFixture, id: string): Promise<StoredFile> =>
    StoredFile.of(sut.archive, (await sut.archive.rows()).get(id).id as string);

  it('should stay in doubt after a restored backup until a listing shows their messages outside the trash', async () => {
    const { sut, ids } = await start('offloaded', 'kept', 'untrashed');
    const [offloaded, kept, untrashed] = ids as [string, string, string];
    const doubts = async (): Promise<Record<string, unknown>> => {
      const rows = await sut.query(
        `SELECT mailbox_message_id AS id, may_be_offloaded AS doubted, presence FROM archived_mails WHERE account_id = $1`,
      );
      return Object.fromEntries(rows.map(({ id, doubted, presence }) => [id, [doubted, presence]]));
    };
    // As a restore leaves it: an empty ledger, and copies in doubt.
    await sut.switchOff();
    await sut.query(
      `UPDATE archived_mails SET may_be_offloaded = true,
              presence = CASE WHEN mailbox_message_id = $2 THEN 'trash' END WHERE account_id = $1`,
      untrashed,
    );
    await app.dataSource.query('INSERT INTO restored_backups (backup_id) VALUES (gen_random_uuid())');
    await sut.switchOn();

    // A long history comes in parts; the message was starred and taken out of the trash before it was offloaded.
    const apply = (changes: HistoryChanges): Promise<void> =>
      app.app
        .get(Transactions)
        .run((transaction) => app.app.get(HistoryListener).apply(sut.account, changes, transaction));
    const first = (id: string) => ({
      id,
      labelIds: ['INBOX'],
      add: ['STARRED'],
      remove: ['TRASH'],
      added: false,
    });
    await apply({ labels: ids.map(first), deleted: [] });
    expect(await doubts()).toEqual({
      [offloaded]: [true, null],
      [kept]: [true, null],
      [untrashed]: [true, null],
    });
    await apply({ labels: [], deleted: [offloaded] });

    sut.mailbox.remove(offloaded);
    sut.mailbox.changeLabels(untrashed, { add: ['TRASH'], remove: ['INBOX'] });
    await sut.reconcile();
    expect(await doubts()).toEqual({
      [offloaded]: [true, 'gone'],
      [kept]: [false, 'mailbox'],
      [untrashed]: [true, 'trash'],
    });
  });

  it('should be verified by the integrity check, and failed when they are damaged', async () => {
    const { sut, ids } = await start('whole', 'missing', 'altered', 'encrypted');
    const [whole, missing, altered, encrypted] = ids as [string, string, string, string];
    await setUpPassphrase(sut.archive.user);
    await encryptByHand(sut.archive, (await sut.archive.rows()).get(encrypted).id as string);
    const files = [
      await fileOf(sut, missing),
      await fileOf(sut, altered),
      await fileOf(sut, encrypted),
    ] as const;
    await files[0].remove();
    await files[1].alter();
    await files[2].alter();
    await checkEverything(admin);
    const rows = await sut.rows();
    expect(rows.get(whole)).toMatchObject({ class: 'archived', verified: true });
    expect(rows.get(missing)).toMatchObject({ class: 'failed', detail: 'copy-missing', verified: false });
    expect(rows.get(altered)).toMatchObject({ class: 'failed', detail: 'copy-altered' });
    expect(rows.get(encrypted)).toMatchObject({ class: 'failed', detail: 'copy-altered' });
    const due = await sut.ledger.leaseDue(sut.accountId, 10);
    expect(due.map(({ messageId }) => messageId).sort()).toEqual([missing, altered].sort());

    for (const file of files) await file.repair();
    await checkEverything(admin);
    for (const id of ids)
      expect((await sut.rows()).get(id)).toMatchObject({ class: 'archived', verified: true });
    const { kept, counted } = await sut.totals();
    expect(kept).toEqual(counted);
  });

  it('should be archived, and no longer verified, when they are fetched again', async () => {
    const { sut, ids } = await start('again');
    const [id] = ids as [string];
    await checkEverything(admin);
    expect((await sut.rows()).get(id)).toMatchObject({ verified: true });
    await (await fileOf(sut, id)).alter();
    await checkEverything(admin);
    await sut.archive.archive({ messageIds: [id], differential: false });
    const { id: mailId } = (await sut.archive.rows()).get(id);
    expect((await sut.rows()).get(id)).toMatchObject({ class: 'archived', mailId, verified: false });
    const { kept, counted } = await sut.totals();
    expect(kept).toEqual(counted);
  });

  it('should belong to another message when they take its id, and to none when all are purged', async () => {
    const { sut, ids } = await start('one', 'two');
    const [one, two] = ids as [string, string];
    await sut.query('DELETE FROM archived_mails WHERE account_id = $1 AND mailbox_message_id = $2', two);
    await sut.query(
      'UPDATE archived_mails SET mailbox_message_id = $3 WHERE account_id = $1 AND mailbox_message_id = $2',
      one,
      two,
    );
    const { id: mailId } = (await sut.archive.rows()).get(two);
    let rows = await sut.rows();
    expect(rows.get(one)).toMatchObject({ class: 'excluded', detail: 'removed', mailId: null });
    expect(rows.get(two)).toMatchObject({ class: 'archived', mailId });
    await sut.query('DELETE FROM archived_mails WHERE account_id = $1');
    rows = await sut.rows();
    expect([...rows.values()].map((row) => row.detail)).toEqual(['removed', 'removed']);
    const { kept, counted } = await sut.totals();
    expect(kept).toEqual(counted);
  });
});
