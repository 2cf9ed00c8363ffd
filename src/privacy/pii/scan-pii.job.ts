import { Injectable } from '@nestjs/common';
import { MailboxAccountGone } from '../../archive/mails/archive.errors';
import type { JobContext } from '../../platform/jobs/job-definition';
import { defineJob, HandlesJob, JobHandler, JobResult } from '../../platform/jobs/job-definition';
import { JobQueue } from '../../platform/jobs/job-queue';
import { PiiScanService } from './pii-scan.service';

/** The empty payload: the job's account says which archive to scan. */
export class ScanPiiPayload {}

export const ScanPii = defineJob('scan_pii', { queue: JobQueue.Scan, payload: ScanPiiPayload });

/** Scans archived mail for personal data; see `PiiScanService`. It needs the archive only, not the mailbox. */
@Injectable()
@HandlesJob(ScanPii)
export class ScanPiiHandler implements JobHandler<ScanPiiPayload> {
  constructor(private readonly scan: PiiScanService) {}

  /** @returns a `ScanSummary` */
  async run(_payload: ScanPiiPayload, job: JobContext): Promise<JobResult> {
    // The account was deleted after the job had been started.
    if (job.accountId === null) throw new MailboxAccountGone();
    return { ...(await this.scan.run(job.accountId, job)) };
  }
}
