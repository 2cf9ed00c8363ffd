import type { NestExpressApplication } from '@nestjs/platform-express';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ContinuousArchivingModule } from '../../../../src/keep/continuous/continuous-archiving.module';
import { MessageNotFound, ProviderRejected } from '../../../../src/providers/port/mail-provider.errors';
import { startFeature, type Feature, type FeatureUser } from '../../../support/medium/feature';
import { KeptMailbox } from '../../../support/archiving/kept-mailbox';
import { StatementGate } from '../../../support/statement-gate';

describe('Continuous archiving', () => {
  let app: Feature;
  let user: FeatureUser;
  let gate: StatementGate;
  let mailboxes = 0;
  const others: NestExpressApplication[] = [];

  beforeAll(async () => {
    app = await startFeature({ modules: [ContinuousArchivingModule] });
    user = await app.user();
    gate = new StatementGate(app.dataSource);
  });
  afterAll(async () => {
    await gate?.open();
    for (const other of others) await other.close();
    await app?.close();
  });
  beforeEach(() => app.provider.reset());

  const connect = (messages: number): Promise<KeptMailbox> =>
    KeptMailbox.connect(app, user, `keep${(mailboxes += 1)}-${messages}@sandbox.mailroom.test`);

  /** With everything copied, and the provider's calls counted from here on. */
  async function kept(messages: number, body: object = {}): Promise<KeptMailbox> {
    const box = await connect(messages);
    await box.keep(body);
    await box.lookUntilDone();
    app.provider.resetCalls();
    return box;
  }

  it('should copy new messages in the next sync, with one get each', async () => {
    const box = await kept(5);
    const ids = ['one', 'two', 'three'].map((name) => box.arrive(name));
    await box.look();
    expect(box.calls('messages.get')).toBe(3);
    expect(box.calls('history.list')).toBe(1);
    expect(await box.problems()).toEqual([]);
    const rows = await box.rows();
    expect(ids.map((id) => rows.get(id)?.subject)).toEqual(['one', 'two', 'three']);
    app.provider.resetCalls();
    await box.look();
    expect(box.calls('messages.get')).toBe(0);
  });

  it('should cost two units per sync when nothing is new', async () => {
    const box = await kept(3);
    for (let looks = 0; looks < 5; looks += 1) await box.look();
    expect(app.providerCalls(box.mailbox.email)).toEqual({ 'history.list': 5 });
  });

  describe('messages and labels that change', () => {
    it('should follow labels until a message goes to the trash', async () => {
      const box = await kept(1);
      const id = box.arrive('labelled', ['INBOX', 'UNREAD']);
      await box.look();
      box.mailbox.changeLabels(id, { remove: ['UNREAD'], add: ['STARRED'] });
      await box.look();
      const labels = async (): Promise<string[]> => (await box.rows()).get(id).label_ids.toSorted();
      expect(await labels()).toEqual(['INBOX', 'STARRED']);
      box.mailbox.changeLabels(id, { remove: ['INBOX', 'STARRED'], add: ['TRASH'] });
      await box.look();
      expect(await labels()).toEqual(['INBOX', 'STARRED']);
      await box.choose({ followLabels: false });
      box.mailbox.changeLabels(id, { remove: ['TRASH'], add: ['IMPORTANT'] });
      await box.look();
      expect(await labels()).toEqual(['INBOX', 'STARRED']);
    });

    it('should keep the copy of a message that is deleted', async () => {
      const box = await kept(1);
      const id = box.arrive('short-lived');
      await box.look();
      box.mailbox.remove(id);
      await box.look();
      expect((await box.ledger()).has(id)).toBe(false);
      expect((await box.rows()).get(id).presence).toBe('gone');
      expect(await box.problems()).toEqual([]);
    });

    it('should not stop at a message that is deleted before it is fetched', async () => {
      const box = await kept(1);
      const [gone, stays] = [box.arrive('gone'), box.arrive('stays')];
      app.provider.fail('fetchRaw', new MessageNotFound(), { messageId: gone });
      await box.look();
      expect(await box.classes()).toMatchObject({ [gone]: 'failed:message-not-found', [stays]: 'archived' });
      box.mailbox.remove(gone);
      await box.look();
      expect(await box.problems()).toEqual([]);
    });
  });

  describe('bytes that are already in the archive', () => {
    it('should use the mail of a deleted message when the message reappears', async () => {
      const box = await kept(0);
      const first = box.arrive('again');
      await box.look();
      const { id: mailId } = (await box.rows()).get(first);
      box.mailbox.remove(first);
      await box.look();
      const [second, third] = [box.arrive('again'), box.arrive('again')];
      await box.look();
      const rows = await box.rows();
      expect([...rows.keys()].toSorted()).toEqual([second, third].toSorted());
      // One of the two takes it, the other is a mail of its own.
      expect([...rows.values()].filter(({ id }) => id === mailId)).toHaveLength(1);
      expect(await box.problems()).toEqual([]);
      expect((await box.totals()).kept).toEqual((await box.totals()).counted);
    });
  });

  describe('errors', () => {
    it('should wait for space, fetch nothing meanwhile, and continue when there is some', async () => {
      const box = await kept(1);
      const [{ used }] = await box.query(
        `SELECT sum(bytes)::int AS used FROM archive_totals JOIN mailbox_accounts a ON a.id = account_id
          WHERE a.user_id = (SELECT user_id FROM mailbox_accounts WHERE id = $1)`,
      );
      const quota = (bytes: number): Promise<unknown> =>
        app.dataSource.query('UPDATE users SET storage_quota_bytes = $2 WHERE id = $1', [user.id, bytes]);
      try {
        await quota(Number(used) + 10);
        const id = box.arrive('too-much');
        await box.look();
        expect((await box.classes())[id]).toBe('pending');
        expect(await box.status()).toMatchObject({ state: 'quota_full', pending: 1 });
        app.provider.resetCalls();
        await box.look();
        expect(box.calls('messages.get')).toBe(0);
        await quota(Number(used) + 1_000_000);
        await box.look();
        expect(await box.problems()).toEqual([]);
        expect(await box.status()).toMatchObject({ state: 'healthy', pending: 0 });
      } finally {
        await quota(5 * 1024 ** 3);
      }
    });

    it('should retry messages that could not be fetched, and report why', async () => {
      const box = await kept(1);
      const ids = Array.from({ length: 3 }, (_, n) => box.arrive(`refused-${n}`));
      app.provider.fail('fetchRaw', new ProviderRejected('invalidArgument'), { messageId: ids[1]! });
      await box.look();
      expect(await box.classes()).toMatchObject({
        [ids[0]!]: 'archived',
        [ids[1]!]: 'failed:provider-rejected',
        [ids[2]!]: 'archived',
      });
      await box.look();
      expect((await box.classes())[ids[1]!]).toBe('failed:provider-rejected');
      await box.query(`UPDATE ledger_messages SET due_at = now() WHERE account_id = $1 AND class = 'failed'`);
      await box.look();
      expect(await box.problems()).toEqual([]);
    });

    it('should replace a copy whose file the integrity check found altered', async () => {
      const box = await kept(1);
      const id = box.arrive('altered');
      await box.look();
      const { id: mailId, storage_key: key } = (await box.rows()).get(id);
      await writeFile(join(app.archiveDir, key as string), 'not what was archived');
      await box.query(
        `UPDATE ledger_messages SET class = 'failed', reason = 'copy-altered', due_at = now()
          WHERE account_id = $1 AND message_id = $2`,
        id,
      );
      await box.look();
      expect((await box.classes())[id]).toBe('archived');
      expect((await box.rows()).get(id).id).not.toBe(mailId);
      expect(await box.problems()).toEqual([]);
    });

    it('should release everything when the provider is unavailable, and name it', async () => {
      const box = await kept(1);
      const id = box.arrive('waiting');
      app.provider.fail('fetchRaw', new ProviderRejected('insufficientPermissions'), {
        email: box.mailbox.email,
        times: 'always',
      });
      await expect(box.look()).rejects.toMatchObject({ code: 'provider-rejected' });
      expect((await box.ledger()).get(id)).toMatchObject({
        class: 'pending',
        lease_until: null,
        attempts: 0,
      });
      await box.query(
        `UPDATE ledger_messages SET due_at = now() - interval '11 minutes' WHERE account_id = $1 AND class = 'pending'`,
      );
      expect(await box.status()).toMatchObject({ state: 'behind', reason: 'provider', pending: 1 });
      app.provider.reset();
      await box.look();
      expect(await box.status()).toMatchObject({ state: 'healthy', reason: null });
    });
  });
});
