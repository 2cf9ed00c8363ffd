import { Injectable } from '@nestjs/common';
import { AuditDetails, AuditTrail } from '../access/audit-trail.port';
import { ResourceNotFound } from '../common/http/domain-error';
import { PassphrasesService } from '../encryption/passphrases.service';
import { ExportKeys } from './export-keys';
import { ExportMailReader } from './export-mail-reader';
import { MailDeletedMeanwhile } from './export.errors';
import type { WantedMail } from './exported-mail';
import { ExportsRepository } from './exports.repository';
import { mboxOf } from './mbox-writer';
import { zipOf } from './zip-writer';

/** `archive-export-2024-02-29.mbox`, the day in UTC. */
export const exportFilename = (extension: string, now: Date): string =>
  `archive-export-${now.toISOString().slice(0, 10)}.${extension}`;

/** Small pieces are joined before they are written: a system call per header line would cost more than the copy. */
const CHUNK = 256 * 1024;

/** The same bytes in chunks of at least 256 KiB, except for the first, which is passed on at once, and the last. */
export async function* inChunks(pieces: AsyncIterable<readonly Buffer[]>): AsyncGenerator<Buffer> {
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

/** Whose mails are taken out, and what opens those that are encrypted. */
export interface Exporter {
  readonly userId: string;
  readonly accountId: string;
  /** null when none came. Not looked at as long as nothing is encrypted. */
  readonly passphrase: string | null;
}

/** Takes mails out of the archive, in constant memory whatever their number and size. */
@Injectable()
export class MailExportsService {
  constructor(
    private readonly repository: ExportsRepository,
    private readonly contents: ExportMailReader,
    private readonly passphrases: PassphrasesService,
    private readonly audit: AuditTrail,
  ) {}

  /**
   * A ZIP of some mails with a manifest, which names those deleted meanwhile as missing. Everything that can be wrong
   * with the request is found before the stream begins.
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
    const pages = this.repository.named(exporter.accountId, mails, (mail) => deleted.push(mail));
    return inChunks(zipOf(this.contents.read(pages, keys), { ...options, deleted }));
  }

  /**
   * An mboxrd file of some or all mails, oldest first. Of all, those deleted before their turn are no part any more.
   * @throws as `zip` before the stream begins; ObjectMissing, MailAltered, MailDeletedMeanwhile,
   *   MailEncryptedMeanwhile within it
   */
  async mbox(exporter: Exporter, mailIds: readonly string[] | null): Promise<AsyncIterable<Buffer>> {
    const { accountId } = exporter;
    const keys = this.keysOf(exporter);
    if (mailIds === null) {
      if (await this.repository.hasEncrypted(accountId)) await keys.require();
      await this.record(exporter, { format: 'mbox', all: true });
      return inChunks(mboxOf(this.contents.read(this.repository.all(accountId), keys)));
    }
    const mails = await this.select(accountId, mailIds, keys);
    await this.record(exporter, { format: 'mbox', count: mails.length });
    const pages = this.repository.named(accountId, mails, ({ id }) => {
      throw new MailDeletedMeanwhile(id);
    });
    return inChunks(mboxOf(this.contents.read(pages, keys)));
  }

  /** Before the first byte: what cannot be recorded does not leave. */
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
    const { mails, anyEncrypted } = await this.repository.findOwned(accountId, [...wanted]);
    if (mails.length !== wanted.size) throw new ResourceNotFound('mail');
    if (anyEncrypted) await keys.require();
    return mails;
  }
}
