/**
 * What happens that people and other programs may want to hear of. `key` names the occurrence: dispatched twice,
 * after a crash for example, it is told once.
 */
export type MailroomEvent =
  | RuleExecuted
  | JobCompleted
  | JobFailed
  | QuotaWarning
  | IntegrityFailed
  | WeeklyReport;

export type EventType = MailroomEvent['type'];

/** An event as it was recorded. */
export type RecordedEvent = MailroomEvent & {
  /** Of the record; the same wherever the event is told. */
  readonly id: string;
  readonly occurredAt: Date;
};

/** What webhooks can subscribe to; the weekly report is for people. */
export const WEBHOOK_EVENTS = [
  'job.completed',
  'job.failed',
  'rule.executed',
  'quota.warning',
  'integrity.failed',
] as const satisfies readonly EventType[];

export type WebhookEvent = (typeof WEBHOOK_EVENTS)[number];

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

export type WeeklyReport = Occurrence<
  'weekly.report',
  {
    /** Monday 00:00 UTC of the week reported on, and the Monday after it; ISO 8601. */
    readonly from: string;
    readonly to: string;
    readonly jobsCompleted: number;
    readonly jobsFailed: number;
    readonly archivedMails: number;
    readonly archivedBytes: number;
    readonly rulesRun: number;
    /** Senders of the mail archived in the week, most first, at most five. */
    readonly topSenders: readonly { readonly sender: string; readonly count: number }[];
    /** When the report was made. */
    readonly storageUsedBytes: number;
    readonly storageQuotaBytes: number;
  }
>;
