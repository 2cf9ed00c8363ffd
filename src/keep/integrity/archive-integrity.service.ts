import { Injectable } from '@nestjs/common';
import { ArchiveTotals } from '../../archive/mails/archive-totals';
import { IntegrityDaysRepository } from './integrity-days.repository';
import { IntegrityFindingsRepository, type ListedFinding } from './integrity-findings.repository';

/** Largest number of findings that are listed; the count includes all. */
export const MAX_LISTED_FINDINGS = 100;

export interface ArchiveIntegrity {
  readonly total: number;
  readonly checkedThisWeek: number;
  readonly lastCheckedAt: string | null;
  readonly damagedCount: number;
  /** Findings, the latest first. */
  readonly damaged: readonly ListedFinding[];
}

/** Results of the integrity checks of an archive, for its owner. */
@Injectable()
export class ArchiveIntegrityService {
  constructor(
    private readonly totals: ArchiveTotals,
    private readonly days: IntegrityDaysRepository,
    private readonly findings: IntegrityFindingsRepository,
  ) {}

  async summarize(accountId: string): Promise<ArchiveIntegrity> {
    const [totals, { checked, lastCheckedAt }, damagedCount, damaged] = await Promise.all([
      this.totals.findTotals(accountId),
      this.days.sumRecent(accountId),
      this.findings.count(accountId),
      this.findings.listLatest(accountId, MAX_LISTED_FINDINGS),
    ]);
    const total = totals?.mails ?? 0;
    // The check walks the archive in turn, so that many files in a row are different ones, as long as there are more.
    return { total, checkedThisWeek: Math.min(total, checked), lastCheckedAt, damagedCount, damaged };
  }
}
