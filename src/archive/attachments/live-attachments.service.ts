import { Injectable } from '@nestjs/common';
import { CallOptions, MailboxProviders, ProviderAccount } from '../../providers/port/mailbox-provider.port';
import { MailboxAccountsService } from '../../mailbox/accounts/mailbox-accounts.service';
import type { MessageWithParts } from '../../mailbox/index/indexed-messages';
import { MessageIndexReader } from '../../mailbox/index/message-index-reader';
import { MessageIndexService } from '../../mailbox/index/message-index.service';
import { delay as pause } from '../../platform/concurrency/timers';

/** Attachments above this size are listed. */
export const LARGE_BYTES = 100 * 1024;

export interface LargeAttachment {
  readonly message: MessageWithParts;
  readonly partId: string;
  readonly filename: string;
  readonly mimeType: string;
  /** Size of the decoded content in bytes. */
  readonly sizeBytes: number;
}

/**
 * Files above 100 KiB, largest first; images shown in the text are not listed.
 * @param messages newest first, which is the order of files of one size
 */
export function largeAttachments(messages: readonly MessageWithParts[]): LargeAttachment[] {
  return messages
    .flatMap((message) =>
      message.parts
        .filter(
          ({ filename, isInline, sizeBytes }) => filename !== '' && !isInline && sizeBytes > LARGE_BYTES,
        )
        .map(({ partId, filename, mimeType, sizeBytes }) => ({
          message,
          partId,
          filename,
          mimeType,
          sizeBytes,
        })),
    )
    .sort((a, b) => b.sizeBytes - a.sizeBytes);
}

const LARGE_WITH_ATTACHMENT = `has:attachment larger:${LARGE_BYTES}`;
/** Messages fetched at a time, and how long the provider is left alone before the next ones. */
const BATCH = 100;
const PAUSE_MS = 500;

/** Attachments of messages in the live mailbox. */
@Injectable()
export class LiveAttachmentsService {
  constructor(
    private readonly accounts: MailboxAccountsService,
    private readonly providers: MailboxProviders,
    private readonly index: MessageIndexService,
    private readonly mailbox: MessageIndexReader,
  ) {}

  /**
   * Large attachments of the newest `maxResults` messages that may have some, largest first.
   * @throws the 409s of an account that cannot be used, the provider taxonomy
   */
  async listLarge(
    userId: string,
    accountId: string,
    maxResults: number,
    signal: AbortSignal,
  ): Promise<LargeAttachment[]> {
    const account = await this.accounts.requireUsable(userId, accountId);
    const call: CallOptions = { priority: 'interactive', signal };
    // Large messages may lie anywhere: the newest ones are of no special interest.
    const { complete } = await this.mailbox.prepare(account, { ...call, newest: 1 });
    const messages = complete
      ? await this.mailbox.listWithLargeAttachments(account, maxResults)
      : await this.search(account, maxResults, call);
    return largeAttachments(messages);
  }

  /** While the index does not hold the whole mailbox, the provider searches for the messages. */
  private async search(
    account: ProviderAccount,
    maxResults: number,
    call: CallOptions,
  ): Promise<MessageWithParts[]> {
    const { messages } = await this.providers
      .forAccount(account)
      .listMessages({ query: LARGE_WITH_ATTACHMENT, maxResults }, call);
    const ids = messages.map(({ id }) => id);
    await this.fetchUnknown(account, ids, call);
    return this.mailbox.findWithParts(account, ids);
  }

  private async fetchUnknown(
    account: ProviderAccount,
    ids: readonly string[],
    call: CallOptions,
  ): Promise<void> {
    const known = await this.index.findLabels(account.id, ids);
    const unknown = ids.filter((id) => !known.has(id));
    for (let start = 0; start < unknown.length; start += BATCH) {
      if (start > 0) await this.pause(call.signal);
      const batch = unknown.slice(start, start + BATCH);
      for await (const stored of this.index.readMetadata(account, batch, call)) void stored;
    }
  }

  private async pause(signal: AbortSignal | undefined): Promise<void> {
    try {
      await pause(PAUSE_MS, undefined, { signal });
    } catch (error) {
      // The timer wraps why it was aborted.
      signal?.throwIfAborted();
      throw error;
    }
  }
}
