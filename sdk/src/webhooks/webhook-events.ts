import type { Schemas } from '../operations/operation-types.js';

/** A job that has ended. */
export interface JobEventData {
  readonly jobId: string;
  readonly type: string;
  readonly status: Schemas['JobStatus'];
  readonly accountId: string | null;
  readonly total: number;
  readonly processed: number;
  readonly failed: number;
  readonly error: string | null;
  /** Stable code of `error`; absent of jobs without one. */
  readonly errorCode?: string;
  /** The job only found out what another job would do, and changed nothing; absent of all others. */
  readonly trialRun?: true;
}

/** Data of each event. */
export interface WebhookData {
  'job.completed': JobEventData;
  'job.failed': JobEventData;
  'rule.executed': {
    readonly ruleId: string;
    readonly name: string;
    readonly accountId: string;
    readonly action: string;
    readonly matched: number;
    readonly jobId: string;
  };
  'quota.warning': { readonly usedBytes: number; readonly quotaBytes: number; readonly percent: number };
  'integrity.failed': {
    readonly accountId: string;
    readonly checked: number;
    readonly missing: number;
    readonly altered: number;
    /** Ids of the mails, the first hundred at most. */
    readonly mailIds: readonly string[];
  };
  'archiving.unhealthy': {
    readonly accountId: string;
    readonly state: string;
    readonly reason: string | null;
    /** Start of the state, ISO 8601. */
    readonly since: string;
    readonly pending: number;
    /** The mailbox is watched: nothing is copied. Absent where mail is copied. */
    readonly watchOnly?: true;
  };
  'archiving.recovered': { readonly accountId: string; readonly since: string };
}

/** Body of a generic webhook; `event` determines the type of `data`. */
export type WebhookEvent = {
  [Event in Schemas['WebhookEvent']]: {
    /** Id of the event, the same for every delivery. */
    readonly id: string;
    readonly event: Event;
    /** Time of the event, ISO 8601. */
    readonly timestamp: string;
    readonly data: WebhookData[Event];
  };
}[Schemas['WebhookEvent']];
