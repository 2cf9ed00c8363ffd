import {
  Alert,
  Button,
  Checkbox,
  Group,
  NumberInput,
  Paper,
  SimpleGrid,
  Stack,
  Text,
  TextInput,
  Title,
} from '@mantine/core';
import { useForm } from '@mantine/form';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { MailboxAccount } from '../../../api/me';
import { useOperation } from '../../../api/op';
import { toProblem } from '../../../api/problems';
import { invalidate } from '../../../api/query-client';
import { isOpen, useJob } from '../../../jobs/job-cache';
import { failureText } from '../../../jobs/job-failure';
import { PasswordField } from '../../../ui/PasswordField';
import { ProblemView } from '../../../ui/ProblemView';
import { INBOX, TLS_PORT, wrongField, type ImapField, type ImapForm } from './imap-problem';

const PLAIN_PORT = 143;
const BLANK: ImapForm = {
  host: '',
  port: TLS_PORT,
  secure: true,
  user: '',
  pass: '',
  folder: INBOX,
  maxMessages: '',
};

type ImapImportProps = { readonly account: Pick<MailboxAccount, 'id' | 'email'> };

/** Copies a folder of another mail server. What is wrong is said at its field, and the rest stays as it was typed. */
export function ImapImport({ account }: ImapImportProps): ReactNode {
  const { t } = useTranslation();
  const client = useQueryClient();
  const form = useForm<ImapForm>({ initialValues: BLANK });
  const start = useOperation('import.importImap');
  const job = useJob(start.data?.jobId ?? null);
  const { setErrors, setFieldError } = form;
  const failure = job?.status === 'failed' ? job : null;
  const tried = start.variables?.body;
  const wrong = failure && tried ? wrongField(failure, tried) : null;
  const { field, text } = wrong ?? {};
  useEffect(() => {
    if (field && text) setFieldError(field, text);
    // A second try may fail for the same reason.
  }, [failure?.id, field, text, setFieldError]);
  useEffect(() => {
    const fields = start.error ? toProblem(start.error).fields : [];
    setErrors(Object.fromEntries(fields.map(({ field, message }) => [field, message])));
  }, [start.error, setErrors]);
  const submit = ({ host, port, folder, maxMessages, ...rest }: ImapForm): void =>
    start.mutate(
      {
        accountId: account.id,
        body: {
          ...rest,
          host: host.trim(),
          port: Number(port),
          folder: folder.trim() || INBOX,
          maxMessages: maxMessages === '' ? undefined : Number(maxMessages),
        },
      },
      // Its event does not say what it imports.
      { onSuccess: () => void invalidate(client, ['jobs.list']) },
    );
  const isBusy = start.isPending || (job !== undefined && isOpen(job) && job.processed === 0);
  return (
    <Paper withBorder p="md" component="section" aria-labelledby="from-imap">
      <Title order={2} size="h4" id="from-imap">
        {t('imapImport.title')}
      </Title>
      <Text size="sm" c="dimmed" mb="sm">
        {t('imapImport.text', { email: account.email })}
      </Text>
      <form onSubmit={form.onSubmit(submit)}>
        <Stack>
          <ImapFields form={form} />
          {start.isError && <ProblemView error={start.error} />}
          {failure && !wrong && (
            <Alert color="red" role="alert" title={t('imapImport.failed')}>
              {failureText(failure.error ?? '', failure.error_code)}
            </Alert>
          )}
          {job && isOpen(job) && (
            <Text size="sm" role="status">
              {t('imapImport.running')}
            </Text>
          )}
          <Group>
            <Button type="submit" loading={isBusy}>
              {t('imapImport.submit')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Paper>
  );
}

type Form = ReturnType<typeof useForm<ImapForm>>;

function ImapFields({ form }: { readonly form: Form }): ReactNode {
  const { t } = useTranslation();
  const { secure, port } = form.getValues();
  const field = (name: ImapField): ReturnType<Form['getInputProps']> => form.getInputProps(name);
  const switchTls = (on: boolean): void => {
    form.setFieldValue('secure', on);
    // A port that the user has changed stays.
    if (port === (on ? PLAIN_PORT : TLS_PORT)) form.setFieldValue('port', on ? TLS_PORT : PLAIN_PORT);
  };
  return (
    <>
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        <TextInput
          label={t('imapImport.host')}
          placeholder={t('imapImport.hostPlaceholder')}
          autoComplete="off"
          required
          {...field('host')}
        />
        <NumberInput label={t('imapImport.port')} min={1} max={65_535} required {...field('port')} />
        <TextInput label={t('imapImport.user')} autoComplete="off" required {...field('user')} />
        <PasswordField
          label={t('imapImport.pass')}
          description={t('imapImport.passHelp')}
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          autoComplete="off"
          required
          {...field('pass')}
        />
        <TextInput
          label={t('imapImport.folder')}
          description={t('imapImport.folderHelp')}
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          {...field('folder')}
        />
        <NumberInput
          label={t('imapImport.most')}
          description={t('imapImport.mostHelp')}
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          min={1}
          allowDecimal={false}
          {...field('maxMessages')}
        />
      </SimpleGrid>
      <Checkbox
        label={t('imapImport.secure')}
        description={secure ? undefined : t('imapImport.insecure')}
        checked={secure}
        error={field('secure').error as ReactNode}
        onChange={(event) => switchTls(event.currentTarget.checked)}
      />
    </>
  );
}
