import type { JobContext } from '../common/jobs/job-context';

/** Removes everything archived for an account; implemented by the archive feature. */
export abstract class ArchivePurger {
  /**
   * Removes rows and files in batches that can be interrupted and repeated; nothing else is touched.
   * @returns what was removed by this call: mails and bytes of their EML files
   */
  abstract purgeAccount(
    userId: string,
    accountId: string,
    job: JobContext,
  ): Promise<{ mails: number; bytes: number }>;
}
