import type { JobContext } from '../common/jobs/job-context';

/** Removes everything archived for an account; implemented by the archive feature. */
export abstract class ArchivePurger {
  /**
   * Removes rows and their files in batches that can be interrupted and repeated; nothing else is touched. Mail may
   * still arrive meanwhile: remove the account next, which ends that, then the leftovers.
   * @returns what was removed by this call: mails and bytes of their EML files
   */
  abstract purgeAccount(
    userId: string,
    accountId: string,
    job: JobContext,
  ): Promise<{ mails: number; bytes: number }>;

  /**
   * Removes whatever files still lie in the account's folders: of rows that went in an interrupted attempt, or that
   * went with the account, or that never came. To be called when the account's row is gone, so that no batch can be
   * committed any more; one that is then on its way removes its own files.
   */
  abstract removeLeftovers(userId: string, accountId: string, job: JobContext): Promise<void>;
}
