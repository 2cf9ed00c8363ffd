import { Injectable } from '@nestjs/common';
import { defineJob, HandlesJob, type JobHandler, type JobResult } from '../../platform/jobs/job-definition';
import { JobQueue } from '../../platform/jobs/job-queue';
import type { JobContext } from '../../platform/jobs/job-definition';
import { MailboxDisconnected } from '../../providers/port/mail-provider.errors';
import { MailboxAccountsService } from '../../mailbox/accounts/mailbox-accounts.service';
import { StartTrackingScanDto } from './dto/tracking.dto';
import { TrackingScanner } from './tracking-scanner';

/** The job kind. It is defined apart from its handler, which the service that starts it does not need. */
export const ScanTracking = defineJob('scan_tracking', {
  queue: JobQueue.Scan,
  payload: StartTrackingScanDto,
});

/** Scans the newest messages for trackers; see `TrackingScanner`. */
@Injectable()
@HandlesJob(ScanTracking)
export class ScanTrackingHandler implements JobHandler<StartTrackingScanDto> {
  constructor(
    private readonly accounts: MailboxAccountsService,
    private readonly scanner: TrackingScanner,
  ) {}

  async run({ maxMessages }: StartTrackingScanDto, job: JobContext): Promise<JobResult> {
    // The account was deleted after the job had been started.
    if (job.accountId === null) throw new MailboxDisconnected();
    const account = await this.accounts.requireUsable(job.userId, job.accountId);
    return this.scanner.scan(account, maxMessages, job);
  }
}
