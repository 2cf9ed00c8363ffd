import { LISTED_AT_ONCE, listMessageIds } from '../../providers/port/listed-message-ids';
import { Injectable } from '@nestjs/common';
import { MessageIndexService } from '../index/message-index.service';
import {
  CallOptions,
  ListMessagesRequest,
  MailboxProvider,
  MailboxProviders,
  ProviderAccount,
} from '../../providers/port/mailbox-provider.port';
import type { BulkTarget } from './bulk-action';
import { meets } from './history-outcomes';

/** Number of messages up to which each is read, which also updates its metadata in the index. */
const FEW = 100;

/** Number of listings of the mailbox that determine the outcome, by kind of target. */
const LISTINGS: Readonly<Record<BulkTarget['kind'], number>> = {
  deleted: 1,
  labelled: 2,
  unlabelled: 2,
  moved: 3,
};

/** States of messages. An id in neither set exists and is not in the target state. */
export interface Outcome {
  readonly met: ReadonlySet<string>;
  readonly missing: ReadonlySet<string>;
}

/**
 * Whether paging through the mailbox's ids is cheaper than reading each message. A page of 500 ids costs about what one
 * message does.
 * @param listings number of listings of the mailbox that are needed
 */
export function isListingCheaper(messages: number, mailboxTotal: number, listings: number): boolean {
  return messages > FEW && messages > Math.ceil(mailboxTotal / LISTED_AT_ONCE) * listings;
}

/** Asks the mailbox itself whether messages exist and are in the target state. */
@Injectable()
export class OutcomeCheck {
  constructor(
    private readonly providers: MailboxProviders,
    private readonly index: MessageIndexService,
  ) {}

  async fetchActualState(
    account: ProviderAccount,
    ids: readonly string[],
    target: BulkTarget,
    options: CallOptions,
  ): Promise<Outcome> {
    const provider = this.providers.forAccount(account);
    if (ids.length > FEW) {
      const { messagesTotal } = await provider.getProfile(options);
      if (isListingCheaper(ids.length, messagesTotal, LISTINGS[target.kind])) {
        return this.checkByListing(provider, ids, target, options);
      }
    }
    return this.checkByReading(account, ids, target, options);
  }

  private async checkByReading(
    account: ProviderAccount,
    ids: readonly string[],
    target: BulkTarget,
    options: CallOptions,
  ): Promise<Outcome> {
    const missing = new Set(ids);
    const met = new Set<string>();
    for await (const batch of this.index.refresh(account, ids, options)) {
      for (const { id, labelIds } of batch) {
        missing.delete(id);
        if (meets(target, labelIds)) met.add(id);
      }
    }
    return { met, missing };
  }

  private async checkByListing(
    provider: MailboxProvider,
    ids: readonly string[],
    target: BulkTarget,
    options: CallOptions,
  ): Promise<Outcome> {
    const listWithLabel = (labelId: string | null): Promise<Set<string>> =>
      labelId === null
        ? Promise.resolve(new Set())
        : this.list(provider, ids, { labelIds: [labelId] }, options);
    const [existing, withLabel, stillWithOldLabel] = await Promise.all([
      this.list(provider, ids, {}, options),
      listWithLabel(target.kind === 'deleted' ? null : target.labelId),
      listWithLabel(target.kind === 'moved' ? target.fromLabelId : null),
    ]);
    // A message listed under its label exists, even if it moved between two pages of the other listing.
    const exists = (id: string): boolean =>
      existing.has(id) || withLabel.has(id) || stillWithOldLabel.has(id);
    const met =
      target.kind === 'deleted'
        ? []
        : ids.filter(
            (id) =>
              exists(id) &&
              !stillWithOldLabel.has(id) &&
              withLabel.has(id) === (target.kind !== 'unlabelled'),
          );
    return { met: new Set(met), missing: new Set(ids.filter((id) => !exists(id))) };
  }

  /** Returns those of `ids` that the mailbox has, spam and trash included. It stops when all have been found. */
  private async list(
    provider: MailboxProvider,
    ids: readonly string[],
    filter: Pick<ListMessagesRequest, 'labelIds'>,
    options: CallOptions,
  ): Promise<Set<string>> {
    const wanted = new Set(ids);
    const found = new Set<string>();
    for await (const page of listMessageIds(provider, { ...filter, includeSpamTrash: true }, options)) {
      for (const id of page) if (wanted.has(id)) found.add(id);
      if (found.size >= wanted.size) break;
    }
    return found;
  }
}
