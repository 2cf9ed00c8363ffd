import { startTestApp, type TestApp } from '../../../support/app';
import { ACCESS_RIGHTS, QUOTA, QUOTA_KIB } from '../../../support/imap/dovecot-layouts';
import { TestImapServer } from '../../../support/imap/imap-server';
import type { ImapTestServer } from '../../../support/imap/imap-test-server';
import { plainMail } from '../../../support/imap/plain-mail';
import { connectByPassword, subjectsIn } from '../../../support/peers/imap-server-peer';
import { REAL_SERVERS } from '../../../support/peers/real-servers';
import type { TestUser } from '../../../support/test-user';

/** Two of these fit, three do not. */
const LARGE = 'x'
  .repeat(98)
  .concat('\r\n')
  .repeat(Math.floor((QUOTA_KIB * 1_024 * 0.4) / 100));

describe('Mailboxes whose servers refuse', () => {
  let app: TestApp;
  let server: ImapTestServer;
  let user: TestUser;
  let id: string;

  beforeAll(async () => {
    app = await startTestApp({ own: true, sandbox: { messages: 1 } });
  });
  afterAll(() => app?.close());
  afterEach(() => server?.stop());

  const connect = async (): Promise<void> => {
    user = await app.user();
    id = await connectByPassword(user, server);
  };
  const idsOf = async (query: string): Promise<string[]> => {
    const { body } = await user.api.get(
      `/api/mailbox/${id}/messages?maxResults=100&q=${encodeURIComponent(query)}`,
    );
    return body.messages.map((message: { id: string }) => message.id);
  };
  const run = async (path: string, request: object): Promise<any> => {
    const { status, body, bytes } = await user.api.post(path, request);
    if (status !== 202) throw new Error(`${path} answered ${status}: ${bytes.toString()}`);
    return user.jobEnd(body.jobId as string);
  };
  const bulk = (action: string, messageIds: readonly string[], more: object = {}): Promise<any> =>
    run(`/api/mailbox/${id}/messages/bulk`, { action, messageIds, ...more });

  // Each server keeps those who err waiting.
  it.each(REAL_SERVERS.map((real) => [real.name, real.start] as const))(
    'should not be connected with a wrong password: %s',
    async (_name, start) => {
      server = await start();
      user = await app.user();
      const connecting = connectByPassword(user, server, { password: 'wrong' });
      await expect(connecting).rejects.toThrow('"code":"imap-login-failed"');
      const accounts = 'SELECT id FROM mailbox_accounts WHERE user_id = $1';
      expect(await app.dataSource.query(accounts, [user.id])).toEqual([]);
    },
  );

  describe('a read-only folder', () => {
    beforeEach(async () => {
      const dovecot = await TestImapServer.start({ layout: ACCESS_RIGHTS });
      server = dovecot;
      await server.append('Shared', [plainMail(1), plainMail(2)]);
      dovecot.restrict('Shared', 'lr');
      await connect();
    });

    it.each(['trash', 'delete', 'mark_read'])('should report that %s changed nothing', async (action) => {
      const ids = await idsOf('');
      expect(ids).toHaveLength(2);
      const job = await bulk(action, ids);
      expect(job).toMatchObject({ failed: 2, result: { changed: 0 } });
      expect(await subjectsIn(server, 'Shared')).toEqual(['Message 1', 'Message 2']);
      expect(await idsOf('is:unread -is:starred -in:trash')).toHaveLength(2);
    });
  });

  describe('a full mailbox', () => {
    it('should copy nothing, report why, and still move messages to the trash and back', async () => {
      server = await TestImapServer.start({ layout: QUOTA });
      await server.append(
        'INBOX',
        [1, 2].map((number) => plainMail(number, { body: LARGE })),
      );
      await connect();
      const { body: label } = await user.api.post(`/api/mailbox/${id}/labels`, { name: 'Bills' });
      const ids = await idsOf('in:inbox');
      const refused = await bulk('label', ids, { labelId: label.id });
      expect(refused).toMatchObject({ failed: 2, result: { changed: 0 } });
      expect(JSON.stringify(refused)).toContain('The mailbox is full');
      expect(await subjectsIn(server, 'Bills')).toEqual([]);

      const trashed = await bulk('trash', ids);
      expect(trashed).toMatchObject({ status: 'completed', failed: 0, result: { changed: 2 } });
      expect(await subjectsIn(server, 'Trash')).toEqual(['Message 1', 'Message 2']);
      expect(await run(`/api/jobs/${trashed.id}/undo`, {})).toMatchObject({ status: 'completed', failed: 0 });
      expect(await subjectsIn(server, 'INBOX')).toEqual(['Message 1', 'Message 2']);
    });
  });
});
