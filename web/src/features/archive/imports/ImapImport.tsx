import { Alert, Button, Group, Paper, Stack, Text, Title } from '@mantine/core';
import type { Schemas } from '@mailroom/sdk';
import { MailroomError } from '@mailroom/sdk';
import { useEffect, useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../../api/client';
import type { MailboxAccount } from '../../../api/me';
import { isOpen, useJob } from '../../../jobs/job-cache';
import { failureText } from '../../../jobs/job-failure';
import { hasEffect, TransferForecast } from '../../../shared/forecast/TransferForecast';
import { ProblemView } from '../../../ui/ProblemView';
import { useServiceForm } from '../../../ui/use-service-form';
import { bodyOf, INBOX, TLS_PORT, wrongField, type ImapForm, type ImapImportRequest } from './imap-problem';
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

/** A forecast that the person has been shown, and the request that it is about. */
interface Shown {
  readonly forecast: Schemas['TransferForecastResponse'];
  readonly request: string;
}

/**
 * Copies a folder of another mail server. What is wrong is said at its field, and the rest stays as it was typed. Limits of the
 * provider that have an effect are said before the import is started, which then takes a second click.
 */
export function ImapImport({ account }: ImapImportProps): ReactNode {
  const { t } = useTranslation();
  const [shown, setShown] = useState<Shown | null>(null);
  const start = async (values: ImapForm): Promise<{ readonly jobId: string | null }> => {
    const body = bodyOf(values);
    const request = JSON.stringify(body);
    if (request !== shown?.request) {
      const forecast = await findForecast(account.id, body);
      setShown(forecast && { forecast, request });
      if (forecast) return { jobId: null };
    }
    return call('import.importImap', { accountId: account.id, body });
  };
  const form = useServiceForm({
    initial: BLANK,
    send: start,
    // Its event does not say what it imports.
    outdated: ['jobs.list'],
  });
  const { answer, isSending, sent, setFieldError } = form;
  const job = useJob(answer?.jobId ?? null);
  const failure = job?.status === 'failed' ? job : null;
  const refusal = form.error instanceof MailroomError ? form.error : null;
  const reported = failure ?? (refusal && { error: refusal.detail, error_code: refusal.code });
  const wrong = reported && sent ? wrongField(reported, bodyOf(sent)) : null;
  const { field, text } = wrong ?? {};
  useEffect(() => {
    if (field && text) setFieldError(field, text);
    // A second try may fail for the same reason.
  }, [failure?.id, refusal, field, text, setFieldError]);
  const isForecast = shown !== null && shown.request === JSON.stringify(bodyOf(form.getValues()));
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
          {form.unsaid && !wrong && <ProblemView error={form.unsaid} />}
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
          {isForecast && job === undefined && <TransferForecast forecast={shown.forecast} isImport />}
          <Group>
            <Button type="submit" loading={isBusy}>
              {t(isForecast && job === undefined ? 'imapImport.start' : 'imapImport.submit')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Paper>
  );
}

/**
 * Asks what the provider's limits do to an import; null: nothing that is known. Where the server is not available or has reached its
 * limit the import can still be started: its job reports the same, or waits until it has passed. Other refusals are thrown.
 */
async function findForecast(
  accountId: string,
  body: ImapImportRequest,
): Promise<Schemas['TransferForecastResponse'] | null> {
  try {
    const forecast = await call('import.forecastImap', { accountId, body });
    return hasEffect(forecast) ? forecast : null;
  } catch (error) {
    if (error instanceof MailroomError && error.status === 503 && error.code.startsWith('imap-')) return null;
    throw error;
  }
}
