import { Button, Group, Stack, Text } from '@mantine/core';
import type { Answer, Schemas } from '@mailroom/sdk';
import { useNavigate } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../../api/client';
import { ProofForm } from './ProofForm';

/** The page of the identity provider that comes next; null after unlinking. */
type Next = Answer<'singleSignOn.link'> | null;

interface SingleSignOnProps {
  /** Name of the identity provider. */
  readonly name: string;
  /** Whether signing in takes a code. */
  readonly needsCode: boolean;
}

/** Links the identity provider of the installation to the person, and unlinks it. */
export function SingleSignOn({ name, needsCode }: SingleSignOnProps): ReactNode {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const [asked, setAsked] = useState<'link' | 'unlink' | null>(null);
  const [isUnlinked, setIsUnlinked] = useState(false);
  const ask = (what: 'link' | 'unlink'): void => {
    setIsUnlinked(false);
    setAsked(what);
  };
  const send = async ({ password, totp_code: code }: Schemas['TwoFactorProofDto']): Promise<Next> => {
    const body = { password, totp_code: needsCode ? code : undefined };
    if (asked === 'link') return call('singleSignOn.link', { body });
    await call('singleSignOn.unlink', { body });
    return null;
  };
  const proceed = (next: Next): void => {
    // The identity provider asks who it is, and leads back here.
    if (next) return window.location.assign(next.url);
    setAsked(null);
    setIsUnlinked(true);
    // The result of an earlier visit to the identity provider no longer matters.
    void navigate({ to: '/settings/security', search: {}, replace: true });
  };
  if (asked !== null)
    return (
      <ProofForm
        text={t(asked === 'link' ? 'security.singleSignOn.text' : 'security.singleSignOn.unlinkText', {
          name,
        })}
        verb={t(`security.singleSignOn.${asked}`, { name })}
        needsCode={needsCode}
        send={send}
        onSent={proceed}
        onCancel={() => setAsked(null)}
      />
    );
  return (
    <Stack gap="sm">
      <Text size="sm" c="dimmed">
        {t('security.singleSignOn.text', { name })}
      </Text>
      {isUnlinked && (
        <Text size="sm" role="status">
          {t('security.singleSignOn.unlinked')}
        </Text>
      )}
      <Group>
        <Button variant="default" onClick={() => ask('link')}>
          {t('security.singleSignOn.link', { name })}
        </Button>
        <Button variant="default" onClick={() => ask('unlink')}>
          {t('security.singleSignOn.unlink', { name })}
        </Button>
      </Group>
    </Stack>
  );
}
