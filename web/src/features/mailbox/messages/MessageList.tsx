import { useCallback, useEffect, useState, type KeyboardEvent, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { MailRow, type RowMail } from '../../../ui/MailRow';
import { ProblemView } from '../../../ui/ProblemView';
import { placeOf } from '../../../ui/list-places';
import { useChanged } from '../../../ui/use-changed';
import { useSteady } from '../../../ui/use-steady';
import { VirtualList } from '../../../ui/VirtualList';
import { useChangingMessages } from '../../../jobs/changing-messages';
import type { Selection } from '../../../ui/use-selection';
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
  if (rows.error) return <ProblemView error={rows.error} onRetry={rows.retry} />;
  return (
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
        />
      )}
    </VirtualList>
  );
}

const toRowMail = (row: MessageRow | null | undefined): RowMail | null | undefined =>
  row && {
    ...row,
    sizeBytes: row.sizeEstimate,
    isUnread: row.labelIds.includes('UNREAD'),
  };
