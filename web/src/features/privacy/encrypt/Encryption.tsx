import { Alert, Button, Checkbox, Group, Progress, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../../api/client';
import { op } from '../../../api/op';
import { formatNumber } from '../../../i18n/format';
import { PasswordField } from '../../../ui/PasswordField';
import { showStarted } from '../../../jobs/job-toast';
import { ProblemView } from '../../../ui/ProblemView';
import { QueryView } from '../../../ui/QueryView';
import { useServiceForm } from '../../../ui/use-service-form';

/** Shortest passphrase that the service accepts, in characters. */
const SHORTEST = 8;

/** Share of the archive that is encrypted; the passphrase is chosen once, and the rest is encrypted with it. */
export function Encryption({ accountId }: { readonly accountId: string }): ReactNode {
  const { t } = useTranslation();
  const status = useQuery(op('privacy.getEncryptionStatus', { accountId }));
  return (
    <QueryView query={status}>
      {({ total, encrypted, unencrypted, percentage, hasEncryptionKey }) => (
        <Stack maw={560}>
          <Text size="sm">{t('privacy.encryptionText')}</Text>
          <div>
            <Text size="sm" mb={4}>
              {t('privacy.encrypted', { encrypted: formatNumber(encrypted), count: total })}
            </Text>
            <Progress value={percentage} aria-label={t('privacy.tabs.encryption')} />
          </div>
          {hasEncryptionKey ? (
            unencrypted > 0 && <EncryptRest accountId={accountId} count={unencrypted} />
          ) : (
            <ChoosePassphrase />
          )}
        </Stack>
      )}
    </QueryView>
  );
}

/** Form to choose a passphrase: two fields, and a confirmation that no one can open the mail without it. */
function ChoosePassphrase(): ReactNode {
  const { t } = useTranslation();
  const form = useServiceForm({
    initial: { passphrase: '', again: '', understood: false },
    validate: {
      passphrase: (value) => (value.length < SHORTEST ? t('privacy.tooShort', { count: SHORTEST }) : null),
      again: (value, { passphrase }) => (value === passphrase ? null : t('privacy.differs')),
    },
    send: ({ passphrase }) => call('privacy.setUpEncryption', { body: { passphrase } }),
    outdated: ['privacy.getEncryptionStatus'],
  });
  return (
    <form onSubmit={form.submit}>
      <Stack>
        <Alert
          color="yellow"
          title={t('privacy.noWayBack')}
          styles={{ title: { color: 'var(--mantine-color-text)' } }}
        >
          <Text size="sm">{t('privacy.noWayBackText')}</Text>
        </Alert>
        <PasswordField
          label={t('privacy.passphrase')}
          autoComplete="new-password"
          {...form.getInputProps('passphrase')}
        />
        <PasswordField
          label={t('privacy.again')}
          autoComplete="new-password"
          {...form.getInputProps('again')}
        />
        <Checkbox
          label={t('privacy.understood')}
          {...form.getInputProps('understood', { type: 'checkbox' })}
        />
        {form.unsaid && <ProblemView error={form.unsaid} />}
        <Group>
          <Button type="submit" disabled={!form.values.understood} loading={form.isSending}>
            {t('privacy.choose')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

function EncryptRest({
  accountId,
  count,
}: {
  readonly accountId: string;
  readonly count: number;
}): ReactNode {
  const { t } = useTranslation();
  const form = useServiceForm({
    initial: { passphrase: '' },
    send: ({ passphrase }) => call('privacy.encryptArchive', { accountId, body: { passphrase } }),
    outdated: ['jobs.list'],
    onSent: ({ jobId }) => {
      form.reset();
      showStarted(jobId, t('privacy.encrypting'));
    },
  });
  return (
    <form onSubmit={form.submit}>
      <Stack>
        <PasswordField
          label={t('privacy.passphrase')}
          autoComplete="current-password"
          {...form.getInputProps('passphrase')}
        />
        {form.unsaid && <ProblemView error={form.unsaid} />}
        <Group>
          <Button type="submit" disabled={form.values.passphrase === ''} loading={form.isSending}>
            {t('privacy.encrypt', { count })}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
