/** Units of the provider's quota that one call takes. */
export type UnitCosts = Readonly<Record<string, number>>;

/** Approximate upper bound of the quota that a restore to a mailbox takes. */
export interface RestoreCost {
  readonly units: number;
  /** Minutes at the pace of the quota alone, rounded up. */
  readonly minutes: number;
}

/**
 * Estimates the quota of a restore: each mail is searched for and added, and what arrived is read back. Mails of the mailbox
 * itself are first requested by their ids.
 */
export function restoreCost(
  plan: {
    readonly mails: number;
    readonly labels: number;
    readonly verify: boolean;
    readonly isOwnMailbox: boolean;
  },
  costs: UnitCosts,
  unitsPerMinute: number,
): RestoreCost {
  const cost = (endpoint: string): number => costs[endpoint] ?? 0;
  const reads = (plan.verify ? 1 : 0) + (plan.isOwnMailbox ? 1 : 0);
  const perMail = cost('messages.insert') + cost('messages.list') + reads * cost('messages.get');
  const units = plan.mails * perMail + plan.labels * cost('labels.create') + cost('labels.list');
  return { units, minutes: Math.ceil(units / unitsPerMinute) };
}
