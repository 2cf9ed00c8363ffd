import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { MailboxAccountsService } from '../../mailbox/accounts/mailbox-accounts.service';
import { MessageIndexService } from '../../mailbox/index/message-index.service';
import { timeoutSignal } from '../../platform/concurrency/timers';
import { runWithoutClient } from '../../platform/database/database-use';
import { DomainError } from '../../platform/http/domain-error';
import { ResultCache } from '../../platform/redis/result-cache';
import { collectMessageIds } from '../../providers/port/listed-message-ids';
import {
  type CallOptions,
  MailboxProviders,
  type MessageMetadata,
  type ProviderAccount,
} from '../../providers/port/mailbox-provider.port';
import { MailboxNotSearchedInTime } from './search.errors';

/** Messages of a mailbox that a search looks at: the newest that match. */
export const MAX_LIVE = 1_000;
/** A user waits: a mailbox that takes longer is named as not searched. */
const TIMEOUT_MS = 8_000;
/** Further pages of a search are of the same list. */
const KEEP_SECONDS = 60;

/** The messages of a live mailbox that match. */
export interface LiveMatches {
  /** Newest first. */
  readonly messageIds: readonly string[];
  /** Whether more match. */
  readonly hasMore: boolean;
}

/** The answer of a live mailbox, or the reason why it has none. */
export type LiveAnswer = LiveMatches | { readonly notSearched: DomainError };

/** Searches live mailboxes in their own way: Gmail by its search, an IMAP server by SEARCH. */
@Injectable()
export class LiveSearch {
  constructor(
    private readonly accounts: MailboxAccountsService,
    private readonly providers: MailboxProviders,
    private readonly index: MessageIndexService,
    private readonly results: ResultCache,
  ) {}

  /**
   * The messages that match. A mailbox that cannot be searched does not fail the search: the answer says why.
   * @param options.refresh asks the mailbox even if its answer of a moment ago is kept
   */
  async find(
    userId: string,
    accountId: string,
    q: string,
    options: { readonly refresh: boolean; readonly signal: AbortSignal },
  ): Promise<LiveAnswer> {
    const timeout = timeoutSignal(TIMEOUT_MS);
    try {
      const account = await this.accounts.requireUsable(userId, accountId);
      return await this.results.getOrCompute<LiveMatches>(
        ['live-search', accountId, createHash('sha256').update(q).digest('base64url')],
        options.refresh,
        // Requests for the same search share this work, so that it does not end with the connection of one of them.
        () =>
          runWithoutClient(async () => ({
            value: await this.search(account, q, timeout),
            keepSeconds: KEEP_SECONDS,
          })),
      );
    } catch (error) {
      options.signal.throwIfAborted();
      if (timeout.aborted) return { notSearched: new MailboxNotSearchedInTime() };
      if (error instanceof DomainError) return { notSearched: error };
      throw error;
    }
  }

  /** Metadata of messages, in their order, without snippets. Those that the mailbox does not have any more are left out. */
  async readMetadata(
    userId: string,
    accountId: string,
    ids: readonly string[],
    signal: AbortSignal,
  ): Promise<MessageMetadata[]> {
    if (ids.length === 0) return [];
    const account = await this.accounts.requireUsable(userId, accountId);
    return runWithoutClient(() => collect(this.index.readMetadata(account, ids, interactive(signal))));
  }

  /** The beginnings of the texts of messages, by their ids. */
  async readSnippets(
    userId: string,
    accountId: string,
    ids: readonly string[],
    signal: AbortSignal,
  ): Promise<Map<string, string>> {
    if (ids.length === 0) return new Map();
    const account = await this.accounts.requireUsable(userId, accountId);
    const messages = await runWithoutClient(() =>
      collect(this.index.readWithSnippets(account, ids, interactive(signal))),
    );
    return new Map(messages.map(({ id, snippet }) => [id, snippet ?? '']));
  }

  private async search(account: ProviderAccount, query: string, signal: AbortSignal): Promise<LiveMatches> {
    const provider = this.providers.forAccount(account);
    const ids = [...(await collectMessageIds(provider, { query }, interactive(signal), MAX_LIVE))];
    return { messageIds: ids.slice(0, MAX_LIVE), hasMore: ids.length > MAX_LIVE };
  }
}

const interactive = (signal: AbortSignal): CallOptions => ({ priority: 'interactive', signal });

async function collect(batches: AsyncIterable<readonly MessageMetadata[]>): Promise<MessageMetadata[]> {
  const all: MessageMetadata[] = [];
  for await (const batch of batches) all.push(...batch);
  return all;
}
