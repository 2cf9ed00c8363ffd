import {
  createContext,
  Suspense,
  use,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
  type KeyboardEvent,
  type ReactNode,
} from 'react';
import { useTranslation } from 'react-i18next';
import { showStarted } from '../../../jobs/job-toast';
import { useUndoLatest } from '../../../jobs/use-undo-latest';
import { isTyping } from '../../../ui/is-typing';
import { useOfferedCommands } from '../../../ui/page-commands';
import { pageComponent } from '../../../ui/page-component';
import { useSteady } from '../../../ui/use-steady';
import { RemoveDialog } from './RemoveDialog';
import { useChanges } from './use-changes';

export const LabelPicker = pageComponent(() => import('./LabelPicker'), 'LabelPicker');

/** Changes by key, by hover, by swipe and by the menu of a row; labels and `trash` ask first. */
export type MessageAction =
  | 'archive'
  | 'mark_read'
  | 'mark_unread'
  | 'trash'
  | 'trash_now'
  | 'spam'
  | 'label'
  | 'move'
  | 'keep';

/** Names of the actions as the menu of a row has them; the two of reading are those of the buttons. */
const NAMES = {
  archive: 'mailbox.rowMenu.archive',
  mark_read: 'mailbox.actions.mark_read',
  mark_unread: 'mailbox.actions.mark_unread',
  trash: 'mailbox.rowMenu.trash',
  spam: 'mailbox.rowMenu.spam',
  label: 'mailbox.rowMenu.label',
  move: 'mailbox.rowMenu.move',
  keep: 'mailbox.rowMenu.keep',
} as const satisfies Readonly<Record<Exclude<MessageAction, 'trash_now'>, string>>;

/** Gmail has the same keys. */
const KEYS: Readonly<Record<string, keyof typeof NAMES>> = {
  e: 'archive',
  r: 'mark_read',
  u: 'mark_unread',
  '#': 'trash',
  Delete: 'trash',
  '!': 'spam',
  l: 'label',
  v: 'move',
};
const SPAM = 'SPAM';

/** @param labelId for `label` and `move`, which then do not ask for it */
type Act = (action: MessageAction, messageIds: readonly string[], labelId?: string) => void;

/** Messages that keys act on, and what becomes of the list. */
interface ActionTargets {
  /** Messages at the time a key is pressed: those that are chosen, else the one at hand. */
  readonly targets: () => readonly string[];
  /** @param removes whether the messages are meant to leave the mailbox */
  readonly onStarted: (removes: boolean, messageIds: readonly string[]) => void;
}

const NO_TARGETS: ActionTargets = { targets: () => [], onStarted: () => undefined };

interface Actions {
  readonly act: Act;
  readonly list: { current: ActionTargets };
  /** Refusal of the last action. */
  readonly error: Error | null;
}

const ActionsContext = createContext<Actions>({
  act: () => undefined,
  list: { current: NO_TARGETS },
  error: null,
});

/** Starts an action on messages; within `MessageActions`. */
export const useMessageAction = (): Act => use(ActionsContext).act;

/** Makes a list the one that keys are about, while it is shown. @returns the refusal of the last action */
export function useActionTargets(targets: ActionTargets): Error | null {
  const { list, error } = use(ActionsContext);
  useLayoutEffect(() => {
    list.current = targets;
    return () => {
      list.current = NO_TARGETS;
    };
  });
  return error;
}

interface MessageActionsProps {
  readonly accountId: string;
  readonly className?: string;
  readonly children: ReactNode;
}

/** Actions on messages wherever they are shown within, with their dialogs and keys. */
export function MessageActions({ accountId, className, children }: MessageActionsProps): ReactNode {
  const { t } = useTranslation();
  const undoLatest = useUndoLatest(accountId);
  const list = useRef(NO_TARGETS);
  /** Action that asks first, and its messages as they were when it was requested. */
  const [asked, setAsked] = useState<readonly [MessageAction, readonly string[]] | null>(null);
  const [askedAction, messageIds] = asked ?? [null, []];
  const latest = useRef<{ readonly removes: boolean; readonly ids: readonly string[] }>({
    removes: false,
    ids: [],
  });
  const { change, saveToArchive, error } = useChanges(accountId, {
    onStarted: (jobId) => {
      showStarted(jobId, t('mailbox.started'));
      list.current.onStarted(latest.current.removes, latest.current.ids);
    },
  });
  const close = (): void => setAsked(null);
  const act: Act = useSteady((action: MessageAction, ids: readonly string[], labelId?: string) => {
    latest.current = { removes: action === 'trash_now', ids };
    if (labelId !== undefined && (action === 'label' || action === 'move'))
      change(action, { messageIds: ids }, labelId);
    else if (action === 'trash' || action === 'label' || action === 'move') setAsked([action, ids]);
    else if (action === 'spam') change('move', { messageIds: ids }, SPAM);
    else if (action === 'trash_now') change('trash', { messageIds: ids });
    else if (action === 'keep') saveToArchive({ messageIds: ids });
    else change(action, { messageIds: ids });
  });
  const actOnTargets = useSteady((action: MessageAction) => {
    const ids = list.current.targets();
    if (ids.length > 0) act(action, ids);
  });
  const undo = useSteady(undoLatest);
  useOfferedCommands(
    useMemo(
      () => [
        ...Object.entries(KEYS)
          .filter(([key]) => key.length === 1)
          .map(([keys, action]) => ({
            id: action,
            text: t(NAMES[action]),
            keys,
            run: () => actOnTargets(action),
          })),
        { id: 'undo', text: t('mailbox.undo'), keys: 'z', run: undo },
      ],
      [t, actOnTargets, undo],
    ),
  );
  const press = (event: KeyboardEvent<HTMLDivElement>): void => {
    // Dialogs are children of the component, and not within the element.
    const isOutside = !(event.target instanceof Node && event.currentTarget.contains(event.target));
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || event.repeat) return;
    if (isOutside || isTyping(event.target)) return;
    const action = KEYS[event.key];
    const ids = action === undefined ? [] : list.current.targets();
    if (event.key !== 'z' && ids.length === 0) return;
    event.preventDefault();
    if (action === undefined) undoLatest();
    else act(action, ids);
  };
  const isPicking = askedAction === 'label' || askedAction === 'move';
  return (
    <div onKeyDown={press} className={className}>
      <ActionsContext value={useMemo(() => ({ act, list, error }), [act, error])}>{children}</ActionsContext>
      <RemoveDialog
        accountId={accountId}
        action={askedAction === 'trash' ? 'trash' : null}
        target={{ messageIds }}
        onClose={close}
        onStarted={(jobId) => {
          showStarted(jobId, t('mailbox.started'));
          list.current.onStarted(true, messageIds);
        }}
      />
      {isPicking && (
        <Suspense>
          <LabelPicker
            accountId={accountId}
            title={t(`mailbox.picker.${askedAction}`, { count: messageIds.length })}
            onPicked={(labelId) => change(askedAction, { messageIds }, labelId)}
            onClose={close}
          />
        </Suspense>
      )}
    </div>
  );
}
