import { createHash } from 'node:crypto';
import { Injectable, Logger } from '@nestjs/common';
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

/** The reason why a mailbox has not answered. */
export interface NotSearched {
  readonly notSearched: DomainError;
}

/** Searches live mailboxes in their own way: Gmail by its search, an IMAP server by SEARCH. */
@Injectable()
export class LiveSearch {
  private readonly logger = new Logger(LiveSearch.name);

  constructor(
    private readonly accounts: MailboxAccountsService,
    private readonly providers: MailboxProviders,
    private readonly index: MessageIndexService,
    private readonly results: ResultCache,
  ) {}

  /**
   * The messages that match.
   * @param options.refresh asks the mailbox even if its answer of a moment ago is kept
   */
  find(
    userId: string,
    accountId: string,
    q: string,
    options: { readonly refresh: boolean; readonly signal: AbortSignal },
  ): Promise<LiveMatches | NotSearched> {
    return this.ask(options.signal, async (timeout) => {
      const account = await this.accounts.requireUsable(userId, accountId);
      return this.results.getOrCompute<LiveMatches>(
        ['live-search', accountId, createHash('sha256').update(q).digest('base64url')],
        options.refresh,
        // Requests for the same search share this work, so that it does not end with the connection of one of them.
        () =>
          runWithoutClient(async () => ({
            value: await this.search(account, q, timeout),
            keepSeconds: KEEP_SECONDS,
          })),
      );
    });
  }

  /** Metadata of messages, in their order, without snippets. Those that the mailbox does not have any more are left out. */
  readMetadata(
    userId: string,
    accountId: string,
    ids: readonly string[],
    signal: AbortSignal,
  ): Promise<readonly MessageMetadata[] | NotSearched> {
    return this.ask(signal, async (timeout) => {
      if (ids.length === 0) return [];
      const account = await this.accounts.requireUsable(userId, accountId);
      const options = interactive(AbortSignal.any([signal, timeout]));
      return runWithoutClient(() => collect(this.index.readMetadata(account, ids, options)));
    });
  }

  /** The beginnings of the texts of messages, by their ids; none when the mailbox does not answer. */
  async readSnippets(
    userId: string,
    accountId: string,
    ids: readonly string[],
    signal: AbortSignal,
  ): Promise<Map<string, string>> {
    const answer = await this.ask(signal, async (timeout) => {
      const account = await this.accounts.requireUsable(userId, accountId);
      const options = interactive(AbortSignal.any([signal, timeout]));
      return runWithoutClient(() => collect(this.index.readWithSnippets(account, ids, options)));
    });
    if (!('notSearched' in answer)) return new Map(answer.map(({ id, snippet }) => [id, snippet ?? '']));
    this.logger.debug(`No snippets of account ${accountId}: ${answer.notSearched.code}`);
    return new Map();
  }

  /** Asks a mailbox, which has 8 seconds. A mailbox that fails does not fail the search: the answer is the reason. */
  private async ask<T extends object>(
    signal: AbortSignal,
    question: (timeout: AbortSignal) => Promise<T>,
  ): Promise<T | NotSearched> {
    const timeout = timeoutSignal(TIMEOUT_MS);
    try {
      return await question(timeout);
    } catch (error) {
      signal.throwIfAborted();
      if (timeout.aborted) return { notSearched: new MailboxNotSearchedInTime() };
      if (error instanceof DomainError) return { notSearched: error };
      throw error;
    }
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
