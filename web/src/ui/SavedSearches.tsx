import { Button, Group, Menu, Modal, NativeSelect, Stack, Text, TextInput } from '@mantine/core';
import type { Schemas } from '@mailroom/sdk';
import {
  IconAlertTriangle,
  IconArchive,
  IconBookmark,
  IconBriefcase,
  IconCalendar,
  IconFileInvoice,
  IconFolder,
  IconMail,
  IconPaperclip,
  IconShoppingCart,
  IconStar,
  type Icon,
} from '@tabler/icons-react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState, type FormEvent, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { op, useOperation } from '../api/op';
import { invalidate } from '../api/query-client';
import { PlainList } from './PlainList';
import { ProblemView } from './ProblemView';
import { QueryView } from './QueryView';

type Saved = Schemas['SavedSearchResponse'];
type IconName = NonNullable<Saved['icon']>;

const ICONS: Readonly<Record<IconName, Icon>> = {
  folder: IconFolder,
  star: IconStar,
  mail: IconMail,
  attachment: IconPaperclip,
  invoice: IconFileInvoice,
  alert: IconAlertTriangle,
  archive: IconArchive,
  calendar: IconCalendar,
  work: IconBriefcase,
  shopping: IconShoppingCart,
};
const ICON_NAMES = Object.keys(ICONS) as IconName[];
const NO_ICON = '';

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
        {opened === 'all' && <InOrder searches={saved.data ?? []} />}
      </Modal>
    </>
  );
}

interface SearchFormProps {
  readonly scope: Saved['scope'];
  readonly query: string;
  /** The one that is changed; without it a new one is kept. */
  readonly search?: Saved;
  readonly onDone: () => void;
}

function SearchForm({ scope, query, search, onDone }: SearchFormProps): ReactNode {
  const { t } = useTranslation();
  const client = useQueryClient();
  const create = useOperation('savedSearches.create');
  const update = useOperation('savedSearches.update');
  const [name, setName] = useState(search?.name ?? '');
  const [kept, setKept] = useState(search?.query ?? query);
  const [icon, setIcon] = useState<string>(search?.icon ?? NO_ICON);
  const error = create.error ?? update.error;
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    const body = {
      name: name.trim(),
      query: kept.trim(),
      icon: ICON_NAMES.find((one) => one === icon) ?? null,
    };
    const done = {
      onSuccess: () => {
        onDone();
        void invalidate(client, ['savedSearches.list']);
      },
    };
    if (search) update.mutate({ searchId: search.id, body }, done);
    else create.mutate({ body: { ...body, scope } }, done);
  };
  return (
    <form onSubmit={submit}>
      <Stack gap="sm">
        <TextInput
          label={t('savedSearches.name')}
          required
          maxLength={255}
          value={name}
          data-autofocus
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <TextInput
          label={t('savedSearches.search')}
          required
          maxLength={2_000}
          value={kept}
          onChange={(event) => setKept(event.currentTarget.value)}
        />
        <NativeSelect
          label={t('savedSearches.icon')}
          value={icon}
          data={[
            { value: NO_ICON, label: t('savedSearches.icons.none') },
            ...ICON_NAMES.map((value) => ({ value, label: t(`savedSearches.icons.${value}`) })),
          ]}
          onChange={(event) => setIcon(event.currentTarget.value)}
        />
        {error && <ProblemView error={error} />}
        <Group justify="flex-end">
          <Button variant="default" onClick={onDone}>
            {t('common.cancel')}
          </Button>
          <Button type="submit" loading={create.isPending || update.isPending}>
            {t('savedSearches.confirm')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

function InOrder({ searches }: { readonly searches: readonly Saved[] }): ReactNode {
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
              <div style={{ minWidth: 0 }}>
                <Text size="sm">{search.name}</Text>
                <Text size="xs" c="dimmed" lineClamp={1}>
                  {search.query}
                </Text>
              </div>
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
