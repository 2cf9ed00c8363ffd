/**
 * What happens that people and other programs may want to hear of. `key` names the occurrence: dispatched twice,
 * after a crash for example, it is told once.
 */
export type MailroomEvent = RuleExecuted | JobCompleted | JobFailed;

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
