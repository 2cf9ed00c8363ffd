import { Box } from '@mantine/core';
import { useNavigate, useSearch } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useListFocus } from '../../../ui/use-list-focus';
import { hasConditions } from './archive-filter';
import { useArchiveSelection, type ArchiveSelection } from './archive-selection';
import { ArchiveActions } from './ArchiveActions';
import { ArchiveColumns } from './ArchiveColumns';
import { ArchiveList } from './ArchiveList';
import { ArchiveReader } from './ArchiveReader';
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
  const open = (id: string | undefined): void =>
    void navigate({ search: (before) => ({ ...before, mail: id }) });
  return (
    <>
      <ArchiveActions
        listing={listing}
        selection={byButton}
        found={t('archive.found', { count: listing.total })}
        hasConditions={hasConditions(conditions)}
        onDeleting={() => open(undefined)}
      />
      <ArchiveColumns
        listing={listing}
        conditions={conditions}
        onConditions={onConditions}
        list={
          <Box ref={around} h="100%">
            <ArchiveList place={place} listing={listing} selection={selection} opened={mail} onOpen={open} />
          </Box>
        }
        reader={
          mail !== undefined && (
            <ArchiveReader
              key={mail}
              accountId={listing.accountId}
              mailId={mail}
              onClose={() => open(undefined)}
            />
          )
        }
      />
    </>
  );
}
