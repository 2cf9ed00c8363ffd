import { Injectable } from '@nestjs/common';
import { MailboxAccountGone } from '../../archive/mails/archive.errors';
import { ArchiveEncryptionService } from './archive-encryption.service';
import type { MailKeys } from '../../archive/passphrases/mail-keys';
import { PassphrasesService } from '../../archive/passphrases/passphrases.service';
import { pickFacts } from '../../platform/access/audit-trail.port';
import type { JobContext } from '../../platform/jobs/job-definition';
import { defineJob, HandlesJob, JobHandler, JobResult } from '../../platform/jobs/job-definition';
import { JobQueue } from '../../platform/jobs/job-queue';
import { PassphraseForgotten } from './archive-encryption.errors';

/** The empty payload: the job has the account, and its secrets have the passphrase. */
export class EncryptArchivesPayload {}

export interface EncryptArchivesSecrets {
  readonly passphrase: string;
  /** Proof that the passphrase was right when the job was started; jobs of earlier versions have none. */
  readonly proof?: string;
}

export const EncryptArchives = defineJob('encrypt_archives', {
  queue: JobQueue.Crypto,
  payload: EncryptArchivesPayload,
  // The passphrase is erased when the job ends.
  resumes: false,
  audited: {
    act: 'archive.encryption',
    factsOfStart: () => ({}),
    factsOfEnd: (result) => pickFacts(result, 'encrypted', 'skipped', 'failed', 'bytes'),
  },
});

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
    // The account was deleted after the job had been started.
    if (job.accountId === null) throw new MailboxAccountGone();
    const owner = { userId: job.userId, accountId: job.accountId };
    const { passphrase, proof } = secretsOf(job);
    // No mail may be encrypted with another passphrase. While checks are refused, the job waits outside its slot.
    const unlock = (salt: Buffer): Promise<MailKeys> =>
      this.passphrases.unlockProven(job.userId, passphrase, proof ?? '', salt);
    return this.encrypter.encrypt(owner, unlock, job);
  }
}

function secretsOf(job: JobContext): EncryptArchivesSecrets {
  let secrets: Partial<EncryptArchivesSecrets>;
  try {
    secrets = job.secrets<Partial<EncryptArchivesSecrets>>();
  } catch (error) {
    throw new PassphraseForgotten(error);
  }
  const { passphrase, proof } = secrets;
  if (typeof passphrase !== 'string' || passphrase === '') throw new PassphraseForgotten();
  return { passphrase, proof };
}
