import { Injectable } from '@nestjs/common';
import { LabelNotFound, OutcomeUnknown, ProviderRejected } from '../mail-provider.errors';
import type { CallOptions, MessageRef, MessageToInsert, ProviderAccount } from '../mailbox-provider.port';
import { parseMailDate } from '../../mime/mail-date';
import { GmailLabelWrites } from './gmail-label-writes';
import { ImapCalls } from './imap-calls';
import { ImapFoldersRepository } from './imap-folders.repository';
import type { FolderRole, ImapFolderEntity } from './imap-index.entity';
import { ImapListingRepository } from './imap-listing.repository';
import { headerFields, messageKey } from './imap-message';
import { ImapPlacesRepository } from './imap-places.repository';
import { FolderMissing, type ImapSession } from './imap-session';
import { ImapSync } from './imap-sync';
import type { SyncedMailbox } from './synced-mailbox';
import { ImapWrites } from './imap-writes';

const ROLES: Readonly<Record<string, FolderRole>> = {
  INBOX: 'inbox',
  SENT: 'sent',
  DRAFT: 'drafts',
  SPAM: 'junk',
  TRASH: 'trash',
};
const FLAGS: Readonly<Record<string, string>> = { STARRED: '\\Flagged', IMPORTANT: '$Important' };
/** Gmail gives them by itself, or they are flags of APPEND. */
const NOT_GIVEN = ['SENT', 'DRAFT', 'UNREAD', 'STARRED', 'TRASH', 'SPAM'];
const MAX_HEADER = 1024 * 1024;

/** Adds messages to a mailbox. */
@Injectable()
export class ImapInserts {
  constructor(
    private readonly calls: ImapCalls,
    private readonly folders: ImapFoldersRepository,
    private readonly places: ImapPlacesRepository,
    private readonly listing: ImapListingRepository,
    private readonly sync: ImapSync,
    private readonly writes: ImapWrites,
    private readonly gmail: GmailLabelWrites,
  ) {}

  /** @throws OutcomeUnknown when the answer was lost, LabelNotFound */
  async insert(
    account: ProviderAccount,
    message: MessageToInsert,
    options: CallOptions,
  ): Promise<MessageRef> {
    const { bytes, labelIds } = message;
    const places = labelIds.filter((label) => label !== 'UNREAD' && !FLAGS[label]);
    const call = { ...options, command: 'APPEND', expectedBytes: bytes.length, repeatable: false };
    const id = await this.calls.run(account, call, async ({ session, server }) => {
      const mailbox = { account, server };
      const flags = flagsFor(labelIds, server.gmailLabels);
      const [folder, ...others] = server.gmailLabels
        ? [await this.gmail.folderOf(account.id, labelIds)]
        : await this.targets(mailbox, session, places);
      if (!folder) throw new LabelNotFound();
      let appended: Awaited<ReturnType<ImapSession['append']>>;
      try {
        appended = await session.append(folder.path, bytes, flags, dateOf(bytes));
      } catch (error) {
        if (error instanceof FolderMissing) throw new LabelNotFound();
        throw error;
      }
      await this.sync.runFor(mailbox, session, new Set([folder.id]));
      const found = await this.added(account.id, folder.id, appended?.uid ?? null, bytes, server.exactSizes);
      if (found === null) throw new OutcomeUnknown();
      for (const other of others) {
        await session.enter(
          folder.path,
          folder.uidValidity || (await this.current(account.id, folder.id)).uidValidity,
        );
        await session.copy([found.uid], other.path);
      }
      if (server.gmailLabels) {
        // Of the labels that Gmail gives by itself it has decided when the message came.
        const add = labelIds.filter((label) => !NOT_GIVEN.includes(label));
        await this.gmail.change(mailbox, session, [found.messageId], { add, remove: [] });
      }
      if (others.length > 0)
        await this.sync.runFor(mailbox, session, new Set(others.map((other) => other.id)));
      return found.messageId;
    });
    const [added] = await this.listing.find(account.id, [id]);
    if (!added) throw new OutcomeUnknown();
    return { id, threadId: added.threadId };
  }

  private async current(accountId: string, folderId: string): Promise<ImapFolderEntity> {
    const found = (await this.folders.list(accountId)).find(({ id }) => id === folderId);
    if (!found) throw new LabelNotFound();
    return found;
  }

  /** Where the message lies now: by the UID that the server gave it, else as the newest with its key. */
  private async added(
    accountId: string,
    folderId: string,
    uid: number | null,
    bytes: Buffer,
    exactSizes: boolean,
  ): Promise<{ readonly uid: number; readonly messageId: string } | null> {
    if (uid !== null) return (await this.places.at(folderId, [uid]))[0] ?? null;
    const end = headerEnd(bytes);
    const key = messageKey(headerFields(bytes.subarray(0, end)), exactSizes ? bytes.length : null);
    const same = (await this.places.ofMessages(accountId, [key])).filter(
      (place) => place.folderId === folderId,
    );
    return same.sort((one, other) => other.uid - one.uid)[0] ?? null;
  }

  private async targets(
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
        targets.push(await this.writes.folderFor(mailbox, session, role));
      else if (role)
        throw new ProviderRejected('invalidArgument', 'The mailbox has no folder for this label.');
      else throw new LabelNotFound();
    }
    const trash = targets.find(({ role }) => role === 'trash' || role === 'junk');
    if (trash) return [trash];
    return targets.length > 0 ? targets : [await this.writes.folderFor(mailbox, session, 'archive')];
  }
}

/** At Gmail importance is a label rather than a flag. */
function flagsFor(labelIds: readonly string[], gmailLabels: boolean): string[] {
  const flagged = labelIds.filter((label) => !gmailLabels || label !== 'IMPORTANT');
  return [
    ...(labelIds.includes('UNREAD') ? [] : ['\\Seen']),
    ...flagged.flatMap((label) => FLAGS[label] ?? []),
    ...(labelIds.includes('DRAFT') ? ['\\Draft'] : []),
  ];
}

function headerEnd(bytes: Buffer): number {
  const head = bytes.subarray(0, MAX_HEADER);
  const end = head.indexOf('\r\n\r\n');
  const lineFeeds = head.indexOf('\n\n');
  const ends = [end, lineFeeds].filter((at) => at >= 0);
  return ends.length > 0 ? Math.min(...ends) : head.length;
}

/** By its Date header; null: now. */
function dateOf(bytes: Buffer): Date | null {
  const fields = headerFields(bytes.subarray(0, headerEnd(bytes)));
  const date = parseMailDate(fields.find(({ name }) => name === 'date')?.value ?? '');
  return date && !Number.isNaN(date.getTime()) && date.getTime() > 0 ? date : null;
}
