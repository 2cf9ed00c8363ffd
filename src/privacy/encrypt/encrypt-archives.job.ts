import { Injectable } from '@nestjs/common';
import { MailboxAccountGone } from '../../archive/mails/archive.errors';
import type { MailKeys } from '../../archive/passphrases/mail-keys';
import { PassphrasesService } from '../../archive/passphrases/passphrases.service';
import { pickFacts } from '../../platform/access/audit-trail.port';
import type { JobContext } from '../../platform/jobs/job-definition';
import { defineJob, HandlesJob, JobHandler, JobResult } from '../../platform/jobs/job-definition';
import { JobQueue } from '../../platform/jobs/job-queue';
import { FileDeletions } from '../../archive/files/file-deletions';
import { ArchiveTotals } from '../../archive/mails/archive-totals';
import { EncryptedMailsService } from '../../archive/mails/encrypted-mails.service';
import { StoredMails } from '../../archive/mails/stored-mails';
import { ArchiveLock } from '../../archive/mails/writing/archive-lock';
import { MessageIndexService } from '../../mailbox/index/message-index.service';
import { Transactions } from '../../platform/database/transactions';
import { TrackingService } from '../tracking/tracking.service';
import { PassphraseForgotten } from './archive-encryption.errors';
import { EncryptArchivesRun } from './encrypt-archives.run';
import { MailEncryptor } from './mail-encryptor';

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

/**
 * Encrypts the archive of an account; see `EncryptArchivesRun`. It has ten dependencies because it passes most of them to
 * the run, which Nest does not create.
 */
@Injectable()
@HandlesJob(EncryptArchives)
export class EncryptArchivesHandler implements JobHandler<EncryptArchivesPayload> {
  constructor(
    private readonly passphrases: PassphrasesService,
    private readonly mails: StoredMails,
    private readonly totals: ArchiveTotals,
    private readonly encrypted: EncryptedMailsService,
    private readonly encryptor: MailEncryptor,
    private readonly archiveLock: ArchiveLock,
    private readonly transactions: Transactions,
    private readonly fileDeletions: FileDeletions,
    private readonly index: MessageIndexService,
    private readonly tracking: TrackingService,
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
    const { mails, totals, encrypted, encryptor, archiveLock } = this;
    const { transactions, fileDeletions, index, tracking } = this;
    return new EncryptArchivesRun(owner, unlock, job, {
      ...{ mails, totals, encrypted, encryptor, archiveLock },
      ...{ transactions, fileDeletions, index, tracking },
    }).run();
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
