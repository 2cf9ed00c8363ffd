import { Injectable } from '@nestjs/common';
import { ProviderFailure } from '../../gateway/provider-call';
import {
  LabelExists,
  LabelNotFound,
  LabelProtected,
  ProviderRejected,
} from '../../port/mail-provider.errors';
import type { CallOptions, MailboxLabel, ProviderAccount } from '../../port/mailbox-provider.port';
import { ImapCalls } from '../session/imap-calls';
import { labelNameOf } from '../sync/imap-folder-roles';
import { ImapFoldersRepository } from '../store/imap-folders.repository';
import type { ImapFolderEntity } from '../store/imap-index.entity';
import { ImapListingRepository } from '../store/imap-listing.repository';
import { ImapPlacesRepository } from '../store/imap-places.repository';
import { FolderMissing } from '../session/imap-session';
import { ImapSync } from '../sync/imap-sync';
import { ImapWrites } from '../writes/imap-writes';

/** Labels that are flags, which every mailbox has. */
const FLAGS = ['UNREAD', 'STARRED', 'IMPORTANT'];
const MAX_NAME = 225;
/** Messages moved to the archive folder at once before a folder is deleted. */
const MOVED_AT_ONCE = 1_000;

/** Labels of an IMAP mailbox, which are its folders and flags. */
@Injectable()
export class ImapMailboxLabels {
  constructor(
    private readonly calls: ImapCalls,
    private readonly folders: ImapFoldersRepository,
    private readonly listing: ImapListingRepository,
    private readonly places: ImapPlacesRepository,
    private readonly sync: ImapSync,
    private readonly writes: ImapWrites,
  ) {}

  /** Lists the labels as the last sync found them. */
  async list(accountId: string, withCounts: boolean): Promise<MailboxLabel[]> {
    const folders = await this.folders.list(accountId);
    const counts = new Map(
      withCounts ? (await this.listing.countByLabel(accountId)).map((count) => [count.label, count]) : [],
    );
    const addCounts = (label: Pick<MailboxLabel, 'id' | 'name' | 'type'>): MailboxLabel => {
      const count = counts.get(label.id);
      return {
        ...label,
        messagesTotal: withCounts ? (count?.total ?? 0) : null,
        messagesUnread: withCounts ? (count?.unread ?? 0) : null,
      };
    };
    type Named = Pick<MailboxLabel, 'id' | 'name' | 'type'>;
    const ofFolders = folders.flatMap(({ labelId, role, path, delimiter }): Named[] =>
      labelId === null || role === 'ignored'
        ? []
        : role === 'user'
          ? [{ id: labelId, name: labelNameOf(path, delimiter), type: 'user' }]
          : [{ id: labelId, name: labelId, type: 'system' }],
    );
    const ofFlags = FLAGS.map((id): Named => ({ id, name: id, type: 'system' }));
    return [...ofFolders, ...ofFlags].map(addCounts);
  }

  /** @throws LabelNotFound */
  async get(accountId: string, id: string): Promise<MailboxLabel> {
    const found = (await this.list(accountId, true)).find((label) => label.id === id);
    if (!found) throw new LabelNotFound();
    return found;
  }

  /** @throws LabelExists, ProviderRejected for names that a folder cannot have */
  async create(account: ProviderAccount, name: string, options: CallOptions): Promise<MailboxLabel> {
    await this.calls.run(account, { ...options, command: 'CREATE' }, async ({ session, server, attempt }) => {
      const mailbox = { account, server };
      await this.sync.run(mailbox, session, attempt.signal);
      const folders = await this.folders.list(account.id);
      const path = pathOf(name, folders.find(({ role }) => role === 'inbox')?.delimiter ?? null);
      // An earlier attempt, its answer lost, may have created it.
      if (findByName(folders, name)) {
        if (attempt.number === 1) throw new LabelExists();
        return;
      }
      await this.writes.createFolder(mailbox, session, path);
    });
    const created = findByName(await this.folders.list(account.id), name);
    if (!created?.labelId) throw new ProviderRejected('refused', 'The server did not create the folder.');
    return this.get(account.id, created.labelId);
  }

