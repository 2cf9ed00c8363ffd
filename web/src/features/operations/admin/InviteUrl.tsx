import { Button, CopyButton, Group, Stack, Text, TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

interface InviteUrlProps {
  readonly text: string;
  readonly label: string;
  readonly url: string;
}

/** An address that an administrator passes on to one person; it is not shown again. */
export function InviteUrl({ text, label, url }: InviteUrlProps): ReactNode {
  const { t } = useTranslation();
  return (
    <Stack gap="xs" role="status">
      <Text size="sm">{text}</Text>
      <Group align="end" gap="xs">
        <TextInput
          label={label}
          value={url}
          readOnly
          flex={1}
          miw={200}
          onFocus={(event) => event.currentTarget.select()}
        />
        <CopyButton value={url}>
          {({ copied, copy }) => (
            <Button variant="default" onClick={copy}>
              {t(copied ? 'admin.copied' : 'admin.copy')}
            </Button>
          )}
        </CopyButton>
      </Group>
    </Stack>
  );
}
