import { delay } from '../../../platform/concurrency/timers';
import type {
  HistoryOptions,
  MailboxChange,
  MailboxProvider,
  ProviderAccount,
} from '../../../providers/port/mailbox-provider.port';
import type { MessageIndexService } from '../../../mailbox/index/message-index.service';

/** What a look at the history has shown. */
export interface Watched {
  /** Where to go on from. */
  readonly cursor: string;
  /** Where the history stands with the last change seen; it may lie after `cursor`. */
  readonly seen: string;
  /** False when the provider had forgotten the beginning. */
  readonly complete: boolean;
}

interface WatchOptions extends Pick<HistoryOptions, 'signal' | 'isLastLook'> {
  /** Milliseconds before a deletion is looked at again. */
  readonly lagMs: number;
}

/**
 * Reads the change history of an account from a position on. Where labels are folders, a message that another program has just
 * moved may look deleted: its old folder was read after the move, the new one before. So after a deletion the mailbox is looked
 * at once more, and what that finds comes after it.
 */
export async function watchHistory(
  { index, provider }: { readonly index: MessageIndexService; readonly provider: MailboxProvider },
  account: ProviderAccount,
  since: string,
  onChanges: (changes: readonly MailboxChange[]) => void,
  { lagMs, ...options }: WatchOptions,
): Promise<Watched> {
  let last: string | undefined;
  let hasDeletion = false;
  const follow = (
    from: string,
    isLastLook: boolean | undefined,
  ): ReturnType<MessageIndexService['followFrom']> =>
    index.followFrom(
      account,
      from,
      (changes) => {
        for (const { cursor, kind } of changes) {
          last = cursor ?? last;
          hasDeletion ||= kind === 'deleted';
        }
        onChanges(changes);
      },
      { ...options, isLastLook, priority: 'background' },
    );
  let { cursor, complete } = await follow(since, options.isLastLook);
  if (hasDeletion && (await provider.labelsAreFolders())) {
    await delay(lagMs, undefined, { signal: options.signal });
    const again = await follow(cursor, true);
    cursor = again.cursor;
    complete &&= again.complete;
  }
  return {
    cursor,
    complete,
    seen: last !== undefined && provider.isLater(last, cursor) ? last : cursor,
  };
}
