import { Alert } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { hasText } from '../../i18n';
import type { singleSignOn } from '../../i18n/en/singleSignOn';

interface SingleSignOnFailureProps {
  /** Code of the service. */
  readonly code: string;
}

/** Why signing in through the identity provider, or linking it, failed. */
export function SingleSignOnFailure({ code }: SingleSignOnFailureProps): ReactNode {
  const { t } = useTranslation();
  return (
    <Alert color="red" role="alert" title={t('singleSignOn.failed.title')}>
      {isSaid(code) ? t(`singleSignOn.failed.${code}`) : t('singleSignOn.failed.other', { code })}
    </Alert>
  );
}

const isSaid = (code: string): code is Exclude<keyof typeof singleSignOn.failed, 'title' | 'other'> =>
  hasText(`singleSignOn.failed.${code}`) && code !== 'title' && code !== 'other';
