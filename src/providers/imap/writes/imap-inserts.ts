import { Injectable } from '@nestjs/common';
import { InsertUnconfirmed, LabelNotFound, ProviderRejected } from '../../port/mail-provider.errors';
import type {
  CallOptions,
  InsertedMessage,
  MessageToInsert,
  ProviderAccount,
} from '../../port/mailbox-provider.port';
import { parseMailDate } from '../../../platform/mime/mail-date';
import { GmailLabelWrites } from './gmail-label-writes';
import { ImapAccountsRepository } from '../login/imap-accounts.repository';
import { type ImapAttempt, ImapCalls } from '../session/imap-calls';
import { ImapFolderChecks } from '../imap-folder-checks';
import { ImapFoldersRepository } from '../store/imap-folders.repository';
import type { FolderRole, ImapFolderEntity } from '../store/imap-index.entity';
import { ImapListingRepository } from '../store/imap-listing.repository';
import { headerFields, messageKey } from '../messages/imap-message';
import { ImapPlacesRepository } from '../store/imap-places.repository';
import { FolderMissing, type ImapSession } from '../session/imap-session';
import { ImapSync } from '../sync/imap-sync';
import type { SyncedMailbox } from '../sync/synced-mailbox';
import { ImapWrites } from './imap-writes';

const ROLES: Readonly<Record<string, FolderRole>> = {
  INBOX: 'inbox',
  SENT: 'sent',
  DRAFT: 'drafts',
  SPAM: 'junk',
  TRASH: 'trash',
};
const FLAGS: Readonly<Record<string, string>> = { STARRED: '\\Flagged', IMPORTANT: '$Important' };
/** Labels that Gmail gives by itself, or that are flags of APPEND. */
const NOT_GIVEN = ['SENT', 'DRAFT', 'UNREAD', 'STARRED', 'TRASH', 'SPAM'];
const MAX_HEADER = 1024 * 1024;

/** A message that the server has accepted. */
interface Appended {
  readonly folder: ImapFolderEntity;
  /** Further folders that must get a copy of the message. */
  readonly others: readonly ImapFolderEntity[];
  /** UID of the message, where the server reports it (RFC 4315); null otherwise. */
  readonly answer: Awaited<ReturnType<ImapSession['append']>>;
}

/** Adds messages to a mailbox. */
@Injectable()
export class ImapInserts {
  constructor(
    private readonly calls: ImapCalls,
    private readonly accounts: ImapAccountsRepository,
    private readonly folders: ImapFoldersRepository,
    private readonly places: ImapPlacesRepository,
    private readonly listing: ImapListingRepository,
    private readonly sync: ImapSync,
    private readonly writes: ImapWrites,
    private readonly gmail: GmailLabelWrites,
    private readonly checks: ImapFolderChecks,
  ) {}

  /**
   * Adds a message by one APPEND. The commands after it belong to calls with other names, which may be repeated.
   * @throws OutcomeUnknown when the answer was lost, `InsertUnconfirmed` when only that of a later command was;
   *   LabelNotFound before anything was added
   */
  async insert(
    account: ProviderAccount,
    message: MessageToInsert,
    options: CallOptions,
  ): Promise<InsertedMessage> {
    const appended = await this.append(account, message, options);
    const { priority, signal } = options;
    const later = { priority, signal };
    try {
      const messageId = await this.locate(account, message.bytes, appended, later);
      const lacksLabels = !(await this.completeLabels(account, message, { ...appended, messageId }, later));
      const [added] = await this.listing.find(account.id, [messageId]);
      if (!added) throw new InsertUnconfirmed();
      return { id: messageId, threadId: added.threadId, lacksLabels };
    } catch (error) {
      options.signal?.throwIfAborted();
      // The server has the message, whatever has failed. No error may lead to another APPEND.
      throw error instanceof InsertUnconfirmed ? error : new InsertUnconfirmed(error);
    }
  }

