import { type MailboxProvider, MailboxProviders } from '../../../../src/providers/port/mailbox-provider.port';
import { startTestApp, type TestApp } from '../../../support/app';
import { listedIds, listedSubjects } from '../../../support/imap/listed-messages';
import { TestImapServer } from '../../../support/imap/imap-server';
import { ImapServerPeer } from '../../../support/peers/imap-server-peer';
import type { MailboxPeer } from '../../../support/peers/mailbox-peer';
import { SandboxPeer } from '../../../support/peers/sandbox-peer';
import { allowForExamples, fc, holds } from '../../../support/properties';
import {
  excludesText,
  type FindText,
  hasParts,
  hasWords,
  isFound,
  naiveMail,
  type SentMail,
  sentMail,
  typedQuery,
  wantedTree,
} from '../../../support/search/naive-search';

allowForExamples();

const NOW = Date.now();
const MAILS = fc
  .sample(naiveMail, { numRuns: 40, seed: 35 })
  .map((mail, number) => sentMail(mail, number, NOW));

interface Searched {
  readonly peer: MailboxPeer;
  readonly provider: 'gmail' | 'imap';
  readonly findText: FindText;
  readonly runs: number;
}

const SEARCHED: readonly Searched[] = [
  { peer: new SandboxPeer(), provider: 'gmail', findText: hasWords, runs: 800 },
  {
    peer: new ImapServerPeer('IMAP', () => TestImapServer.start()),
    provider: 'imap',
    findText: hasParts,
    runs: 400,
  },
];

describe.each(SEARCHED.map((searched) => [searched.peer.name, searched] as const))(
  'The search language in a mailbox by %s',
  (_name, { peer, provider, findText, runs }) => {
    let app: TestApp;
    let mailbox: MailboxProvider;
    const mails = new Map<string, SentMail>();

    beforeAll(async () => {
      app = await startTestApp({ sandbox: { messages: 1 } });
      await peer.start(app);
      await peer.receive(
        MAILS.map(({ raw, daysAgo, isUnread, isStarred }) => ({
          raw,
          receivedAt: new Date(NOW - daysAgo * 86_400_000),
          isSeen: !isUnread,
          isStarred,
        })),
      );
      const user = await app.user();
      const id = await peer.connect(user);
      const { body } = await user.api.get('/api/auth/me');
      const { email } = (body.mailboxAccounts as { id: string; email: string }[]).find(
        (one) => one.id === id,
      )!;
      mailbox = app.app.get(MailboxProviders).forAccount({ id, userId: user.id, email, provider });
      const [ids, subjects] = [await listedIds(mailbox), await listedSubjects(mailbox)];
      for (const [at, messageId] of ids.entries())
        mails.set(messageId, MAILS[Number(/^n(\d+)/.exec(subjects[at]!)![1])]!);
    });
    afterAll(async () => {
      await app?.close();
      await peer.stop();
    });

    it('should find the messages that a naive search finds', async () => {
      expect(mails.size).toBe(MAILS.length);
      await holds(
        runs,
        fc.asyncProperty(wantedTree, async (wanted) => {
          const query = typedQuery(wanted);
          if (provider === 'imap' && excludesText(wanted)) {
            await expect(listedIds(mailbox, query)).rejects.toMatchObject({
              code: 'search-term-unsupported',
            });
            return;
          }
          const found = (await listedIds(mailbox, query)).map((id) => mails.get(id)!.number);
          const expected = MAILS.filter((mail) => isFound(wanted, mail, findText)).map(
            ({ number }) => number,
          );
          expect([query, found.sort((a, b) => a - b)]).toEqual([query, expected]);
        }),
      );
    });
  },
);
