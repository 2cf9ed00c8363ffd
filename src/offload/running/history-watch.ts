import type {
  HistoryOptions,
  MailboxChange,
  MailboxProvider,
  ProviderAccount,
} from '../../mail-provider/mailbox-provider.port';
import type { MessageIndexService } from '../../message-index/message-index.service';

/** What a look at the history has shown. */
export interface Watched {
  /** Where to go on from. */
  readonly cursor: string;
  /** Where the history stands with the last change seen; it may lie after `cursor`. */
  readonly seen: string;
  /** False when the provider had forgotten the beginning. */
  readonly complete: boolean;
}

/** Reads the change history of an account from a position on. */
export async function watchHistory(
  services: { readonly index: MessageIndexService; readonly provider: MailboxProvider },
  account: ProviderAccount,
  since: string,
  onChanges: (changes: readonly MailboxChange[]) => void,
  options: Pick<HistoryOptions, 'signal' | 'isLastLook'>,
): Promise<Watched> {
  let last: string | undefined;
  const followed = await services.index.followFrom(
    account,
    since,
    (changes) => {
      for (const { cursor } of changes) last = cursor ?? last;
      onChanges(changes);
    },
    { ...options, priority: 'background' },
  );
  const { cursor, complete } = followed;
  return {
    cursor,
    complete,
    seen: last !== undefined && services.provider.isLater(last, cursor) ? last : cursor,
  };
}
