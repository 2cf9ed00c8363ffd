import { Injectable } from '@nestjs/common';
import type { ArchivedMailEntity } from '../../archive/mails/archived-mail.entity';
import { MailContentReader, type ReadMailOptions } from '../../archive/mails/mail-content-reader';
import type { MailKeys } from '../../archive/passphrases/mail-keys';
import { ArchivedMailsService, type MailReader } from '../../archive/mails/archived-mails.service';
import type { Share } from '../../platform/concurrency/semaphore';
import { LARGE, MailRenderer, MAX_READ, type MailToRender } from './mail-renderer';
import { RemoteImages } from './remote-images';
import type { DocumentLanguage } from './rendering/document-texts';
import type { SafeMail } from './rendering/render-mail';

/** The reader of a request, and the language of the texts around the mail. */
export interface MailToRead extends MailReader {
  readonly language: DocumentLanguage;
}

/** Renders archived mails as HTML that is safe to show. */
@Injectable()
export class SafeHtmlService {
  constructor(
    private readonly mails: ArchivedMailsService,
    private readonly bytes: MailContentReader,
    private readonly renderer: MailRenderer,
    private readonly remoteImages: RemoteImages,
  ) {}

  /**
   * A mail as a document without scripts, remote content and trackers.
   * @param signal ends the waiting when the client is gone
   * @throws ResourceNotFound, MailsEncrypted, PassphraseInvalid, TooManyRequests, MailUndecryptable, ObjectMissing,
   *   MailNotRendered
   */
  render(reader: MailToRead, mailId: string, signal: AbortSignal): Promise<SafeMail> {
    return this.readSafely(reader, mailId, signal, (mail) =>
      this.renderer.render(reader.userId, mail, signal),
    );
  }

  /**
   * Does what `render` does, with the remote images that the mail would show, fetched now and not kept.
   * @throws the errors of `render`
   */
  renderWithRemoteImages(reader: MailToRead, mailId: string, signal: AbortSignal): Promise<SafeMail> {
    const { userId } = reader;
    return this.readSafely(reader, mailId, signal, async (mail) => {
      const { remoteImages } = await this.renderer.render(userId, mail, signal);
      return this.remoteImages.fetch(userId, remoteImages, signal, (fetched) =>
        this.renderer.render(userId, { ...mail, fetched }, signal),
      );
    });
  }

  private async readSafely(
    reader: MailToRead,
    mailId: string,
    signal: AbortSignal,
    render: (mail: MailToRender) => Promise<SafeMail>,
  ): Promise<SafeMail> {
    const mail = await this.mails.find(reader.accountId, mailId);
    const keys = await this.bytes.unlock(reader.userId, mail, reader.passphrase, signal);
    let share: Share | undefined;
    const room = async (): Promise<void> => {
      share = await this.renderer.reserveRoom(reader.userId, mail.sizeBytes, signal);
    };
    try {
      const raw = await this.read(mail, keys, { signal, ...(mail.sizeBytes > LARGE && { room }) });
      const rendered = await render({ raw, subject: mail.subject, language: reader.language });
      return { ...rendered, truncated: rendered.truncated || mail.sizeBytes > MAX_READ };
    } finally {
      share?.release();
    }
  }

  private async read(
    mail: ArchivedMailEntity,
    keys: MailKeys | null,
    options: ReadMailOptions,
  ): Promise<Buffer> {
    if (mail.sizeBytes <= MAX_READ) return this.bytes.read(mail, keys, options);
    const chunks: Buffer[] = [];
    const beginning = { start: 0, end: MAX_READ - 1 };
    for await (const chunk of await this.bytes.open(mail, keys, beginning, options)) {
      chunks.push(chunk as Buffer);
    }
    return Buffer.concat(chunks);
  }
}
