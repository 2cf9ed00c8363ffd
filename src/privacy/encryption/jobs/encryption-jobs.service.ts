import { Injectable } from '@nestjs/common';
import { Passphrases } from '../../../archive/encryption/passphrases/passphrases.port';
import { JobsService, StartedJob } from '../../../common/jobs/starting/jobs.service';
import { EncryptArchives, EncryptArchivesSecrets } from './encrypt-archives.job';

/** Starts the encryption of archives. */
@Injectable()
export class EncryptionJobsService {
  constructor(
    private readonly passphrases: Passphrases,
    private readonly jobs: JobsService,
  ) {}

  /**
   * Encrypts what is archived of an account, connected or not. The passphrase travels with the job's secrets alone.
   * @throws EncryptionNotConfigured, PassphraseInvalid, TooManyRequests, PassphrasesBusy, IdempotencyKeyReused
   */
  async start(userId: string, accountId: string, passphrase: string): Promise<StartedJob> {
    await this.passphrases.unlock(userId, passphrase);
    const secrets: EncryptArchivesSecrets = { passphrase };
    return this.jobs.start(EncryptArchives, { userId, accountId }, {}, { secrets });
  }
}
