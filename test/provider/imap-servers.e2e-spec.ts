import {
  MailboxProviders,
  type CallOptions,
  type MailboxProvider,
} from '../../src/mail-provider/mailbox-provider.port';
import { startTestApp, type TestApp } from '../support/app';
import { connectImap } from '../support/imap/connected-account';
import { ImapProxy, type ImapProxyOptions } from '../support/imap/imap-proxy';
import { TestImapServer } from '../support/imap/imap-server';
import { listedSubjects } from '../support/imap/listed-messages';
import { arrivalOf, plainMail } from '../support/imap/plain-mail';
import type { TestUser } from '../support/test-user';

const interactive: CallOptions = { priority: 'interactive' };
/** Without LIST-STATUS, CONDSTORE and MOVE, like Courier. */
const COURIER = 'IMAP4rev1 AUTH=PLAIN UIDPLUS NAMESPACE';

/** What real servers do that RFC 3501 allows, or does not. */
describe('IMAP servers as they are', () => {
  let sut: TestApp;
  let server: TestImapServer;
  let proxy: ImapProxy;
  let user: TestUser;
  let mailbox: MailboxProvider;

  beforeAll(async () => {
    sut = await startTestApp({ own: true });
  });
  afterAll(() => sut?.close());
  afterEach(async () => {
    await proxy?.close();
    await server?.stop();
  });

  const start = async (capability: string, options: ImapProxyOptions = {}): Promise<void> => {
    server = await TestImapServer.start({ capability });
    proxy = await ImapProxy.to(server, options);
    user = await sut.user();
  };
  const connected = async (): Promise<MailboxProvider> => {
    const id = await connectImap(sut, user, server, { port: proxy.port });
    return sut.app
      .get(MailboxProviders)
      .forAccount({ id, userId: user.id, email: server.user, provider: 'imap' });
  };
  const fill = (folder: string, numbers: readonly number[]): Promise<void> =>
    server.append(
      folder,
      numbers.map((number) => ({ raw: plainMail(number), receivedAt: arrivalOf(number) })),
    );

  describe('without UIDNEXT in the answer to SELECT', () => {
    const withoutUidNext = (line: string): string | null => (line.startsWith('* OK [UIDNEXT') ? null : line);

    it('should show new messages, also on a slow wire', async () => {
      await start(COURIER, { rewrite: withoutUidNext, delayMs: 10 });
      await fill('INBOX', [1, 2, 3]);
      mailbox = await connected();
      expect(await listedSubjects(mailbox)).toEqual(['Message 3', 'Message 2', 'Message 1']);
      await fill('INBOX', [4]);
      expect(await listedSubjects(mailbox)).toEqual(['Message 4', 'Message 3', 'Message 2', 'Message 1']);
      await fill('INBOX', [5, 6]);
      expect(await listedSubjects(mailbox)).toHaveLength(6);
      expect(proxy.commands.filter((command) => command.includes('42949672'))).toEqual([]);
    });

    it('should see its own changes', async () => {
      await start(COURIER, { rewrite: withoutUidNext });
      await fill('INBOX', [1, 2, 3]);
      mailbox = await connected();
      await listedSubjects(mailbox);
      const { messages } = await mailbox.listMessages(
        { maxResults: 10, query: 'subject:"Message 2"' },
        interactive,
      );
      await mailbox.trash([messages[0]!.id], interactive);
      expect(await listedSubjects(mailbox)).toEqual(['Message 3', 'Message 1']);
      expect(await listedSubjects(mailbox, 'in:trash')).toEqual(['Message 2']);
    });
  });
});
