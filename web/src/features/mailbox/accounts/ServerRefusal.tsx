import { Alert, Button, Code, Group, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { formatFullDate } from '../../../i18n/format';
import { Wrapping } from '../../../ui/Wrapping';
import { formatFingerprint, type Certificate, type Test } from './imap-form';
import { useWrongText } from './use-wrong-text';

/** Why the mailbox was not entered, in our words and in the server's. */
export function ServerRefusal({
  test,
  onTrust,
}: {
  readonly test: Test;
  readonly onTrust: (of: Certificate) => void;
}): ReactNode {
  const { t } = useTranslation();
  const wrongText = useWrongText();
  const { code, error, serverText, certificate } = test;
  return (
    <Alert
      color="red"
      role="alert"
      title={t('mailboxes.imap.refused')}
      styles={{ title: { color: 'var(--mantine-color-text)' } }}
    >
      <Stack gap="xs">
        <Text size="sm">{wrongText(code) ?? error}</Text>
        {serverText && <Wrapping size="sm">{t('mailboxes.imap.serverSays', { text: serverText })}</Wrapping>}
        {certificate && (
          <>
            <Text size="sm">
              {t('mailboxes.imap.certificate', {
                subject: certificate.subject,
                issuer: certificate.issuer,
                until: formatFullDate(certificate.validTo),
              })}
            </Text>
            <Code block>{formatFingerprint(certificate.sha256)}</Code>
            <Text size="sm">{t('mailboxes.imap.compare')}</Text>
            <Group>
              <Button size="xs" variant="default" onClick={() => onTrust(certificate)}>
                {t('mailboxes.imap.trust')}
              </Button>
            </Group>
          </>
        )}
      </Stack>
    </Alert>
  );
}
