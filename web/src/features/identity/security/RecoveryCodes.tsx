import { Alert, Button, Code, CopyButton, Group, SimpleGrid, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { saveBytes } from '../../../ui/save-file';

interface RecoveryCodesProps {
  readonly codes: readonly string[];
  readonly onKept: () => void;
}

/** The only time that they can be read. */
export function RecoveryCodes({ codes, onKept }: RecoveryCodesProps): ReactNode {
  const { t } = useTranslation();
  const text = `${codes.join('\n')}\n`;
  return (
    <Stack gap="sm" align="start">
      <Alert
        color="yellow"
        role="status"
        title={t('security.recovery.title')}
        styles={{ title: { color: 'var(--mantine-color-text)' } }}
      >
        <Text size="sm">{t('security.recovery.text')}</Text>
      </Alert>
      <SimpleGrid
        cols={{ base: 1, xs: 2 }}
        component="ul"
        m={0}
        p={0}
        style={{ listStyle: 'none' }}
        spacing="xs"
      >
        {codes.map((code) => (
          <li key={code}>
            <Code fz="sm">{code}</Code>
          </li>
        ))}
      </SimpleGrid>
      <Group gap="xs">
        <CopyButton value={text}>
          {({ copied, copy }) => (
            <Button variant="default" onClick={copy}>
              {copied ? t('settings.copied') : t('settings.copy')}
            </Button>
          )}
        </CopyButton>
        <Button
          variant="default"
          onClick={() => saveBytes(new TextEncoder().encode(text), 'mailroom-recovery-codes.txt')}
        >
          {t('security.recovery.save')}
        </Button>
        <Button onClick={onKept}>{t('security.recovery.kept')}</Button>
      </Group>
    </Stack>
  );
}
