import { type MailboxProvider, MailboxProviders } from '../../../../src/providers/port/mailbox-provider.port';
import { startTestApp, type TestApp } from '../../../support/app';
import { connectImap } from '../../../support/imap/connected-account';
import { TestImapServer } from '../../../support/imap/imap-server';
import { listedIds, listedSubjects } from '../../../support/imap/listed-messages';
import { arrivalOf, plainMail } from '../../../support/imap/plain-mail';
import type { TestUser } from '../../../support/test-user';

describe('Searches of a mailbox on an IMAP server', () => {
  let app: TestApp;
  let user: TestUser;
  let server: TestImapServer;
  let accountId: string;
  let mailbox: MailboxProvider;

  beforeAll(async () => {
    [app, server] = await Promise.all([startTestApp(), TestImapServer.start()]);
    user = await app.user();
    accountId = await connectImap(app, user, server);
    mailbox = app.app
      .get(MailboxProviders)
      .forAccount({ id: accountId, userId: user.id, email: server.user, provider: 'imap' });
    await server.append('INBOX', [
      {
        raw: plainMail(1, { subject: 'Réunion budget', body: 'les clés du bureau' }),
        receivedAt: arrivalOf(1),
      },
      {
        raw: plainMail(2, {
          from: 'Shop <news@shop.example>',
          body: 'invoice for socks',
          extra: 'List-Id: <n.shop.example>\r\n',
        }),
        receivedAt: arrivalOf(2),
        flags: ['\\Seen', '\\Flagged'],
      },
    ]);
    await server.append('Spam', [{ raw: plainMail(3), receivedAt: arrivalOf(3) }]);
  });
  afterAll(async () => {
    await app?.close();
    await server?.stop();
  });

  it.each([
    ['from:shop', ['Message 2', 'Réunion budget']],
    ['from:news', ['Message 2']],
    ['subject:reunion', ['Réunion budget']],
    ['is:unread', ['Réunion budget']],
    ['is:starred larger:10', ['Message 2']],
    ['list:n.shop.example', ['Message 2']],
    ['invoice socks', ['Message 2']],
    ['clés', ['Réunion budget']],
    ['{invoice clés}', ['Message 2', 'Réunion budget']],
    ['after:2024/01/02', []],
    ['in:spam', ['Message 3']],
    ['in:anywhere older_than:1y', ['Message 3', 'Message 2', 'Réunion budget']],
    ['-from:news', ['Réunion budget']],
  ])('should find by %j', async (query, expected) => {
    expect(await listedSubjects(mailbox, query)).toEqual(expected);
  });

  it('should refuse by name an excluded word of the text', async () => {
    await expect(listedIds(mailbox, 'socks -invoice')).rejects.toMatchObject({
      code: 'search-term-unsupported',
      message: expect.stringContaining('-invoice'),
    });
  });

  it.each([
    ['category:promotions', 'category:promotions'],
    ['has:drive', 'has:drive'],
    ['is:muted', 'is:muted'],
    ['in:snoozed', 'in:snoozed'],
    ['a AROUND 3 b', 'AROUND'],
    ['newer_than:2w', 'newer_than:2w'],
    ['older_than:12h', 'older_than:12h'],
    ['larger:0.1M', 'larger:0.1M'],
    ['size:1G', 'size:1G'],
    ['larger:1GB', 'larger:1GB'],
    ['after:2025', 'after:2025'],
    ['before:2025/02/31', 'before:2025/02/31'],
    ['label:Misspelt', 'label:Misspelt'],
    ['in:misspelt', 'in:misspelt'],
    ['is:unraed', 'is:unraed'],
    ['from:""', 'from:""'],
    ['"', '"'],
  ])('should refuse %j by name, negated as well', async (query, term) => {
    for (const form of [query, `subject:Message -${query}`]) {
      await expect(listedIds(mailbox, form)).rejects.toMatchObject({
        code: 'search-term-unsupported',
        status: 400,
      });
      const answer = await user.api.get(`/api/mailbox/${accountId}/messages?q=${encodeURIComponent(form)}`);
      expect(answer.status).toBe(400);
      const { code, detail } = answer.body as { code: string; detail: string };
      expect(code).toBe('search-term-unsupported');
      expect(detail).toContain(term);
    }
  });
});
