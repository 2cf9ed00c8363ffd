import type { ImapFlow } from 'imapflow';
import {
  MailboxProviders,
  type CallOptions,
  type MailboxProvider,
} from '../../../../src/providers/port/mailbox-provider.port';
import { ImapConnections } from '../../../../src/providers/imap/session/imap-connections';
import { startTestApp, type TestApp } from '../../../support/app';
import { connectImap } from '../../../support/imap/connected-account';
import { TestImapServer } from '../../../support/imap/imap-server';
import { arrivalOf, plainMail } from '../../../support/imap/plain-mail';
import { allowForExamples, fc, holds } from '../../../support/properties';

allowForExamples();

const interactive: CallOptions = { priority: 'interactive' };
const FOLDERS = ['INBOX', 'Work', 'Archive', 'Trash'] as const;
type Folder = (typeof FOLDERS)[number];

/** What happens to a mailbox: by another client, by us, or a look at it. */
type Step =
  | { readonly kind: 'deliver'; readonly to: Folder }
  | { readonly kind: 'move' | 'copy'; readonly from: Folder; readonly to: Folder; readonly pick: number }
  | { readonly kind: 'read' | 'star' | 'expunge'; readonly from: Folder; readonly pick: number }
  | { readonly kind: 'trash' | 'archive' | 'label' | 'unread' | 'delete'; readonly pick: number }
  | { readonly kind: 'renumber'; readonly folder: Folder }
  | { readonly kind: 'rename' | 'look' };

const folder = fc.constantFrom(...FOLDERS);
const pick = fc.nat({ max: 50 });
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 6, arbitrary: fc.record({ kind: fc.constant('deliver' as const), to: folder }) },
  {
    weight: 5,
    arbitrary: fc.record({ kind: fc.constantFrom('move', 'copy'), from: folder, to: folder, pick }),
  },
  {
    weight: 4,
    arbitrary: fc.record({ kind: fc.constantFrom('read', 'star', 'expunge'), from: folder, pick }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constantFrom('trash', 'archive', 'label', 'unread', 'delete'),
      pick,
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('renumber' as const), folder }) },
  { weight: 1, arbitrary: fc.constant<Step>({ kind: 'rename' }) },
  { weight: 4, arbitrary: fc.constant<Step>({ kind: 'look' }) },
);

/**
 * Labels by the key of messages: two copies that a change has put into one folder are one message for those who made it, and
 * two for a fresh account.
 */
function withoutOrdinals(found: ReadonlyMap<string, string>): Map<string, string> {
  const words = new Map<string, Set<string>>();
  for (const [id, text] of found) {
    const key = id.split('~')[0]!;
    const known = words.get(key) ?? new Set();
    for (const word of text.split(' ')) known.add(word);
    words.set(key, known);
  }
  return new Map([...words].map(([key, found]) => [key, [...found].toSorted().join(' ')]));
}