  private append(
    account: ProviderAccount,
    { bytes, labelIds, date, keywords = [] }: MessageToInsert,
    options: CallOptions,
  ): Promise<Appended> {
    const places = labelIds.filter((label) => label !== 'UNREAD' && !FLAGS[label]);
    const call = { ...options, command: 'APPEND', expectedBytes: bytes.length, repeatable: false };
    return this.calls.run(account, call, async ({ session, server }) => {
      const mailbox = { account, server };
      const [folder, ...others] = server.gmailLabels
        ? [await this.gmail.folderOf(account.id, labelIds)]
        : await this.findTargets(mailbox, session, places);
      if (!folder) throw new LabelNotFound();
      try {
        const flags = [
          ...flagsFor(labelIds, server.gmailLabels),
          ...(await filterKeptKeywords(session, folder.path, keywords)),
        ];
        options.fence?.();
        const answer = await session.append(folder.path, bytes, flags, date ?? dateOf(bytes));
        return { folder, others, answer };
      } catch (error) {
        if (error instanceof FolderMissing) throw new LabelNotFound();
        throw error;
      }
    });
  }

  /** @throws InsertUnconfirmed when the folder does not show the message */
  private async locate(
    account: ProviderAccount,
    bytes: Buffer,
    { folder, answer }: Appended,
    options: CallOptions,
  ): Promise<string> {
    return this.calls.run(account, { ...options, command: 'SELECT' }, async ({ session, server }) => {
      await this.sync.runFor({ account, server }, session, new Set([folder.id]));
      const found = await this.findAdded(account.id, folder.id, answer, bytes, server.exactSizes);
      if (found === null) throw new InsertUnconfirmed();
      return found.messageId;
    });
  }

  /** Gives the message the labels that APPEND does not give. @returns whether it has them all */
  private async completeLabels(
    account: ProviderAccount,
    { labelIds }: MessageToInsert,
    { folder, others, messageId }: Appended & { readonly messageId: string },
    options: CallOptions,
  ): Promise<boolean> {
    const add = labelIds.filter((label) => !NOT_GIVEN.includes(label));
    const call = (command: string, work: (attempt: ImapAttempt) => Promise<void>): Promise<void> =>
      this.calls.run(account, { ...options, command }, work);
    try {
      const { gmailLabels = false } = (await this.accounts.find(account.id)) ?? {};
      if (gmailLabels && add.length > 0) {
        // Gmail has already set the labels that it gives by itself.
        await call('UID STORE', ({ session, server }) =>
          this.gmail.change({ account, server }, session, [messageId], { add, remove: [] }),
        );
      }
      if (!gmailLabels && others.length > 0) {
        await call('UID COPY', ({ session, server }) =>
          this.copyToOthers({ account, server }, session, messageId, folder, others),
        );
      }
      return true;
    } catch (error) {
      const isRefusal = error instanceof ProviderRejected && !error.concernsAccount;
      if (error instanceof LabelNotFound || isRefusal) return false;
      throw error;
    }
  }

  /** Copies a message to the folders that do not have it yet. */
  private async copyToOthers(
    mailbox: SyncedMailbox,
    session: ImapSession,
    messageId: string,
    folder: ImapFolderEntity,
    others: readonly ImapFolderEntity[],
  ): Promise<void> {
    const { id } = mailbox.account;
    const targets = new Set(others.map((other) => other.id));
    // A copy that an earlier attempt has made must not be made again.
    await this.sync.runFor(mailbox, session, targets);
    const places = await this.places.findOfMessages(id, [messageId]);
    const source = places.find(({ folderId }) => folderId === folder.id);
    if (!source) throw new LabelNotFound();
    const there = new Set(places.map(({ folderId }) => folderId));
    const from = await this.requireFolder(id, folder.id);
    const { uidValidity } = source;
    for (const other of others) {
      if (there.has(other.id)) continue;
      await this.checks.enter(session, from, { folderId: from.id, uidValidity, places: [source] });
      try {
        await session.copy([source.uid], other.path);
      } catch (error) {
        throw error instanceof FolderMissing ? new LabelNotFound() : error;
      }
    }
    await this.sync.runFor(mailbox, session, targets);
  }

