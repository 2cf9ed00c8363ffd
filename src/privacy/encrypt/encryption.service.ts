import { Injectable } from '@nestjs/common';
import { ArchiveTotals } from '../../archive/mails/archive-totals';
import { ArchivedMailsService } from '../../archive/mails/archived-mails.service';
import { EncryptionNotConfigured } from '../../archive/passphrases/encryption.errors';
import { PassphrasesService } from '../../archive/passphrases/passphrases.service';
import { JobsService, StartedJob } from '../../platform/jobs/jobs.service';
import { EncryptArchives, EncryptArchivesSecrets } from './encrypt-archives.job';

export interface EncryptionStatus {
  /** Number of archived mails of the account. */
  readonly total: number;
  readonly encrypted: number;
  /** Whether the owner has a passphrase. */
  readonly isConfigured: boolean;
}

/** Passphrases, encrypted mail and the encryption of archives, on behalf of users. */
@Injectable()
export class EncryptionService {
  constructor(
    private readonly passphrases: PassphrasesService,
    private readonly mails: ArchivedMailsService,
    private readonly totals: ArchiveTotals,
    private readonly jobs: JobsService,
  ) {}

  /** @throws EncryptionAlreadyConfigured */
  setUp(userId: string, passphrase: string): Promise<void> {
    return this.passphrases.setUp(userId, passphrase);
  }

  /** @throws EncryptionNotConfigured, TooManyRequests */
  verify(userId: string, passphrase: string): Promise<boolean> {
    return this.passphrases.verify(userId, passphrase);
  }

  async readStatus(userId: string, accountId: string): Promise<EncryptionStatus> {
    const [totals, isConfigured] = await Promise.all([
      this.totals.findTotals(accountId),
      this.passphrases.isConfigured(userId),
    ]);
    return { total: totals?.mails ?? 0, encrypted: totals?.encrypted ?? 0, isConfigured };
  }

  /**
   * The text of an encrypted mail. Problems are checked in the order of the errors here.
   * @throws EncryptionNotConfigured, ResourceNotFound, MailNotEncrypted, PassphraseInvalid, TooManyRequests,
   *   MailTooLarge
   */
  async decryptMail(
    userId: string,
    accountId: string,
    request: { mailId: string; passphrase: string },
    signal: AbortSignal,
  ): Promise<string> {
    if (!(await this.passphrases.isConfigured(userId))) throw new EncryptionNotConfigured();
    return this.mails.readDecrypted(userId, accountId, request.mailId, request.passphrase, signal);
  }

  /**
   * Starts a job that encrypts the archive of an account, connected or not. Only the job's secrets hold the passphrase.
   * @throws EncryptionNotConfigured, PassphraseInvalid, TooManyRequests, PassphrasesBusy, IdempotencyKeyReused
   */
  async start(userId: string, accountId: string, passphrase: string): Promise<StartedJob> {
    const secrets: EncryptArchivesSecrets = {
      passphrase,
      proof: await this.passphrases.prove(userId, passphrase),
    };
    return this.jobs.start(EncryptArchives, { userId, accountId }, {}, { secrets });
  }
}
