import { Injectable } from '@nestjs/common';
import { coverageFigures } from '../ledger/coverage-figures';
import { CoverageRepository, type OperatorOverview } from '../ledger/coverage.repository';

/** The coverage of a mailbox whose mail is kept. */
export interface CoverageLine {
  readonly accountId: string;
  readonly userId: string;
  readonly exact: boolean;
  readonly healthy: boolean;
  readonly historyId: string | null;
  readonly at: string | null;
  readonly total: number;
  readonly verified: number;
  readonly archived: number;
  readonly excluded: number;
  readonly failed: number;
  readonly pending: number;
  readonly onlyInArchive: number;
}

/** Reports to operators what became of the messages of all mailboxes whose mail is kept. */
@Injectable()
export class CoverageReportService {
  constructor(private readonly coverage: CoverageRepository) {}

  async list(): Promise<CoverageLine[]> {
    return (await this.coverage.findOverviews()).map(lineOf);
  }
}

/** A mailbox whose state has been bad for a while, or whose count is wrong, is not healthy. */
function lineOf(overview: OperatorOverview): CoverageLine {
  const { total, classes, onlyInArchive } = coverageFigures(overview.totals);
  return {
    accountId: overview.accountId,
    userId: overview.userId,
    exact: overview.exact,
    healthy: overview.unhealthySince === null && overview.providerAgreed !== false && classes.failed === 0,
    historyId: overview.historyId,
    at: overview.at?.toISOString() ?? null,
    total,
    ...classes,
    onlyInArchive: onlyInArchive.count,
  };
}
