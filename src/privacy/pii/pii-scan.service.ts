import { Injectable } from '@nestjs/common';
import { MailboxAccountGone } from '../../archive/mails/archive.errors';
import { ArchiveTotals } from '../../archive/mails/archive-totals';
import { ArchiveLock } from '../../archive/mails/writing/archive-lock';
import { mapConcurrently } from '../../platform/concurrency/map-concurrently';
import { Transactions } from '../../platform/database/transactions';
import { AppConfig } from '../../platform/config/app-config';
import type { JobContext } from '../../platform/jobs/job-definition';
import type { PiiFinding } from './detection/find-pii';
import { PII_TYPES, type PiiType } from './detection/pii-match';
import { groupsOf, MailScanner, type ScanOutcome } from './mail-scanner';
import { StoredMails, type StoredMail, type MailPosition } from '../../archive/mails/stored-mails';
import { type MailFindings, PiiFindingsRepository } from './pii-findings.repository';

/** Counts of a scan, the result of its job. The job itself counts mails that failed. */
export interface ScanSummary {
  /** Mails scanned. */
  scanned: number;
  /** Encrypted mails; their earlier findings stay. */
  skippedEncrypted: number;
  /** Different values, added up over the mails. */
  findings: number;
  /** Mails with findings. */
  affectedMails: number;
  /** `findings` by type, every type named. */
  byType: Record<PiiType, number>;
  /** Mails with more text than is scanned. */
  truncated: number;
}

export const emptySummary = (): ScanSummary => ({
  scanned: 0,
  skippedEncrypted: 0,
  findings: 0,
  affectedMails: 0,
  byType: Object.fromEntries(PII_TYPES.map((type) => [type, 0])) as Record<PiiType, number>,
  truncated: 0,
});

/** Adds a scanned mail. */
export function addScanned(summary: ScanSummary, findings: readonly PiiFinding[], isCut: boolean): void {
  summary.scanned++;
  if (isCut) summary.truncated++;
  if (findings.length > 0) summary.affectedMails++;
  for (const { type, count } of findings) {
    summary.findings += count;
    summary.byType[type] += count;
  }
}

/** Limits of a batch, which ends at the first of them and is repeated after a crash. */
const BATCH_MAILS = 500;
const BATCH_BYTES = 64 * 1024 * 1024;

interface ScanCheckpoint {
  readonly position: MailPosition;
  readonly summary: ScanSummary;
}

/** Scans the archive of one account for personal data, batch by batch, from the oldest mail on. */
@Injectable()
export class PiiScanService {
  constructor(
    private readonly mails: StoredMails,
    private readonly totals: ArchiveTotals,
    private readonly scanner: MailScanner,
    private readonly findings: PiiFindingsRepository,
    private readonly archiveLock: ArchiveLock,
    private readonly transactions: Transactions,
    private readonly config: AppConfig,
  ) {}

  /**
   * Replaces the findings of every mail that can be read. Batches are repeatable: a mail scanned twice has the findings
   * of the second time.
   * @throws MailboxAccountGone, what an unavailable store throws, JobInterrupted
   */
  async run(accountId: string, job: JobContext): Promise<ScanSummary> {
    const saved = job.savedCheckpoint<ScanCheckpoint>();
    const summary = saved?.summary ?? emptySummary();
    let position = saved?.position ?? null;
    job.setTotal((await this.totals.findTotals(accountId))?.mails ?? 0);
    for (;;) {
      job.throwIfCancelled();
      const batch = withinBytes(
        await this.mails.findNext(accountId, { after: position, limit: BATCH_MAILS }),
      );
      const last = batch.at(-1);
      if (!last) return summary;
      await this.scanBatch(accountId, batch, summary, job);
      position = last.position;
      job.report({ ...summary });
      await job.checkpoint({ position, summary } satisfies ScanCheckpoint);
    }
  }

  private async scanBatch(
    accountId: string,
    batch: readonly StoredMail[],
    summary: ScanSummary,
    job: JobContext,
  ): Promise<void> {
    const outcomes = await this.outcomesOf(batch, job.signal);
    const found: MailFindings[] = outcomes.flatMap((outcome) =>
      'scanned' in outcome ? [{ mailId: outcome.mail.id, findings: outcome.scanned.findings }] : [],
    );
    const written = await this.replace({ userId: job.userId, accountId }, found);
    let processed = 0;
    for (const outcome of outcomes) {
      const { mail } = outcome;
      if ('scanned' in outcome && written.has(mail.id)) {
        processed++;
        addScanned(summary, outcome.scanned.findings, outcome.scanned.isCut);
        continue;
      }
      const problem = 'scanned' in outcome ? await this.changeOf(mail) : outcome.problem;
      if (problem === 'encrypted') {
        processed++;
        summary.skippedEncrypted++;
      } else if (problem !== null && (await this.isStill(mail))) job.fail(mail.id, problem);
    }
    job.progress({ processed });
  }

  /** State of a mail whose findings were not written. @returns null when it is gone */
  private async changeOf({ accountId, id }: StoredMail): Promise<'encrypted' | null> {
    return (await this.mails.find(accountId, id))?.isEncrypted ? 'encrypted' : null;
  }

  private async outcomesOf(batch: readonly StoredMail[], signal: AbortSignal): Promise<ScanOutcome[]> {
    const outcomes: ScanOutcome[] = batch.flatMap((mail) =>
      mail.isEncrypted ? [{ mail, problem: 'encrypted' as const }] : [],
    );
    const groups = groupsOf(batch.filter(({ isEncrypted }) => !isEncrypted));
    const scans = mapConcurrently(groups, (group) => this.scanner.scan(group, signal), {
      // On each thread, one group is read while another is scanned.
      concurrency: 2 * this.config.workers.threads,
      maxWaiting: groups.length + 1,
      maxWaitingWeight: 1,
      weigh: () => 0,
    });
    for await (const scanned of scans) outcomes.push(...scanned);
    return outcomes;
  }

  /** Whether a mail still exists: one that was deleted before it was read has not failed. */
  private async isStill({ accountId, id }: StoredMail): Promise<boolean> {
    return (await this.mails.find(accountId, id)) !== null;
  }

  private replace(
    owner: { userId: string; accountId: string },
    found: readonly MailFindings[],
  ): Promise<Set<string>> {
    return this.transactions.run(async (transaction) => {
      if (!(await this.archiveLock.acquire(owner, transaction))) throw new MailboxAccountGone();
      return this.findings.replace(owner.accountId, found, transaction);
    });
  }
}

function withinBytes(mails: readonly StoredMail[]): readonly StoredMail[] {
  let bytes = 0;
  const end = mails.findIndex(({ sizeBytes }) => (bytes += sizeBytes) >= BATCH_BYTES);
  return end < 0 ? mails : mails.slice(0, end + 1);
}
