import { Box, Button, Group, Text } from '@mantine/core';
import type { Schemas } from '@mailroom/sdk';
import { useQueryClient } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useOperation } from '../../api/op';
import { invalidate } from '../../api/query-client';
import { PlainList } from '../../ui/PlainList';
import { ProblemView } from '../../ui/ProblemView';
import { SearchForm } from './SearchForm';

type Saved = Schemas['SavedSearchResponse'];

/** All saved searches: each can go up or down, be changed, and be deleted. */
export function SearchesInOrder({ searches }: { readonly searches: readonly Saved[] }): ReactNode {
  const { t } = useTranslation();
  const client = useQueryClient();
  const [changed, setChanged] = useState<string | null>(null);
  const reorder = useOperation('savedSearches.reorder');
  const remove = useOperation('savedSearches.delete');
  const again = { onSettled: () => void invalidate(client, ['savedSearches.list']) };
  const move = (from: number, to: number): void => {
    const ids = searches.map(({ id }) => id);
    ids.splice(to, 0, ...ids.splice(from, 1));
    reorder.mutate({ body: { ids } }, again);
  };
  const error = reorder.error ?? remove.error;
  return (
    <PlainList gap="xs" component="ol" aria-label={t('savedSearches.manage')}>
      {searches.map((search, place) => (
        <li key={search.id} aria-label={search.name}>
          {changed === search.id ? (
            <SearchForm
              scope={search.scope}
              query={search.query}
              search={search}
              onDone={() => setChanged(null)}
            />
          ) : (
            <Group justify="space-between" wrap="nowrap">
              <Box miw={0}>
                <Text size="sm">{search.name}</Text>
                <Text size="xs" c="dimmed" lineClamp={1}>
                  {search.query}
                </Text>
              </Box>
              <Group gap={4} justify="flex-end">
                <Button
                  size="compact-xs"
                  variant="default"
                  disabled={place === 0 || reorder.isPending}
                  aria-label={t('common.named', { what: t('savedSearches.up'), name: search.name })}
                  onClick={() => move(place, place - 1)}
                >
                  {t('savedSearches.up')}
                </Button>
                <Button
                  size="compact-xs"
                  variant="default"
                  disabled={place === searches.length - 1 || reorder.isPending}
                  aria-label={t('common.named', { what: t('savedSearches.down'), name: search.name })}
                  onClick={() => move(place, place + 1)}
                >
                  {t('savedSearches.down')}
                </Button>
                <Button
                  size="compact-xs"
                  variant="default"
                  aria-label={t('common.named', { what: t('savedSearches.rename'), name: search.name })}
                  onClick={() => setChanged(search.id)}
                >
                  {t('savedSearches.rename')}
                </Button>
                <Button
                  size="compact-xs"
                  color="red"
                  variant="light"
                  loading={remove.isPending && remove.variables?.searchId === search.id}
                  aria-label={t('common.named', { what: t('savedSearches.delete'), name: search.name })}
                  onClick={() => remove.mutate({ searchId: search.id }, again)}
                >
                  {t('savedSearches.delete')}
                </Button>
              </Group>
            </Group>
          )}
        </li>
      ))}
      {error && <ProblemView error={error} />}
    </PlainList>
  );
}
