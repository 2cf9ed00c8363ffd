import { Injectable } from '@nestjs/common';
import { AuditDetails, AuditTrail } from '../../platform/access/audit-trail.port';
import { ArchiveTotals } from '../mails/archive-totals';
import { StoredMails } from '../mails/stored-mails';
import { ResourceNotFound } from '../../platform/http/domain-error';
import { PassphrasesService } from '../passphrases/passphrases.service';
import { ExportKeys } from './export-keys';
import { ExportMailReader } from './export-mail-reader';
import { ExportThreads } from './export-threads';
import { MailDeletedMeanwhile } from './export.errors';
import type { WantedMail } from './exported-mail';
import { ExportedMailPages } from './exported-mail-pages';
import { mboxOf } from './mbox-writer';
import { ZipThread } from './zip-thread';
import { zipOf } from './zip-writer';

/** The name of an export's file, e.g. `archive-export-2024-02-29.mbox`, with the day in UTC. */
export const exportFilename = (extension: string, now: Date): string =>
  `archive-export-${now.toISOString().slice(0, 10)}.${extension}`;

/** Size to which small pieces are joined before they are written: a copy is cheaper than a system call per header line. */
const CHUNK = 256 * 1024;

/** The same bytes in chunks of at least 256 KiB, except the first, which is passed on at once, and the last. */
export async function* joinChunks(pieces: AsyncIterable<readonly Buffer[]>): AsyncGenerator<Buffer> {
  let gathered: Buffer[] = [];
  let size = 0;
  let enough = 1;
  for await (const some of pieces) {
    for (const piece of some) {
      gathered.push(piece);
      size += piece.length;
      if (size < enough) continue;
      yield gathered.length === 1 ? piece : Buffer.concat(gathered, size);
      gathered = [];
      size = 0;
      enough = CHUNK;
    }
  }
  if (size > 0) yield Buffer.concat(gathered, size);
}

/** The account whose mails are exported, and the passphrase of its encrypted mails. */
export interface Exporter {
  readonly userId: string;
  readonly accountId: string;
  /** Passphrase of encrypted mails, ignored unless a mail is encrypted; null: none was given. */
  readonly passphrase: string | null;
}

/** Exports archived mails, in constant memory whatever their number and size. */
@Injectable()
export class MailExportsService {
  constructor(
    private readonly mails: StoredMails,
    private readonly totals: ArchiveTotals,
    private readonly pages: ExportedMailPages,
    private readonly contents: ExportMailReader,
    private readonly threads: ExportThreads,
    private readonly zipThread: ZipThread,
    private readonly passphrases: PassphrasesService,
    private readonly audit: AuditTrail,
  ) {}

  /**
   * Exports some mails as a ZIP with a manifest, which lists those deleted meanwhile as missing. The request is validated
   * completely before the stream begins.
   * @throws ResourceNotFound when an id is unknown or of another account; MailsEncrypted, PassphraseInvalid,
   *   TooManyRequests
   */
  async zip(
    exporter: Exporter,
    mailIds: readonly string[],
    options: { compress: boolean },
  ): Promise<AsyncIterable<Buffer>> {
    const keys = this.keysOf(exporter);
    const mails = await this.select(exporter.accountId, mailIds, keys);
    await this.record(exporter, { format: 'zip', count: mails.length });
    const deleted: WantedMail[] = [];
    const pages = this.pages.pagesOf(exporter.accountId, mails, (mail) => deleted.push(mail));
    return joinChunks(zipOf(this.contents.read(pages, keys), this.zipThread, { ...options, deleted }));
  }

  /**
   * Exports some or all mails as an mboxrd file, oldest first. An export of all omits mails deleted before their turn.
   * @throws the errors of `zip` before the stream begins; ObjectMissing, MailAltered, MailDeletedMeanwhile,
   *   MailEncryptedMeanwhile within it
   */
  async mbox(exporter: Exporter, mailIds: readonly string[] | null): Promise<AsyncIterable<Buffer>> {
    const { accountId } = exporter;
    const keys = this.keysOf(exporter);
    if (mailIds === null) {
      const totals = await this.totals.findTotals(accountId);
      if (totals && totals.encrypted > 0) await keys.require();
      await this.record(exporter, { format: 'mbox', all: true });
      return joinChunks(mboxOf(this.contents.read(this.pages.pagesOfAll(accountId), keys), this.threads));
    }
    const mails = await this.select(accountId, mailIds, keys);
    await this.record(exporter, { format: 'mbox', count: mails.length });
    const pages = this.pages.pagesOf(accountId, mails, ({ id }) => {
      throw new MailDeletedMeanwhile(id);
    });
    return joinChunks(mboxOf(this.contents.read(pages, keys), this.threads));
  }

  /** @throws MailsEncrypted without a passphrase; EncryptionNotConfigured, PassphraseInvalid, TooManyRequests */
  async checkPassphrase(exporter: Exporter): Promise<void> {
    await this.keysOf(exporter).require();
  }

  /** Records the export before its first byte: an export that cannot be recorded does not begin. */
  private record({ userId, accountId }: Exporter, details: AuditDetails): Promise<void> {
    return this.audit.record({ action: 'mails.exported', userId, accountId, details });
  }

  private keysOf({ userId, passphrase }: Exporter): ExportKeys {
    return new ExportKeys(this.passphrases, userId, passphrase);
  }

  private async select(
    accountId: string,
    mailIds: readonly string[],
    keys: ExportKeys,
  ): Promise<WantedMail[]> {
    const wanted = new Set(mailIds.map((id) => id.toLowerCase()));
    const mails = await this.mails.findNames(accountId, [...wanted]);
    if (mails.length !== wanted.size) throw new ResourceNotFound('mail');
    if (mails.some(({ isEncrypted }) => isEncrypted)) await keys.require();
    return mails.map(({ id, messageId }) => ({ id, messageId }));
  }
}
