import { Injectable } from '@nestjs/common';
import { type LocatedMail, MailContentReader } from '../../archive/mails/mail-content-reader';
import { ObjectMissing } from '../../archive/files/archive-store.errors';
import { fetchRaw, type FetchRawOptions, type UnfetchedMessage } from '../../providers/port/fetch-raw';
import type { MailboxProvider } from '../../providers/port/mailbox-provider.port';
import { StoredMails } from '../../archive/mails/stored-mails';
import { MailsEncrypted } from '../../archive/passphrases/encryption.errors';

const LOOKUP = 1_000;

export interface MessageBody {
  readonly kind: 'body';
  readonly messageId: string;
  readonly source: 'archive' | 'provider';
  readonly bytes: Buffer;
}

/** Reads messages of a live mailbox: from the archive if it has them, else from the provider. */
@Injectable()
export class MessageBodies {
  constructor(
    private readonly archived: StoredMails,
    private readonly mails: MailContentReader,
  ) {}

  /** The given messages that the archive has unencrypted, by message id. */
  async locate(accountId: string, messageIds: readonly string[]): Promise<Map<string, LocatedMail>> {
    const located = new Map<string, LocatedMail>();
    for (let at = 0; at < messageIds.length; at += LOOKUP) {
      const some = messageIds.slice(at, at + LOOKUP);
      const found = await this.archived.findByMessageIds(accountId, some, { isPlain: true });
      for (const mail of found) located.set(mail.messageId, mail);
    }
    return located;
  }

  /**
   * Reads a message from the archive, or from the provider when it is not there, has been encrypted since it was located, or
   * its file is missing. Throws failures that concern more than this message.
   */
  async read(
    provider: MailboxProvider,
    messageId: string,
    mail: LocatedMail | undefined,
    options: FetchRawOptions,
  ): Promise<MessageBody | UnfetchedMessage> {
    const archived = mail && (await this.readArchived(mail, options.signal));
    if (archived) return { kind: 'body', messageId, source: 'archive', bytes: archived };
    const fetched = await fetchRaw(provider, messageId, options);
    if (fetched.kind !== 'message') return fetched;
    return { kind: 'body', messageId, source: 'provider', bytes: fetched.message.bytes };
  }

  private async readArchived(mail: LocatedMail, signal?: AbortSignal): Promise<Buffer | null> {
    try {
      return await this.mails.read(mail, null, { signal });
    } catch (error) {
      if (error instanceof MailsEncrypted || error instanceof ObjectMissing) return null;
      throw error;
    }
  }
}
