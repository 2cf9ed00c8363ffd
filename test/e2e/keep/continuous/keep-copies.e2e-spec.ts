import type { NestExpressApplication } from '@nestjs/platform-express';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { startTestApp, TestApp } from '../../../support/app';
import { KeptMailbox, message } from '../../../support/archiving/kept-mailbox';
import { importMbox, inMbox } from '../../../support/imports';
import { StatementGate } from '../../../support/statement-gate';
import type { TestUser } from '../../../support/test-user';
import { nightly } from '../../../support/nightly';
import { waitFor } from '../../../support/wait';

const HOUR_MS = 3_600_000;

describe('Continuous archiving', () => {
  let app: TestApp;
  let user: TestUser;
  let gate: StatementGate;
  let mailboxes = 0;
  const others: NestExpressApplication[] = [];

  beforeAll(async () => {
    app = await startTestApp({ sandbox: { messages: 1 } });
    user = await app.user();
    gate = new StatementGate(app.dataSource);
    await app.dataSource.query('UPDATE users SET max_mailbox_accounts = 100');
  });
  afterAll(async () => {
    await gate?.open();
    for (const other of others) await other.close();
    await app?.close();
  });
  beforeEach(() => app.sandbox.clearFaults());

  const connect = (messages: number): Promise<KeptMailbox> =>
    KeptMailbox.connect(app, user, `keep${(mailboxes += 1)}-${messages}@sandbox.mailroom.test`);

  /** With everything copied, and the provider's calls counted from here on. */
  async function kept(messages: number, body: object = {}): Promise<KeptMailbox> {
    const box = await connect(messages);
    await box.keep(body);
    await box.lookUntilDone();
    app.sandbox.stats.reset();
    return box;
  }

  it('should leave a backlog to a job, and copy new mail before it', async () => {
    const box = await kept(1);
    for (let number = 0; number < 130; number += 1) box.arrive(`many-${number}`);
    await box.look();
    expect((await box.rows()).size).toBe(51);
    const { jobId, pending } = await box.status();
    expect(jobId).toMatch(/^keep_copies-\d+$/);
    expect(pending).toBeLessThanOrEqual(80);
    const job = await user.jobEnd(jobId as string);
    expect(job).toMatchObject({ status: 'completed', failed: 0, result: { failed: 0, isFull: false } });
    expect(job.result.copied + 50).toBe(130);
    expect(box.calls('messages.get')).toBe(130);
    expect(await box.problems()).toEqual([]);
  });

  it('should copy new mail while a manual archive job is using the account', async () => {
    const box = await kept(1);
    const before = Array.from({ length: 60 }, (_, n) =>
      box.mailbox.insert(message(`manual-${n}`), { labelIds: ['TRASH'] }),
    );
    await gate.close('archived_mails', 'INSERT', `NEW.subject LIKE 'manual-%'`);
    const { body } = await user.api.post(`${box.path}/archive`, { messageIds: before });
    await gate.reached();
    const id = box.arrive('in-between');
    const looked = box.look();
    // The archive is locked for as long as the job writes its batch.
    await gate.open();
    await looked;
    expect((await box.rows()).has(id)).toBe(true);
    await user.jobEnd(body.jobId as string);
    expect(await box.problems()).toEqual([]);
  });

  nightly(
    'should copy 5,000 that arrive at once alongside a manual job, and new mail before them',
    async () => {
      const box = await kept(1);
      for (let number = 0; number < 5_000; number += 1) box.arrive(`flood-${number}`);
      await box.look();
      const { jobId } = await box.status();
      const flood = box.mailbox.ids().slice(0, 1_000);
      const manual = await user.api.post(`${box.path}/archive`, { messageIds: flood });
      const late = box.arrive('late');
      await box.look();
      expect((await box.classes())[late]).toBe('archived');
      expect(await user.jobEnd(manual.body.jobId as string, 240_000)).toMatchObject({
        status: 'completed',
        failed: 0,
      });
      expect(await user.jobEnd(jobId as string, 240_000)).toMatchObject({ status: 'completed', failed: 0 });
      await box.lookUntilDone();
      expect(await box.problems()).toEqual([]);
      expect((await box.rows()).size).toBe(5_002);
    },
    300_000,
  );

  describe('exclusions', () => {
    it('should copy neither spam, trash nor drafts, and fetch none of them', async () => {
      const box = await kept(1);
      const [spam, trash, draft, kind] = [
        box.arrive('spam', ['SPAM']),
        box.arrive('trash', ['TRASH']),
        box.arrive('draft', ['DRAFT']),
        box.arrive('kind'),
      ];
      await box.look();
      expect(await box.classes()).toMatchObject({
        [spam]: 'excluded:spam',
        [trash]: 'excluded:trash',
        [draft]: 'excluded:drafts',
        [kind]: 'archived',
      });
      expect(box.calls('messages.get')).toBe(1);
      // Somebody finds it in the spam folder.
      box.mailbox.changeLabels(spam, { remove: ['SPAM'], add: ['INBOX'] });
      await box.look();
      expect((await box.classes())[spam]).toBe('archived');
      // Exclusions decide what is fetched, not what leaves.
      box.mailbox.changeLabels(kind, { remove: ['INBOX'], add: ['TRASH'] });
      await box.look();
      expect((await box.classes())[kind]).toBe('archived');
      expect(await box.problems()).toEqual([]);
    });

    it('should apply sender and size, and the first exclusion that matches', async () => {
      const box = await kept(1, { exclusions: ['larger_than:5000', 'sender:@senders.test', 'spam'] });
      const small = box.arrive('small');
      const large = box.mailbox.insert(message('large', 'x'.repeat(6_000)), { labelIds: ['INBOX'] });
      const friend = box.mailbox.insert(
        'From: a@friends.test\r\nSubject: friend\r\nMessage-ID: <f@x>\r\n\r\nHello\r\n',
        { labelIds: ['INBOX'] },
      );
      await box.look();
      expect(await box.classes()).toMatchObject({
        [small]: 'excluded:sender:@senders.test',
        [large]: 'excluded:larger_than:5000',
        [friend]: 'archived',
      });
      // They had to be fetched to be judged, and are not fetched again.
      app.sandbox.stats.reset();
      await box.look();
      expect(box.calls('messages.get')).toBe(0);
      await box.choose({ exclusions: [] });
      await box.lookUntilDone();
      expect(Object.values(await box.classes())).toEqual(Array(4).fill('archived'));
      expect(await box.problems()).toEqual([]);
    });

    it('should never copy mail that is deleted within its grace period, and copy the rest when it ends', async () => {
      const box = await kept(1, { exclusions: ['younger_than:2h'] });
      const now = Date.now();
      const [deleted, stays, old] = [
        box.arrive('deleted', ['INBOX'], new Date(now - HOUR_MS)),
        box.arrive('stays', ['INBOX'], new Date(now - 2 * HOUR_MS + 2_000)),
        box.arrive('old', ['INBOX'], new Date(now - 3 * HOUR_MS)),
      ];
      await box.look();
      expect(await box.classes()).toMatchObject({
        [deleted]: 'excluded:younger_than:2h',
        [stays]: 'excluded:younger_than:2h',
        [old]: 'archived',
      });
      box.mailbox.remove(deleted);
      await waitFor('the grace to end', async () => {
        await box.look();
        return (await box.classes())[stays] === 'archived';
      });
      expect((await box.rows()).has(deleted)).toBe(false);
      expect(await box.problems()).toEqual([]);
    });
  });

  describe('bytes that are already in the archive', () => {
    it('should use an imported mail as the copy of the message, without a second file', async () => {
      const box = await connect(0);
      await importMbox(user, box.accountId, inMbox(message('twice').toString().replaceAll('\r\n', '\n')));
      const [imported] = await box.query('SELECT id, sha256 FROM archived_mails WHERE account_id = $1');
      const files = await box.files();
      const raw = await readFile(join(app.archiveDir, files[0]!));
      const id = box.mailbox.insert(raw, { labelIds: ['INBOX', 'STARRED'] });
      await box.keep();
      await box.lookUntilDone();
      const rows = await box.rows();
      expect([...rows.keys()]).toEqual([id]);
      expect(rows.get(id)).toMatchObject({
        id: imported.id,
        sha256: imported.sha256,
        thread_id: box.mailbox.threadId(id),
        presence: 'mailbox',
      });
      expect(rows.get(id).label_ids.toSorted()).toEqual(['INBOX', 'STARRED']);
      expect(await box.files()).toEqual(files);
      expect(await box.problems()).toEqual([]);
      expect((await box.totals()).kept).toEqual((await box.totals()).counted);
    });
  });

  describe('errors', () => {
    it('should fetch nothing twice when several processes sync and copy', async () => {
      const box = await connect(180);
      await box.keep();
      const { app: other } = await app.another({ ROLE: 'api' });
      others.push(other);
      app.sandbox.stats.reset();
      for (let rounds = 0; rounds < 3; rounds += 1) {
        await Promise.all([box.look(), box.look(other), box.look()]);
      }
      await box.lookUntilDone();
      expect(await box.problems()).toEqual([]);
      const copied = (await box.rows()).size;
      expect(box.calls('messages.get')).toBe(copied);
    });
  });
});
