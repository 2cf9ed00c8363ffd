import { MailboxAccountGone } from '../../archive/mails/archive.errors';
import type { ArchiveTotals } from '../../archive/mails/archive-totals';
import type { ArchiveLock } from '../../archive/mails/writing/archive-lock';
import { mapConcurrently } from '../../platform/concurrency/map-concurrently';
import type { Transactions } from '../../platform/database/transactions';
import type { AppConfig } from '../../platform/config/app-config';
import type { JobContext } from '../../platform/jobs/job-definition';
import type { PiiFinding } from './detection/find-pii';
import { PII_TYPES, type PiiType } from './detection/pii-match';
import { groupsOf, type MailScanner, type ScanOutcome } from './mail-scanner';
import type { StoredMails, StoredMail, MailPosition } from '../../archive/mails/stored-mails';
import type { MailFindings, PiiFindingsRepository } from './pii-findings.repository';

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

const emptySummary = (): ScanSummary => ({
  scanned: 0,
  skippedEncrypted: 0,
  findings: 0,
  affectedMails: 0,
  byType: Object.fromEntries(PII_TYPES.map((type) => [type, 0])) as Record<PiiType, number>,
  truncated: 0,
});

/** Adds a scanned mail. */
function addScanned(summary: ScanSummary, findings: readonly PiiFinding[], isCut: boolean): void {
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

export interface ScanPiiServices {
  readonly mails: StoredMails;
  readonly totals: ArchiveTotals;
  readonly scanner: MailScanner;
  readonly findings: PiiFindingsRepository;
  readonly archiveLock: ArchiveLock;
  readonly transactions: Transactions;
  readonly config: AppConfig;
}

/** Scans the archive of one account for personal data, batch by batch, from the oldest mail on. */
export class ScanPiiRun {
  constructor(
    private readonly accountId: string,
    private readonly job: JobContext,
    private readonly services: ScanPiiServices,
  ) {}

  /**
   * Replaces the findings of every mail that can be read. Batches are repeatable: a mail scanned twice has the findings
   * of the second time.
   * @throws MailboxAccountGone, what an unavailable store throws, JobInterrupted
   */
  async run(): Promise<ScanSummary> {
    const { accountId, job } = this;
    const { mails, totals } = this.services;
    const saved = job.savedCheckpoint<ScanCheckpoint>();
    const summary = saved?.summary ?? emptySummary();
    let position = saved?.position ?? null;
    job.setTotal((await totals.findTotals(accountId))?.mails ?? 0);
    for (;;) {
      job.throwIfCancelled();
      const batch = withinBytes(await mails.findNext(accountId, { after: position, limit: BATCH_MAILS }));
      const last = batch.at(-1);
      if (!last) return summary;
      await this.scanBatch(batch, summary);
      position = last.position;
      job.report({ ...summary });
      await job.checkpoint({ position, summary } satisfies ScanCheckpoint);
    }
  }

  private async scanBatch(batch: readonly StoredMail[], summary: ScanSummary): Promise<void> {
    const { job } = this;
    const outcomes = await this.outcomesOf(batch);
    const found: MailFindings[] = outcomes.flatMap((outcome) =>
      'scanned' in outcome ? [{ mailId: outcome.mail.id, findings: outcome.scanned.findings }] : [],
    );
    const written = await this.replace(found);
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
    return (await this.services.mails.find(accountId, id))?.isEncrypted ? 'encrypted' : null;
  }

  private async outcomesOf(batch: readonly StoredMail[]): Promise<ScanOutcome[]> {
    const { scanner, config } = this.services;
    const outcomes: ScanOutcome[] = batch.flatMap((mail) =>
      mail.isEncrypted ? [{ mail, problem: 'encrypted' as const }] : [],
    );
    const groups = groupsOf(batch.filter(({ isEncrypted }) => !isEncrypted));
    const scans = mapConcurrently(groups, (group) => scanner.scan(group, this.job.signal), {
      // On each thread, one group is read while another is scanned.
      concurrency: 2 * config.workers.threads,
      maxWaiting: groups.length + 1,
      maxWaitingWeight: 1,
      weigh: () => 0,
    });
    for await (const scanned of scans) outcomes.push(...scanned);
    return outcomes;
  }

  /** Whether a mail still exists: one that was deleted before it was read has not failed. */
  private async isStill({ accountId, id }: StoredMail): Promise<boolean> {
    return (await this.services.mails.find(accountId, id)) !== null;
  }

  private replace(found: readonly MailFindings[]): Promise<Set<string>> {
    const { archiveLock, findings, transactions } = this.services;
    const owner = { userId: this.job.userId, accountId: this.accountId };
    return transactions.run(async (transaction) => {
      if (!(await archiveLock.acquire(owner, transaction))) throw new MailboxAccountGone();
      return findings.replace(owner.accountId, found, transaction);
    });
  }
}

function withinBytes(mails: readonly StoredMail[]): readonly StoredMail[] {
  let bytes = 0;
  const end = mails.findIndex(({ sizeBytes }) => (bytes += sizeBytes) >= BATCH_BYTES);
  return end < 0 ? mails : mails.slice(0, end + 1);
}
