import { Injectable } from '@nestjs/common';
import { Readable } from 'node:stream';
import { JobsService, StartedJob } from '../../common/jobs/jobs.service';
import { ResourceNotFound, ValidationFailed } from '../../common/http/domain-error';
import { offsetOf } from '../../common/http/paging/page.dto';
import type { RangedDownload } from '../../common/http/ranged-downloads';
import { MailboxAccountsService } from '../../mailbox/accounts/mailbox-accounts.service';
import type { ArchivedAttachmentEntity } from '../archived-attachment.entity';
import type { ArchivedMailEntity } from '../archived-mail.entity';
import { MailsEncrypted } from '../archive.errors';
import { ArchiveMails } from '../jobs/archive-mails.job';
import type { ArchiveMailsDto } from '../jobs/archive-mails.dto';
import { decodedRange, rawRangeOf } from '../../mime/attachment-stream';
import { emlText } from '../../mime/eml-text';
import { SharedBudget } from '../shared-budget';
import { ArchiveStores } from '../store/archive-store.port';
import { zipEntryName } from '../export/zip-entry-name';
import { ArchivedMailsRepository } from './archived-mails.repository';
import type { ListMailsQuery } from './list-mails.dto';
import { mailFilter } from './mail-filter';
import { ListedMail, MailListsRepository } from './mail-lists.repository';

const MIB = 1024 * 1024;
const MAX_EML_CONTENT = 25 * MIB;
/** Mails above this size are read few at a time: each is in memory three times over while it becomes JSON. */
const LARGE = MIB;
const LARGE_READS = 32 * MIB;

export interface ReadMail {
  readonly mail: ArchivedMailEntity;
  readonly attachments: readonly ArchivedAttachmentEntity[];
  /** null when encrypted or too large for a JSON answer. */
  readonly emlContent: string | null;
}

/** What users do with their archived mails. Works for disconnected accounts too, except for archiving more. */
@Injectable()
export class ArchivedMailsService {
  private readonly largeReads = new SharedBudget(LARGE_READS);

  constructor(
    private readonly mails: ArchivedMailsRepository,
    private readonly lists: MailListsRepository,
    private readonly stores: ArchiveStores,
    private readonly accounts: MailboxAccountsService,
    private readonly jobs: JobsService,
  ) {}

  /**
   * Starts a job that archives the messages named or matched.
   * @throws ValidationFailed unless exactly one of ids and query is given
   */
  async archive(userId: string, accountId: string, request: ArchiveMailsDto): Promise<StartedJob> {
    const messageIds = request.messageIds ? [...new Set(request.messageIds)] : undefined;
    const query = request.query ?? undefined;
    if ((messageIds === undefined) === (query === undefined)) {
      throw new ValidationFailed([
        { field: 'messageIds', message: 'exactly one of messageIds and query must be given' },
      ]);
    }
    await this.accounts.usable(userId, accountId);
    const payload = { messageIds, query, differential: request.differential ?? true };
    return this.jobs.start(ArchiveMails, { userId, accountId }, payload, { total: messageIds?.length });
  }

  list(accountId: string, query: ListMailsQuery): Promise<{ mails: ListedMail[]; total: number }> {
    return this.lists.page(accountId, mailFilter(query), { limit: query.limit, offset: offsetOf(query) });
  }

  /** @throws ResourceNotFound, ObjectMissing */
  async read(accountId: string, mailId: string): Promise<ReadMail> {
    const mail = await this.find(accountId, mailId);
    const attachments = await this.mails.attachmentsOf(accountId, [mailId]);
    if (mail.isEncrypted || mail.sizeBytes > MAX_EML_CONTENT) return { mail, attachments, emlContent: null };
    return { mail, attachments, emlContent: await this.text(mail) };
  }

  private async text(mail: ArchivedMailEntity): Promise<string> {
    const store = await this.stores.named(mail.storage);
    const share = mail.sizeBytes > LARGE ? await this.largeReads.reserve(mail.sizeBytes) : null;
    try {
      return emlText(await store.read(mail.storageKey));
    } finally {
      share?.release();
    }
  }

  /** The exact bytes of a mail. @throws ResourceNotFound, MailsEncrypted */
  async eml(accountId: string, mailId: string): Promise<RangedDownload> {
    const mail = await this.find(accountId, mailId);
    if (mail.isEncrypted) throw new MailsEncrypted();
    const store = await this.stores.named(mail.storage);
    return {
      filename: zipEntryName(mail).split('/').at(-1) ?? `${mail.id}.eml`,
      mimeType: 'message/rfc822',
      size: mail.sizeBytes,
      etag: mail.sha256,
      open: (start, end) => store.get(mail.storageKey, { start, end }),
    };
  }

  /** An attachment, decoded from its place in the EML. @throws ResourceNotFound, MailsEncrypted */
  async attachment(accountId: string, attachmentId: string): Promise<RangedDownload> {
    const found = await this.mails.findAttachmentOwned(accountId, attachmentId);
    if (!found) throw new ResourceNotFound('attachment');
    const { attachment, mail } = found;
    if (mail.isEncrypted) throw new MailsEncrypted();
    const store = await this.stores.named(mail.storage);
    const { bodyStart, bodyEnd, encoding } = attachment;
    return {
      filename: attachment.filename,
      mimeType: attachment.mimeType,
      size: attachment.sizeBytes,
      etag: `${mail.sha256}-${attachment.partId}`,
      open: async (start, end) => {
        const raw = rawRangeOf({ bodyStart, encoding }, start, end);
        if (raw) return store.get(mail.storageKey, raw);
        const source = await store.get(mail.storageKey, { start: bodyStart, end: bodyEnd - 1 });
        const decoded = Readable.from(decodedRange(source, encoding, start, end), { objectMode: false });
        // A generator that nobody has begun to read does not close its source by itself.
        return decoded.once('close', () => source.destroy());
      },
    };
  }

  private async find(accountId: string, mailId: string): Promise<ArchivedMailEntity> {
    const mail = await this.mails.findOwned(accountId, mailId);
    if (!mail) throw new ResourceNotFound('mail');
    return mail;
  }
}
