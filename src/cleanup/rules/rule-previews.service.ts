import { Injectable } from '@nestjs/common';
import { MailboxAccountsService } from '../../mailbox/accounts/mailbox-accounts.service';
import { MessageIndexService } from '../../mailbox/index/message-index.service';
import { CallOptions, MailboxProviders, ProviderAccount } from '../../providers/port/mailbox-provider.port';
import { RuleLabels } from './rule-labels';
import { buildRuleQuery, includesSpamTrash } from './rule-query';
import type { RuleCondition } from './rule';
import type { RulePreviewResponse } from './dto/rules.response';

/** Number of messages counted one by one; above it the provider's estimate is used. */
const MAX_COUNTED = 10_000;
const PAGE = 500;
/** Age up to which labels are recent enough for a preview. */
const LABELS_MAX_AGE_MS = 2_000;

const INTERACTIVE: CallOptions = { priority: 'interactive' };

interface Search {
  readonly query: string;
  readonly includeSpamTrash: boolean;
}

interface Found {
  /** Ids of the messages, at most `MAX_COUNTED`. */
  readonly ids: readonly string[];
  /** Number of messages; exact unless it is larger than the number of `ids`. */
  readonly count: number;
}

type StarredAndImportant = Pick<RulePreviewResponse, 'starredCount' | 'importantCount'>;

/** Previews the messages that a rule would match. Nothing is changed. */
@Injectable()
export class RulePreviewsService {
  constructor(
    private readonly accounts: MailboxAccountsService,
    private readonly providers: MailboxProviders,
    private readonly labels: RuleLabels,
    private readonly index: MessageIndexService,
  ) {}

  /** @throws ValidationFailed, MailboxDisconnected, ReauthRequired */
  async preview(
    userId: string,
    accountId: string,
    conditions: readonly RuleCondition[],
  ): Promise<RulePreviewResponse> {
    const account = await this.accounts.requireUsable(userId, accountId);
    const labels = await this.labels.findLabels(account, { conditions }, INTERACTIVE);
    const search = {
      query: buildRuleQuery(conditions, labels),
      includeSpamTrash: includesSpamTrash(conditions),
    };
    const found = await this.find(account, search);
    const marked = (await this.countIndexed(account, found)) ?? (await this.countListed(account, search));
    return { query: search.query, estimatedCount: found.count, ...marked };
  }

  private async find(account: ProviderAccount, search: Search): Promise<Found> {
    const mailbox = this.providers.forAccount(account);
    const ids = new Set<string>();
    let pageToken: string | undefined;
    for (;;) {
      const page = await mailbox.listMessages({ ...search, pageToken, maxResults: PAGE }, INTERACTIVE);
      for (const { id } of page.messages) ids.add(id);
      pageToken = page.nextPageToken;
      if (pageToken === undefined) return { ids: [...ids], count: ids.size };
      if (ids.size >= MAX_COUNTED)
        return { ids: [...ids], count: Math.max(ids.size, page.resultSizeEstimate) };
    }
  }

  /** Counts by the labels in the index. @returns undefined when it does not hold all of the messages */
  private async countIndexed(
    account: ProviderAccount,
    found: Found,
  ): Promise<StarredAndImportant | undefined> {
    if (found.count === 0) return { starredCount: 0, importantCount: 0 };
    if (found.count > found.ids.length) return undefined;
    // The call that updates the labels is made only where it saves two others.
    if ((await this.index.findLabels(account.id, found.ids)).size < found.ids.length) return undefined;
    await this.index.sync(account, { ...INTERACTIVE, maxAgeMs: LABELS_MAX_AGE_MS });
    const known = await this.index.findLabels(account.id, found.ids);
    if (known.size < found.ids.length) return undefined;
    const countCarrying = (label: string): number =>
      [...known.values()].filter((labelIds) => labelIds.includes(label)).length;
    return { starredCount: countCarrying('STARRED'), importantCount: countCarrying('IMPORTANT') };
  }

  private async countListed(account: ProviderAccount, search: Search): Promise<StarredAndImportant> {
    const countAmong = async (state: string): Promise<number> =>
      (await this.find(account, { ...search, query: `${search.query} is:${state}` })).count;
    const [starredCount, importantCount] = await Promise.all([
      countAmong('starred'),
      countAmong('important'),
    ]);
    return { starredCount, importantCount };
  }
}
