import { RawMessageFetcher } from '../../../../src/archive/mails/archiving/raw-message-fetcher';
import { CopyReviewService } from '../../../../src/keep/copy-review/copy-review.service';
import { CopyReviewsRepository } from '../../../../src/keep/copy-review/copy-reviews.repository';
import { ProviderUnavailable } from '../../../../src/providers/port/mail-provider.errors';
import { MailboxProviders } from '../../../../src/providers/port/mailbox-provider.port';
import { startTestApp, type TestApp } from '../../../support/app';
import { connectImap } from '../../../support/imap/connected-account';
import { TestImapServer } from '../../../support/imap/imap-server';
import { listedIds } from '../../../support/imap/listed-messages';
import { plainMail } from '../../../support/imap/plain-mail';
import type { TestUser } from '../../../support/test-user';

/** What an earlier version has archived by IMAP. */
describe('The review of copies that an earlier version made', () => {
  let sut: TestApp;
  let server: TestImapServer;
  let user: TestUser;
  let accountId: string;
  let ids: Map<number, string>;

  beforeAll(async () => {
    sut = await startTestApp();
    server = await TestImapServer.start();
    user = await sut.user();
    accountId = await connectImap(sut, user, server);
    await server.append(
      'INBOX',
      [1, 2, 3, 4].map((number) => plainMail(number)),
    );
    ids = new Map();
    const provider = mailbox();
    for (const id of await listedIds(provider)) {
      const { bytes } = await provider.fetchRaw(id, { priority: 'interactive' });
      ids.set(Number(/Subject: Message (\d+)/.exec(bytes.toString())![1]), id);
    }
    const { body } = await user.api.post(`/api/archive/${accountId}/archive`, {
      messageIds: [...ids.values()],
    });
    expect((await user.jobEnd(body.jobId as string)).result).toMatchObject({ archived: 4 });
  });
  afterAll(async () => {
    await sut?.close();
    await server?.stop();
  });

  const account = () => ({ id: accountId, userId: user.id, email: server.user, provider: 'imap' });
  const mailbox = () => sut.app.get(MailboxProviders).forAccount(account());
  const row = async (number: number): Promise<{ id: string; size_bytes: string; sha256: string }> =>
    (
      await sut.dataSource.query(
        'SELECT id, size_bytes, sha256 FROM archived_mails WHERE account_id = $1 AND mailbox_message_id = $2',
        [accountId, ids.get(number)],
      )
    )[0];
  const findings = async (): Promise<string[]> =>
    (
      await sut.dataSource.query('SELECT mail_id FROM integrity_findings WHERE account_id = $1', [accountId])
    ).map(({ mail_id }: { mail_id: string }) => mail_id);

  it('should fetch copies again that are truncated or of another message, and report missing ones', async () => {
    const whole = await row(1);
    // As truncated copies were: file and row agree, and both are too short.
    for (const number of [2, 4])
      await sut.dataSource.query(
        'UPDATE archived_mails SET size_bytes = size_bytes - 10 WHERE account_id = $1 AND mailbox_message_id = $2',
        [accountId, ids.get(number)],
      );
    // The bytes of the first message under the id of the third.
    await sut.dataSource.query(
      `UPDATE archived_mails mail SET storage_key = other.storage_key, size_bytes = other.size_bytes, sha256 = repeat('0', 64)
       FROM archived_mails other
       WHERE mail.account_id = $1 AND mail.mailbox_message_id = $2 AND other.id = $3`,
      [accountId, ids.get(3), whole.id],
    );
    await server.session(async (client) => {
      const lock = await client.getMailboxLock('INBOX');
      try {
        const gone = await client.search({ header: { 'message-id': '<m4@imap.test>' } }, { uid: true });
        await client.messageDelete((gone as number[]).join(), { uid: true });
      } finally {
        lock.release();
      }
    });
    await mailbox().getProfile({ priority: 'interactive' });
    const before = await row(3);
    await sut.dataSource.query('INSERT INTO imap_copy_reviews (account_id) VALUES ($1)', [accountId]);

    const review = sut.app.get(CopyReviewService);
    expect(await review.isFinished(accountId)).toBe(false);
    expect(await review.reviewSome(account(), AbortSignal.timeout(60_000))).toBe(true);
    expect(await review.isFinished(accountId)).toBe(true);

    expect(await row(1)).toEqual(whole);
    const third = await row(3);
    expect(third.id).not.toBe(before.id);
    expect(Number(third.size_bytes)).toBe(plainMail(3).length);
    expect(await findings()).toEqual([(await row(4)).id]);
    const [counts] = await sut.dataSource.query(
      'SELECT checked, suspects, restored FROM imap_copy_reviews WHERE account_id = $1',
      [accountId],
    );
    expect(counts).toEqual({ checked: 4, suspects: 3, restored: 2 });
  });

  it('should notify the owner, and record the outcome', async () => {
    const [event] = await sut.dataSource.query(
      `SELECT data FROM events WHERE user_id = $1 AND type = 'integrity.failed'`,
      [user.id],
    );
    expect(event.data).toMatchObject({ accountId, checked: 4, missing: 0, altered: 1 });
    const [act] = await sut.dataSource.query(
      `SELECT outcome, details FROM audit_entries WHERE action = 'archive.reviewed' AND account_id = $1`,
      [accountId],
    );
    expect(act).toEqual({ outcome: 'failure', details: { checked: 4, suspects: 3, restored: 2 } });
  });

  it('should do nothing a second time', async () => {
    expect(await sut.app.get(CopyReviewService).reviewSome(account(), AbortSignal.timeout(5_000))).toBe(true);
    expect(await findings()).toHaveLength(1);
  });

  /** Has everything reviewed once more. */
  const again = () =>
    sut.dataSource.query(
      `UPDATE imap_copy_reviews SET begun_at = now(), finished_at = NULL, cursor_date = NULL, cursor_id = NULL,
         checked = 0, suspects = 0, restored = 0, attempts = 0 WHERE account_id = $1`,
      [accountId],
    );
  const state = async () => (await sut.app.get(CopyReviewsRepository).find(accountId))!;
  const step = () => sut.app.get(CopyReviewService).reviewSome(account(), AbortSignal.timeout(60_000));

  it('should end when the server does not deliver its suspects, once the mailbox has answered often enough', async () => {
    for (const number of [1, 2, 3])
      await sut.dataSource.query(
        'UPDATE archived_mails SET size_bytes = size_bytes - 10 WHERE account_id = $1 AND mailbox_message_id = $2',
        [accountId, ids.get(number)],
      );
    await again();
    const error = new ProviderUnavailable();
    const fetching = jest
      .spyOn(sut.app.get(RawMessageFetcher), 'fetch')
      .mockImplementation(async (_provider, messageId) => ({ kind: 'later', messageId, error }));
    try {
      for (let attempts = 1; attempts <= 5; attempts++) {
        await expect(step()).rejects.toBe(error);
        expect(await state()).toMatchObject({ attempts, checked: 0, position: null });
      }
      expect(await step()).toBe(true);
    } finally {
      fetching.mockRestore();
    }
    expect(await state()).toMatchObject({ checked: 4, suspects: 4, restored: 0, isFinished: true });
    expect(await findings()).toHaveLength(4);
  });

  it('should count no attempt while the mailbox does not respond', async () => {
    await again();
    const error = new ProviderUnavailable();
    const fetching = jest
      .spyOn(sut.app.get(RawMessageFetcher), 'fetch')
      .mockImplementation(async (_provider, messageId) => ({ kind: 'later', messageId, error }));
    const provider = mailbox();
    const answering = jest
      .spyOn(sut.app.get(MailboxProviders), 'forAccount')
      .mockReturnValue(Object.assign(Object.create(provider), { getProfile: () => Promise.reject(error) }));
    try {
      await expect(step()).rejects.toBe(error);
    } finally {
      fetching.mockRestore();
      answering.mockRestore();
    }
    expect(await state()).toMatchObject({ attempts: 0, position: null, isFinished: false });
  });

  it('should count a batch once when two processes review it', async () => {
    await again();
    const begun = await state();
    const reviews = sut.app.get(CopyReviewsRepository);
    const end = { date: '2026-01-01T00:00:00Z', id: (await row(1)).id };
    const counts = { checked: 2, suspects: 1, restored: 1 };
    expect(await reviews.advance(accountId, begun, end, counts, 0)).toBe(true);
    expect(await reviews.advance(accountId, begun, end, counts, 0)).toBe(false);
    const next = await state();
    expect(next).toMatchObject(counts);
    expect(await reviews.advance(accountId, next, end, counts, 0)).toBe(true);
    expect(await state()).toMatchObject({ checked: 4 });
  });

  it('should suspect an encrypted copy that ends with a piece of the earlier reader', async () => {
    await again();
    await step();
    await sut.dataSource.query('DELETE FROM integrity_findings WHERE account_id = $1', [accountId]);
    for (const [number, size] of [
      [2, 8 * 1024 * 1024],
      [4, 4 * 1024 * 1024],
    ] as const)
      await sut.dataSource.query(
        `UPDATE archived_mails SET size_bytes = $3, is_encrypted = true
         WHERE account_id = $1 AND mailbox_message_id = $2`,
        [accountId, ids.get(number), size],
      );
    await sut.dataSource.query('UPDATE imap_accounts SET exact_sizes = false WHERE account_id = $1', [
      accountId,
    ]);
    await again();
    expect(await step()).toBe(true);
    expect((await findings()).sort()).toEqual([(await row(2)).id, (await row(4)).id].sort());
  });
});
