import { Alert, Button, Group, NativeSelect, Stack, TextInput } from '@mantine/core';
import type { Schemas } from '@mailroom/sdk';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../../api/client';
import { useMe } from '../../../api/me';
import { ProblemView } from '../../../ui/ProblemView';
import { Secret } from '../../../ui/Secret';
import { useServiceForm } from '../../../ui/use-service-form';
import { EXPIRIES, expiryOf, type Expiry } from './key-expiry';

type Key = Schemas['ApiKeyResponse'];

const ALL = '';

type Values = {
  readonly name: string;
  readonly scope: Key['scope'];
  readonly account: string;
  readonly expiry: Expiry;
};

const BLANK: Values = { name: '', scope: 'read', account: ALL, expiry: 'days90' };

/** A new key, which is shown once. */
export function KeyForm({ onDone }: { readonly onDone: () => void }): ReactNode {
  const { t } = useTranslation();
  const { mailboxAccounts } = useMe();
  const form = useServiceForm({
    initial: BLANK,
    validate: { name: (name) => (name.trim() === '' ? t('apiKeys.nameHelp') : null) },
    send: ({ name, scope, account, expiry }) =>
      call('apiKeys.create', {
        body: {
          name: name.trim(),
          scope,
          expires_at: expiryOf(expiry, new Date()),
          accountIds: account === ALL ? null : [account],
        },
      }),
    fields: { expires_at: 'expiry', accountIds: 'account' },
    outdated: ['apiKeys.list'],
  });
  if (form.answer)
    return (
      <Stack>
        <Alert color="green" role="status" title={t('apiKeys.created', { name: form.answer.name })}>
          {t('apiKeys.once')}
        </Alert>
        <Secret label={t('apiKeys.key')} value={form.answer.key} />
        <Group>
          <Button onClick={onDone}>{t('apiKeys.done')}</Button>
        </Group>
      </Stack>
    );
  return (
    <form noValidate onSubmit={form.submit}>
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
        {form.unsaid && <ProblemView error={form.unsaid} />}
        <Group>
          <Button type="submit" loading={form.isSending}>
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
