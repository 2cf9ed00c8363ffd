import { delay } from '../../../platform/concurrency/timers';
import type {
  HistoryOptions,
  MailboxChange,
  MailboxProvider,
  ProviderAccount,
} from '../../../providers/port/mailbox-provider.port';
import type { MessageIndexService } from '../../../mailbox/index/message-index.service';

/** Result of reading the history. */
export interface Watched {
  /** Position from which the next read continues. */
  readonly cursor: string;
  /** Position of the last change seen; it may lie after `cursor`. */
  readonly seen: string;
  /** False when the provider no longer had the beginning of the history. */
  readonly complete: boolean;
}

interface WatchOptions extends Pick<HistoryOptions, 'signal' | 'isLastLook'> {
  /** Milliseconds before the mailbox is read again after a deletion. */
  readonly lagMs: number;
}

/**
 * Reads the change history of an account from a position on. Where labels are folders, a message that another program has just
 * moved may look deleted: its old folder was read after the move, the new one before. So after a deletion the mailbox is read
 * once more, and the changes found then follow it.
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
