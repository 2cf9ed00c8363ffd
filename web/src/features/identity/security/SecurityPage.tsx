import { Alert, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { useMe } from '../../../api/me';
import { op } from '../../../api/op';
import { Page } from '../../../ui/Page';
import { Section } from '../../../ui/Section';
import { SingleSignOnFailure } from '../SingleSignOnFailure';
import { Passkeys } from './Passkeys';
import { PasswordForm } from './PasswordForm';
import { SingleSignOn } from './SingleSignOn';
import { Sessions } from './Sessions';
import { TwoFactor } from './TwoFactor';

/** Ways in which the person signs in, and their sessions. */
export function SecurityPage(): ReactNode {
  const { t } = useTranslation();
  const { user } = useMe();
  const config = useQuery(op('auth.config'));
  const { oidc, passkeys } = config.data ?? {};
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
      {passkeys && user.has_password && (
        <Section title={t('security.passkeys.title')}>
          <Passkeys needsCode={user.totp_enabled} />
        </Section>
      )}
      {oidc && user.has_password && (
        <Section title={t('security.singleSignOn.title')}>
          <Stack>
            <LinkOutcome name={oidc.name} />
            <SingleSignOn name={oidc.name} needsCode={user.totp_enabled} />
          </Stack>
        </Section>
      )}
      <Section title={t('security.sessions.title')}>
        <Sessions />
      </Section>
    </Page>
  );
}

function LinkOutcome({ name }: { readonly name: string }): ReactNode {
  const { t } = useTranslation();
  const { oidc, code = '' } = useSearch({ from: '/signed-in/settings/security' });
  if (oidc === 'error') return <SingleSignOnFailure code={code} />;
  if (oidc === undefined) return null;
  return (
    <Alert color="green" role="status">
      {t('singleSignOn.linked', { name })}
    </Alert>
  );
}
