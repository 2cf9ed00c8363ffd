import type { DomainError } from '../common/http/domain-error';
import type { JobContext } from '../common/jobs/job-context';
import type { WalkCursor } from './check/stored-mails.repository';
import { emptyReport, IntegrityReport, MAX_PROBLEMS_LISTED, Problem } from './integrity-report';
import { describeStoreFailure, StoreFailure } from './integrity.errors';

/** The account being checked. */
export interface AccountWalk {
  readonly accountId: string;
  cursor: WalkCursor | null;
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
