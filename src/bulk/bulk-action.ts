import type { CallOptions, MailboxProvider } from '../mail-provider/mailbox-provider.port';

export enum BulkAction {
  Trash = 'trash',
  Delete = 'delete',
  Archive = 'archive',
  Label = 'label',
  Unlabel = 'unlabel',
  MarkRead = 'mark_read',
  MarkUnread = 'mark_unread',
}

/** Changes that runs make: those people ask for, and those that only taking others back needs. */
export const RunAction = { ...BulkAction, Untrash: 'untrash', UntrashToInbox: 'untrash_to_inbox' } as const;
export type RunAction = (typeof RunAction)[keyof typeof RunAction];

/** The state every message of a bulk operation is to be in afterwards. */
export type BulkTarget =
  | { readonly kind: 'labelled'; readonly labelId: string }
  | { readonly kind: 'unlabelled'; readonly labelId: string }
  | { readonly kind: 'deleted' };

/** Whether the action wants a label id. */
export function needsLabel(action: BulkAction): boolean {
  return action === BulkAction.Label || action === BulkAction.Unlabel;
}

/** @param labelId for `label` and `unlabel` */
export function targetOf(action: RunAction, labelId?: string): BulkTarget {
  switch (action) {
    case BulkAction.Trash:
      return { kind: 'labelled', labelId: 'TRASH' };
    case RunAction.Untrash:
    case RunAction.UntrashToInbox:
      return { kind: 'unlabelled', labelId: 'TRASH' };
    case BulkAction.Delete:
      return { kind: 'deleted' };
    case BulkAction.Archive:
      return { kind: 'unlabelled', labelId: 'INBOX' };
    case BulkAction.MarkRead:
      return { kind: 'unlabelled', labelId: 'UNREAD' };
    case BulkAction.MarkUnread:
      return { kind: 'labelled', labelId: 'UNREAD' };
    case BulkAction.Label:
    case BulkAction.Unlabel:
      if (!labelId) throw new TypeError(`The action ${action} needs a label id`);
      return { kind: action === BulkAction.Label ? 'labelled' : 'unlabelled', labelId };
  }
}

/** Asks the provider for the change, in one call. @param ids at most `provider.maxIdsPerChange` */
export function requestChange(
  provider: MailboxProvider,
  action: RunAction,
  target: BulkTarget,
  ids: readonly string[],
  options: CallOptions,
): Promise<void> {
  // More than a label: the provider also takes the message out of the inbox.
  if (action === BulkAction.Trash) return provider.trash(ids, options);
  if (action === RunAction.UntrashToInbox) {
    return provider.modify(ids, { add: ['INBOX'], remove: ['TRASH'] }, options);
  }
  if (target.kind === 'deleted') return provider.delete(ids, options);
  const { labelId } = target;
  return provider.modify(
    ids,
    target.kind === 'labelled' ? { add: [labelId], remove: [] } : { add: [], remove: [labelId] },
    options,
  );
}
