import { startTestApp, type TestApp } from '../support/app';
import type { ImapTestServer } from '../support/imap/imap-test-server';
import { plainMail } from '../support/imap/plain-mail';
import { connectByPassword } from '../support/peers/imap-server-peer';
import { REAL_SERVERS } from '../support/peers/real-servers';
import type { TestUser } from '../support/test-user';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp({ own: true, sandbox: { messages: 1 } });
});
afterAll(() => app?.close());

/** Dovecot of the other specs is one server of many: a sample of what people do, on each kind. */
describe.each(REAL_SERVERS.map(({ name, start }) => [name, start] as const))(
  'A mailbox on %s',
  (_name, start) => {
    let server: ImapTestServer;
    let user: TestUser;
    let id: string;

    beforeAll(async () => {
      server = await start();
      await server.append(
        'INBOX',
        [1, 2, 3].map((number) => plainMail(number)),
      );
      await server.append(
        'Work',
        [4, 5].map((number) => plainMail(number)),
      );
      user = await app.user();
    });
    afterAll(() => server?.stop());

    const listed = async (query: string): Promise<string[]> => {
      const path = `/api/mailbox/${id}/messages?maxResults=100&q=${encodeURIComponent(query)}`;
      const { status, body, bytes } = await user.api.get(path);
      if (status !== 200) throw new Error(`list answered ${status}: ${bytes.toString()}`);
      const ids: string[] = body.messages.map((message: { id: string }) => message.id);
      if (ids.length === 0) return [];
      const { body: messages } = await user.api.post(`/api/mailbox/${id}/messages/batch`, { ids });
      return messages.map(({ subject }: { subject: string }) => subject).sort();
    };

    it('should be connected and listed, whole', async () => {
      await expect(connectByPassword(user, server, { password: 'wrong' })).rejects.toThrow(
        'Not connected: 4',
      );
      id = await connectByPassword(user, server);
      expect(await listed('')).toEqual([1, 2, 3, 4, 5].map((number) => `Message ${number}`));
      expect(await listed('in:inbox')).toEqual([1, 2, 3].map((number) => `Message ${number}`));
    });
  },
);
