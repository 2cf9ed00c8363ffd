import { Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useMe } from '../../api/me';
import { Page } from '../../ui/Page';
import { Section } from '../../ui/Section';
import { PasswordForm } from './PasswordForm';
import { Sessions } from './Sessions';
import { TwoFactor } from './TwoFactor';

/** How the person signs in, and where they are signed in. */
export function SecurityPage(): ReactNode {
  const { t } = useTranslation();
  const { user } = useMe();
  return (
    <Page title={t('security.title')}>
      <Section title={t('security.password.title')}>
        {user.has_password ? (
          <PasswordForm needsCode={user.totp_enabled} />
        ) : (
          <Text size="sm">{t('security.password.none')}</Text>
        )}
      </Section>
      {user.has_password && (
        <Section title={t('security.twoFactor.title')}>
          <TwoFactor />
        </Section>
      )}
      <Section title={t('security.sessions.title')}>
        <Sessions />
      </Section>
    </Page>
  );
}