  /**
   * Deletes a folder. Messages that lie nowhere else are moved to the archive folder first; when one of them cannot,
   * the folder stays.
   * @throws LabelNotFound, LabelProtected
   */
  async delete(account: ProviderAccount, id: string, options: CallOptions): Promise<void> {
    const find = async (): Promise<ImapFolderEntity | undefined> =>
      (await this.folders.list(account.id)).find(({ labelId }) => labelId === id);
    if (FLAGS.includes(id)) throw new LabelProtected();
    const known = await find();
    if (known && known.role !== 'user') throw new LabelProtected();
    await this.calls.run(account, { ...options, command: 'DELETE' }, async ({ session, server, attempt }) => {
      const mailbox = { account, server };
      await this.sync.run(mailbox, session, attempt.signal);
      const folder = await find();
      if (!folder) {
        if (attempt.number > 1) return;
        throw new LabelNotFound();
      }
      await this.refuseWithChildren(account.id, folder);
      // At Gmail messages lie in All Mail, with labels or without.
      if (!server.gmailLabels) await this.emptyFolder(mailbox, session, folder, attempt.signal);
      try {
        await session.deleteFolder(folder.path);
      } catch (error) {
        if (!(error instanceof FolderMissing)) throw error;
      }
      await this.sync.run(mailbox, session, attempt.signal);
    });
  }

  private async emptyFolder(
    mailbox: Parameters<ImapWrites['ensureFolder']>[0],
    session: Parameters<ImapWrites['ensureFolder']>[1],
    folder: ImapFolderEntity,
    signal: AbortSignal,
  ): Promise<void> {
    while (await this.sync.readHeaders(mailbox, session, MOVED_AT_ONCE, signal)) signal.throwIfAborted();
    for (;;) {
      const uids = (await this.places.listUids(folder.id)).slice(0, MOVED_AT_ONCE);
      if (uids.length === 0) break;
      const places = await this.places.findAt(folder.id, uids);
      if (places.length < uids.length) {
        throw new ProviderRejected(
          'refused',
          'Some messages of the folder cannot be read, so it was not deleted.',
        );
      }
      await this.writes.removeFromFolder(mailbox, session, folder, places);
      if ((await this.places.listUids(folder.id)).slice(0, MOVED_AT_ONCE).join() === uids.join()) {
        throw new ProviderFailure({
          kind: 'refused',
          reason: 'refused',
          error: new ProviderRejected(
            'refused',
            'The server did not let the messages leave the folder, so it was not deleted.',
          ),
        });
      }
    }
    // Messages that arrived since must not be deleted with the folder. It is opened again to count them, as STATUS of
    // an open folder only repeats what the server has already reported.
    const { folder: now } = await session.open(folder.path);
    if (now.exists > 0) {
      throw new ProviderRejected(
        'refused',
        'New messages came to the folder while it was emptied, so it was not deleted.',
      );
    }
  }

  private async refuseWithChildren(accountId: string, { path, delimiter }: ImapFolderEntity): Promise<void> {
    if (!delimiter) return;
    const has = (await this.folders.list(accountId)).some((other) => other.path.startsWith(path + delimiter));
    if (has)
      throw new ProviderRejected('invalidArgument', 'The folder has folders in it: delete these first.');
  }
}

const isSameName = (one: string, other: string): boolean =>
  one.normalize('NFC').toLowerCase() === other.normalize('NFC').toLowerCase();

function findByName(folders: readonly ImapFolderEntity[], name: string): ImapFolderEntity | undefined {
  return folders.find(({ path, delimiter, role }) => {
    const found = labelNameOf(path, delimiter);
    return role !== 'ignored' && (isSameName(found, name) || isSameName(found, `INBOX/${name}`));
  });
}

/** Returns the path of a label's folder, with the server's delimiter in place of `/`. */
function pathOf(name: string, delimiter: string | null): string {
  const levels = name.normalize('NFC').split('/');
  const isBad = (level: string): boolean =>
    level.trim() === '' ||
    /[\p{Cc}*%\\"]/u.test(level) ||
    (delimiter !== null && delimiter !== '/' && level.includes(delimiter));
  if (name.length > MAX_NAME || levels.some(isBad) || (levels.length > 1 && delimiter === null)) {
    throw new ProviderRejected('invalidArgument', 'The mail server does not allow this label name.');
  }
  return levels.join(delimiter ?? '/');
}
