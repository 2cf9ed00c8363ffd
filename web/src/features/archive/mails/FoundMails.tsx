import { Box } from '@mantine/core';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { wantListFocus } from '../../../ui/list-places';
import { useReaderSteps } from '../../../ui/reader-steps';
import { senderSearch } from '../../../ui/sender';
import { useListFocus } from '../../../ui/use-list-focus';
import { hasConditions, NO_CONDITIONS } from './archive-filter';
import { useArchiveSelection, type ArchiveSelection } from './archive-selection';
import { ArchiveActions } from './ArchiveActions';
import { ArchiveColumns } from './ArchiveColumns';
import { ArchiveList } from './ArchiveList';
import { ArchiveReader } from './ArchiveReader';
import { useFirstPage, useIdsBetween } from './archived-mails';
import type { FoundProps } from './found';

/** The mails that were found, one by one. */
export function FoundMails({ place, listing, conditions, onConditions }: FoundProps): ReactNode {
  const { t } = useTranslation();
  const { mail } = useSearch({ from: '/signed-in/a/$accountId/archive' });
  const navigate = useNavigate({ from: '/a/$accountId/archive' });
  const selection = useArchiveSelection(listing);
  const { around, thenList } = useListFocus();
  const byButton: ArchiveSelection = {
    ...selection,
    all: thenList(selection.all),
    none: thenList(selection.none),
  };
  const [places] = useState(() => new Map<string, number>());
  const first = useFirstPage(listing);
  const idsBetween = useIdsBetween(listing);
  const open = (id: string | undefined, index = -1, replace = false): void => {
    if (id !== undefined) places.set(id, index);
    void navigate({ replace, search: (before) => ({ ...before, mail: id }) });
  };
  const close = (): void => open(undefined);
  // The place of a mail that a link leads to is known if it is among the first.
  const amongFirst = first.data?.mails.findIndex(({ id }) => id === mail) ?? -1;
  const openedAt = amongFirst === -1 ? (places.get(mail ?? '') ?? -1) : amongFirst;
  const steps = useReaderSteps({
    of: 'message',
    index: openedAt,
    count: listing.total,
    isComplete: true,
    // Going back leads to the list, not through all that was read. If a page cannot be loaded, the list says why.
    onOpen: (index) =>
      void idsBetween(index, index).then(
        ([id]) => id !== undefined && open(id, index, true),
        () => undefined,
      ),
  });
  return (
    <>
      <ArchiveActions
        listing={listing}
        selection={byButton}
        found={t('archive.found', { count: listing.total })}
        hasConditions={hasConditions(conditions)}
        onDeleting={close}
      />
      <ArchiveColumns
        listing={listing}
        conditions={conditions}
        onConditions={onConditions}
        list={
          <Box ref={around} h="100%">
            <ArchiveList
              place={place}
              listing={listing}
              selection={selection}
              opened={mail}
              openedAt={openedAt}
              onOpen={open}
            />
          </Box>
        }
        reader={
          mail !== undefined && (
            <ArchiveReader
              key={mail}
              accountId={listing.accountId}
              mailId={mail}
              steps={steps}
              onMoreFrom={(from) => {
                wantListFocus();
                onConditions({ ...NO_CONDITIONS, q: senderSearch(from) });
              }}
              onClose={close}
            />
          )
        }
      />
    </>
  );
}
