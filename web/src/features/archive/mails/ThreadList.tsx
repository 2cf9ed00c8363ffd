import { useCallback, useState, type KeyboardEvent, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { MailRow, type RowMail } from '../../../ui/MailRow';
import { ProblemView } from '../../../ui/ProblemView';
import { placeOf } from '../../../ui/list-places';
import { senderName } from '../../../ui/sender';
import { useAwaitedRow } from '../../../ui/use-awaited-row';
import { useChanged } from '../../../ui/use-changed';
import { useSteady } from '../../../ui/use-steady';
import { VirtualList } from '../../../ui/VirtualList';
import { isDateDoubtful } from './archive-dates';
import type { HeldListing } from './archived-mails';
import { useThreads, type ArchivedThread } from './archived-threads';

const ROW_PX = 48;

interface ThreadListProps {
  readonly place: string;
  readonly listing: HeldListing;
  /** Conversations, not mails. */
  readonly count: number;
  /** The conversation that is being read. */
  readonly opened: string | undefined;
  /** Place of it; -1 when that is not known. */
  readonly openedAt: number;
  readonly onOpen: (thread: string | undefined, index: number) => void;
}

/** The conversations with a mail that matches. */
export function ThreadList({ place, listing, count, opened, openedAt, onOpen }: ThreadListProps): ReactNode {
  const { t } = useTranslation();
  const [range, setRange] = useState<readonly [number, number]>([0, 0]);
  const [active, setActive] = useState(() => placeOf(place).active);
  const { threadAt, error, retry } = useThreads(listing, range);
  const show = useCallback((first: number, last: number) => setRange([first, last]), []);
  const openRow = useAwaitedRow(threadAt, active, ({ thread_id: id }) => onOpen(id, active));
  const openAt = useSteady((index: number) => {
    setActive(index);
    openRow(index);
  });
  // The keys go on from the conversation that was stepped to in the reader.
  useChanged(openedAt, (index) => index !== -1 && setActive(index));
  const act = (event: KeyboardEvent): void => {
    if (event.key === 'Enter') openAt(active);
    else if (event.key === 'Escape') onOpen(undefined, -1);
  };
  if (error) return <ProblemView error={error} onRetry={retry} />;
  return (
    <VirtualList
      count={count}
      rowHeight={ROW_PX}
      label={t('archive.threads')}
      place={place}
      active={Math.min(active, count - 1)}
      onActiveChange={setActive}
      onRange={show}
      rowId={(index) => `thread-${index}`}
      onKey={act}
    >
      {(index) => (
        <MailRow
          index={index}
          mail={shown(threadAt(index))}
          opened={threadAt(index)?.thread_id === opened}
          onOpen={openAt}
        />
      )}
    </VirtualList>
  );
}

const shown = (thread: ArchivedThread | null | undefined): RowMail | null | undefined =>
  thread && {
    from: thread.senders.map(senderName).join(', '),
    count: thread.message_count,
    subject: thread.subject,
    snippet: thread.snippet,
    date: thread.latest_date,
    isDateDoubtful: isDateDoubtful(thread),
    sizeBytes: thread.total_size,
    hasAttachments: thread.has_attachments,
  };
