import { Button, Checkbox, Group, NativeSelect, NumberInput, Stack, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../../api/client';
import { useMe } from '../../../api/me';
import { op } from '../../../api/op';
import { ProblemView } from '../../../ui/ProblemView';
import { useServiceForm } from '../../../ui/use-service-form';

type Values = {
  readonly name: string;
  readonly accountId: string;
  readonly label: string;
  /** A number unless the field is empty. */
  readonly maxAgeDays: number | string;
  readonly includeOffloaded: boolean;
};

const BLANK: Values = { name: '', accountId: '', label: '', maxAgeDays: 3_650, includeOffloaded: false };

/** A new policy. It is switched off until the person has seen what it would delete. */
export function PolicyForm({ onDone }: { readonly onDone: () => void }): ReactNode {
  const { t } = useTranslation();
  const { mailboxAccounts } = useMe();
  const form = useServiceForm({
    initial: BLANK,
    validate: {
      name: (name) => (name.trim() === '' ? t('retention.nameMissing') : null),
      maxAgeDays: (days) => (typeof days === 'number' ? null : t('retention.daysMissing')),
    },
    send: ({ name, accountId: mailbox, label, maxAgeDays, includeOffloaded }) =>
      call('retention.create', {
        body: {
          name: name.trim(),
          mailboxAccountId: mailbox || null,
          label: label.trim() || null,
          maxAgeDays: Number(maxAgeDays),
          isActive: false,
          includeOffloaded,
        },
      }),
    fields: { mailboxAccountId: 'accountId' },
    outdated: ['retention.list'],
    onSent: onDone,
  });
  const { accountId } = form.values;
  const labels = useQuery({
    ...op('mailbox.listLabels', { accountId }),
    enabled: accountId !== '',
  });
  return (
    <form onSubmit={form.submit}>
      <Stack>
        <TextInput label={t('retention.name')} maxLength={255} {...form.getInputProps('name')} />
        <Group grow align="end">
          <NativeSelect
            label={t('retention.mailbox')}
            {...form.getInputProps('accountId')}
            data={[
              { value: '', label: t('retention.allMailboxes') },
              ...mailboxAccounts.map(({ id, email }) => ({ value: id, label: email })),
            ]}
          />
          {accountId !== '' && labels.data ? (
            <NativeSelect
              label={t('retention.label')}
              {...form.getInputProps('label')}
              data={[
                { value: '', label: t('retention.anyLabel') },
                ...labels.data.map(({ id, name }) => ({ value: id, label: name })),
              ]}
            />
          ) : (
            <TextInput
              label={t('retention.label')}
              placeholder={t('retention.anyLabel')}
              maxLength={255}
              {...form.getInputProps('label')}
            />
          )}
          <NumberInput
            label={t('retention.days')}
            min={1}
            max={36_500}
            allowDecimal={false}
            hideControls
            {...form.getInputProps('maxAgeDays')}
          />
        </Group>
        <Checkbox
          label={t('retention.offloaded')}
          description={t('retention.offloadedText')}
          {...form.getInputProps('includeOffloaded', { type: 'checkbox' })}
        />
        {form.unsaid && <ProblemView error={form.unsaid} />}
        <Group>
          <Button type="submit" loading={form.isSending}>
            {t('retention.save')}
          </Button>
          <Button variant="default" onClick={onDone}>
            {t('common.cancel')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
