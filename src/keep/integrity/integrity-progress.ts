import type { DomainError } from '../../platform/http/domain-error';
import { StoreAllowance, type StoreAllowanceLimits } from '../../archive/files/store-allowance';
import type { JobContext } from '../../platform/jobs/job-definition';
import { describeStoreFailure, StoreFailure } from './integrity.errors';
import type { MailPosition } from '../../archive/mails/stored-mails';

export type Problem = 'missing' | 'altered';

/** The result of a check, and of its job. */
export interface IntegrityReport {
  /** Files read and hashed. */
  checked: number;
  /** Bytes of the files read. */
  bytes: number;
  /** Mails without their file, known ones included. */
  missing: number;
  /** Mails whose file was altered, known ones included. */
  altered: number;
  /** Mails found intact again. */
  resolved: number;
  /** Files that no mail names, deleted. */
  orphansRemoved: number;
  orphanBytes: number;
  /** Files that no mail names, kept because they are suspiciously many; see `OrphanFilesService`. */
  orphansKept: number;
  /** Files on the local disk that Mailroom never writes; they are kept. */
  unknownFiles: number;
  /** Problems found, at most the first hundred. */
  problems: { mailId: string; accountId: string; problem: Problem }[];
}

export const MAX_PROBLEMS_LISTED = 100;

const emptyReport = (): IntegrityReport => ({
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
  /** Mails left to check; null: all from the cursor on. */
  left: number | null;
  /** The walk has passed the end of the account and continues from its beginning. */
  wrapped: boolean;
  roundStartedOn: string;
  checked: number;
}

export interface IntegrityState {
  phase: 'check' | 'sweep' | 'strays';
  /** The last account or user the phase has completed. */
  doneUpTo: string | null;
  walk: AccountWalk | null;
  report: IntegrityReport;
  /** The error of the first store that could not be read. */
  failure: Pick<DomainError, 'code' | 'detail'> | null;
}

const PHASES: readonly IntegrityState['phase'][] = ['check', 'sweep', 'strays'];

/** The state of a `CheckIntegrityRun`, which continues from the job's last checkpoint. */
export class IntegrityProgress {
  /** Stores that could not be read; the run does not wait for them again. */
  private readonly awayStores = new Set<string>();
  private readonly allowances = new Map<string, StoreAllowance>();
  private readonly state: IntegrityState;
  /** Whether a checkpoint, and so a total, exists. */
  readonly isResumed: boolean;

  constructor(
    readonly job: JobContext,
    saved: IntegrityState | undefined,
  ) {
    const fresh = {
      phase: 'check',
      doneUpTo: null,
      walk: null,
      report: emptyReport(),
      failure: null,
    } as const;
    this.isResumed = saved !== undefined;
    this.state = saved ?? fresh;
  }

  get report(): IntegrityReport {
    return this.state.report;
  }

  get failure(): IntegrityState['failure'] {
    return this.state.failure;
  }

  /** The walk that was interrupted, if it was over this account. */
  findInterruptedWalk(accountId: string): AccountWalk | null {
    return this.state.walk?.accountId === accountId ? this.state.walk : null;
  }

  /** The `ids`, in order, that the phase has not completed; empty when the phase is over. */
  listRemaining(phase: IntegrityState['phase'], ids: readonly string[]): readonly string[] {
    if (PHASES.indexOf(this.state.phase) > PHASES.indexOf(phase)) return [];
    if (this.state.phase !== phase) Object.assign(this.state, { phase, doneUpTo: null, walk: null });
    const { doneUpTo } = this.state;
    return doneUpTo === null ? ids : ids.filter((id) => id > doneUpTo);
  }

  /** Saves the position of the walk. */
  async savePosition(walk: AccountWalk): Promise<void> {
    this.state.walk = walk;
    await this.job.checkpoint(this.state);
  }

  /** Records that the phase has completed this account or user. */
  async markDone(id: string): Promise<void> {
    this.state.doneUpTo = id;
    this.state.walk = null;
    await this.job.checkpoint(this.state);
  }

  allowanceOf(storage: string, limits: StoreAllowanceLimits): StoreAllowance {
    const known = this.allowances.get(storage);
    if (known) return known;
    const allowance = new StoreAllowance(limits);
    this.allowances.set(storage, allowance);
    return allowance;
  }

  isAway(storage: string): boolean {
    return this.awayStores.has(storage);
  }

  addStoreFailure(failure: StoreFailure): void {
    this.awayStores.add(failure.storage);
    this.state.failure ??= describeStoreFailure(failure);
    this.job.logger.warn(`${failure.message}: ${String(failure.error)}`);
  }

  addProblem(mailId: string, accountId: string, problem: Problem): void {
    this.report[problem] += 1;
    if (this.report.problems.length >= MAX_PROBLEMS_LISTED) return;
    this.report.problems.push({ mailId, accountId, problem });
  }
}
