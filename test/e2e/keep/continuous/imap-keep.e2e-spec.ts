import { ContinuousArchiver } from '../../../../src/keep/continuous/copying/continuous-archiver';
import { IntegrityFindingsService } from '../../../../src/keep/integrity/integrity-findings.service';
import { startTestApp, type TestApp } from '../../../support/app';
import { connectImap } from '../../../support/imap/connected-account';
import { TestImapServer } from '../../../support/imap/imap-server';
import { arrivalOf, plainMail } from '../../../support/imap/plain-mail';
import type { TestUser } from '../../../support/test-user';
import { waitFor } from '../../../support/wait';

const MESSAGES = 12;

describe('Keeping a mailbox on an IMAP server', () => {
  let app: TestApp;
  let user: TestUser;
  let server: TestImapServer;
  let accountId: string;

  beforeAll(async () => {
    app = await startTestApp();
    server = await TestImapServer.start();
    user = await app.user();
    accountId = await connectImap(app, user, server);
    await server.append(
      'INBOX',
      Array.from({ length: MESSAGES }, (_, index) => ({
        raw: plainMail(index + 1),
        receivedAt: arrivalOf(index + 1),
        flags: ['\\Seen'],
      })),
    );
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
    await server?.stop();
  });

  /** What the chore does every 45 seconds. */
  async function look(): Promise<void> {
    await app.dataSource.query(
      `UPDATE mailbox_index_states SET synced_at = synced_at - interval '1 minute' WHERE account_id = $1`,
      [accountId],
    );
    const account = { id: accountId, userId: user.id, email: server.user, provider: 'imap' };
    await app.app.get(ContinuousArchiver).syncNewMail(account, AbortSignal.timeout(60_000));
  }

  const coverage = async (): Promise<any> => (await user.api.get(`/api/coverage/${accountId}`)).body;

  it('should withdraw the finding of a copy that the mailbox proves correct', async () => {
    const [mail] = await app.dataSource.query(
      'SELECT id, mailbox_message_id, storage, storage_key, sha256 FROM archived_mails WHERE account_id = $1 LIMIT 1',
      [accountId],
    );
    const found = { id: mail.id, storage: mail.storage, storageKey: mail.storage_key, sha256: mail.sha256 };
    const findings = app.app.get(IntegrityFindingsService);
    await findings.record({ userId: user.id, accountId }, [{ mail: found, problem: 'differs' }]);
    const ledger = async (): Promise<{ class: string; reason: string | null }> =>
      (
        await app.dataSource.query(
          'SELECT class, reason FROM ledger_messages WHERE account_id = $1 AND message_id = $2',
          [accountId, mail.mailbox_message_id],
        )
      )[0];
    expect(await ledger()).toEqual({ class: 'failed', reason: 'provider-differs' });
    await look();
    expect(await ledger()).toEqual({ class: 'archived', reason: null });
    expect((await findings.findAmong({ userId: user.id, accountId }, [mail.id])).size).toBe(0);
  });

  it('should not report complete coverage while the server counts more than it lists', async () => {
    const ids: string[] = (await user.api.get(`/api/mailbox/${accountId}/messages`)).body.messages.map(
      ({ id }: { id: string }) => id,
    );
    await app.dataSource.query(
      `UPDATE imap_folders SET is_complete = false WHERE account_id = $1 AND role = 'inbox'`,
      [accountId],
    );
    expect((await coverage()).exact).toBe(false);
    expect((await user.api.get(`/api/archiving/${accountId}`)).body).toMatchObject({
      exact: false,
      state: 'behind',
      reason: 'incomplete',
    });
    const asked = await user.api.post(`/api/coverage/${accountId}/deletable`, {
      messageIds: ids.slice(0, 3),
    });
    expect(asked.body).toMatchObject({ yes: 0, no: 3 });
    // The next sync lists everything.
    await server.append('INBOX', [plainMail(MESSAGES + 1)]);
    await look();
    expect((await coverage()).exact).toBe(true);
    expect((await user.api.get(`/api/archiving/${accountId}`)).body).toMatchObject({ state: 'healthy' });
  });
});
