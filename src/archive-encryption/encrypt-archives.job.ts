import { Injectable } from '@nestjs/common';
import { setTimeout as delay } from 'node:timers/promises';
import { MailboxAccountGone } from '../archive/archive.errors';
import { ArchiveEncryptionService } from './archive-encryption.service';
import { PassphrasesBusy } from '../encryption/encryption.errors';
import type { MailKeys } from '../encryption/mail-keys';
import { PassphrasesService } from '../encryption/passphrases.service';
import { pickFacts } from '../access/audit-trail.port';
import type { JobContext } from '../jobs/job-definition';
import { defineJob, HandlesJob, JobHandler, JobResult } from '../jobs/job-definition';
import { JobQueue } from '../jobs/job-queue';
import { TooManyRequests } from '../common/rate-limit/rate-limiter';
import { PassphraseForgotten } from './archive-encryption.errors';

/** Empty: the job has the account, and its secrets the passphrase. */
export class EncryptArchivesPayload {}

export interface EncryptArchivesSecrets {
  readonly passphrase: string;
}

export const EncryptArchives = defineJob('encrypt_archives', {
  queue: JobQueue.Crypto,
  payload: EncryptArchivesPayload,
  audited: {
    act: 'archive.encryption',
    started: () => ({}),
    ended: (result) => pickFacts(result, 'encrypted', 'skipped', 'failed', 'bytes'),
  },
});

/** Wait while passphrase checks are limited or busy. */
const UNLOCK_AGAIN_MS = 10_000;

/** Encrypts the archive of an account; see `ArchiveEncryptionService`. */
@Injectable()
@HandlesJob(EncryptArchives)
export class EncryptArchivesHandler implements JobHandler<EncryptArchivesPayload> {
  constructor(
    private readonly passphrases: PassphrasesService,
    private readonly encrypter: ArchiveEncryptionService,
  ) {}

  /**
   * @returns `encrypted`: mails; `skipped`: mails that were encrypted before; `failed`: mails whose files are missing or
   *   altered, left as they are; `bytes`: of the messages encrypted
   */
  async run(_payload: EncryptArchivesPayload, job: JobContext): Promise<JobResult> {
    // The account has been deleted since the job was started.
    if (job.accountId === null) throw new MailboxAccountGone();
    const owner = { userId: job.userId, accountId: job.accountId };
    const passphrase = passphraseOf(job);
    return this.encrypter.encrypt(owner, (salt) => this.unlock(passphrase, salt, job), job);
  }

  /** Checks the passphrase again: nothing may be encrypted with any other. */
  private async unlock(passphrase: string, salt: Buffer, job: JobContext): Promise<MailKeys> {
    for (;;) {
      job.throwIfCancelled();
      try {
        return await this.passphrases.unlock(job.userId, passphrase, salt);
      } catch (error) {
        if (!(error instanceof TooManyRequests || error instanceof PassphrasesBusy)) throw error;
        await delay(UNLOCK_AGAIN_MS, undefined, { signal: job.signal }).catch(() => job.throwIfCancelled());
      }
    }
  }
}

function passphraseOf(job: JobContext): string {
  let passphrase: unknown;
  try {
    ({ passphrase } = job.secrets<EncryptArchivesSecrets>());
  } catch (error) {
    throw new PassphraseForgotten(error);
  }
  if (typeof passphrase !== 'string' || passphrase === '') throw new PassphraseForgotten();
  return passphrase;
}
