import {
  MailboxProviders,
  type CallOptions,
  type MailboxProvider,
} from '../../../../src/providers/port/mailbox-provider.port';
import { ImapSyncTimings } from '../../../../src/providers/imap/sync/imap-sync-timings';
import { startTestApp, type TestApp } from '../../../support/app';
import { connectImap } from '../../../support/imap/connected-account';
import { TestImapServer } from '../../../support/imap/imap-server';
import { arrivalOf, plainMail } from '../../../support/imap/plain-mail';
import { nightly } from '../../../support/nightly';
import { IMAP_PROFILES, type ImapProfile, NIGHTLY_IMAP_PROFILES } from '../../../support/peers/imap-profiles';

const interactive: CallOptions = { priority: 'interactive' };
describe('Mailboxes on IMAP servers of all kinds', () => {
  let sut: TestApp;
  let server: TestImapServer;

  beforeAll(async () => {
    sut = await startTestApp();
    // What a second client does is seen at once.
    sut.tune(ImapSyncTimings, { figuresMs: 0 });
  });
  afterAll(() => sut?.close());
  afterEach(() => server?.stop());

  const connected = async (): Promise<MailboxProvider> => {
    const user = await sut.user();
    const id = await connectImap(sut, user, server, { maxConnections: 2 });
    return sut.app
      .get(MailboxProviders)
      .forAccount({ id, userId: user.id, email: server.user, provider: 'imap' });
  };
  /** Each message with its labels, by names. */
  const indexOf = async (mailbox: MailboxProvider): Promise<string[]> => {
    const found: string[] = [];
    let pageToken: string | undefined;
    const names = new Map((await mailbox.listLabels(interactive)).map(({ id, name }) => [id, name]));
    do {
      const page = await mailbox.listMessages(
        { maxResults: 500, includeSpamTrash: true, pageToken },
        interactive,
      );
      const ids = page.messages.map(({ id }) => id);
      for await (const batch of mailbox.fetchMetadata(ids, interactive))
        for (const { id, subject, labelIds } of batch)
          found.push(
            `${id} ${subject}: ${labelIds
              .map((label) => names.get(label))
              .sort()
              .join(' ')}`,
          );
      pageToken = page.nextPageToken;
    } while (pageToken);
    return found.sort();
  };
  const fill = (folder: string, numbers: readonly number[]): Promise<void> =>
    server.append(
      folder,
      numbers.map((number) => ({ raw: plainMail(number), receivedAt: arrivalOf(number) })),
    );
  const countIn = (folder: string): Promise<number> =>
    server.session(async (client) => (await client.status(folder, { messages: true })).messages ?? 0);
  const idsOf = async (mailbox: MailboxProvider, query: string): Promise<string[]> =>
    (await mailbox.listMessages({ query, maxResults: 100 }, interactive)).messages.map(({ id }) => id);

  const spec =
    ({ capability, canDelete, canMove }: ImapProfile) =>
    async (): Promise<void> => {
      server = await TestImapServer.start({ capability });
      await fill('INBOX', [1, 2, 3, 4, 5, 6, 7, 8]);
      await fill('Work', [9]);
      const mailbox = await connected();
      expect(await indexOf(mailbox)).toHaveLength(9);
      const { historyId } = await mailbox.getProfile(interactive);

      // What a second client does meanwhile.
      await fill('INBOX', [10]);
      await server.session(async (client) => {
        await client.mailboxCreate('Later');
        await client.mailboxOpen('INBOX');
        await client.messageFlagsAdd('1', ['\\Seen', '\\Flagged']);
        await client.messageCopy('2', 'Later');
        await client.messageMove('3', 'Later');
        await client.messageDelete('3');
      });
      expect(await indexOf(mailbox)).toEqual(await indexOf(await connected()));
      const { changes } = await mailbox.listChanges(historyId, undefined, interactive);
      expect(changes.map(({ kind }) => kind).sort()).toEqual([
        'added',
        'deleted',
        'labels',
        'labels',
        'labels',
      ]);

      // What we do.
      const [seven = ''] = await idsOf(mailbox, 'subject:"Message 7"');
      const [eight = ''] = await idsOf(mailbox, 'subject:"Message 8"');
      await mailbox.modify([seven, eight], { add: ['STARRED'], remove: ['UNREAD'] }, interactive);
      const { id: label } = await mailbox.createLabel('Bills', interactive);
      await mailbox.modify([seven], { add: [label], remove: [] }, interactive);
      await mailbox.modify([seven], { add: [label], remove: [] }, interactive);
      expect(await countIn('Bills')).toBe(1);
      const leaving = mailbox.modify([eight], { add: [], remove: ['INBOX'] }, interactive);
      if (canMove) await leaving;
      else await expect(leaving).rejects.toMatchObject({ code: 'provider-rejected', reason: 'unsupported' });
      expect((await countIn('Archive')) > 0 || !canMove).toBe(true);
      const deletion = mailbox.delete([seven], interactive);
      if (canDelete) await deletion;
      else await expect(deletion).rejects.toMatchObject({ code: 'provider-rejected', reason: 'unsupported' });
      expect(await idsOf(mailbox, 'subject:"Message 7"')).toHaveLength(canDelete ? 0 : 1);
      expect(await indexOf(mailbox)).toEqual(await indexOf(await connected()));
      expect(await idsOf(mailbox, 'Body')).toHaveLength((await indexOf(mailbox)).length);
    };

  it.each(IMAP_PROFILES.map((tested) => [tested.name, tested] as const))(
    'should be kept correct %s',
    (_name, tested) => spec(tested)(),
  );
  nightly.each(NIGHTLY_IMAP_PROFILES.map((tested) => [tested.name, tested] as const))(
    'should be kept correct %s',
    (_name, tested) => spec(tested)(),
  );
});
