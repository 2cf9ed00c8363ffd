import { collectMessageIds } from '../../providers/port/listed-message-ids';
import { Injectable } from '@nestjs/common';
import {
  CallOptions,
  MailboxProvider,
  MailboxProviders,
  ProviderAccount,
} from '../../providers/port/mailbox-provider.port';
import { MessageIndexService, READ_MAX_AGE_MS, type MessageFigures } from '../index/message-index.service';
import { MAX_SELECTED, SelectionTooLarge } from './selections.errors';

/** Marks that keep messages out of a selection. */
export const LEAVES_OUT = ['starred', 'important'] as const;
export type LeavesOut = (typeof LEAVES_OUT)[number];

export interface SelectionQuery {
  /** Query in the provider's own search language; empty: all messages except spam and trash. */
  readonly query: string;
  readonly leaveOut: readonly LeavesOut[];
}

/** Counts of the selected messages. A message that is left out and has both marks counts as both. */
export interface SelectionFigures extends Omit<MessageFigures, 'bytes'> {
  /** Size in bytes, by the provider's estimate; null when not all of them are indexed. */
  readonly bytes: number | null;
  readonly leftOutStarred: number;
  readonly leftOutImportant: number;
}

export interface FoundMessages {
  /** Ids of the messages, each once, in the order of the search. */
  readonly messageIds: readonly string[];
  readonly figures: SelectionFigures;
}

/** Ids of the found messages with each mark. */
interface MarkedMessages {
  readonly starred: ReadonlySet<string>;
  readonly important: ReadonlySet<string>;
}

/** Finds the messages of a query, and the figures on which users decide. */
@Injectable()
export class SelectionFinder {
  constructor(
    private readonly providers: MailboxProviders,
    private readonly index: MessageIndexService,
  ) {}

  /** @throws SelectionTooLarge */
  async find(account: ProviderAccount, search: SelectionQuery, signal: AbortSignal): Promise<FoundMessages> {
    const options: CallOptions = { priority: 'interactive', signal };
    const provider = this.providers.forAccount(account);
    const found = await list(provider, search.query, undefined, options);
    const isIndexed = await this.isIndexed(account, found, options);
    const findCarrying = (labelId: string): Promise<ReadonlySet<string>> =>
      isIndexed
        ? this.index.findCarrying(account.id, [...found], labelId)
        : listAmong(provider, found, search.query, labelId, options);
    const marked = { starred: await findCarrying('STARRED'), important: await findCarrying('IMPORTANT') };
    const messageIds = [...found].filter((id) => !isLeftOut(id, marked, search.leaveOut));
    const figures = isIndexed
      ? await this.index.computeFigures(account.id, messageIds)
      : await this.computeWithoutIndex(account, messageIds, marked, await findCarrying('UNREAD'), options);
    const leftOut = (mark: LeavesOut): number => (search.leaveOut.includes(mark) ? marked[mark].size : 0);
    return {
      messageIds,
      figures: { ...figures, leftOutStarred: leftOut('starred'), leftOutImportant: leftOut('important') },
    };
  }

  /** Whether all of the messages are indexed with current labels. */
  private async isIndexed(
    account: ProviderAccount,
    found: ReadonlySet<string>,
    options: CallOptions,
  ): Promise<boolean> {
    const holdsAll = async (): Promise<boolean> =>
      (await this.index.computeFigures(account.id, [...found])).count === found.size;
    // The sync that updates the labels costs a call, which is made only where it saves three others.
    if (!(await holdsAll())) return false;
    await this.index.sync(account, { ...options, maxAgeMs: READ_MAX_AGE_MS });
    return holdsAll();
  }

  private async computeWithoutIndex(
    account: ProviderAccount,
    messageIds: readonly string[],
    marked: MarkedMessages,
    unread: ReadonlySet<string>,
    options: CallOptions,
  ): Promise<Omit<SelectionFigures, 'leftOutStarred' | 'leftOutImportant'>> {
    const among = (ids: ReadonlySet<string>): number => messageIds.filter((id) => ids.has(id)).length;
    // Searches list the newest messages first.
    const ends = [messageIds[0], messageIds.at(-1)].filter((id) => id !== undefined);
    const dates: Date[] = [];
    for await (const messages of this.index.readMetadata(account, ends, options)) {
      dates.push(...messages.map(({ internalDate }) => internalDate));
    }
    dates.sort((a, b) => a.getTime() - b.getTime());
    return {
      count: messageIds.length,
      unread: among(unread),
      starred: among(marked.starred),
      important: among(marked.important),
      bytes: null,
      oldest: dates[0] ?? null,
      newest: dates.at(-1) ?? null,
    };
  }
}

function isLeftOut(id: string, marked: MarkedMessages, leaveOut: readonly LeavesOut[]): boolean {
  return leaveOut.some((mark) => marked[mark].has(id));
}

async function listAmong(
  provider: MailboxProvider,
  found: ReadonlySet<string>,
  query: string,
  labelId: string,
  options: CallOptions,
): Promise<ReadonlySet<string>> {
  const carrying = await list(provider, query, labelId, options);
  // Mail that has arrived meanwhile is not part of the selection.
  return new Set([...carrying].filter((id) => found.has(id)));
}

/** Pages shift while mail arrives, so that a message may be on two of them. */
async function list(
  provider: MailboxProvider,
  query: string,
  labelId: string | undefined,
  options: CallOptions,
): Promise<ReadonlySet<string>> {
  const listing = { query: query || undefined, labelIds: labelId ? [labelId] : undefined };
  const ids = await collectMessageIds(provider, listing, options, MAX_SELECTED);
  if (ids.size > MAX_SELECTED) throw new SelectionTooLarge();
  return ids;
}
