import { Injectable } from '@nestjs/common';
import { Readable } from 'node:stream';
import { FairSemaphore } from '../../platform/concurrency/fair-semaphore';
import type { Share } from '../../platform/concurrency/semaphore';
import { ResourceNotFound } from '../../platform/http/domain-error';
import type { RangedDownload } from '../../platform/http/ranged-downloads';
import { offsetOf } from '../../platform/validation/page.dto';
import { MailNotEncrypted, MailsEncrypted } from '../passphrases/encryption.errors';
import type { MailKeys } from '../passphrases/mail-keys';
import { decodedRange, rawRangeOf } from '../../platform/mime/attachment-stream';
import { emlText } from '../../platform/mime/charset';
import { MailTooLarge } from './archive.errors';
import type { ArchivedAttachmentEntity, ArchivedMailEntity, MailPresence } from './archived-mail.entity';
import { type ArchivedLabel, ArchivedMailsRepository } from './archived-mails.repository';
import { ContainedPartReader } from './contained-part-reader';
import type { ListMailsQuery } from './dto/archive.dto';
import { emlPath } from './eml-path';
import { MailContentReader } from './mail-content-reader';
import type { IndexGaps } from './index-ledger/index-gaps';
import { IndexGapsRepository } from './index-ledger/index-gaps.repository';
import { mailFilter } from './mail-filter';
import { ListedPage, MailListsRepository } from './mail-lists.repository';
import { MailPresenceRepository } from './mail-presence.repository';

export type { ArchivedLabel } from './archived-mails.repository';

const MIB = 1024 * 1024;
const MAX_EML_CONTENT = 25 * MIB;
/** Mails above this size are read few at a time: each is in memory three times while it becomes JSON. */
const LARGE = MIB;
/** Bytes of large mails read at a time; one user may take half of them. */
const LARGE_READS = { capacity: 32 * MIB, perKey: 16 * MIB };

export interface ReadMail {
  readonly mail: ArchivedMailEntity;
  /** Presence of the mail's message; null: not known. */
  readonly presence: MailPresence | null;
  readonly attachments: readonly ArchivedAttachmentEntity[];
  /** The message as text; null when it is encrypted or too large for a JSON response. */
  readonly emlContent: string | null;
}

/** The user and account of a request that reads mail. */
export interface MailReader {
  readonly userId: string;
  readonly accountId: string;
  /** Used for encrypted mail only; null when none was given. */
  readonly passphrase: string | null;
}

/** Lists, reads and downloads archived mails and their attachments, also of disconnected accounts. */
@Injectable()
export class ArchivedMailsService {
  private readonly largeReads = new FairSemaphore(LARGE_READS);

  constructor(
    private readonly mails: ArchivedMailsRepository,
    private readonly lists: MailListsRepository,
    private readonly gaps: IndexGapsRepository,
    private readonly presences: MailPresenceRepository,
    private readonly contents: MailContentReader,
    private readonly containedParts: ContainedPartReader,
  ) {}

  /** A page of mails; with the mails that a search for words may miss. */
  async list(accountId: string, query: ListMailsQuery): Promise<ListedPage & { gaps: IndexGaps | null }> {
    const { limit, sort, order } = query;
    const range = { limit, offset: offsetOf(query) };
    const [page, gaps] = await Promise.all([
      this.lists.findPage(accountId, mailFilter(query), range, { sort, order }),
      query.q ? this.gaps.count(accountId) : null,
    ]);
    return { ...page, gaps };
  }

  /** Every label that stands on a mail of the account; one pass over its rows. */
  labelsOf(userId: string, accountId: string): Promise<ArchivedLabel[]> {
    return this.mails.labelsOf(userId, accountId);
  }

  /** @throws ResourceNotFound */
  async find(accountId: string, mailId: string): Promise<ArchivedMailEntity> {
    const mail = await this.mails.findOwned(accountId, mailId);
    if (!mail) throw new ResourceNotFound('mail');
    return mail;
  }

