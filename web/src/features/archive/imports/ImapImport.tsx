import { Alert, Button, Group, Paper, Stack, Text, Title } from '@mantine/core';
import { useEffect, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../../api/client';
import type { MailboxAccount } from '../../../api/me';
import { isOpen, useJob } from '../../../jobs/job-cache';
import { failureText } from '../../../jobs/job-failure';
import { ProblemView } from '../../../ui/ProblemView';
import { useServiceForm } from '../../../ui/use-service-form';
import { bodyOf, INBOX, TLS_PORT, wrongField, type ImapForm } from './imap-problem';
import { ImapFields } from './ImapFields';

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
  const form = useServiceForm({
    initial: BLANK,
    send: (values) => call('import.importImap', { accountId: account.id, body: bodyOf(values) }),
    // Its event does not say what it imports.
    outdated: ['jobs.list'],
  });
  const { answer, isSending, sent, setFieldError } = form;
  const job = useJob(answer?.jobId ?? null);
  const failure = job?.status === 'failed' ? job : null;
  const wrong = failure && sent ? wrongField(failure, bodyOf(sent)) : null;
  const { field, text } = wrong ?? {};
  useEffect(() => {
    if (field && text) setFieldError(field, text);
    // A second try may fail for the same reason.
  }, [failure?.id, field, text, setFieldError]);
  const isBusy = isSending || (job !== undefined && isOpen(job) && job.processed === 0);
  return (
    <Paper withBorder p="md" component="section" aria-labelledby="from-imap">
      <Title order={2} size="h4" id="from-imap">
        {t('imapImport.title')}
      </Title>
      <Text size="sm" c="dimmed" mb="sm">
        {t('imapImport.text', { email: account.email })}
      </Text>
      <form onSubmit={form.submit}>
        <Stack>
          <ImapFields form={form} />
          {form.unsaid && <ProblemView error={form.unsaid} />}
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
