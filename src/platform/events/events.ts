/**
 * Something that happened to a user. `key` identifies the occurrence: dispatched twice, after a crash for example, it is
 * recorded once.
 */
export type MailroomEvent =
  | RuleExecuted
  | JobCompleted
  | JobFailed
  | QuotaWarning
  | IntegrityFailed
  | ArchivingUnhealthy
  | ArchivingRecovered
  | WeeklyReport;

export type EventType = MailroomEvent['type'];

/** An event that has been recorded. */
export type RecordedEvent = MailroomEvent & {
  /** The same in notifications, toasts and webhooks. */
  readonly id: string;
  readonly occurredAt: Date;
};

/** Events that webhooks can subscribe to; the weekly report is for people. */
export const WEBHOOK_EVENTS = [
  'job.completed',
  'job.failed',
  'rule.executed',
  'quota.warning',
  'integrity.failed',
  'archiving.unhealthy',
  'archiving.recovered',
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
  /** Stable code of `error`; absent of jobs without one. */
  readonly errorCode?: string;
  /** The job only found out what another job would do, and changed nothing; absent for all others. */
  readonly trialRun?: true;
}

export type JobCompleted = Occurrence<'job.completed', JobEnd>;
export type JobFailed = Occurrence<'job.failed', JobEnd>;

export type QuotaWarning = Occurrence<
  'quota.warning',
  {
    readonly usedBytes: number;
    readonly quotaBytes: number;
    /** The threshold that was crossed: 80, 90 or 100. */
    readonly percent: number;
  }
>;

/** Archived mails whose files are missing or altered, found in one check of one account. */
export type IntegrityFailed = Occurrence<
  'integrity.failed',
  {
    readonly accountId: string;
    /** Files hashed in the check. */
    readonly checked: number;
    readonly missing: number;
    readonly altered: number;
    /** Mails not reported before; the first hundred. */
    readonly mailIds: readonly string[];
  }
>;

/** Continuous archiving of an account has been in a bad way for as long as its owner wants to wait. */
export type ArchivingUnhealthy = Occurrence<
  'archiving.unhealthy',
  {
    readonly accountId: string;
    /** `needs_reconnection`, `quota_full` or `behind`. */
    readonly state: string;
    /**
     * Reason for `behind`: `first-fill`, `backlog`, `provider`, `store`, `history-lost` or `incomplete`; otherwise
     * null.
     */
    readonly reason: string | null;
    /** Time when it began, ISO 8601. */
    readonly since: string;
    /** Messages that are not in the archive. */
    readonly pending: number;
    /** The mailbox is watched: nothing is copied. Absent where mail is copied. */
    readonly watchOnly?: true;
  }
>;

/** Archiving is up to date again, after an `archiving.unhealthy`. */
export type ArchivingRecovered = Occurrence<
  'archiving.recovered',
  {
    readonly accountId: string;
    /** Time when it had begun, ISO 8601. */
    readonly since: string;
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
    /** The five senders with the most mail archived in the week, most first. */
    readonly topSenders: readonly { readonly sender: string; readonly count: number }[];
    /** Time when the report was made, ISO 8601. */
    readonly storageUsedBytes: number;
    readonly storageQuotaBytes: number;
  }
>;
