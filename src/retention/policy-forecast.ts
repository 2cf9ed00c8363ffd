import { Injectable } from '@nestjs/common';
import { PolicyLabels } from './policy-labels';
import { expiryCutoff } from './policy-runner';
import { RetentionPoliciesService } from './retention-policies.service';

/** What policies go by. */
export interface ForecastMail {
  readonly date: Date;
  readonly labelIds: readonly string[];
}

/** Whether a copy whose message has been offloaded would be deleted soon. */
export type WouldBeRemoved = (mail: ForecastMail) => boolean;

const DAY_MS = 24 * 60 * 60 * 1000;

/** Tells which copies policies would delete once their messages have left the mailbox. */
@Injectable()
export class PolicyForecast {
  constructor(
    private readonly policies: RetentionPoliciesService,
    private readonly labels: PolicyLabels,
  ) {}

  /**
   * Only active policies that include offloaded mail can. Where the mailbox cannot be asked which label is meant, any
   * label is taken for it.
   * @param days within which the copy would be deleted
   */
  async forAccount(
    userId: string,
    accountId: string,
    days: number,
    signal: AbortSignal,
  ): Promise<WouldBeRemoved> {
    const soon = new Date(Date.now() + days * DAY_MS);
    const labels = this.labels.forRun(userId, { priority: 'background', signal });
    const tests: WouldBeRemoved[] = [];
    for (const policy of await this.policies.listActive(userId)) {
      if (!policy.includeOffloaded) continue;
      if (policy.mailboxAccountId !== null && policy.mailboxAccountId !== accountId) continue;
      const meant = await labels.meant(policy.label, accountId);
      const any = meant.labels === null || meant.problem !== null;
      const named = new Set(meant.labels);
      const before = expiryCutoff(soon, policy.maxAgeDays);
      tests.push(
        ({ date, labelIds }) => date < before && (any || labelIds.some((label) => named.has(label))),
      );
    }
    return (mail) => tests.some((test) => test(mail));
  }
}