  /**
   * @param signal ends the reading when the client is gone
   * @throws ResourceNotFound, ObjectMissing
   */
  async read(userId: string, accountId: string, mailId: string, signal: AbortSignal): Promise<ReadMail> {
    const mail = await this.find(accountId, mailId);
    const attachments = await this.mails.attachmentsOf(accountId, [mailId]);
    const presence = (await this.presences.findPresences(accountId, [mailId])).get(mailId) ?? null;
    if (mail.isEncrypted || mail.sizeBytes > MAX_EML_CONTENT)
      return { mail, presence, attachments, emlContent: null };
    try {
      return { mail, presence, attachments, emlContent: await this.readText(userId, mail, null, signal) };
    } catch (error) {
      // The mail was encrypted after its row was read.
      if (error instanceof MailsEncrypted) return this.read(userId, accountId, mailId, signal);
      throw error;
    }
  }

  /**
   * An encrypted mail as text, like `emlContent` of plain ones.
   * @throws ResourceNotFound, MailNotEncrypted, PassphraseInvalid, TooManyRequests, MailTooLarge, ObjectMissing
   */
  async readDecrypted(
    userId: string,
    accountId: string,
    mailId: string,
    passphrase: string,
    signal: AbortSignal,
  ): Promise<string> {
    const mail = await this.find(accountId, mailId);
    if (!mail.isEncrypted) throw new MailNotEncrypted();
    const keys = await this.contents.unlock(userId, mail, passphrase, signal);
    if (mail.sizeBytes > MAX_EML_CONTENT) throw new MailTooLarge();
    return this.readText(userId, mail, keys, signal);
  }

  private async readText(
    userId: string,
    mail: ArchivedMailEntity,
    keys: MailKeys | null,
    signal: AbortSignal,
  ): Promise<string> {
    if (mail.sizeBytes <= LARGE) return emlText(await this.contents.read(mail, keys, { signal }));
    let share: Share | undefined;
    const room = async (): Promise<void> => {
      share = await this.largeReads.reserve(userId, mail.sizeBytes, signal);
    };
    try {
      return emlText(await this.contents.read(mail, keys, { signal, room }));
    } finally {
      share?.release();
    }
  }

  /**
   * The exact bytes of a mail.
   * @throws ResourceNotFound, MailsEncrypted, PassphraseInvalid, TooManyRequests
   */
  async findEml(reader: MailReader, mailId: string, signal: AbortSignal): Promise<RangedDownload> {
    const mail = await this.find(reader.accountId, mailId);
    const keys = await this.contents.unlock(reader.userId, mail, reader.passphrase, signal);
    return {
      filename: emlPath(mail).split('/').at(-1) ?? `${mail.id}.eml`,
      mimeType: 'message/rfc822',
      size: mail.sizeBytes,
      etag: validatorOf(mail),
      open: (start, end) => this.contents.open(mail, keys, { start, end }, { signal }),
    };
  }

  /**
   * An attachment, decoded from its place in the EML, or from the wrapping that contains it.
   * @throws the errors of `findEml`
   */
  async findAttachment(
    reader: MailReader,
    attachmentId: string,
    signal: AbortSignal,
  ): Promise<RangedDownload> {
    const found = await this.mails.findAttachmentOwned(reader.accountId, attachmentId);
    if (!found) throw new ResourceNotFound('attachment');
    const { attachment, mail } = found;
    const keys = await this.contents.unlock(reader.userId, mail, reader.passphrase, signal);
    const { bodyStart, bodyEnd, encoding } = attachment;
    return {
      filename: attachment.filename,
      mimeType: attachment.mimeType,
      size: attachment.sizeBytes,
      etag: `${validatorOf(mail)}-${attachment.partId}`,
      open: async (start, end) => {
        if (attachment.isContained)
          return this.containedParts.open(reader.userId, mail, keys, attachment, { start, end, signal });
        const raw = rawRangeOf({ bodyStart, encoding }, start, end);
        if (raw) return this.contents.open(mail, keys, raw, { signal });
        const body = { start: bodyStart, end: bodyEnd - 1 };
        const source = await this.contents.open(mail, keys, body, { signal });
        const decoded = Readable.from(decodedRange(source, encoding, start, end), { objectMode: false });
        // A generator that was never read does not close its source by itself.
        return decoded.once('close', () => source.destroy());
      },
    };
  }
}

/** The hash of an encrypted file is not the hash of the bytes sent. */
const validatorOf = (mail: ArchivedMailEntity): string =>
  mail.isEncrypted ? `${mail.sha256}-decrypted` : mail.sha256;
