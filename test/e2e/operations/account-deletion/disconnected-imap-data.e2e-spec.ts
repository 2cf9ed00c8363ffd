import {
  LARGE_TABLES,
  MAILBOX_TABLES,
} from '../../../../src/operations/account-deletion/account-rows.repository';
import { DeleteMailboxDataHandler } from '../../../../src/operations/account-deletion/delete-mailbox-data.job';
import { CursorInvalid } from '../../../../src/providers/port/mail-provider.errors';
import {
  type CallOptions,
  type MailboxProvider,
  MailboxProviders,
} from '../../../../src/providers/port/mailbox-provider.port';
import { USER_TABLES } from '../../../../src/operations/user-deletion/user-rows.repository';
import { startTestApp, type TestApp } from '../../../support/app';
import { connectImap } from '../../../support/imap/connected-account';
import { TestImapServer } from '../../../support/imap/imap-server';
import { listedIds, listedSubjects } from '../../../support/imap/listed-messages';
import { arrivalOf, plainMail } from '../../../support/imap/plain-mail';
import type { TestUser } from '../../../support/test-user';
import { bareJob } from '../../../support/jobs/bare-job';

const interactive: CallOptions = { priority: 'interactive' };
const IMAP_TABLES = MAILBOX_TABLES.filter((table) => table.startsWith('imap_'));

/** Deleted with the archive, mail by mail, before the account. */
const WITH_THE_ARCHIVE = [
  'archived_mails',
  'archived_mail_words',
  'archived_mail_passages',
  'archived_attachments',
  'archived_attachment_pages',
  'archive_holds',
];
/** A few rows for an account: they go with it. */
const SMALL = [
  'account_chores',
  'archive_index_checks',
  'archive_totals',
  'archiving_settings',
  'cleanup_suggestions',
  'imap_accounts',
  'imap_copy_reviews',
  'imap_folders',
  'imap_sync_states',
  'import_places',
  'import_uploads',
  'inbox_days',
  'integrity_days',
  'integrity_states',
  'journal_addresses',
  'label_names',
  'ledger_totals',
  'mailbox_index_states',
  'offload_plans',
  'offload_receipts',
  'offload_schedules',
  'prepared_exports',
  'restores',
  'retention_policies',
  'rules',
  'selections',
];
/** A few rows for a user: they go with the user. */
const SMALL_OF_USERS = [
  'invitations',
  'password_resets',
  'refresh_tokens',
  'retention_counts',
  'storage_configurations',
];
/** Their account has another name, or none. */
const NOT_BY_ACCOUNT_ID = ['archive_holds', 'retention_policies', 'rules', ...MAILBOX_TABLES];
/** Tables with an account that are no data of its mailbox; a disconnection leaves them. */
const LEFT_BY_A_DISCONNECTION = [
  ...[...WITH_THE_ARCHIVE, ...SMALL].filter((table) => !NOT_BY_ACCOUNT_ID.includes(table)),
  'archived_sender_names',
  'archived_senders',
  'archived_threads',
  'audit_entries',
  'change_journal',
  'file_deletions',
  'imported_subjects',
  'imported_thread_ids',
  'integrity_findings',
  'offload_items',
  'pii_findings',
  'provider_usage',
  'restore_items',
];

