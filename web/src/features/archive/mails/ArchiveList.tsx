import { useCallback, useState, type KeyboardEvent, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { MailRow, type RowMail } from '../../../ui/MailRow';
import { ProblemView } from '../../../ui/ProblemView';
import { placeOf } from '../../../ui/list-places';
import { useAwaitedRow } from '../../../ui/use-awaited-row';
import { useChanged } from '../../../ui/use-changed';
import { useSteady } from '../../../ui/use-steady';
import { VirtualList } from '../../../ui/VirtualList';
import { isDateDoubtful } from './archive-dates';
import type { ArchiveSelection } from './archive-selection';
import { useArchivedMails, type ArchivedMail, type HeldListing } from './archived-mails';

const ROW_PX = 48;

interface ArchiveListProps {
  /** Name of the list, under which its scroll position is kept. */
  readonly place: string;
  readonly listing: HeldListing;
  readonly selection: ArchiveSelection;
  /** The mail that is being read. */
  readonly opened: string | undefined;
  /** Place of it; -1 when that is not known. */
  readonly openedAt: number;
  readonly onOpen: (id: string | undefined, index: number) => void;
}

/** The archived mails that match. Keys: move, read, choose. */
export function ArchiveList({
  place,
  listing,
  selection,
  opened,
  openedAt,
  onOpen,
}: ArchiveListProps): ReactNode {
  const { t } = useTranslation();
  const [range, setRange] = useState<readonly [number, number]>([0, 0]);
  const [active, setActive] = useState(() => placeOf(place).active);
  const { mailAt, error, retry } = useArchivedMails(listing, range);
  const show = useCallback((first: number, last: number) => setRange([first, last]), []);
  const openRow = useAwaitedRow(mailAt, active, ({ id }) => onOpen(id, active));
  const openAt = useSteady((index: number) => {
    setActive(index);
    openRow(index);
  });
  const chooseAt = useSteady((index: number, isRange: boolean) => {
    const mail = mailAt(index);
    if (!mail) return;
    setActive(index);
    selection.toggle(mail.id, index, isRange);
  });
  // The keys go on from the mail that was stepped to in the reader.
  useChanged(openedAt, (index) => index !== -1 && setActive(index));
  const act = (event: KeyboardEvent): void => {
    const acts: Readonly<Record<string, () => void>> = {
      Enter: () => openAt(active),
      Escape: () => (selection.count > 0 ? selection.none() : onOpen(undefined, -1)),
      x: () => chooseAt(active, false),
      X: () => chooseAt(active, true),
      '*': selection.all,
    };
    const perform = acts[event.key];
    if (!perform || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    perform();
  };
  if (error) return <ProblemView error={error} onRetry={retry} />;
  return (
    <VirtualList
      count={listing.total}
      rowHeight={ROW_PX}
      label={t('archive.list')}
      place={place}
      active={Math.min(active, listing.total - 1)}
      onActiveChange={setActive}
      onRange={show}
      rowId={(index) => `archived-${index}`}
      isSelected={(index) => selection.has(mailAt(index)?.id ?? '')}
      onKey={act}
    >
      {(index) => (
        <MailRow
          index={index}
          mail={shown(mailAt(index))}
          chosen={selection.has(mailAt(index)?.id ?? '')}
          opened={mailAt(index)?.id === opened}
          onOpen={openAt}
          onChoose={chooseAt}
        />
      )}
    </VirtualList>
  );
}

const shown = (mail: ArchivedMail | null | undefined): RowMail | null | undefined =>
  mail && {
    from: mail.sender,
    subject: mail.subject,
    snippet: mail.snippet,
    date: mail.date,
    isDateDoubtful: isDateDoubtful(mail),
    sizeBytes: mail.size_bytes,
    hasAttachments: mail.has_attachments,
    isEncrypted: mail.is_encrypted,
    isOnlyInArchive: mail.only_in_archive,
  };
