import { Button, Group, NativeSelect, Stack, TextInput } from '@mantine/core';
import type { Schemas } from '@mailroom/sdk';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../api/client';
import { ProblemView } from '../../ui/ProblemView';
import { useServiceForm } from '../../ui/use-service-form';
import { ICON_NAMES } from './search-icons';

type Saved = Schemas['SavedSearchResponse'];

const NO_ICON = '';

interface SearchFormProps {
  readonly scope: Saved['scope'];
  readonly query: string;
  /** The one that is changed; without it a new one is kept. */
  readonly search?: Saved;
  readonly onDone: () => void;
}

export function SearchForm({ scope, query, search, onDone }: SearchFormProps): ReactNode {
  const { t } = useTranslation();
  const form = useServiceForm({
    initial: {
      name: search?.name ?? '',
      query: search?.query ?? query,
      icon: search?.icon ?? NO_ICON,
    },
    send: (values) => {
      const body = {
        name: values.name.trim(),
        query: values.query.trim(),
        icon: ICON_NAMES.find((one) => one === values.icon) ?? null,
      };
      return search
        ? call('savedSearches.update', { searchId: search.id, body })
        : call('savedSearches.create', { body: { ...body, scope } });
    },
    outdated: ['savedSearches.list'],
    onSent: onDone,
  });
  return (
    <form onSubmit={form.submit}>
      <Stack gap="sm">
        <TextInput
          label={t('savedSearches.name')}
          required
          maxLength={255}
          data-autofocus
          {...form.getInputProps('name')}
        />
        <TextInput
          label={t('savedSearches.search')}
          required
          maxLength={2_000}
          {...form.getInputProps('query')}
        />
        <NativeSelect
          label={t('savedSearches.icon')}
          data={[
            { value: NO_ICON, label: t('savedSearches.icons.none') },
            ...ICON_NAMES.map((value) => ({
              value: value as string,
              label: t(`savedSearches.icons.${value}`),
            })),
          ]}
          {...form.getInputProps('icon')}
        />
        {form.unsaid && <ProblemView error={form.unsaid} />}
        <Group justify="flex-end">
          <Button variant="default" onClick={onDone}>
            {t('common.cancel')}
          </Button>
          <Button type="submit" loading={form.isSending}>
            {t('savedSearches.confirm')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