describe('Any history of a mailbox on an IMAP server', () => {
  let sut: TestApp;
  let server: TestImapServer;
  let delivered = 0;
  const connected: string[] = [];
  let work = 'Work';

  beforeAll(async () => {
    sut = await startTestApp();
    server = await TestImapServer.start();
  });
  afterAll(async () => {
    await sut?.close();
    await server?.stop();
  });

  /** A new account on the mailbox, of a person of its own. */
  async function connect(): Promise<MailboxProvider> {
    const user = await sut.user();
    const id = await connectImap(sut, user, server);
    connected.push(id);
    return sut.app
      .get(MailboxProviders)
      .forAccount({ id, userId: user.id, email: server.user, provider: 'imap' });
  }

  const pathOf = (name: Folder): string => (name === 'Work' ? work : name);

  /** Empties the mailbox. */
  async function clear(): Promise<void> {
    work = 'Work';
    // The server allows ten connections in all.
    for (const id of connected.splice(0)) await sut.app.get(ImapConnections).close(id);
    await server.session(async (client) => {
      for (const { path } of await client.list())
        if (path !== 'INBOX' && path !== 'Sent') await client.mailboxDelete(path);
      await inFolder(client, 'INBOX', () => client.messageDelete('1:*'));
      for (const name of FOLDERS) if (name !== 'INBOX') await client.mailboxCreate(name);
    });
  }

  async function inFolder<T>(client: ImapFlow, path: string, act: () => Promise<T>): Promise<T | null> {
    const lock = await client.getMailboxLock(path);
    try {
      return (client.mailbox as { exists: number }).exists === 0 ? null : await act();
    } finally {
      lock.release();
    }
  }

  /** A message of a folder, chosen by number; null when the folder is empty. */
  async function chosen(
    client: ImapFlow,
    path: string,
    number: number,
  ): Promise<{ readonly uid: string; readonly messageId: string } | null> {
    return inFolder(client, path, async () => {
      const all: { uid: number; messageId: string }[] = [];
      for await (const { uid, envelope } of client.fetch('1:*', { uid: true, envelope: true }))
        all.push({ uid, messageId: envelope?.messageId ?? '' });
      const one = all[number % all.length]!;
      return { uid: String(one.uid), messageId: one.messageId };
    });
  }

  /** Two copies in one folder are two messages for those who saw how it came about: only they can tell. */
  const holdsAlready = (client: ImapFlow, path: string, messageId: string): Promise<boolean> =>
    inFolder(client, path, async () => {
      const found = await client.search({ header: { 'message-id': messageId } }, { uid: true });
      return found !== false && found !== undefined && found.length > 0;
    }).then((found) => found ?? false);

  /** The folder is made anew with the same messages: its UIDs are others, and its UIDVALIDITY says so. */
  async function renumber(client: ImapFlow, path: string): Promise<void> {
    if (path === 'INBOX') return;
    await client.mailboxRename(path, 'Old');
    await client.mailboxCreate(path);
    await inFolder(client, 'Old', () => client.messageMove('1:*', path));
    await client.mailboxDelete('Old');
  }

  async function bySecondClient(one: Step): Promise<void> {
    await server.session(async (client) => {
      if (one.kind === 'deliver') {
        delivered += 1;
        await client.append(pathOf(one.to), plainMail(delivered), [], arrivalOf(delivered));
        return;
      }
      if (one.kind === 'rename') {
        const next = work === 'Work' ? 'Projects' : 'Work';
        await client.mailboxRename(work, next);
        work = next;
        return;
      }
      if (one.kind === 'renumber') return renumber(client, pathOf(one.folder));
      if (!('from' in one)) return;
      const from = pathOf(one.from);
      const message = await chosen(client, from, one.pick);
      if (message === null) return;
      if ('to' in one) {
        const to = pathOf(one.to);
        if (from === to || (await holdsAlready(client, to, message.messageId))) return;
        await inFolder(client, from, () =>
          one.kind === 'move'
            ? client.messageMove(message.uid, to, { uid: true })
            : client.messageCopy(message.uid, to, { uid: true }),
        );
        return;
      }
      await inFolder(client, from, () =>
        one.kind === 'expunge'
          ? client.messageDelete(message.uid, { uid: true })
          : client.messageFlagsAdd(message.uid, [one.kind === 'read' ? '\\Seen' : '\\Flagged'], {
              uid: true,
            }),
      );
    });
  }

  async function byUs(mailbox: MailboxProvider, kind: string, number: number): Promise<void> {
    const ids = [...(await dump(mailbox)).keys()].toSorted();
    if (ids.length === 0) return;
    const id = ids[number % ids.length]!;
    const label = (await mailbox.listLabels(interactive)).find(({ name }) => name === work)?.id;
    if (kind === 'trash') await mailbox.trash([id], interactive);
    else if (kind === 'archive') await mailbox.modify([id], { add: [], remove: ['INBOX'] }, interactive);
    else if (kind === 'unread') await mailbox.modify([id], { add: ['UNREAD'], remove: [] }, interactive);
    else if (kind === 'delete') await mailbox.delete([id], interactive);
    else if (label) await mailbox.modify([id], { add: [label], remove: [] }, interactive);
  }

  /** Labels of each message; a folder's label by its name, since names are what both accounts share. */
  async function dump(mailbox: MailboxProvider): Promise<Map<string, string>> {
    const names = new Map((await mailbox.listLabels(interactive)).map(({ id, name }) => [id, name]));
    const ids: string[] = [];
    let pageToken: string | undefined;
    do {
      const page = await mailbox.listMessages(
        { includeSpamTrash: true, maxResults: 500, pageToken },
        interactive,
      );
      ids.push(...page.messages.map(({ id }) => id));
      pageToken = page.nextPageToken;
    } while (pageToken);
    const found = new Map<string, string>();
    for await (const batch of mailbox.fetchMetadata(ids, interactive))
      for (const { id, subject, labelIds } of batch)
        found.set(id, [subject, ...labelIds.map((label) => names.get(label) ?? label).toSorted()].join(' '));
    expect(found.size).toBe(ids.length);
    return found;
  }

  /** Labels by message after all changes since a cursor. */
  async function replayed(
    mailbox: MailboxProvider,
    cursor: string,
    before: ReadonlyMap<string, readonly string[]>,
  ): Promise<Map<string, readonly string[]>> {
    const state = new Map(before);
    let pageToken: string | undefined;
    do {
      const page = await mailbox.listChanges(cursor, pageToken, interactive);
      for (const { kind, message, labelIds } of page.changes) {
        if (kind === 'deleted') state.delete(message.id);
        else if (labelIds) state.set(message.id, labelIds);
      }
      pageToken = page.nextPageToken;
    } while (pageToken);
    return state;
  }

  async function labelsNow(mailbox: MailboxProvider): Promise<Map<string, readonly string[]>> {
    const now = new Map<string, readonly string[]>();
    for await (const batch of mailbox.fetchMetadata([...(await dump(mailbox)).keys()], interactive))
      for (const { id, labelIds } of batch) now.set(id, labelIds.toSorted());
    return now;
  }

  it('should end in the state that a new account finds, and be recorded in the history', async () => {
    await holds(
      12,
      fc.asyncProperty(fc.array(step, { minLength: 6, maxLength: 24 }), async (steps) => {
        await clear();
        const mailbox = await connect();
        for (let n = 0; n < 3; n += 1) await bySecondClient({ kind: 'deliver', to: 'INBOX' });
        const before = await labelsNow(mailbox);
        const cursor = (await mailbox.getProfile(interactive)).historyId;
        for (const one of steps) {
          if (one.kind === 'look') await mailbox.getProfile(interactive);
          else if ('pick' in one && !('from' in one)) await byUs(mailbox, one.kind, one.pick);
          else await bySecondClient(one);
        }
        const seen = withoutOrdinals(await dump(mailbox));
        const fresh = withoutOrdinals(await dump(await connect()));
        expect(Object.fromEntries(seen)).toEqual(Object.fromEntries(fresh));
        const told = await replayed(mailbox, cursor, before);
        const sorted = [...told].map(([id, labels]) => [id, labels.toSorted()] as const);
        expect(Object.fromEntries(sorted)).toEqual(Object.fromEntries(await labelsNow(mailbox)));
      }),
    );
  });
});
