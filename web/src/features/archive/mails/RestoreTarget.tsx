import { Button, Checkbox, Group, NativeSelect, Stack, Text, TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../../api/client';
import { hasNoMailbox, useMe } from '../../../api/me';
import { ProblemView } from '../../../ui/ProblemView';
import { useServiceForm } from '../../../ui/use-service-form';
import type { ChosenMails } from './chosen-mails';
import { BLANK_RESTORE, FIELDS, SERVER, restoreBody, type RestoreForm } from './restore-request';
import { RestoreServer } from './RestoreServer';

interface RestoreTargetProps {
  readonly accountId: string;
  readonly chosen: ChosenMails;
  readonly onPlanned: (restoreId: string) => void;
  readonly onClose: () => void;
}

/** Where mails are put back, and how. It starts a trial run. */
export function RestoreTarget({ accountId, chosen, onPlanned, onClose }: RestoreTargetProps): ReactNode {
  const { t } = useTranslation();
  const mailboxAccounts = useMe().mailboxAccounts.filter((account) => !hasNoMailbox(account));
  const usable = mailboxAccounts.filter(({ is_active, status }) => is_active && status !== 'disconnected');
  const isHere = usable.some(({ id }) => id === accountId);
  const initial: RestoreForm = {
    ...BLANK_RESTORE,
    target: isHere ? accountId : (usable[0]?.id ?? SERVER),
  };
  const form = useServiceForm({
    initial,
    send: (values) => call('restore.planRestore', { accountId, body: restoreBody(chosen, values) }),
    fields: FIELDS,
    outdated: ['restore.listRestores', 'jobs.list'],
    onSent: ({ restoreId }) => onPlanned(restoreId),
  });
  return (
    <form onSubmit={form.submit}>
      <Stack>
        <Text size="sm">{t('restore.intro')}</Text>
        <NativeSelect
          label={t('restore.target')}
          data={[
            ...mailboxAccounts.map(({ id, email }) => ({
              value: id,
              label: !usable.some((one) => one.id === id)
                ? t('restore.notConnected', { email })
                : id === accountId
                  ? t('restore.thisMailbox', { email })
                  : email,
              disabled: !usable.some((one) => one.id === id),
            })),
            { value: SERVER, label: t('restore.otherServer') },
          ]}
          {...form.getInputProps('target')}
        />
        {form.getValues().target === SERVER && <RestoreServer form={form} />}
        <Checkbox label={t('restore.labels')} {...form.getInputProps('labels', { type: 'checkbox' })} />
        <TextInput
          label={t('restore.addLabel')}
          description={t('restore.addLabelHelp')}
          maxLength={225}
          {...form.getInputProps('addLabel')}
        />
        <Checkbox
          label={t('restore.insertDifferent')}
          {...form.getInputProps('insertDifferent', { type: 'checkbox' })}
        />
        {form.unsaid && <ProblemView error={form.unsaid} />}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {t('common.cancel')}
          </Button>
          <Button type="submit" loading={form.isSending}>
            {t('restore.look')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
