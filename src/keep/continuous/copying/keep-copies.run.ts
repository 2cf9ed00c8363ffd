import type { JobContext } from '../../../platform/jobs/job-definition';
import type { ProviderAccount } from '../../../providers/port/mailbox-provider.port';
import {
  type ArchivingOverview,
  type ArchivingSettingsRepository,
  isCopying,
} from '../settings/archiving-settings.repository';
import { addCounts, type CopyCounts, type CopyPass, type MessageCopier, NO_COUNTS } from './message-copier';
import { recordTrouble } from './trouble';

/** Passes at a time: one fetches while the other one writes its last messages. */
const PASSES = 2;
const AT_ONCE = 100;
/** Time for which a pass fetches: well below the lease of two minutes, because calls with spare priority may wait for one. */
const COPY_MS = 45_000;

/** Counts of a job, without what a killed attempt did after its last checkpoint. */
export interface BacklogResult extends CopyCounts {
  readonly [count: string]: unknown;
  /** Whether the storage quota kept it from copying everything. */
  readonly isFull: boolean;
}

export interface KeepCopiesServices {
  readonly settings: ArchivingSettingsRepository;
  readonly copier: MessageCopier;
}

/** Copies everything of a mailbox that is due, several passes at a time. */
export class KeepCopiesRun {
  private done: BacklogResult;

  constructor(
    private readonly account: ProviderAccount,
    private readonly job: JobContext,
    private readonly services: KeepCopiesServices,
  ) {
    this.done = job.savedCheckpoint<BacklogResult>() ?? { ...NO_COUNTS, isFull: false };
  }

  async run(): Promise<BacklogResult> {
    const { account, job } = this;
    const { settings } = this.services;
    await recordTrouble(settings, account.id, async () => {
      for (;;) {
        job.throwIfCancelled();
        const overview = await settings.findOverview(account.userId, account.id);
        if (!overview || !isCopying(overview) || overview.isFull) break;
        job.setTotal(processedBy(this.done) + overview.pending);
        const finished = await this.copy(overview);
        if (this.done.isFull || finished.every(({ taken }) => taken === 0)) break;
      }
    });
    await settings.recordFirstFill(account.id);
    return this.done;
  }

  /** Makes some passes at a time. @returns those that came to their end; throws after the others are counted */
  private async copy({ exclusions }: ArchivingOverview): Promise<CopyPass[]> {
    const { account, job } = this;
    const { settings, copier } = this.services;
    const before = this.done.copied + this.done.recovered;
    const request = {
      limit: AT_ONCE,
      until: Date.now() + COPY_MS,
      priority: 'spare',
      signal: job.signal,
      onProgress: (counts: CopyCounts) => this.count(counts),
    } as const;
    const passes = await Promise.allSettled(
      Array.from({ length: PASSES }, () => copier.copy(account, exclusions, request)),
    );
    if (this.done.copied + this.done.recovered > before) await settings.recordCopied(account.id);
    const finished = passes.flatMap((pass) => (pass.status === 'fulfilled' ? [pass.value] : []));
    this.done = { ...this.done, isFull: finished.some(({ isFull }) => isFull) };
    job.report(this.done);
    await job.checkpoint(this.done);
    const failed = passes.find((pass) => pass.status === 'rejected');
    if (failed) throw failed.reason;
    return finished;
  }

  private count(counts: CopyCounts): void {
    this.done = { ...this.done, ...addCounts(this.done, counts) };
    this.job.progress({ processed: processedBy(counts) });
  }
}

const processedBy = (counts: CopyCounts): number => counts.copied + counts.recovered + counts.excluded;
