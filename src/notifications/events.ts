/**
 * What happens that people and other programs may want to hear of. `key` names the occurrence: dispatched twice,
 * after a crash for example, it is told once.
 */
export type MailroomEvent = RuleExecuted | JobCompleted | JobFailed | QuotaWarning | IntegrityFailed;

interface Occurrence<T extends string, D> {
  readonly type: T;
  readonly key: string;
  readonly userId: string;
  readonly data: D;
}

export type RuleExecuted = Occurrence<
  'rule.executed',
  {
    readonly ruleId: string;
    readonly name: string;
    readonly accountId: string;
    readonly action: string;
    /** Messages the rule found, exact conditions checked. */
    readonly matched: number;
    readonly jobId: string;
  }
>;

interface JobEnd {
  readonly jobId: string;
  /** Kind of the job. */
  readonly type: string;
  readonly status: string;
  readonly accountId: string | null;
  readonly total: number;
  readonly processed: number;
  readonly failed: number;
  readonly error: string | null;
}

export type JobCompleted = Occurrence<'job.completed', JobEnd>;
export type JobFailed = Occurrence<'job.failed', JobEnd>;

export type QuotaWarning = Occurrence<
  'quota.warning',
  {
    readonly usedBytes: number;
    readonly quotaBytes: number;
    /** The mark that was crossed: 80, 90 or 100. */
    readonly percent: number;
  }
>;

/** Archived mails whose files are gone or are not what was archived, found in one check of one account. */
export type IntegrityFailed = Occurrence<
  'integrity.failed',
  {
    readonly accountId: string;
    /** Files hashed in the check. */
    readonly checked: number;
    readonly missing: number;
    readonly altered: number;
    /** Mails not told of before; the first hundred. */
    readonly mailIds: readonly string[];
  }
>;
