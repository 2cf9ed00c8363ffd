import { Anchor, Button, Group, Modal, Text } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useMe } from '../../../api/me';
import { op } from '../../../api/op';
import { hasCode } from '../../../api/problems';
import { EmptyState } from '../../../ui/EmptyState';
import { Page } from '../../../ui/Page';
import { QueryView } from '../../../ui/QueryView';
import { NotIndexedNote } from '../NotIndexedNote';
import { FileSearch } from './FileSearch';
import { FoundList } from './FoundList';
import { NotSearched } from './NotSearched';
import { RefusedTerm } from './RefusedTerm';
import { SearchFilters } from './SearchFilters';
import { SearchHelp } from './SearchHelp';

const PER_PAGE = 25;
/** A search for a file, and for nothing else. */
const HASH = /^hash:[\da-f]{64}$/i;

/** The search in all mailboxes and archives. All of it is in the address; its words come from the field of the header. */
export function SearchPage(): ReactNode {
  const { t } = useTranslation();
  const { mailboxAccounts } = useMe();
  const { q = '', page = 1, file, ...choice } = useSearch({ from: '/signed-in/search' });
  const navigate = useNavigate({ from: '/search' });
  const [isHelpOpen, setHelpOpen] = useState(false);
  const isHash = HASH.test(q);
  const found = useQuery({
    ...op('search.search', {
      q,
      place: choice.place,
      accountId: choice.account,
      sort: choice.sort,
      page,
      limit: PER_PAGE,
    }),
    enabled: q !== '',
    placeholderData: keepPreviousData,
    // Each answer costs quota of the providers.
    refetchOnWindowFocus: false,
  });
  const search = (words: string): void => {
    setHelpOpen(false);
    void navigate({
      search: (before) =>
        before.file === undefined ? { ...before, q: words, page: undefined } : { q: words },
    });
  };
  return (
    // With each search the title takes the focus again.
    <Page key={q} title={t('search.title')}>
      <Group gap="xs" justify="space-between">
        <SearchFilters
          choice={choice}
          accounts={mailboxAccounts}
          onChange={(changes) =>
            void navigate({ search: (before) => ({ ...before, ...changes, page: undefined }) })
          }
        />
        <Group gap="md">
          <FileSearch
            onSearch={(hash, name) =>
              void navigate({
                search: ({ account }) => ({ account, q: `hash:${hash}`, place: 'archive', file: name }),
              })
            }
          />
          {q !== '' && (
            <Anchor component="button" type="button" size="sm" onClick={() => setHelpOpen(true)}>
              {t('search.help')}
            </Anchor>
          )}
        </Group>
      </Group>
      {file !== undefined && isHash && <Text>{t('search.byFile.found', { name: file })}</Text>}
      {q === '' ? (
        <>
          <EmptyState text={t('search.begin')} />
          <SearchHelp onSearch={search} />
        </>
      ) : hasCode(found.error, 'search-term-unsupported') ? (
        <RefusedTerm q={q} error={found.error} />
      ) : (
        <QueryView query={found}>
          {(answer) => (
            <>
              <NotSearched
                mailboxes={answer.live_search.not_searched}
                withArchives={choice.place !== 'mailbox'}
              />
              <NotIndexedNote
                notIndexed={answer.not_indexed}
                accountIds={(answer.not_indexed?.accounts ?? []).map((account) => account.account_id)}
              />
              <FoundList
                answer={answer}
                q={q}
                nothing={isHash ? t('search.byFile.none') : `${t('search.empty')} ${t('search.emptyTips')}`}
                place={choice.place ?? 'all'}
                isOld={found.isPlaceholderData}
                onPage={(next) =>
                  void navigate({ search: (before) => ({ ...before, page: next > 1 ? next : undefined }) })
                }
              >
                {!isHash && (choice.place ?? choice.account) !== undefined && (
                  <Button
                    variant="default"
                    onClick={() =>
                      void navigate({
                        search: (before) => ({ q: before.q, sort: before.sort }),
                      })
                    }
                  >
                    {t('search.everywhere')}
                  </Button>
                )}
              </FoundList>
            </>
          )}
        </QueryView>
      )}
      <Modal opened={isHelpOpen} onClose={() => setHelpOpen(false)} title={t('search.help')} size="lg">
        <SearchHelp onSearch={search} />
      </Modal>
    </Page>
  );
}
