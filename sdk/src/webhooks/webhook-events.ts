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
}

/** What each event says. */
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
    /** The first hundred. */
    readonly mailIds: readonly string[];
  };
  'archiving.unhealthy': {
    readonly accountId: string;
    readonly state: string;
    readonly reason: string | null;
    /** ISO 8601. */
    readonly since: string;
    readonly pending: number;
  };
  'archiving.recovered': { readonly accountId: string; readonly since: string };
}

/** The body of a generic webhook; `event` tells what `data` is. */
export type WebhookEvent = {
  [Event in Schemas['WebhookEvent']]: {
    /** The same however often the event is delivered. */
    readonly id: string;
    readonly event: Event;
    /** When it happened, ISO 8601. */
    readonly timestamp: string;
    readonly data: WebhookData[Event];
  };
}[Schemas['WebhookEvent']];
