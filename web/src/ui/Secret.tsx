import { Button, CopyButton, Group, TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

interface SecretProps {
  readonly label: string;
  readonly value: string;
}

/** A value that is to be copied, and cannot be changed. */
export function Secret({ label, value }: SecretProps): ReactNode {
  const { t } = useTranslation();
  return (
    <Group align="end" gap="xs" wrap="nowrap">
      <TextInput
        label={label}
        value={value}
        readOnly
        onFocus={(event) => event.currentTarget.select()}
        styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
        flex={1}
        miw={0}
      />
      <CopyButton value={value}>
        {({ copied, copy }) => (
          <Button
            variant="default"
            onClick={copy}
            aria-label={t('common.named', {
              what: copied ? t('settings.copied') : t('settings.copy'),
              name: label,
            })}
          >
            {copied ? t('settings.copied') : t('settings.copy')}
          </Button>
        )}
      </CopyButton>
    </Group>
  );
}
