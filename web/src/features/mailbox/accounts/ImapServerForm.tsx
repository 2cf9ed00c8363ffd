import { Button, Group, Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../../api/client';
import { ProblemView } from '../../../ui/ProblemView';
import { useServiceForm } from '../../../ui/use-service-form';
import { bodyOf, type Certificate, type ImapForm } from './imap-form';
import { ImapFolders } from './ImapFolders';
import { ServerFields } from './ServerFields';
import { ServerRefusal } from './ServerRefusal';
import { useWrongText } from './use-wrong-text';

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
  const wrongText = useWrongText();
  const form = useServiceForm({
    initial,
    send: (values) => call('imapAccounts.test', { body: bodyOf(email, accountId, values) }),
    onSent: ({ field, code }) => {
      form.clearErrors();
      if (field && code && field !== 'certificateSha256')
        form.setFieldError(field, wrongText(code) ?? t('mailboxes.imap.check'));
    },
  });
  const trust = (certificate: Certificate): void => {
    form.setFieldValue('certificateSha256', certificate.sha256);
    form.submit();
  };
  const { answer: test } = form;
  if (test?.success)
    return (
      <ImapFolders
        test={test}
        server={bodyOf(email, accountId, form.getValues())}
        onDone={onDone}
        onBack={form.forget}
      />
    );
  return (
    <form onSubmit={form.submit}>
      <Stack>
        <ServerFields form={form} />
        {form.unsaid && <ProblemView error={form.unsaid} />}
        {test && !form.isSending && <ServerRefusal test={test} onTrust={trust} />}
        <Group>
          <Button type="submit" loading={form.isSending}>
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
