import { Injectable } from '@nestjs/common';
import { ChosenMailsService, type ChosenMails } from '../../mails/chosen-mails.service';
import { MAX_CHOSEN_MAILS } from '../../mails/dto/chosen-mails.dto';
import { SecretBox } from '../../../platform/crypto/secret-box';
import { newId } from '../../../platform/crypto/ids';
import { Transactions } from '../../../platform/database/transactions';
import { ResourceNotFound } from '../../../platform/http/domain-error';
import { UserLocks } from '../../../identity/users/user-locks';
import type { PrepareExportDto } from '../dto/prepared-exports.dto';
import { exportFilename, MailExportsService, type Exporter } from '../mail-exports.service';
import type { ExportFormat } from './prepared-export.entity';
import { PreparedExportsRepository } from './prepared-exports.repository';

/** Time for which an export can be downloaded: enough for a click on the download, and for a second try. */
const KEPT_MS = 10 * 60_000;
/** Most prepared exports of a user; a further one replaces the oldest. */
const MAX_PREPARED = 5;
/** Most mails of an export. A ZIP keeps the names of its mails in memory to its end. */
const MOST: Readonly<Record<ExportFormat, number>> = { zip: 10_000, mbox: MAX_CHOSEN_MAILS };
const MIME_TYPES: Readonly<Record<ExportFormat, string>> = {
  zip: 'application/zip',
  mbox: 'application/mbox',
};

export interface PreparedExport {
  readonly id: string;
  readonly accountId: string;
  readonly filename: string;
  readonly mails: number;
  /** Sum of the sizes of the mails. */
  readonly bytes: number;
  readonly expiresAt: Date;
}

/** A file that is made while it is downloaded. */
export interface ExportDownload {
  readonly filename: string;
  readonly mimeType: string;
  readonly content: AsyncIterable<Buffer>;
}

/**
 * Exports that browsers download from an address: the choice of mails is fixed when the export is prepared, and the file is
 * made when it is fetched. The passphrase is kept sealed until then, and no longer than the address is good.
 */
@Injectable()
export class PreparedExportsService {
  constructor(
    private readonly chosen: ChosenMailsService,
    private readonly exports: MailExportsService,
    private readonly repository: PreparedExportsRepository,
    private readonly secrets: SecretBox,
    private readonly userLocks: UserLocks,
    private readonly transactions: Transactions,
  ) {}

  /**
   * @throws ValidationFailed, ResourceNotFound, TooManyMails; MailsEncrypted, EncryptionNotConfigured, PassphraseInvalid,
   *   TooManyRequests
   */
  async prepare(exporter: Exporter, request: PrepareExportDto): Promise<PreparedExport> {
    const { userId, accountId, passphrase } = exporter;
    const { format } = request;
    const { ids, mails, bytes, encrypted } = await this.choose(accountId, request);
    if (encrypted > 0) await this.exports.checkPassphrase(exporter);
    const id = newId();
    const prepared = {
      id,
      userId,
      accountId,
      format,
      compress: request.compress ?? false,
      mailIds: ids,
      sealedPassphrase: encrypted > 0 ? this.secrets.seal({ passphrase }, id) : null,
    };
    const { createdAt, expiresAt } = await this.transactions.run(async (transaction) => {
      await this.userLocks.lock(userId, transaction);
      const times = await this.repository.insert(prepared, KEPT_MS, transaction);
      await this.repository.deleteOlder(userId, MAX_PREPARED, transaction);
      return times;
    });
    return { id, accountId, filename: exportFilename(format, createdAt), mails, bytes, expiresAt };
  }

  /**
   * Begins the download.
   * @throws ResourceNotFound when it does not exist or has expired, or a mail was deleted meanwhile; the errors of
   *   `MailExportsService.zip` and `mbox`
   */
  async open(owner: Omit<Exporter, 'passphrase'>, exportId: string): Promise<ExportDownload> {
    const prepared = await this.repository.findOwned(owner, exportId);
    if (!prepared) throw new ResourceNotFound('export');
    const { format, compress, mailIds, sealedPassphrase, createdAt } = prepared;
    const opened =
      sealedPassphrase === null
        ? { passphrase: null }
        : this.secrets.open<{ passphrase: string }>(sealedPassphrase, exportId);
    const exporter = { ...owner, ...opened };
    const content =
      format === 'zip'
        ? await this.exports.zip(exporter, mailIds ?? [], { compress })
        : await this.exports.mbox(exporter, mailIds);
    return { filename: exportFilename(format, createdAt), mimeType: MIME_TYPES[format], content };
  }

  /** Deletes expired exports. @returns the number of exports deleted */
  deleteExpired(): Promise<number> {
    return this.repository.deleteExpired();
  }

  /** Finds the mails of a request. An mbox file of all mails takes no list, and may have any number. */
  private choose(accountId: string, request: PrepareExportDto): Promise<ChosenMails> {
    const { format, filter, mailIds } = request;
    const isAll = !mailIds && filter && Object.values(filter).every((value) => value === undefined);
    return format === 'mbox' && isAll
      ? this.chosen.chooseAll(accountId)
      : this.chosen.find(accountId, request, MOST[format]);
  }
}
