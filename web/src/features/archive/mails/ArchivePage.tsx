import { Anchor, Button, Stack } from '@mantine/core';
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { useCallback, useMemo, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { EmptyState } from '../../../ui/EmptyState';
import { Page, PageTools } from '../../../ui/Page';
import { QueryView } from '../../../ui/QueryView';
import { SavedSearches } from '../../../shared/saved-searches/SavedSearches';
import { Sought } from '../../../ui/highlights/Sought';
import { SearchField } from '../../../ui/SearchField';
import {
  conditionsIn,
  filterOf,
  hasConditions,
  NO_CONDITIONS,
  type ArchiveConditions,
} from './archive-filter';
import classes from './archive.module.css';
import { useFirstPage, type HeldListing } from './archived-mails';
import { ArchiveTools, orderOf } from './ArchiveTools';
import { FilterChips } from './FilterChips';
import { FoundMails } from './FoundMails';
import { FoundThreads } from './FoundThreads';
import { NotIndexedNote } from '../NotIndexedNote';
import { useLabelName } from './label-name';

const HERE = '/signed-in/a/$accountId/archive';

/** The archive: a search, the mails found, and the mail that is open. The address has all of this state. */
export function ArchivePage(): ReactNode {
  const { t } = useTranslation();
  const { accountId } = useParams({ from: HERE });
  const search = useSearch({ from: HERE });
  const navigate = useNavigate({ from: '/a/$accountId/archive' });
  const { sort, up, view } = search;
  // One text for the same conditions, however often the address changes: the list and its facets stay as they are.
  const name = JSON.stringify([conditionsIn(search), sort, up, view]);
  const conditions = useMemo(() => (JSON.parse(name) as [ArchiveConditions])[0], [name]);
  const asked = useMemo(
    () => ({ accountId, filter: filterOf(conditions), order: orderOf({ sort, up }) }),
    [accountId, conditions, sort, up],
  );
  const first = useFirstPage(asked);
  const until = first.data?.archived_until ?? undefined;
  const total = first.data?.total ?? 0;
  const listing: HeldListing = useMemo(() => ({ ...asked, until, total }), [asked, until, total]);
  const labelName = useLabelName(listing, search.label);
  const narrow = useCallback(
    (changes: ArchiveConditions) =>
      void navigate({
        search: (before) => ({ ...before, ...changes, mail: undefined, thread: undefined }),
      }),
    [navigate],
  );
  const Found = view === 'threads' ? FoundThreads : FoundMails;
  return (
    <Page
      title={t('archive.title')}
      fills
      tools={
        <>
          <SearchField
            label={t('archive.search')}
            help={t('archive.searchHelp')}
            value={search.q ?? ''}
            onSearch={(next) => narrow({ q: next || undefined })}
          />
          <PageTools>
            <SavedSearches
              scope="archive"
              query={search.q ?? ''}
              onSearch={(q) => narrow({ ...NO_CONDITIONS, q })}
            />
            <ArchiveTools
              conditions={conditions}
              order={{ sort, up }}
              view={view}
              onConditions={narrow}
              onOrder={(order) =>
                void navigate({ search: (before) => ({ ...before, sort: order.sort, up: order.up }) })
              }
              onView={(next) =>
                void navigate({
                  search: (before) => ({ ...before, view: next, mail: undefined, thread: undefined }),
                })
              }
            />
          </PageTools>
        </>
      }
    >
      <FilterChips conditions={conditions} labelName={labelName} onChange={narrow} />
      <QueryView
        query={first}
        empty={{
          // A search of the mailbox leads here as well, to a mail that the archive would not find by it.
          when: (page) => page.total === 0 && search.mail === undefined,
          show: hasConditions(conditions) ? (
            <EmptyState text={t('archive.empty')}>
              <Button variant="default" onClick={() => narrow(NO_CONDITIONS)}>
                {t('archive.showAll')}
              </Button>
            </EmptyState>
          ) : (
            <NothingYet accountId={accountId} />
          ),
        }}
      >
        {({ not_indexed: notIndexed }) => (
          // Until the new search is answered, the earlier one's numbers stand there.
          <Stack
            gap={8}
            className={classes.results}
            aria-busy={first.isPlaceholderData}
            opacity={first.isPlaceholderData ? 0.5 : undefined}
          >
            <NotIndexedNote notIndexed={notIndexed} accountIds={[accountId]} />
            <Sought q={search.q ?? ''}>
              <Found
                key={name}
                place={`${accountId} archive ${name}`}
                listing={listing}
                conditions={conditions}
                onConditions={narrow}
              />
            </Sought>
          </Stack>
        )}
      </QueryView>
    </Page>
  );
}

function NothingYet({ accountId }: { readonly accountId: string }): ReactNode {
  const { t } = useTranslation();
  return (
    <EmptyState text={t('archive.emptyArchive')}>
      <Anchor renderRoot={(props) => <Link to="/a/$accountId/mailbox" params={{ accountId }} {...props} />}>
        {t('archive.toMailbox')}
      </Anchor>
    </EmptyState>
  );
}
