import { Button, Group, Stack, Text } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useOperation } from '../../../api/op';
import { ProofForm } from './ProofForm';

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
  const link = useOperation('singleSignOn.link');
  const unlink = useOperation('singleSignOn.unlink');
  const close = (): void => {
    setAsked(null);
    link.reset();
    unlink.reset();
  };
  const unlinked = (): void => {
    setAsked(null);
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
        busy={link.isPending || unlink.isPending}
        error={link.error ?? unlink.error}
        onSubmit={({ password, totp_code: code }) => {
          const body = { password, totp_code: needsCode ? code : undefined };
          // The identity provider asks who it is, and leads back here.
          if (asked === 'link')
            link.mutate({ body }, { onSuccess: ({ url }) => window.location.assign(url) });
          else unlink.mutate({ body }, { onSuccess: unlinked });
        }}
        onCancel={close}
      />
    );
  return (
    <Stack gap="sm">
      <Text size="sm" c="dimmed">
        {t('security.singleSignOn.text', { name })}
      </Text>
      {unlink.isSuccess && (
        <Text size="sm" role="status">
          {t('security.singleSignOn.unlinked')}
        </Text>
      )}
      <Group>
        <Button variant="default" onClick={() => setAsked('link')}>
          {t('security.singleSignOn.link', { name })}
        </Button>
        <Button variant="default" onClick={() => setAsked('unlink')}>
          {t('security.singleSignOn.unlink', { name })}
        </Button>
      </Group>
    </Stack>
  );
}
