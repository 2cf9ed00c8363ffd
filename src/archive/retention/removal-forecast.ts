import { Injectable } from '@nestjs/common';
import { LabelNames } from '../../mailbox/labels/label-names';
import { LabelLookup, type NamedLabel } from '../../mailbox/labels/label-lookup';
import { resolveLabels } from './policy-labels';
import { expiryCutoff } from './policy-runner';
import { RetentionPoliciesRepository } from './retention-policies.repository';

/** The facts about a mail that policies are applied to. */
export interface AgeingMail {
  /** The later of its date and its arrival. */
  readonly ageingFrom: Date;
  readonly labelIds: readonly string[];
}

export type WouldRemove = (mail: AgeingMail) => boolean;

/** The test when no policy concerns the account. */
export const REMOVES_NOTHING: WouldRemove = () => false;

/** A policy of a user, as far as it concerns one account. */
interface Policy {
  readonly label: string | null;
  readonly maxAgeDays: number;
}

/** Tells which archived mails policies will delete before long, without asking a mailbox. */
@Injectable()
export class RemovalForecast {
  constructor(
    private readonly policies: RetentionPoliciesRepository,
    private readonly names: LabelNames,
  ) {}

  /**
   * A test for mails of an account: whether an active policy deletes them within `days` from now, or should have deleted
   * them already. A label whose name is not known may be the one that a policy names.
   * @param offloaded for copies whose messages are offloaded: only policies that include these count
   */
  async forecastRemovals(
    days: number,
    userId: string,
    accountId: string,
    { offloaded = false } = {},
  ): Promise<WouldRemove> {
    const active = await this.policies.listActive(userId);
    const policies = active.filter(
      ({ mailboxAccountId, includeOffloaded }) =>
        (mailboxAccountId === null || mailboxAccountId === accountId) && (!offloaded || includeOffloaded),
    );
    if (policies.length === 0) return REMOVES_NOTHING;
    return forecast(policies, await this.names.namesOf(accountId), new Date(), days);
  }
}

/** @param names of the user's labels, by id */
export function forecast(
  policies: readonly Policy[],
  names: ReadonlyMap<string, string>,
  now: Date,
  days: number,
): WouldRemove {
  const known = [...names].map(([id, name]) => ({ id, name, type: 'user' as const }));
  const rules = policies.map(({ label, maxAgeDays }) => {
    const meant = new Map<string, boolean>();
    const isMeant = (labelId: string): boolean => {
      if (label === null) return true;
      const found = meant.get(labelId) ?? mayBeMeant(label, labelId, known);
      meant.set(labelId, found);
      return found;
    };
    return { isMeant, label, before: expiryCutoff(now, maxAgeDays - days) };
  });
  return ({ ageingFrom, labelIds }) =>
    rules.some(
      ({ isMeant, label, before }) => ageingFrom < before && (label === null || labelIds.some(isMeant)),
    );
}

function mayBeMeant(label: string, labelId: string, known: readonly NamedLabel[]): boolean {
  if (resolveLabels(label, [{ value: labelId, isId: true }], known).length > 0) return true;
  // Imported mail has names instead of ids.
  if (resolveLabels(label, [{ value: labelId, isId: false }], null).length > 0) return true;
  const isSystem = LabelLookup.SYSTEM.find(label) ?? LabelLookup.SYSTEM.find(labelId);
  return !isSystem && !known.some(({ id, name }) => id === labelId || name === labelId);
}
