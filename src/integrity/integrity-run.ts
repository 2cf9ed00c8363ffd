import type { DomainError } from '../common/http/domain-error';
import type { JobContext } from '../jobs/job-definition';
import { describeStoreFailure, StoreFailure } from './integrity.errors';
import type { MailPosition } from '../archive/stored-mails.repository';

/** Intervals of the check, in milliseconds; tests inject shorter ones. */
export class IntegrityTimings {
  /** Between the two looks at a file that seems wrong: what replaces or removes it is through by then. */
  readonly secondLookMs: number = 1_000;
  /** Waits before a store that cannot be reached is asked again; after the last the check fails. */
  readonly storeRetriesMs: readonly number[] = [1_000, 5_000, 15_000, 30_000];
  /** Rest after each batch, as a part of the time it took: nobody waits for the nightly check, an admin may. */
  readonly nightlyRest: number = 1;
  readonly requestedRest: number = 0.25;
}

export type Problem = 'missing' | 'altered';

/** What a check came to; the result of its job. */
export interface IntegrityReport {
  /** Files read and hashed. */
  checked: number;
  /** Of the files read. */
  bytes: number;
  /** Mails without their file, known before or not. */
  missing: number;
  /** Mails whose file is not what was archived, known before or not. */
  altered: number;
  /** Mails found whole again. */
  resolved: number;
  /** Files no mail named, removed. */
  orphansRemoved: number;
  orphanBytes: number;
  /** Files no mail names that were left alone because there are suspiciously many, see `OrphanSweeper`. */
  orphansKept: number;
  /** Files on the local disk that Mailroom never writes. Left alone. */
  unknownFiles: number;
  /** The first hundred. */
  problems: { mailId: string; accountId: string; problem: Problem }[];
}

export const MAX_PROBLEMS_LISTED = 100;

export const emptyReport = (): IntegrityReport => ({
  checked: 0,
  bytes: 0,
  missing: 0,
  altered: 0,
  resolved: 0,
  orphansRemoved: 0,
  orphanBytes: 0,
  orphansKept: 0,
  unknownFiles: 0,
  problems: [],
});

/** The account being checked. */
export interface AccountWalk {
  readonly accountId: string;
  cursor: MailPosition | null;
  /** Mails still to be checked; null: all from the cursor on. */
  left: number | null;
  /** The end of the account has been passed once and the walk goes on from its beginning. */
  wrapped: boolean;
  roundStartedOn: string;
  checked: number;
}

interface RunState {
  phase: 'check' | 'sweep' | 'strays';
  /** The last account or user the phase is done with. */
  doneUpTo: string | null;
  walk: AccountWalk | null;
  report: IntegrityReport;
  /** What the first store that could not be read said. */
  failure: Pick<DomainError, 'code' | 'detail'> | null;
}

const PHASES: readonly RunState['phase'][] = ['check', 'sweep', 'strays'];

/** Where a check is and what it has come to; goes on from the job's last checkpoint. */
export class IntegrityRun {
  /** Stores that could not be read; they are not waited for again. */
  private readonly awayStores = new Set<string>();

  private constructor(
    readonly job: JobContext,
    private readonly state: RunState,
    /** It has a total already. */
    readonly isResumed: boolean,
  ) {}

  static resume(job: JobContext): IntegrityRun {
    const fresh: RunState = {
      phase: 'check',
      doneUpTo: null,
      walk: null,
      report: emptyReport(),
      failure: null,
    };
    const saved = job.savedCheckpoint<RunState>();
    return new IntegrityRun(job, saved ?? fresh, saved !== undefined);
  }

  get report(): IntegrityReport {
    return this.state.report;
  }

  get failure(): RunState['failure'] {
    return this.state.failure;
  }

  /** The walk that was interrupted, if it was over this account. */
  interruptedWalk(accountId: string): AccountWalk | null {
    return this.state.walk?.accountId === accountId ? this.state.walk : null;
  }

  /** Of `ids`, in order, those the phase has still to do; empty when the phase is over. */
  remaining(phase: RunState['phase'], ids: readonly string[]): readonly string[] {
    if (PHASES.indexOf(this.state.phase) > PHASES.indexOf(phase)) return [];
    if (this.state.phase !== phase) Object.assign(this.state, { phase, doneUpTo: null, walk: null });
    const { doneUpTo } = this.state;
    return doneUpTo === null ? ids : ids.filter((id) => id > doneUpTo);
  }

  /** Stores where the walk is. */
  async at(walk: AccountWalk): Promise<void> {
    this.state.walk = walk;
    await this.job.checkpoint(this.state);
  }

  /** The phase is done with this account or user. */
  async done(id: string): Promise<void> {
    this.state.doneUpTo = id;
    this.state.walk = null;
    await this.job.checkpoint(this.state);
  }

  isAway(storage: string): boolean {
    return this.awayStores.has(storage);
  }

  storeFailed(failure: StoreFailure): void {
    this.awayStores.add(failure.storage);
    this.state.failure ??= describeStoreFailure(failure);
    this.job.logger.warn(`${failure.message}: ${String(failure.error)}`);
  }

  found(mailId: string, accountId: string, problem: Problem): void {
    this.report[problem] += 1;
    if (this.report.problems.length >= MAX_PROBLEMS_LISTED) return;
    this.report.problems.push({ mailId, accountId, problem });
  }
}
