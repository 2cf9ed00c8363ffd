import type { CallOptions, LabelChange, MailboxProvider } from '../../providers/port/mailbox-provider.port';

export enum BulkAction {
  Trash = 'trash',
  Delete = 'delete',
  Archive = 'archive',
  Label = 'label',
  Unlabel = 'unlabel',
  Move = 'move',
  MarkRead = 'mark_read',
  MarkUnread = 'mark_unread',
}

/** Changes that runs make: those that users request, and those that only an undo needs. */
export const RunAction = {
  ...BulkAction,
  Untrash: 'untrash',
  UntrashToInbox: 'untrash_to_inbox',
  MoveBack: 'move_back',
} as const;
export type RunAction = (typeof RunAction)[keyof typeof RunAction];

/** The state that every message of a bulk operation should have afterwards. */
export type BulkTarget =
  | { readonly kind: 'labelled'; readonly labelId: string }
  | { readonly kind: 'unlabelled'; readonly labelId: string }
  /** The message has one label and lacks another. */
  | { readonly kind: 'moved'; readonly labelId: string; readonly fromLabelId: string }
  | { readonly kind: 'deleted' };

/** Whether the action needs a label id. */
export function needsLabel(action: BulkAction): boolean {
  return [BulkAction.Label, BulkAction.Unlabel, BulkAction.Move].includes(action);
}

/** @param labelId the label of `label`, `unlabel`, `move` and `move_back` */
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
      return { kind: 'labelled', labelId: requireLabelId(action, labelId) };
    case BulkAction.Unlabel:
      return { kind: 'unlabelled', labelId: requireLabelId(action, labelId) };
    case BulkAction.Move:
      return { kind: 'moved', labelId: requireLabelId(action, labelId), fromLabelId: 'INBOX' };
    case RunAction.MoveBack:
      return { kind: 'moved', labelId: 'INBOX', fromLabelId: requireLabelId(action, labelId) };
  }
}

function requireLabelId(action: RunAction, labelId: string | undefined): string {
  if (!labelId) throw new TypeError(`The action ${action} needs a label id`);
  return labelId;
}

/** Requests the change from the provider, in one call. @param ids at most `provider.maxIdsPerChange` */
export function requestChange(
  provider: MailboxProvider,
  action: RunAction,
  target: BulkTarget,
  ids: readonly string[],
  options: CallOptions,
): Promise<void> {
  // This does more than add a label: the provider also removes the message from the inbox.
  if (action === BulkAction.Trash) return provider.trash(ids, options);
  if (action === RunAction.UntrashToInbox) {
    return provider.modify(ids, { add: ['INBOX'], remove: ['TRASH'] }, options);
  }
  if (target.kind === 'deleted') return provider.delete(ids, options);
  return provider.modify(ids, labelChange(target), options);
}

function labelChange(target: Exclude<BulkTarget, { readonly kind: 'deleted' }>): LabelChange {
  const { labelId } = target;
  if (target.kind === 'moved') return { add: [labelId], remove: [target.fromLabelId] };
  return target.kind === 'labelled' ? { add: [labelId], remove: [] } : { add: [], remove: [labelId] };
}
