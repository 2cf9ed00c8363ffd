import type { JobContext } from '../common/jobs/job-context';

/** What a batch, or all of them, removed. */
export interface Purged {
  readonly mails: number;
  /** Of their EML files. */
  readonly bytes: number;
  /** Files that are gone already; those of a store that is away follow when it is back. */
  readonly files: number;
}

/** Removes everything archived for an account or a user; implemented by the archive feature. */
export abstract class ArchivePurger {
  /** Mails of an account, and the bytes of their EML files. */
  abstract sizeOf(userId: string, accountId: string): Promise<{ mails: number; bytes: number }>;

  /**
   * Removes rows and their files in batches that can be interrupted and repeated; nothing else is touched. Mail may
   * still arrive meanwhile: remove the account next, which ends that, then the leftovers.
   * @param afterBatch is told of each batch; without it, mails are reported as the job's progress
   * @returns what was removed by this call
   */
  abstract purgeAccount(
    userId: string,
    accountId: string,
    job: JobContext,
    afterBatch?: (batch: Purged) => Promise<void>,
  ): Promise<Purged>;

  /**
   * Removes whatever files still lie in the account's folders: of rows that went in an interrupted attempt, or that
   * went with the account, or that never came. To be called when the account's row is gone, so that no batch can be
   * committed any more; one that is then on its way removes its own files.
   */
  abstract removeLeftovers(userId: string, accountId: string, job: JobContext): Promise<void>;

  /**
   * Removes whatever lies in the folders of a user whose accounts are gone, in every store they ever used, finished or
   * half-written. A store that is away is waited for; a bucket that does not exist any more holds nothing.
   * @returns files removed
   * @throws ArchiveStoreUnavailable, ArchiveStoreRefused when files may remain in a store; the others are cleared even so
   */
  abstract removeAllOf(userId: string, job: JobContext): Promise<number>;

  /** Removes the local folder of a user, whatever it holds. */
  abstract removeFolderOf(userId: string): Promise<void>;
}
