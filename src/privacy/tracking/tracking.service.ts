import { Injectable } from '@nestjs/common';
import { offsetOf, type PageQuery } from '../../platform/validation/page.dto';
import type { Transaction } from '../../platform/database/transactions';
import { JobsService, type StartedJob } from '../../platform/jobs/jobs.service';
import { MailboxAccountsService } from '../../mailbox/accounts/mailbox-accounts.service';
import type { StartTrackingScanDto } from './dto/tracking.dto';
import { ScanTracking } from './scan-tracking.job';
import type { TrackingScanEntity } from './tracking-scan.entity';
import { type DomainCount, TrackingScansRepository, type TrackingTotals } from './tracking-scans.repository';

const TOP_DOMAINS = 10;

export interface TrackingStats extends TrackingTotals {
  readonly topDomains: readonly DomainCount[];
}

/** Findings of tracking scans; they are deleted when the account is disconnected. */
@Injectable()
export class TrackingService {
  constructor(
    private readonly accounts: MailboxAccountsService,
    private readonly scans: TrackingScansRepository,
    private readonly jobs: JobsService,
  ) {}

  async computeStats(accountId: string): Promise<TrackingStats> {
    const totals = await this.scans.countTotals(accountId);
    return { ...totals, topDomains: await this.scans.findTopDomains(accountId, TOP_DOMAINS) };
  }

  /** Messages with trackers, newest first; `total` is their number. */
  list(accountId: string, query: PageQuery): Promise<{ scans: TrackingScanEntity[]; total: number }> {
    return this.scans.findPage(accountId, { limit: query.limit, offset: offsetOf(query) });
  }

  /** Removes addresses and parameters from the findings of messages whose archived copies become encrypted, in that transaction. */
  withholdAddresses(
    accountId: string,
    messageIds: readonly string[],
    transaction: Transaction,
  ): Promise<void> {
    return this.scans.withholdAddresses(accountId, messageIds, transaction);
  }

  /** Starts a scan of the newest messages. @throws the 409s of an account that cannot be used */
  async scan(
    userId: string,
    accountId: string,
    request: StartTrackingScanDto,
  ): Promise<StartedJob & { message: string }> {
    await this.accounts.requireUsable(userId, accountId);
    const { jobId } = await this.jobs.start(ScanTracking, { userId, accountId }, request);
    return { jobId, message: 'Tracking scan started' };
  }
}
