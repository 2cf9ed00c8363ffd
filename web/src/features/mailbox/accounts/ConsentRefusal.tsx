import { Alert } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { hasText } from '../../../i18n';
import type { mailboxes } from '../../../i18n/en/mailboxes';

/** Says why a consent has connected no mailbox. */
export function ConsentRefusal({ code = '' }: { readonly code: string | undefined }): ReactNode {
  const { t } = useTranslation();
  return (
    <Alert color="red" role="alert" title={t('mailboxes.failed.title')}>
      {isSaid(code) ? t(`mailboxes.failed.${code}`) : t('mailboxes.failed.other', { code })}
    </Alert>
  );
}

const isSaid = (code: string): code is Exclude<keyof typeof mailboxes.failed, 'title' | 'other'> =>
  hasText(`mailboxes.failed.${code}`) && code !== 'title' && code !== 'other';