describe('The index of a disconnected IMAP mailbox', () => {
  let sut: TestApp;
  let server: TestImapServer;
  let user: TestUser;
  let accountId: string;
  let mailbox: MailboxProvider;

  beforeAll(async () => {
    sut = await startTestApp();
  });
  afterAll(() => sut?.close());
  beforeEach(async () => {
    server = await TestImapServer.start();
    await fill('INBOX', [1, 2, 3, 4, 5, 6]);
    await fill('Work', [7, 8]);
    user = await sut.user();
    await connect();
    expect(await listedIds(mailbox)).toHaveLength(8);
  });
  afterEach(() => server.stop());

  const fill = (folder: string, numbers: readonly number[]): Promise<void> =>
    server.append(
      folder,
      numbers.map((number) => ({ raw: plainMail(number), receivedAt: arrivalOf(number) })),
    );
  const connect = async (): Promise<void> => {
    accountId = await connectImap(sut, user, server);
    mailbox = sut.app
      .get(MailboxProviders)
      .forAccount({ id: accountId, userId: user.id, email: server.user, provider: 'imap' });
  };
  const count = async (table: string): Promise<number> => {
    const [row] = await sut.dataSource.query(
      `SELECT count(*)::int AS rows FROM ${table} WHERE account_id = $1`,
      [accountId],
    );
    return row.rows as number;
  };
  const counts = async (): Promise<Record<string, number>> =>
    Object.fromEntries(await Promise.all(IMAP_TABLES.map(async (table) => [table, await count(table)])));
  const disconnected = async (): Promise<void> => {
    expect((await user.api.delete(`/api/auth/mailbox/${accountId}`)).status).toBe(204);
    const { body } = await user.api.get(`/api/jobs?accountId=${accountId}`);
    const deletion = body.find(({ type }: { type: string }) => type === 'delete_mailbox_data');
    expect(await user.jobEnd(deletion.queue_id as string)).toMatchObject({ status: 'completed' });
  };

  it('should be deleted, and be rebuilt identically when the mailbox is reconnected', async () => {
    const [ids, labels] = [await listedIds(mailbox), await mailbox.listLabels(interactive)];
    const { historyId } = await mailbox.getProfile(interactive);
    expect(Object.values(await counts()).filter((rows) => rows === 0)).toHaveLength(1);
    await disconnected();
    expect(await counts()).toEqual(Object.fromEntries(IMAP_TABLES.map((table) => [table, 0])));

    const before = accountId;
    await fill('INBOX', [9]);
    await connect();
    expect(accountId).toBe(before);
    expect(await listedIds(mailbox)).toEqual(expect.arrayContaining(ids));
    expect((await listedSubjects(mailbox)).sort()).toEqual(
      [1, 2, 3, 4, 5, 6, 7, 8, 9].map((number) => `Message ${number}`),
    );
    expect((await mailbox.listLabels(interactive)).map(({ id }) => id)).toEqual(labels.map(({ id }) => id));
    await expect(mailbox.listChanges(historyId, undefined, interactive)).rejects.toBeInstanceOf(
      CursorInvalid,
    );
  });

  it.each(['imap_messages', 'imap_places'])(
    'should be correct when the mailbox is reconnected while %s were being deleted',
    async (table) => {
      await sut.dataSource.query(`UPDATE mailbox_accounts SET status = 'disconnected' WHERE id = $1`, [
        accountId,
      ]);
      const deletion = sut.app.get(DeleteMailboxDataHandler);
      const owner = { userId: user.id, accountId };
      let batches = 0;
      const stop = new Error('The process ended');
      const stopAt = MAILBOX_TABLES.indexOf(table as (typeof MAILBOX_TABLES)[number]);
      // Each table takes two batches here: the second finds nothing.
      const throwIfCancelled = (): void => {
        batches += 1;
        if (batches > 2 * stopAt + 1) throw stop;
      };
      const deleting = deletion.run({}, bareJob('delete_mailbox_data', owner, { throwIfCancelled }));
      await expect(deleting).rejects.toBe(stop);
      await server.session(async (client) => {
        await client.mailboxOpen('INBOX');
        await client.messageDelete('1:2');
      });
      await connect();
      expect(await deletion.run({}, bareJob('delete_mailbox_data', owner))).toEqual({ rows: 0 });
      expect((await listedSubjects(mailbox)).sort()).toEqual(
        [3, 4, 5, 6, 7, 8].map((number) => `Message ${number}`),
      );
      expect((await mailbox.getProfile(interactive)).messagesTotal).toBe(6);
      const [id = ''] = await listedIds(mailbox, 'subject:"Message 7"');
      expect((await mailbox.fetchRaw(id, interactive)).bytes).toEqual(plainMail(7));
    },
  );
});

describe('Tables with rows of accounts', () => {
  let sut: TestApp;

  beforeAll(async () => {
    sut = await startTestApp({});
  });
  afterAll(() => sut?.close());

  it('should all be emptied in batches before the account is deleted, or be small', async () => {
    const rows: { name: string }[] = await sut.dataSource.query(
      `WITH RECURSIVE reached AS (
         SELECT 'mailbox_accounts'::regclass::oid AS id
         UNION
         SELECT key.conrelid FROM pg_constraint key JOIN reached ON key.confrelid = reached.id
          WHERE key.contype = 'f' AND key.confdeltype = 'c'
       )
       SELECT id::regclass::text AS name FROM reached WHERE id <> 'mailbox_accounts'::regclass ORDER BY 1`,
    );
    const known = [...LARGE_TABLES, ...WITH_THE_ARCHIVE, ...SMALL];
    expect(rows.map(({ name }) => name)).toEqual([...new Set(known)].sort());
  });

  it('should all be emptied in batches before the user is deleted, be deleted with accounts, or be small', async () => {
    const rows: { name: string }[] = await sut.dataSource.query(
      `WITH RECURSIVE reached AS (
         SELECT 'users'::regclass::oid AS id
         UNION
         SELECT key.conrelid FROM pg_constraint key JOIN reached ON key.confrelid = reached.id
          WHERE key.contype = 'f' AND key.confdeltype = 'c'
       )
       SELECT id::regclass::text AS name FROM reached WHERE id <> 'users'::regclass ORDER BY 1`,
    );
    const ofAccounts = [...LARGE_TABLES, ...WITH_THE_ARCHIVE, ...SMALL, 'mailbox_accounts'];
    const known = [...ofAccounts, ...USER_TABLES, ...SMALL_OF_USERS];
    expect(rows.map(({ name }) => name)).toEqual([...new Set(known)].sort());
  });

  it('should all be emptied by a disconnection, or contain no data of the mailbox', async () => {
    const rows: { name: string }[] = await sut.dataSource.query(
      `SELECT table_name AS name FROM information_schema.columns
        WHERE table_schema = current_schema() AND column_name = 'account_id' ORDER BY 1`,
    );
    const known = [...MAILBOX_TABLES, ...LEFT_BY_A_DISCONNECTION];
    expect(rows.map(({ name }) => name)).toEqual([...new Set(known)].sort());
  });
});
