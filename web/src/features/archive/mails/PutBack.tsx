import {
  Button,
  Checkbox,
  Group,
  Modal,
  NativeSelect,
  NumberInput,
  SimpleGrid,
  Stack,
  Text,
  TextInput,
} from '@mantine/core';
import { useForm } from '@mantine/form';
import { IconArrowBackUp } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useMe } from '../../../api/me';
import { useOperation } from '../../../api/op';
import { invalidate } from '../../../api/query-client';
import { formatNumber } from '../../../i18n/format';
import { Restore } from '../../../shared/restores/Restore';
import { PasswordField } from '../../../ui/PasswordField';
import { ProblemView } from '../../../ui/ProblemView';
import type { ChosenMails } from './chosen-mails';
import { BLANK_RESTORE, SERVER, restoreBody, type RestoreForm } from './restore-request';

/** Largest number of mails of one restore. */
const MOST = 100_000;

interface PutBackProps {
  readonly accountId: string;
  readonly chosen: ChosenMails;
}

/** Puts archived messages back into a mailbox: asks where to, shows what the trial run says, and starts it there. */
export function PutBack({ accountId, chosen }: PutBackProps): ReactNode {
  const { t } = useTranslation();
  const [isAsked, setIsAsked] = useState(false);
  const [restoreId, setRestoreId] = useState<string | null>(null);
  const { count } = chosen;
  const close = (): void => {
    setIsAsked(false);
    setRestoreId(null);
  };
  return (
    <>
      <Button
        size="xs"
        variant="default"
        disabled={count > MOST}
        title={count > MOST ? t('restore.tooMany', { most: formatNumber(MOST) }) : undefined}
        leftSection={<IconArrowBackUp size={14} aria-hidden />}
        onClick={() => setIsAsked(true)}
      >
        {t('restore.putBack')}
      </Button>
      <Modal opened={isAsked} onClose={close} title={t('restore.title', { count })} size="lg">
        {restoreId === null ? (
          <TargetForm accountId={accountId} chosen={chosen} onPlanned={setRestoreId} onClose={close} />
        ) : (
          <Restore accountId={accountId} restoreId={restoreId} onClose={close} />
        )}
      </Modal>
    </>
  );
}

interface TargetFormProps extends PutBackProps {
  readonly onPlanned: (restoreId: string) => void;
  readonly onClose: () => void;
}

function TargetForm({ accountId, chosen, onPlanned, onClose }: TargetFormProps): ReactNode {
  const { t } = useTranslation();
  const client = useQueryClient();
  const { mailboxAccounts } = useMe();
  const plan = useOperation('restore.planRestore');
  const usable = mailboxAccounts.filter(({ is_active, status }) => is_active && status !== 'disconnected');
  const isHere = usable.some(({ id }) => id === accountId);
  const form = useForm<RestoreForm>({
    initialValues: { ...BLANK_RESTORE, target: isHere ? accountId : (usable[0]?.id ?? SERVER) },
  });
  const { target, secure } = form.getValues();
  const submit = (values: RestoreForm): void =>
    plan.mutate(
      { accountId, body: restoreBody(chosen, values) },
      {
        onSuccess: ({ restoreId }) => {
          void invalidate(client, ['restore.listRestores', 'jobs.list']);
          onPlanned(restoreId);
        },
      },
    );
  return (
    <form onSubmit={form.onSubmit(submit)}>
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
        {target === SERVER && (
          <>
            <SimpleGrid cols={{ base: 1, sm: 2 }}>
              <TextInput
                label={t('restore.host')}
                required
                autoComplete="off"
                maxLength={253}
                {...form.getInputProps('host')}
              />
              <NumberInput
                label={t('restore.port')}
                required
                min={1}
                max={65_535}
                allowDecimal={false}
                {...form.getInputProps('port')}
              />
              <TextInput
                label={t('restore.user')}
                required
                autoComplete="off"
                maxLength={512}
                {...form.getInputProps('user')}
              />
              <PasswordField
                label={t('restore.pass')}
                description={t('restore.passHelp')}
                inputWrapperOrder={['label', 'input', 'description', 'error']}
                required
                autoComplete="off"
                maxLength={1_024}
                {...form.getInputProps('pass')}
              />
            </SimpleGrid>
            <TextInput
              label={t('restore.root')}
              description={t('restore.rootHelp')}
              maxLength={512}
              {...form.getInputProps('root')}
            />
            <Checkbox
              label={t('restore.secure')}
              description={secure ? undefined : t('restore.insecure')}
              {...form.getInputProps('secure', { type: 'checkbox' })}
            />
          </>
        )}
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
        {plan.error && <ProblemView error={plan.error} />}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {t('common.cancel')}
          </Button>
          <Button type="submit" loading={plan.isPending}>
            {t('restore.look')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
