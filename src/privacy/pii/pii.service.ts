import { Injectable } from '@nestjs/common';
import { offsetOf } from '../../platform/validation/page.dto';
import { JobsService, type StartedJob } from '../../platform/jobs/jobs.service';
import { LISTED_TYPES, type PiiType } from './detection/pii-match';
import { type ListedFinding, PiiFindingsRepository } from './pii-findings.repository';
import { ScanPii } from './scan-pii.job';
import type { ListFindingsQuery } from './dto/pii.dto';

export interface PiiStats {
  readonly totalFindings: number;
  readonly affectedMails: number;
  /** Counts of all types, in a fixed order. */
  readonly byType: readonly { readonly type: PiiType; readonly count: number }[];
}

/** Personal data in the archive of an account, connected or not. */
@Injectable()
export class PiiService {
  constructor(
    private readonly findings: PiiFindingsRepository,
    private readonly jobs: JobsService,
  ) {}

  /** Starts a job that scans the whole archive; earlier findings are replaced mail by mail. */
  async scan(userId: string, accountId: string): Promise<StartedJob & { message: string }> {
    const { jobId } = await this.jobs.start(ScanPii, { userId, accountId }, {});
    return { jobId, message: 'Scan for personal data started' };
  }

  list(accountId: string, query: ListFindingsQuery): Promise<{ findings: ListedFinding[]; total: number }> {
    const range = { limit: query.limit, offset: offsetOf(query) };
    return this.findings.findPage(accountId, query.piiType ?? null, range);
  }

  async computeStats(accountId: string): Promise<PiiStats> {
    const totals = new Map((await this.findings.countTotals(accountId)).map((each) => [each.type, each]));
    const byType = LISTED_TYPES.map((type) => ({ type, count: totals.get(type)?.count ?? 0 }));
    return {
      totalFindings: byType.reduce((sum, { count }) => sum + count, 0),
      affectedMails: [...totals.values()].reduce((sum, { firsts }) => sum + firsts, 0),
      byType,
    };
  }
}