  private async requireFolder(accountId: string, folderId: string): Promise<ImapFolderEntity> {
    const found = (await this.folders.list(accountId)).find(({ id }) => id === folderId);
    if (!found) throw new LabelNotFound();
    return found;
  }

  /**
   * Finds the added message by the UID that the server reported, else as the newest with its key; null when there is
   * none.
   */
  private async findAdded(
    accountId: string,
    folderId: string,
    answer: Appended['answer'],
    bytes: Buffer,
    exactSizes: boolean,
  ): Promise<{ readonly uid: number; readonly messageId: string } | null> {
    if (answer && answer.uidValidity === (await this.requireFolder(accountId, folderId)).uidValidity)
      return (await this.places.findAt(folderId, [answer.uid]))[0] ?? null;
    const end = findHeaderEnd(bytes);
    const key = messageKey(headerFields(bytes.subarray(0, end)), exactSizes ? bytes.length : null);
    const same = (await this.places.findOfMessages(accountId, [key])).filter(
      (place) => place.folderId === folderId,
    );
    return same.sort((one, other) => other.uid - one.uid)[0] ?? null;
  }

  private async findTargets(
    mailbox: SyncedMailbox,
    session: ImapSession,
    labels: readonly string[],
  ): Promise<ImapFolderEntity[]> {
    const folders = await this.folders.list(mailbox.account.id);
    const targets: ImapFolderEntity[] = [];
    for (const label of labels) {
      const found = folders.find(({ labelId }) => labelId === label);
      const role = ROLES[label];
      if (found) targets.push(found);
      else if (role && role !== 'sent' && role !== 'drafts')
        targets.push(await this.writes.ensureFolder(mailbox, session, role));
      else if (role)
        throw new ProviderRejected('invalidArgument', 'The mailbox has no folder for this label.');
      else throw new LabelNotFound();
    }
    const trash = targets.find(({ role }) => role === 'trash' || role === 'junk');
    if (trash) return [trash];
    return targets.length > 0 ? targets : [await this.writes.ensureFolder(mailbox, session, 'archive')];
  }
}

/** Returns the flags for APPEND. At Gmail, importance is a label and not a flag. */
function flagsFor(labelIds: readonly string[], gmailLabels: boolean): string[] {
  const flagged = labelIds.filter((label) => !gmailLabels || label !== 'IMPORTANT');
  return [
    ...(labelIds.includes('UNREAD') ? [] : ['\\Seen']),
    ...flagged.flatMap((label) => FLAGS[label] ?? []),
    ...(labelIds.includes('DRAFT') ? ['\\Draft'] : []),
  ];
}

function findHeaderEnd(bytes: Buffer): number {
  const head = bytes.subarray(0, MAX_HEADER);
  const end = head.indexOf('\r\n\r\n');
  const lineFeeds = head.indexOf('\n\n');
  const ends = [end, lineFeeds].filter((at) => at >= 0);
  return ends.length > 0 ? Math.min(...ends) : head.length;
}

/** Reads the date of the message from its Date header; null when there is no usable one. */
function dateOf(bytes: Buffer): Date | null {
  const fields = headerFields(bytes.subarray(0, findHeaderEnd(bytes)));
  const date = parseMailDate(fields.find(({ name }) => name === 'date')?.value ?? '');
  return date && !Number.isNaN(date.getTime()) && date.getTime() > 0 ? date : null;
}

/** Returns those of the keywords that a folder can keep. The folder is only opened when there are keywords. */
async function filterKeptKeywords(
  session: ImapSession,
  path: string,
  keywords: readonly string[],
): Promise<string[]> {
  if (keywords.length === 0) return [];
  await session.open(path);
  return keywords.filter((keyword) => session.keeps(keyword));
}
