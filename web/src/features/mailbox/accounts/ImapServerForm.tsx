import {
  Alert,
  Button,
  Code,
  Group,
  NumberInput,
  Select,
  SimpleGrid,
  Stack,
  Text,
  TextInput,
} from '@mantine/core';
import { useForm } from '@mantine/form';
import { useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useOperation } from '../../../api/op';
import { invalidate } from '../../../api/query-client';
import { hasText } from '../../../i18n';
import type { mailboxes } from '../../../i18n/en/mailboxes';
import { formatFullDate } from '../../../i18n/format';
import { PasswordField } from '../../../ui/PasswordField';
import { ProblemView } from '../../../ui/ProblemView';
import { Wrapping } from '../../../ui/Wrapping';
import { bodyOf, PORTS, shownFingerprint, type Certificate, type ImapForm, type Test } from './imap-form';
import { ImapFolders } from './ImapFolders';

interface ImapServerFormProps {
  readonly email: string;
  /** Id of an account that is connected again. */
  readonly accountId?: string;
  readonly initial: ImapForm;
  readonly onDone: () => void;
  readonly onCancel: () => void;
}

/** A server and its login: tried first, then connected. */
export function ImapServerForm({
  email,
  accountId,
  initial,
  onDone,
  onCancel,
}: ImapServerFormProps): ReactNode {
  const { t } = useTranslation();
  const client = useQueryClient();
  const form = useForm<ImapForm>({ initialValues: initial });
  const wrongText = useWrongText();
  const test = useOperation('imapAccounts.test');
  const connect = useOperation('imapAccounts.connect');
  const run = (values: ImapForm): void =>
    test.mutate(
      { body: bodyOf(email, accountId, values) },
      {
        onSuccess: ({ field, code }) => {
          form.clearErrors();
          if (field && code && field !== 'certificateSha256')
            form.setFieldError(field, wrongText(code) ?? t('mailboxes.imap.check'));
        },
      },
    );
  const trust = (certificate: Certificate): void => {
    form.setFieldValue('certificateSha256', certificate.sha256);
    run({ ...form.getValues(), certificateSha256: certificate.sha256 });
  };
  const finish = (roles: Record<string, 'archive' | 'sent' | 'drafts' | 'junk' | 'trash'>): void => {
    const body = { ...bodyOf(email, accountId, form.getValues()), roles };
    connect.mutate(
      { body },
      {
        onSuccess: () => {
          void invalidate(client, ['auth.me', 'imapAccounts.get']);
          onDone();
        },
      },
    );
  };
  if (test.data?.success)
    return (
      <ImapFolders
        test={test.data}
        busy={connect.isPending}
        error={connect.error}
        onConfirm={finish}
        onBack={() => {
          connect.reset();
          test.reset();
        }}
      />
    );
  return (
    <form onSubmit={form.onSubmit(run)}>
      <Stack>
        <ServerFields form={form} />
        {test.isError && <ProblemView error={test.error} />}
        {test.data && !test.isPending && <Refusal test={test.data} onTrust={trust} />}
        <Group>
          <Button type="submit" loading={test.isPending}>
            {t('mailboxes.imap.test')}
          </Button>
          <Button variant="default" onClick={onCancel}>
            {t('common.cancel')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

function ServerFields({ form }: { readonly form: ReturnType<typeof useForm<ImapForm>> }): ReactNode {
  const { t } = useTranslation();
  const { security, port } = form.getValues();
  const protect = (next: string | null): void => {
    if (next !== 'tls' && next !== 'starttls') return;
    form.setFieldValue('security', next);
    // A port that the user has changed stays.
    if (port === PORTS[security]) form.setFieldValue('port', PORTS[next]);
  };
  return (
    <SimpleGrid cols={{ base: 1, sm: 2 }}>
      <PasswordField
        label={t('mailboxes.imap.password')}
        description={t('mailboxes.imap.passwordHelp')}
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        autoComplete="off"
        required
        {...form.getInputProps('password')}
      />
      <TextInput
        label={t('mailboxes.imap.username')}
        autoComplete="off"
        required
        {...form.getInputProps('username')}
      />
      <TextInput
        label={t('mailboxes.imap.host')}
        autoComplete="off"
        required
        {...form.getInputProps('host')}
      />
      <NumberInput
        label={t('mailboxes.imap.port')}
        min={1}
        max={65_535}
        allowDecimal={false}
        required
        {...form.getInputProps('port')}
      />
      <Select
        label={t('mailboxes.imap.security')}
        allowDeselect={false}
        data={[
          { value: 'tls', label: t('mailboxes.imap.securities.tls') },
          { value: 'starttls', label: t('mailboxes.imap.securities.starttls') },
        ]}
        {...form.getInputProps('security')}
        onChange={protect}
      />
    </SimpleGrid>
  );
}

/** Why the mailbox was not entered, in our words and in the server's. */
function Refusal({
  test,
  onTrust,
}: {
  readonly test: Test;
  readonly onTrust: (of: Certificate) => void;
}): ReactNode {
  const { t } = useTranslation();
  const wrongText = useWrongText();
  const { code, error, serverText, certificate } = test;
  return (
    <Alert
      color="red"
      role="alert"
      title={t('mailboxes.imap.refused')}
      styles={{ title: { color: 'var(--mantine-color-text)' } }}
    >
      <Stack gap="xs">
        <Text size="sm">{wrongText(code) ?? error}</Text>
        {serverText && <Wrapping size="sm">{t('mailboxes.imap.serverSays', { text: serverText })}</Wrapping>}
        {certificate && (
          <>
            <Text size="sm">
              {t('mailboxes.imap.certificate', {
                subject: certificate.subject,
                issuer: certificate.issuer,
                until: formatFullDate(certificate.validTo),
              })}
            </Text>
            <Code block style={{ whiteSpace: 'pre-wrap' }}>
              {shownFingerprint(certificate.sha256)}
            </Code>
            <Text size="sm">{t('mailboxes.imap.compare')}</Text>
            <Group>
              <Button size="xs" variant="default" onClick={() => onTrust(certificate)}>
                {t('mailboxes.imap.trust')}
              </Button>
            </Group>
          </>
        )}
      </Stack>
    </Alert>
  );
}

type Wrong = keyof typeof mailboxes.imap.wrong;

/** Our text for a code, where there is one. */
function useWrongText(): (code: string | undefined) => string | null {
  const { t } = useTranslation();
  return (code) => (isSaid(code) ? t(`mailboxes.imap.wrong.${code}`) : null);
}

const isSaid = (code: string | undefined): code is Wrong =>
  code !== undefined && hasText(`mailboxes.imap.wrong.${code}`);
