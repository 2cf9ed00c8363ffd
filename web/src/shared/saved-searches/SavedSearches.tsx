import { Button, Menu, Modal, Text } from '@mantine/core';
import type { Schemas } from '@mailroom/sdk';
import { IconBookmark } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { op } from '../../api/op';
import { QueryView } from '../../ui/QueryView';
import { SearchForm } from './SearchForm';
import { SearchesInOrder } from './SearchesInOrder';
import { ICONS } from './search-icons';

type Saved = Schemas['SavedSearchResponse'];

interface SavedSearchesProps {
  readonly scope: Saved['scope'];
  /** The search that is shown; empty without one. */
  readonly query: string;
  readonly onSearch: (query: string) => void;
}

/** Searches that the person has kept: to search again, to keep the present one, and to put in order. */
export function SavedSearches({ scope, query, onSearch }: SavedSearchesProps): ReactNode {
  const { t } = useTranslation();
  const [opened, setOpened] = useState<'new' | 'all' | null>(null);
  const saved = useQuery(op('savedSearches.list', { scope }));
  return (
    <>
      <Menu shadow="md" position="bottom-start">
        <Menu.Target>
          <Button size="xs" variant="default" leftSection={<IconBookmark size={14} aria-hidden />}>
            {t('savedSearches.button')}
          </Button>
        </Menu.Target>
        <Menu.Dropdown maw="calc(100vw - 2rem)">
          <QueryView
            query={saved}
            empty={{
              when: (all) => all.length === 0,
              show: <Menu.Label>{t('savedSearches.none')}</Menu.Label>,
            }}
          >
            {(all) =>
              all.map(({ id, name, query: kept, icon, color }) => {
                const SavedIcon = ICONS[icon ?? 'folder'];
                return (
                  <Menu.Item
                    key={id}
                    leftSection={icon && <SavedIcon size={14} color={color ?? undefined} aria-hidden />}
                    onClick={() => onSearch(kept)}
                  >
                    <Text size="sm">{name}</Text>
                    <Text size="xs" c="dimmed" lineClamp={1}>
                      {kept}
                    </Text>
                  </Menu.Item>
                );
              })
            }
          </QueryView>
          <Menu.Divider />
          <Menu.Item disabled={query === ''} onClick={() => setOpened('new')}>
            {t('savedSearches.save')}
          </Menu.Item>
          {saved.data && saved.data.length > 0 && (
            <Menu.Item onClick={() => setOpened('all')}>{t('savedSearches.manage')}</Menu.Item>
          )}
        </Menu.Dropdown>
      </Menu>
      <Modal
        opened={opened !== null}
        onClose={() => setOpened(null)}
        title={t(opened === 'all' ? 'savedSearches.manage' : 'savedSearches.save')}
        size="lg"
      >
        {opened === 'new' && <SearchForm scope={scope} query={query} onDone={() => setOpened(null)} />}
        {opened === 'all' && <SearchesInOrder searches={saved.data ?? []} />}
      </Modal>
    </>
  );
}
