import { Injectable } from '@nestjs/common';
import { MailboxAccountsService } from '../accounts/mailbox-accounts.service';
import {
  CallOptions,
  DownloadedPart,
  MailboxProfile,
  MailboxProvider,
  MailboxProviders,
  MessageMetadata,
  MessagePage,
} from '../../providers/port/mailbox-provider.port';
import { MessageNotFound, PartNotFound } from '../../providers/port/mail-provider.errors';
import { ContainedPartDecoder } from './contained-part-decoder';
import { containedPartOf } from './contained-part-id';
import type { ListMessagesQuery } from './dto/messages.dto';
import { MessageMetadataSource } from '../accounts/message-metadata.port';

/** Options of calls for which a user is waiting. */
const INTERACTIVE: CallOptions = { priority: 'interactive' };

/** Reads a live mailbox. Every method throws the 409s of an account that cannot be used. */
@Injectable()
export class MessagesService {
  constructor(
    private readonly accounts: MailboxAccountsService,
    private readonly providers: MailboxProviders,
    private readonly source: MessageMetadataSource,
    private readonly decoder: ContainedPartDecoder,
  ) {}

  async getProfile(userId: string, accountId: string): Promise<MailboxProfile> {
    return (await this.openMailbox(userId, accountId)).getProfile(INTERACTIVE);
  }

  async list(userId: string, accountId: string, query: ListMessagesQuery): Promise<MessagePage> {
    const provider = await this.openMailbox(userId, accountId);
    return provider.listMessages(
      { query: query.q || undefined, pageToken: query.pageToken, maxResults: query.maxResults },
      INTERACTIVE,
    );
  }

  /** @throws MessageNotFound */
  async get(userId: string, accountId: string, messageId: string): Promise<MessageMetadata> {
    const [message] = await this.getMany(userId, accountId, [messageId]);
    if (!message) throw new MessageNotFound();
    return message;
  }

  /** Reads messages in the order of `ids`, each once. Messages that the mailbox does not have are left out. */
  async getMany(userId: string, accountId: string, ids: readonly string[]): Promise<MessageMetadata[]> {
    const account = await this.accounts.requireUsable(userId, accountId);
    const messages: MessageMetadata[] = [];
    for await (const batch of this.source.readWithSnippets(account, ids, INTERACTIVE))
      messages.push(...batch);
    return messages;
  }

  /** Reads a message in the provider's own full format. @throws MessageNotFound */
  async getFull(
    userId: string,
    accountId: string,
    messageId: string,
  ): Promise<Readonly<Record<string, unknown>>> {
    return (await this.openMailbox(userId, accountId)).fetchFull(messageId, INTERACTIVE);
  }

  /** @throws MessageNotFound, PartNotFound */
  async downloadPart(
    userId: string,
    accountId: string,
    messageId: string,
    partId: string,
  ): Promise<DownloadedPart> {
    const mailbox = await this.openMailbox(userId, accountId);
    const contained = containedPartOf(partId);
    if (contained === null) return mailbox.downloadPart(messageId, partId, INTERACTIVE);
    const { bytes } = await mailbox.fetchRaw(messageId, INTERACTIVE);
    const part = await this.decoder.decode(bytes, contained);
    if (part === null) throw new PartNotFound();
    return part;
  }

  /**
   * Reads a message exactly as the provider holds it.
   * @param signal ends the call when the client is gone
   * @throws MessageNotFound, MessageUnreadable when it is too large
   */
  async downloadEml(
    userId: string,
    accountId: string,
    messageId: string,
    signal: AbortSignal,
  ): Promise<DownloadedPart> {
    const mailbox = await this.openMailbox(userId, accountId);
    const { bytes } = await mailbox.fetchRaw(messageId, { ...INTERACTIVE, signal });
    return { filename: `${messageId}.eml`, mimeType: 'message/rfc822', bytes };
  }

  private async openMailbox(userId: string, accountId: string): Promise<MailboxProvider> {
    return this.providers.forAccount(await this.accounts.requireUsable(userId, accountId));
  }
}
