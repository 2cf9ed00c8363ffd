import { useCallback, useEffect, useState, type KeyboardEvent, type MouseEvent, type ReactNode } from 'react';
import { Box } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { MailRow, type RowAction, type RowMail } from '../../../ui/MailRow';
import { ProblemView } from '../../../ui/ProblemView';
import { placeOf } from '../../../ui/list-places';
import { useChanged } from '../../../ui/use-changed';
import { useSteady } from '../../../ui/use-steady';
import type { SwipeSide } from '../../../ui/use-swipe';
import { VirtualList } from '../../../ui/VirtualList';
import { useChangingMessages } from '../../../jobs/changing-messages';
import type { Selection } from '../../../ui/use-selection';
import { dragMessages } from './dragged-messages';
import { useMessageAction } from './MessageActions';
import { RowMenu, type RowMenuTarget } from './RowMenu';
import { useMessageRows, type MessageRow } from './message-rows';

const ROW_PX = 48;
/** The next ids are asked for before the person reaches the last ones. */
const EARLY_ROWS = 100;

interface MessageListProps {
  /** Name of the list, under which its scroll position is kept. */
  readonly place: string;
  readonly accountId: string;
  readonly ids: readonly string[];
  readonly selection: Selection;
  /** The message that is being read. */
  readonly opened: string | undefined;
  readonly onOpen: (id: string | undefined) => void;
  /** Everything of this sender is wanted, given as its From header. */
  readonly onSender: (from: string) => void;
  /** The last ids are near. */
  readonly onEnd: () => void;
}

/** The messages that match. Keys: move, read, choose. */
export function MessageList({
  place,
  accountId,
  ids,
  selection,
  opened,
  onOpen,
  onSender,
  onEnd,
}: MessageListProps): ReactNode {
  const { t } = useTranslation();
  const [range, setRange] = useState<readonly [number, number]>([0, 0]);
  const [active, setActive] = useState(() => placeOf(place).active);
  const rows = useMessageRows(accountId, ids, range);
  const changing = useChangingMessages(accountId);
  const isNearEnd = range[1] >= ids.length - EARLY_ROWS;
  const reachEnd = useSteady(onEnd);
  useEffect(() => {
    if (isNearEnd) reachEnd();
  }, [isNearEnd, ids.length, reachEnd]);
  const show = useCallback((first: number, last: number) => setRange([first, last]), []);
  const idAt = (index: number): string => ids[index] ?? '';
  const openAt = useSteady((index: number) => {
    setActive(index);
    onOpen(idAt(index));
  });
  const chooseAt = useSteady((index: number, isRange: boolean) => {
    setActive(index);
    selection.toggle(idAt(index), isRange);
  });
  // The keys go on from the message that was stepped to in the reader.
  useChanged(opened, (id) => {
    const index = id === undefined ? -1 : ids.indexOf(id);
    if (index !== -1) setActive(index);
  });
  const act = (event: KeyboardEvent): void => {
    const acts: Readonly<Record<string, () => void>> = {
      Enter: () => onOpen(idAt(active)),
      Escape: () => (selection.ids.size > 0 ? selection.none() : onOpen(undefined)),
      x: () => selection.toggle(idAt(active)),
      X: () => selection.toggle(idAt(active), true),
      '*': () => selection.all(),
    };
    const perform = acts[event.key];
    if (!perform || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    perform();
  };
  const perform = useMessageAction();
  const actAt = useSteady((index: number, action: RowAction) => perform(action, [idAt(index)]));
  const dragAt = useSteady((index: number, transfer: DataTransfer) =>
    dragMessages(transfer, selection.has(idAt(index)) ? [...selection.ids] : [idAt(index)]),
  );
  const swipeAt = useSteady((index: number, side: SwipeSide) =>
    perform(side === 'left' ? 'trash_now' : 'archive', [idAt(index)]),
  );
  const [menu, setMenu] = useState<RowMenuTarget | null>(null);
  const openMenu = (event: MouseEvent): void => {
    const option = event.target instanceof Element ? event.target.closest('[role=option]') : null;
    // The key of the menu is pressed on the list itself.
    const index = option ? Number(option.getAttribute('aria-posinset')) - 1 : active;
    const row = rows.rowAt(index);
    if (!row) return;
    event.preventDefault();
    setActive(index);
    const { x, y } = option ? { x: event.clientX, y: event.clientY } : cornerOf(event.currentTarget, index);
    const isChosen = selection.has(idAt(index)) && selection.ids.size > 0;
    setMenu({
      at: { x, y },
      messageIds: isChosen ? [...selection.ids] : [idAt(index)],
      from: row.from,
      isUnread: row.labelIds.includes('UNREAD'),
    });
  };
  if (rows.error) return <ProblemView error={rows.error} onRetry={rows.retry} />;
  return (
    <Box h="100%" onContextMenu={openMenu}>
      <VirtualList
        count={ids.length}
        rowHeight={ROW_PX}
        label={t('mailbox.list')}
        place={place}
        active={Math.min(active, ids.length - 1)}
        onActiveChange={setActive}
        onRange={show}
        rowId={(index) => `message-${idAt(index)}`}
        isSelected={(index) => selection.has(idAt(index))}
        onKey={act}
      >
        {(index) => (
          <MailRow
            index={index}
            mail={toRowMail(rows.rowAt(index))}
            chosen={selection.has(idAt(index))}
            changing={changing.has(idAt(index))}
            opened={idAt(index) === opened}
            onOpen={openAt}
            onChoose={chooseAt}
            onAct={actAt}
            onSwipe={swipeAt}
            onDrag={dragAt}
          />
        )}
      </VirtualList>
      <RowMenu target={menu} onSender={onSender} onClose={() => setMenu(null)} />
    </Box>
  );
}

/** Where the menu opens that a key asks for: at the row. */
function cornerOf(list: Element, index: number): { readonly x: number; readonly y: number } {
  const { left, bottom } = (
    list.querySelector(`[aria-posinset="${index + 1}"]`) ?? list
  ).getBoundingClientRect();
  return { x: left, y: bottom };
}

const toRowMail = (row: MessageRow | null | undefined): RowMail | null | undefined =>
  row && {
    ...row,
    sizeBytes: row.sizeEstimate,
    isUnread: row.labelIds.includes('UNREAD'),
  };
