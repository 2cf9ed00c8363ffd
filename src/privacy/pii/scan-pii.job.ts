import { Injectable } from '@nestjs/common';
import { MailboxAccountGone } from '../../archive/mails/archive.errors';
import type { JobContext } from '../../platform/jobs/job-definition';
import { defineJob, HandlesJob, JobHandler, JobResult } from '../../platform/jobs/job-definition';
import { JobQueue } from '../../platform/jobs/job-queue';
import { ArchiveTotals } from '../../archive/mails/archive-totals';
import { StoredMails } from '../../archive/mails/stored-mails';
import { ArchiveLock } from '../../archive/mails/writing/archive-lock';
import { AppConfig } from '../../platform/config/app-config';
import { Transactions } from '../../platform/database/transactions';
import { MailScanner } from './mail-scanner';
import { PiiFindingsRepository } from './pii-findings.repository';
import { ScanPiiRun } from './scan-pii.run';

/** The empty payload: the job's account says which archive to scan. */
export class ScanPiiPayload {}

export const ScanPii = defineJob('scan_pii', { queue: JobQueue.Scan, payload: ScanPiiPayload });

/** Scans archived mail for personal data; see `ScanPiiRun`. It needs the archive only, not the mailbox. */
@Injectable()
@HandlesJob(ScanPii)
export class ScanPiiHandler implements JobHandler<ScanPiiPayload> {
  constructor(
    private readonly mails: StoredMails,
    private readonly totals: ArchiveTotals,
    private readonly scanner: MailScanner,
    private readonly findings: PiiFindingsRepository,
    private readonly archiveLock: ArchiveLock,
    private readonly transactions: Transactions,
    private readonly config: AppConfig,
  ) {}

  /** @returns a `ScanSummary` */
  async run(_payload: ScanPiiPayload, job: JobContext): Promise<JobResult> {
    // The account was deleted after the job had been started.
    if (job.accountId === null) throw new MailboxAccountGone();
    const { mails, totals, scanner, findings, archiveLock, transactions, config } = this;
    const services = { mails, totals, scanner, findings, archiveLock, transactions, config };
    return { ...(await new ScanPiiRun(job.accountId, job, services).run()) };
  }
}
