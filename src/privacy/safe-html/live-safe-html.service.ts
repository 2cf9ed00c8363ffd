import { Injectable } from '@nestjs/common';
import type { Share } from '../../platform/concurrency/semaphore';
import { MailboxProviders, MessageMetadata, MessagePart } from '../../providers/port/mailbox-provider.port';
import { MessageNotFound } from '../../providers/port/mail-provider.errors';
import { containedPartId } from '../../mailbox/messages/contained-part-id';
import { MailboxAccountsService } from '../../mailbox/accounts/mailbox-accounts.service';
import { LARGE, MailRenderer, MAX_READ, type MailToRender } from './mail-renderer';
import { RemoteImages } from './remote-images';
import type { DocumentLanguage } from './rendering/document-texts';
import type { SafeMail } from './rendering/render-mail';

/** A message of a live mailbox, who reads it, and the language of the texts around it. */
export interface MessageToRead {
  readonly userId: string;
  readonly accountId: string;
  readonly messageId: string;
  readonly language: DocumentLanguage;
}

/** A live message that is safe to show, and its files. */
export interface LiveSafeMail {
  readonly mail: SafeMail;
  readonly attachments: readonly Pick<MessagePart, 'partId' | 'filename' | 'mimeType' | 'sizeBytes'>[];
}

/** Renders messages of live mailboxes as HTML that is safe to show, and stores none of them. */
@Injectable()
export class LiveSafeHtmlService {
  constructor(
    private readonly accounts: MailboxAccountsService,
    private readonly providers: MailboxProviders,
    private readonly renderer: MailRenderer,
    private readonly remoteImages: RemoteImages,
  ) {}

  /**
   * A message as a document without scripts, remote content and trackers.
   * @param signal ends the calls and the waiting when the client is gone
   * @throws MessageNotFound, MailNotRendered, the 409s of an account that cannot be used, the provider taxonomy
   */
  render(message: MessageToRead, signal: AbortSignal): Promise<LiveSafeMail> {
    return this.readSafely(message, signal, (mail) => this.renderer.render(message.userId, mail, signal));
  }

  /**
   * Does what `render` does, with the remote images that the message would show, fetched now and not kept.
   * @throws the errors of `render`
   */
  async renderWithRemoteImages(message: MessageToRead, signal: AbortSignal): Promise<SafeMail> {
    const { userId } = message;
    const { mail } = await this.readSafely(message, signal, async (read) => {
      const { remoteImages } = await this.renderer.render(userId, read, signal);
      return this.remoteImages.fetch(userId, remoteImages, signal, (fetched) =>
        this.renderer.render(userId, { ...read, fetched }, signal),
      );
    });
    return mail;
  }

  private async readSafely(
    { userId, accountId, messageId, language }: MessageToRead,
    signal: AbortSignal,
    render: (mail: MailToRender) => Promise<SafeMail>,
  ): Promise<LiveSafeMail> {
    const provider = this.providers.forAccount(await this.accounts.requireUsable(userId, accountId));
    const call = { priority: 'interactive', signal } as const;
    const message = await requireSingle(provider.fetchMetadata([messageId], call));
    const { sizeEstimate, subject, parts } = message;
    let share: Share | undefined;
    try {
      if (sizeEstimate > LARGE) share = await this.renderer.reserveRoom(userId, sizeEstimate, signal);
      const { bytes } = await provider.fetchRaw(messageId, { ...call, expectedBytes: sizeEstimate });
      const raw = bytes.subarray(0, MAX_READ);
      const rendered = await render({ raw, subject, language });
      return {
        mail: { ...rendered, truncated: rendered.truncated || bytes.length > MAX_READ },
        attachments: [
          ...parts.filter(({ filename, isInline }) => filename !== '' && !isInline),
          ...rendered.contained.map((file) => ({ ...file, partId: containedPartId(file.partId) })),
        ],
      };
    } finally {
      share?.release();
    }
  }
}

/** @throws MessageNotFound */
async function requireSingle(batches: AsyncIterable<readonly MessageMetadata[]>): Promise<MessageMetadata> {
  for await (const [message] of batches) if (message) return message;
  throw new MessageNotFound();
}
