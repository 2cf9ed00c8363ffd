import { Injectable } from '@nestjs/common';
import { storableText } from '../../../platform/database/column-values';
import { type Transaction, Transactions } from '../../../platform/database/transactions';
import { ImapFoldersRepository } from '../store/imap-folders.repository';
import { ImapHistoryRepository } from '../store/imap-history.repository';
import type { ImapFolderEntity } from '../store/imap-index.entity';
import {
  draftKey,
  draftPlaceKey,
  type HeaderField,
  identify,
  type IdentifiedMessage,
  messageKey,
} from './imap-message';
import { AlikeMessages } from '../sync/alike-messages';
import { ImapPlacesRepository, type NamedMessage } from '../store/imap-places.repository';
import type { ImapSession } from '../session/imap-session';
import type { ReadHeader } from '../session/imap-fetches';
import type { SyncedMailbox } from '../sync/synced-mailbox';

/** Most headers read in one command. */
export const HEADERS_AT_ONCE = 500;

/** Reads headers, and derives the ids and conversations of messages from them. */
@Injectable()
export class ImapHeaders {
  constructor(
    private readonly folders: ImapFoldersRepository,
    private readonly places: ImapPlacesRepository,
    private readonly history: ImapHistoryRepository,
    private readonly transactions: Transactions,
  ) {}

  /** Reads the headers of known UIDs, and marks those that the server does not return. */
  async read(
    mailbox: SyncedMailbox,
    session: ImapSession,
    folder: ImapFolderEntity,
    uids: readonly number[],
    signal?: AbortSignal,
  ): Promise<void> {
    for (let start = 0; start < uids.length; start += HEADERS_AT_ONCE) {
      signal?.throwIfAborted();
      const wanted = uids.slice(start, start + HEADERS_AT_ONCE);
      const read = await session.fetches.fetchHeaders(wanted);
      await this.store(mailbox, folder, read);
      const found = new Set(read.map(({ uid }) => uid));
      await this.places.markFailed(
        folder.id,
        wanted.filter((uid) => !found.has(uid)),
      );
    }
  }

  /** Stores the ids and conversations of messages. */
  async store(
    { server }: SyncedMailbox,
    folder: ImapFolderEntity,
    headers: readonly ReadHeader[],
  ): Promise<void> {
    const found = headers.map((read) =>
      identify(read, (fields: readonly HeaderField[]) =>
        read.gmail !== null
          ? read.gmail.messageId
          : folder.role === 'drafts'
            ? draftKey(draftPlaceOf(folder, read), fields, read.described.internalDate)
            : messageKey(fields, server.exactSizes ? read.size : null),
      ),
    );
    await this.transactions.runRepeatable(async (transaction) => {
      await this.history.lock(folder.accountId, transaction);
      if (!(await this.folders.hold(folder, transaction))) return;
      const messages = await this.keepEarlierIds(folder, headers, found, transaction);
      const keys = [...new Set(messages.map(({ key }) => key))];
      const alike = new AlikeMessages(
        await this.places.findAlike(folder.accountId, keys, transaction),
        await this.places.findIdsByKeys(folder.id, keys, transaction),
        messages.map(({ key }) => key),
      );
      const dates = new Map(headers.map(({ uid, described }) => [uid, described.internalDate]));
      const answered = messages.flatMap(({ inReplyTo }) => inReplyTo ?? []);
      const threads = await this.places.findThreadsByHeader(folder.accountId, answered, transaction);
      const named: NamedMessage[] = [];
      for (const message of [...messages].sort((one, other) => one.uid - other.uid)) {
        const messageId = alike.idFor(message.key, dates.get(message.uid)!);
        const threadId = (message.inReplyTo && threads.get(message.inReplyTo)) ?? message.threadId;
        named.push({ ...message, messageId, threadId });
      }
      await this.places.name(folder, named, transaction);
    });
  }

  /** Keeps the ids that earlier versions gave to drafts, which would otherwise be archived again. */
  private async keepEarlierIds(
    folder: ImapFolderEntity,
    headers: readonly ReadHeader[],
    found: readonly IdentifiedMessage[],
    transaction: Transaction,
  ): Promise<readonly IdentifiedMessage[]> {
    const isOfDrafts = folder.role === 'drafts' && headers.every(({ gmail }) => gmail === null);
    if (!isOfDrafts) return found;
    const earlier = await this.places.findArrivals(
      folder.accountId,
      headers.map((read) => draftPlaceOf(folder, read)),
      transaction,
    );
    if (earlier.length === 0) return found;
    const known = new Map(earlier.map((draft) => [draft.messageId, draft]));
    return found.map((message, index) => {
      const read = headers[index]!;
      const draft = known.get(draftPlaceOf(folder, read));
      const { messageIdHeader } = message.facts;
      const isSame =
        draft !== undefined &&
        draft.internalDate.getTime() === read.described.internalDate.getTime() &&
        draft.messageIdHeader === (messageIdHeader && storableText(messageIdHeader));
      return isSame ? { ...message, key: draft.messageId } : message;
    });
  }
}

const draftPlaceOf = ({ id, uidValidity }: ImapFolderEntity, { uid }: ReadHeader): string =>
  draftPlaceKey(id, uidValidity, uid);
