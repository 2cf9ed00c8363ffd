import { dateText } from '../../../providers/imap/session/imap-answers';
import { type Argument, atom } from '../../../providers/imap/session/imap-commands';
import { folderRoles } from '../../../providers/imap/sync/imap-folder-roles';
import type {
  HeldMessage,
  MailboxDestination,
  MailToPlace,
  PlacedMessage,
} from '../mailbox-destination.port';
import type { RestoreNote } from '../restore.entity';
import { RefusedByDestination } from '../restore.errors';
import type { RestoredLabels } from '../restored-labels';
import { likenessOf } from '../arrived-message';
import { flagsFor, type FolderChoice, folderFor, folderPath } from './imap-folders';
import type { OneTimeMailbox, ImapPlace } from './one-time-mailbox';

const DAY_MS = 24 * 60 * 60_000;
/** Relative difference in size that different line ends may cause. */
const SIZE_SLACK = 0.1;

/** The folders of a user on an IMAP server. */
export class ImapDestination implements MailboxDestination {
  /** An IMAP connection runs one command at a time. */
  readonly atOnce = 1;

  /** @param root folder that holds the restored folders; null: mail goes into the user's own folders */
  constructor(
    private readonly mailbox: OneTimeMailbox,
    private readonly root: string | null,
  ) {}

  get maxBytes(): number {
    return this.mailbox.maxBytes;
  }

  async listMissingLabels(labels: readonly RestoredLabels[]): Promise<string[]> {
    const folders = await this.mailbox.list();
    const missing = new Set<string>();
    for (const each of labels) {
      const path = await this.pathOf(folderFor(each, this.root));
      if (path !== 'INBOX' && !folders.has(path)) missing.add(path);
    }
    return [...missing].sort();
  }

  readCursor(): Promise<null> {
    return Promise.resolve(null);
  }

  listArrivedSince(): Promise<null> {
    return Promise.resolve(null);
  }

  async *find(mail: MailToPlace): AsyncGenerator<HeldMessage, void, undefined> {
    const seen = new Set<string>();
    for (const id of mail.knownIds) {
      seen.add(id);
      const held = await this.readBack(id);
      if (held) yield held;
    }
    const path = await this.pathOf(folderFor(mail.labels, this.root));
    const byId = searchByMessageId(mail);
    for (const query of byId ? [byId] : searchesByDateAndSize(mail)) {
      for (const place of (await this.mailbox.search(path, query)) ?? []) {
        const id = idOf(place);
        if (seen.has(id)) continue;
        seen.add(id);
        const held = await this.readBack(id);
        // Another message of that day and size is not the mail.
        if (held && (byId || likenessOf(mail.bytes, held.bytes) !== 'different')) yield held;
      }
    }
  }

  canFind(): boolean {
    return true;
  }

  async insert(mail: MailToPlace, fence: () => void): Promise<PlacedMessage> {
    const choice = folderFor(mail.labels, this.root);
    const path = await this.pathOf(choice);
    await this.mailbox.ensureFolder(path);
    const place =
      (await this.mailbox.append(
        path,
        mail.bytes,
        { flags: flagsFor(mail.labels), keywords: mail.keywords, date: mail.date },
        fence,
      )) ?? (await this.findNewest(path, mail));
    if (!place) throw new RefusedByDestination('outcome-unknown');
    return { id: idOf(place), threadId: null, notes: choice.isComplete ? [] : ['label-refused'] };
  }

  completeLabels(_held: HeldMessage, { labels }: MailToPlace): Promise<readonly RestoreNote[]> {
    return Promise.resolve(folderFor(labels, this.root).isComplete ? [] : ['label-refused']);
  }

  untrash(): Promise<readonly RestoreNote[]> {
    return Promise.reject(new Error('No message of an IMAP server is in its trash for us'));
  }

  async readBack(id: string): Promise<HeldMessage | null> {
    const place = placeOf(id);
    const held = place && (await this.mailbox.read(place));
    if (!held) return null;
    return { id, threadId: null, date: held.receivedAt, isInTrash: false, labelIds: null, bytes: held.bytes };
  }

  close(): Promise<void> {
    return this.mailbox.close();
  }

  /** Finds a message just added where the server does not return its UID (without UIDPLUS, RFC 4315). */
  private async findNewest(path: string, mail: MailToPlace): Promise<ImapPlace | null> {
    const byId = searchByMessageId(mail);
    if (byId) return (await this.mailbox.search(path, byId))?.at(-1) ?? null;
    for (const query of searchesByDateAndSize(mail)) {
      for (const place of ((await this.mailbox.search(path, query)) ?? []).reverse()) {
        const held = await this.readBack(idOf(place));
        if (held && likenessOf(mail.bytes, held.bytes) !== 'different') return place;
      }
    }
    return null;
  }

  private async pathOf({ role, levels }: FolderChoice): Promise<string> {
    const folders = await this.mailbox.list();
    if (role !== null)
      for (const [path, given] of folderRoles([...folders.values()], {}))
        if (given.role === role) return path;
    return folderPath(levels, this.mailbox.delimiter, this.mailbox.prefix);
  }
}

/** Search for messages with the mail's Message-ID; null when the server cannot search for it, or the mail has none. */
function searchByMessageId({ messageIdHeader }: MailToPlace): Argument[] | null {
  if (messageIdHeader === null || !/^[\x21-\x7e]{1,900}$/.test(messageIdHeader)) return null;
  return [atom('HEADER'), atom('Message-ID'), messageIdHeader];
}

/** Searches for messages that may be the mail by their date and size, the likeliest first. */
function searchesByDateAndSize({ date, bytes }: MailToPlace): Argument[][] {
  const between = (smallest: number, largest: number): Argument[] => [
    // Servers compare dates in their own time zones.
    ...[atom('SINCE'), atom(dateText(new Date(date.getTime() - DAY_MS)))],
    ...[atom('BEFORE'), atom(dateText(new Date(date.getTime() + 2 * DAY_MS)))],
    ...[atom('LARGER'), atom(String(Math.max(0, smallest - 1)))],
    ...[atom('SMALLER'), atom(String(largest + 1))],
  ];
  const slack = Math.ceil(bytes.length * SIZE_SLACK);
  return [between(bytes.length, bytes.length), between(bytes.length - slack, bytes.length + slack)];
}

const idOf = ({ path, uidValidity, uid }: ImapPlace): string =>
  `${Buffer.from(path).toString('base64url')}.${uidValidity}.${uid}`;

function placeOf(id: string): ImapPlace | null {
  const [path, uidValidity, uid] = id.split('.');
  if (!path || !uidValidity || !uid) return null;
  return { path: Buffer.from(path, 'base64url').toString(), uidValidity, uid: Number(uid) };
}
