import type { FaultList } from './control/fault-list';
import type { QuotaMeter } from './control/quota-meter';
import type { UsageStats } from './control/usage-stats';
import type { Mailboxes } from './mailbox/mailboxes';
import type { Grants } from './grants';
import type { SandboxLiveOptions } from './types';

/** The state of one running simulator. */
export interface SandboxState {
  readonly defaultEmail: string;
  readonly live: SandboxLiveOptions;
  readonly unitCosts: Readonly<Record<string, number>>;
  readonly stats: UsageStats;
  readonly faults: FaultList;
  readonly quota: QuotaMeter;
  readonly grants: Grants;
  readonly mailboxes: Mailboxes;
  /** API calls in flight per address. */
  readonly inFlight: Map<string, number>;
  /** Epoch milliseconds, as searches see it. */
  now(): number;
}
