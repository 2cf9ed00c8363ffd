import { readFileSync } from 'node:fs';
import { incompleteFolders } from '../../../../src/keep/continuous/settings/incomplete-folders';
import { CursorInvalid } from '../../../../src/providers/port/mail-provider.errors';
import { type MailboxProvider, MailboxProviders } from '../../../../src/providers/port/mailbox-provider.port';
import { startTestApp, type TestApp } from '../../../support/app';
import { TestImapServer } from '../../../support/imap/imap-server';
import { listedIds } from '../../../support/imap/listed-messages';
import { plainMail } from '../../../support/imap/plain-mail';
import { fingerprintOf } from '../../../support/imap/test-certificate';
import type { TestUser } from '../../../support/test-user';

const interactive = { priority: 'interactive' } as const;

describe('A mailbox whose IMAP server is changed', () => {
  let sut: TestApp;
  let first: TestImapServer;
  let second: TestImapServer;
  let user: TestUser;
  let accountId: string;
  let mailbox: MailboxProvider;

  beforeAll(async () => {
    sut = await startTestApp();
    // The user has the same name on both.
    [first, second] = [await TestImapServer.start({ own: true }), await TestImapServer.start({ own: true })];
    await first.append('INBOX', [plainMail(1), plainMail(2), plainMail(3)]);
    await second.append('INBOX', [plainMail(11), plainMail(2), plainMail(13)]);
    user = await sut.user();
    const { status, body } = await user.api.post('/api/auth/mailbox/imap', {
      email: first.user,
      ...at(first),
    });
    expect(status).toBe(201);
    accountId = body.id as string;
    mailbox = sut.app
      .get(MailboxProviders)
      .forAccount({ id: accountId, userId: user.id, email: first.user, provider: 'imap' });
  });
  afterAll(async () => {
    await sut?.close();
    await first?.stop();
    await second?.stop();
  });

  const at = (server: TestImapServer) => ({
    ...{ host: 'localhost', port: server.tlsPort, security: 'tls', password: server.pass },
    certificateSha256: fingerprintOf(readFileSync(server.certificatePath, 'utf8')),
  });
  const folders = (): Promise<{ uid_validity: string }[]> =>
    sut.dataSource.query('SELECT uid_validity FROM imap_folders WHERE account_id = $1 AND path = $2', [
      accountId,
      'INBOX',
    ]);

  it('should keep its data when the same server is entered again', async () => {
    expect(await listedIds(mailbox)).toHaveLength(3);
    const before = await folders();
    const cursor = (await mailbox.getProfile(interactive)).historyId;
    expect((await user.api.patch(`/api/auth/mailbox/${accountId}/imap`, at(first))).status).toBe(200);
    expect(await folders()).toEqual(before);
    expect((await mailbox.listChanges(cursor, undefined, interactive)).changes).toEqual([]);
  });

  it('should still treat the sizes of the same server as estimates, even if three of them are exact', async () => {
    const sizes = (): Promise<{ exact_sizes: boolean }[]> =>
      sut.dataSource.query('SELECT exact_sizes FROM imap_accounts WHERE account_id = $1', [accountId]);
    await sut.dataSource.query('UPDATE imap_accounts SET exact_sizes = false WHERE account_id = $1', [
      accountId,
    ]);
    const before = await folders();
    expect((await user.api.patch(`/api/auth/mailbox/${accountId}/imap`, at(first))).status).toBe(200);
    expect(await sizes()).toEqual([{ exact_sizes: false }]);
    expect(await folders()).toEqual(before);
    await sut.dataSource.query('UPDATE imap_accounts SET exact_sizes = true WHERE account_id = $1', [
      accountId,
    ]);
  });

  it('should use no UID of the first server with the second, even under the same UIDVALIDITY', async () => {
    const ids = await listedIds(mailbox);
    const cursor = (await mailbox.getProfile(interactive)).historyId;
    const raws = await Promise.all(ids.map((id) => mailbox.fetchRaw(id, interactive)));
    const common = raws.find(({ bytes }) => bytes.equals(plainMail(2)))!.id;
    expect((await user.api.patch(`/api/auth/mailbox/${accountId}/imap`, at(second))).status).toBe(200);
    expect(await folders()).toEqual([{ uid_validity: '0' }]);
    // Nothing is known of the second server yet.
    const [unread] = await sut.dataSource.query(`SELECT ${incompleteFolders('$1::uuid')} AS paths`, [
      accountId,
    ]);
    expect(unread.paths).toContain('INBOX');
    await expect(mailbox.listChanges(cursor, undefined, interactive)).rejects.toBeInstanceOf(CursorInvalid);
    // Headers are read with the first list; what the second server lacks is known to be gone with the next sync.
    await listedIds(mailbox);
    const now = await listedIds(mailbox);
    expect(now).toHaveLength(3);
    expect(now).toContain(common);
    const subjects: string[] = [];
    for (const id of now) {
      const { bytes } = await mailbox.fetchRaw(id, interactive);
      for await (const batch of mailbox.fetchMetadata([id], interactive))
        for (const { subject } of batch) {
          expect(bytes.includes(`Subject: ${subject}\r\n`)).toBe(true);
          subjects.push(subject);
        }
    }
    expect(subjects.toSorted()).toEqual(['Message 11', 'Message 13', 'Message 2']);
  });
});
