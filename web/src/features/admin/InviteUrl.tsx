import { Button, CopyButton, Group, Stack, Text, TextInput } from '@mantine/core';
import type { Schemas } from '@mailroom/sdk';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { formatFullDate } from '../../i18n/format';

/** The way in for a person who was invited; it is not shown again. */
export function InviteUrl({ invited }: { readonly invited: Schemas['InvitedUserResponse'] }): ReactNode {
  const { t } = useTranslation();
  const { user, inviteUrl, expires_at: expires } = invited;
  return (
    <Stack gap="xs" role="status">
      <Text size="sm">{t('admin.invited', { email: user.email, time: formatFullDate(expires) })}</Text>
      <Group align="end" gap="xs">
        <TextInput
          label={t('admin.inviteUrl')}
          value={inviteUrl}
          readOnly
          flex={1}
          miw={200}
          onFocus={(event) => event.currentTarget.select()}
        />
        <CopyButton value={inviteUrl}>
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
