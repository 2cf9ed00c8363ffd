import { Alert, Button, Card, Group, NativeSelect, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import type { Schemas } from '@mailroom/sdk';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useMe } from '../../../api/me';
import { op, useOperation } from '../../../api/op';
import { invalidate } from '../../../api/query-client';
import { formatShortDate } from '../../../i18n/format';
import { Confirm } from '../../../ui/Confirm';
import { EmptyState } from '../../../ui/EmptyState';
import { Page } from '../../../ui/Page';
import { PlainList } from '../../../ui/PlainList';
import { ProblemView } from '../../../ui/ProblemView';
import { QueryView } from '../../../ui/QueryView';
import { Section } from '../../../ui/Section';
import { useErrorsInLanguage } from '../../../ui/use-errors-in-language';
import { Wrapping } from '../../../ui/Wrapping';
import { EXPIRIES, expiryOf, type Expiry } from './key-expiry';
import { Secret } from '../../../ui/Secret';

type Key = Schemas['ApiKeyResponse'];

const ALL = '';

/** Keys of programs, each shown once, when it is made. */
export function ApiKeysPage(): ReactNode {
  const { t } = useTranslation();
  const keys = useQuery(op('apiKeys.list'));
  const [isAdding, setIsAdding] = useState(false);
  return (
    <Page title={t('apiKeys.title')}>
      <Text c="dimmed">{t('apiKeys.intro')}</Text>
      {isAdding ? (
        <Section title={t('apiKeys.add')}>
          <KeyForm onDone={() => setIsAdding(false)} />
        </Section>
      ) : (
        <Group>
          <Button onClick={() => setIsAdding(true)}>{t('apiKeys.add')}</Button>
        </Group>
      )}
      <QueryView
        query={keys}
        empty={{ when: (all) => all.length === 0, show: <EmptyState text={t('apiKeys.none')} /> }}
      >
        {(all) => (
          <PlainList gap="xs" aria-label={t('apiKeys.title')}>
            {all.map((key) => (
              <KeyItem key={key.id} apiKey={key} />
            ))}
          </PlainList>
        )}
      </QueryView>
    </Page>
  );
}

function KeyForm({ onDone }: { readonly onDone: () => void }): ReactNode {
  const { t } = useTranslation();
  const client = useQueryClient();
  const { mailboxAccounts } = useMe();
  const create = useOperation('apiKeys.create');
  const form = useForm({
    initialValues: { name: '', scope: 'read' as Key['scope'], account: ALL, expiry: 'days90' as Expiry },
    validate: { name: (name) => (name.trim() === '' ? t('apiKeys.nameHelp') : null) },
  });
  useErrorsInLanguage(form);
  if (create.data)
    return (
      <Stack>
        <Alert color="green" role="status" title={t('apiKeys.created', { name: create.data.name })}>
          {t('apiKeys.once')}
        </Alert>
        <Secret label={t('apiKeys.key')} value={create.data.key} />
        <Group>
          <Button onClick={onDone}>{t('apiKeys.done')}</Button>
        </Group>
      </Stack>
    );
  return (
    <form
      noValidate
      onSubmit={form.onSubmit(({ name, scope, account, expiry }) =>
        create.mutate(
          {
            body: {
              name: name.trim(),
              scope,
              expires_at: expiryOf(expiry, new Date()),
              accountIds: account === ALL ? null : [account],
            },
          },
          { onSuccess: () => void invalidate(client, ['apiKeys.list']) },
        ),
      )}
    >
      <Stack gap="sm">
        <TextInput
          label={t('apiKeys.name')}
          description={t('apiKeys.nameHelp')}
          maxLength={100}
          required
          autoComplete="off"
          {...form.getInputProps('name')}
        />
        <Group align="start" grow preventGrowOverflow={false}>
          <NativeSelect
            label={t('apiKeys.scope')}
            data={(['read', 'write'] as const).map((value) => ({
              value,
              label: t(`apiKeys.scopes.${value}`),
            }))}
            {...form.getInputProps('scope')}
          />
          <NativeSelect
            label={t('apiKeys.mailbox')}
            data={[
              { value: ALL, label: t('apiKeys.allMailboxes') },
              ...mailboxAccounts.map(({ id, email }) => ({ value: id, label: email })),
            ]}
            {...form.getInputProps('account')}
          />
          <NativeSelect
            label={t('apiKeys.expires')}
            data={EXPIRIES.map((value) => ({ value, label: t(`apiKeys.expiries.${value}`) }))}
            {...form.getInputProps('expiry')}
          />
        </Group>
        {create.error && <ProblemView error={create.error} />}
        <Group>
          <Button type="submit" loading={create.isPending}>
            {t('apiKeys.create')}
          </Button>
          <Button variant="default" onClick={onDone}>
            {t('common.cancel')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

function KeyItem({ apiKey }: { readonly apiKey: Key }): ReactNode {
  const { t } = useTranslation();
  const client = useQueryClient();
  const [isAsked, setIsAsked] = useState(false);
  const revoke = useOperation('apiKeys.delete');
  const { id, name, prefix, scope, account_ids, created_at, last_used_at, expires_at } = apiKey;
  const isExpired = expires_at !== null && new Date(expires_at) <= new Date();
  return (
    <Card withBorder component="li" padding="sm">
      <Group justify="space-between" wrap="nowrap" align="start">
        <div style={{ minWidth: 0 }}>
          <Wrapping size="sm" fw={600}>
            {name}
          </Wrapping>
          <Text size="xs" c="dimmed">
            {[
              t('apiKeys.begins', { prefix }),
              t(`apiKeys.scopes.${scope}`),
              account_ids === null
                ? t('apiKeys.allMailboxes')
                : t('apiKeys.limited', { count: account_ids.length }),
              t('apiKeys.since', { time: formatShortDate(created_at) }),
              last_used_at === null
                ? t('apiKeys.neverUsed')
                : t('apiKeys.used', { time: formatShortDate(last_used_at) }),
              ...(expires_at === null
                ? []
                : [
                    t(isExpired ? 'apiKeys.expired' : 'apiKeys.until', { time: formatShortDate(expires_at) }),
                  ]),
            ].join(' · ')}
          </Text>
        </div>
        <Button
          size="compact-xs"
          variant="default"
          aria-label={t('common.named', { what: t('apiKeys.revoke'), name })}
          onClick={() => setIsAsked(true)}
        >
          {t('apiKeys.revoke')}
        </Button>
      </Group>
      <Confirm
        opened={isAsked}
        title={t('apiKeys.revokeTitle', { name })}
        text={t('apiKeys.revokeText')}
        verb={t('apiKeys.revoke')}
        destroys
        busy={revoke.isPending}
        error={revoke.error}
        onConfirm={() =>
          revoke.mutate(
            { keyId: id },
            {
              onSuccess: () => {
                setIsAsked(false);
                void invalidate(client, ['apiKeys.list']);
              },
            },
          )
        }
        onClose={() => setIsAsked(false)}
      />
    </Card>
  );
}
