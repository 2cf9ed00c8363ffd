import { createHash } from 'node:crypto';
import { ContinuousArchiver } from '../../../../src/keep/continuous/copying/continuous-archiver';
import { MailboxProviders, type ProviderAccount } from '../../../../src/providers/port/mailbox-provider.port';
import { ImapSyncTimings } from '../../../../src/providers/imap/sync/imap-sync-timings';
import { startTestApp, type TestApp } from '../../../support/app';
import { arrivalOf, plainMail } from '../../../support/imap/plain-mail';
import { allPeers } from '../../../support/peers/all-peers';
import type { PeerMessage } from '../../../support/peers/mailbox-peer';
import type { TestUser } from '../../../support/test-user';
import { waitFor } from '../../../support/wait';

const MESSAGES = 12;
const sha256 = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');
const message = (number: number): PeerMessage => ({
  raw: plainMail(number),
  receivedAt: arrivalOf(number),
  isSeen: true,
});
const subjectsFrom = (from: number, to: number): string[] =>
  Array.from({ length: to - from + 1 }, (_, index) => `Message ${from + index}`).sort();

/** Keeping everything, offloading it and bringing it back is the same for all providers. */
describe.each(allPeers())('Keeping a mailbox by %s', (_name, peer) => {
  let app: TestApp;
  let user: TestUser;
  let accountId: string;

  beforeAll(async () => {
    app = await startTestApp({ sandbox: { messages: 1 } });
    // What a second client does is seen at once.
    app.tune(ImapSyncTimings, { figuresMs: 0 });
    await peer.start(app);
    await peer.receive(Array.from({ length: MESSAGES }, (_, index) => message(index + 1)));
    user = await app.user();
    accountId = await peer.connect(user);
    const { body } = await user.api.put(`/api/archiving/${accountId}`, { mode: 'keep' });
    expect(await user.jobEnd(body.jobId as string)).toMatchObject({ status: 'completed' });
    await waitFor('everything to be copied', async () => {
      await look();
      const status = (await user.api.get(`/api/archiving/${accountId}`)).body;
      if (status.jobId) await user.jobEnd(status.jobId as string);
      return status.exact && status.pending === 0 && status.jobId === null;
    });
  });
  afterAll(async () => {
    await app?.close();
    await peer.stop();
  });

  async function providerAccount(): Promise<ProviderAccount> {
    const [account] = await app.dataSource.query(
      `SELECT id, user_id AS "userId", email, provider FROM mailbox_accounts WHERE id = $1`,
      [accountId],
    );
    return account;
  }

  /** What the chore does every 45 seconds, and the copying that follows from it. */
  async function look(): Promise<void> {
    await app.dataSource.query(
      `UPDATE mailbox_index_states SET synced_at = synced_at - interval '1 minute' WHERE account_id = $1`,
      [accountId],
    );
    await app.app.get(ContinuousArchiver).syncNewMail(await providerAccount(), AbortSignal.timeout(60_000));
    const { jobId } = (await user.api.get(`/api/archiving/${accountId}`)).body;
    if (jobId) await user.jobEnd(jobId as string);
  }

  const coverage = async (): Promise<any> => (await user.api.get(`/api/coverage/${accountId}`)).body;
  const archived = async (): Promise<string[]> => {
    const rows: { sha256: string }[] = await app.dataSource.query(
      'SELECT sha256 FROM archived_mails WHERE account_id = $1',
      [accountId],
    );
    return rows.map((row) => row.sha256).sort();
  };
  const sent = (last: number): string[] =>
    Array.from({ length: last }, (_, index) => sha256(plainMail(index + 1))).sort();
  const listed = async (query: string): Promise<string[]> => {
    const { body } = await user.api.get(
      `/api/mailbox/${accountId}/messages?q=${encodeURIComponent(query)}&maxResults=100`,
    );
    return body.messages.map(({ id }: { id: string }) => id);
  };
  /** Brings something back, after the trial run. @returns what became of it */
  const restored = async (select: object): Promise<any> => {
    const { body } = await user.api.post(`/api/restore/${accountId}`, { select, target: { accountId } });
    await user.jobEnd(body.jobId as string);
    const path = `/api/restore/${accountId}/${body.restoreId}`;
    const started = await user.api.post(`${path}/start`);
    expect(await user.jobEnd(started.body.jobId as string)).toMatchObject({ status: 'completed' });
    return (await user.api.get(path)).body.counts;
  };

  it('should copy each message byte for byte, with class totals that add up', async () => {
    const { exact, total, verified, archived: unverified, excluded, failed, pending } = await coverage();
    expect({ exact, total, failed, pending }).toEqual({
      exact: true,
      total: MESSAGES,
      failed: 0,
      pending: 0,
    });
    expect(verified + unverified + excluded).toBe(MESSAGES);
    expect(await archived()).toEqual(sent(MESSAGES));
  });

  it('should copy new messages, and keep those that another client deletes permanently', async () => {
    await peer.receive([message(MESSAGES + 1)]);
    await look();
    expect(await archived()).toEqual(sent(MESSAGES + 1));
    await peer.remove(`Message ${MESSAGES + 1}`);
    await look();
    expect(await archived()).toEqual(sent(MESSAGES + 1));
    expect(await coverage()).toMatchObject({ exact: true, total: MESSAGES });
  });

  it('should restore a permanently deleted message, byte for byte, once', async () => {
    const { mails } = (await user.api.get(`/api/archive/${accountId}/mails?limit=100`)).body;
    const lost = mails.find(({ subject }: { subject: string }) => subject === `Message ${MESSAGES + 1}`);
    expect(await restored({ mailIds: [lost.id] })).toMatchObject({ inserted: 1, failed: 0 });
    const [id] = await listed(`subject:"Message ${MESSAGES + 1}"`);
    const mailbox = app.app.get(MailboxProviders).forAccount(await providerAccount());
    const { bytes } = await mailbox.fetchRaw(id!, { priority: 'interactive' });
    expect(bytes.equals(plainMail(MESSAGES + 1))).toBe(true);
    expect(await restored({ mailIds: [lost.id] })).toMatchObject({ inserted: 0, failed: 0 });
    expect(await listed(`subject:"Message ${MESSAGES + 1}"`)).toHaveLength(1);
  });

  it('should report which messages may be deleted, and the reasons for the rest', async () => {
    await look();
    const ids = await listed('subject:message');
    const asked = await user.api.post(`/api/coverage/${accountId}/deletable`, { messageIds: ids });
    // Copies are there; no check of the archive has read them again yet.
    expect(asked.body).toMatchObject({ yes: 0, no: MESSAGES + 1 });
    expect(asked.body.messages.map(({ reasons }: { reasons: string[] }) => reasons)).toEqual(
      ids.map(() => ['not-verified']),
    );
  });

  it('should offload proved messages with a receipt, and undo it', async () => {
    const planned = await user.api.post(`/api/offload/${accountId}/plans`, {
      select: { query: 'subject:"Message 1" OR subject:"Message 2"' },
      mode: 'strict',
      allow: { starred: true, important: true, unread: true },
    });
    expect(planned.status).toBe(202);
    await user.jobEnd(planned.body.jobId as string);
    const path = `/api/offload/${accountId}/plans/${planned.body.planId}`;
    const plan = (await user.api.get(path)).body;
    expect(plan).toMatchObject({ status: 'ready' });
    const count: number = plan.offloadable;
    expect(count).toBeGreaterThan(0);
    const before = await peer.subjects('INBOX');
    const confirmed = await user.api.post(`${path}/confirm`, { digest: plan.digest, count });
    expect(await user.jobEnd(confirmed.body.jobId as string)).toMatchObject({ status: 'completed' });
    expect((await user.api.get(path)).body).toMatchObject({ status: 'done', trashed: count });
    const gone = await peer.subjects('TRASH');
    expect(gone).toHaveLength(count);
    expect(gone).toEqual(expect.arrayContaining(subjectsFrom(1, 2)));
    const receipt = (await user.api.get(`/api/offload/${accountId}/receipts/${planned.body.planId}`)).body;
    expect(JSON.parse(receipt.statement as string)).toMatchObject({ items: { count } });

    expect(await restored({ planId: planned.body.planId })).toMatchObject({ untrashed: count, failed: 0 });
    expect(await peer.subjects('TRASH')).toEqual([]);
    expect(await peer.subjects('INBOX')).toEqual(before);
  });
});
