import { Injectable } from '@nestjs/common';
import type { JobContext } from '../../../common/jobs/job-context';
import { HandlesJob, type JobHandler, type JobResult } from '../../../common/jobs/job-definition';
import { MailboxAccountsService } from '../../../mailbox/accounts/mailbox-accounts.service';
import { MailboxDisconnected } from '../../../mailbox/providers/provider-errors';
import type { StartTrackingScanDto } from '../dto/start-tracking-scan.dto';
import { ScanTracking } from './scan-tracking.definition';
import { TrackingScanner } from './tracking-scanner';

/** Looks for trackers in the newest messages; see `TrackingScanner`. */
@Injectable()
@HandlesJob(ScanTracking)
export class ScanTrackingHandler implements JobHandler<StartTrackingScanDto> {
  constructor(
    private readonly accounts: MailboxAccountsService,
    private readonly scanner: TrackingScanner,
  ) {}

  async run({ maxMessages }: StartTrackingScanDto, job: JobContext): Promise<JobResult> {
    // The account has been removed since the job was started.
    if (job.accountId === null) throw new MailboxDisconnected();
    const account = await this.accounts.usable(job.userId, job.accountId);
    return this.scanner.scan(account, maxMessages, job);
  }
}
