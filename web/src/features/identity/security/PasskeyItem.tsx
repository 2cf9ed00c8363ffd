import { Box, Button, Card, Group, Text } from '@mantine/core';
import type { Schemas } from '@mailroom/sdk';
import { useQueryClient } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useOperation } from '../../../api/op';
import { invalidate } from '../../../api/query-client';
import { formatShortDate } from '../../../i18n/format';
import { Confirm } from '../../../ui/Confirm';
import { Wrapping } from '../../../ui/Wrapping';
import { RenamePasskey } from './RenamePasskey';

/** A passkey, which can be renamed and deleted. */
export function PasskeyItem({ passkey }: { readonly passkey: Schemas['PasskeyResponse'] }): ReactNode {
  const { t } = useTranslation();
  const client = useQueryClient();
  const [isAsked, setIsAsked] = useState(false);
  const remove = useOperation('passkeys.delete');
  const { id, name, is_synced, created_at, last_used_at } = passkey;
  return (
    <Card withBorder component="li" padding="sm">
      <Group justify="space-between" wrap="nowrap" align="start">
        <Box miw={0}>
          <Wrapping size="sm" fw={600}>
            {name}
          </Wrapping>
          <Text size="xs" c="dimmed">
            {[
              t(is_synced ? 'security.passkeys.synced' : 'security.passkeys.onOneDevice'),
              t('security.passkeys.since', { time: formatShortDate(created_at) }),
              last_used_at === null
                ? t('security.passkeys.neverUsed')
                : t('security.passkeys.used', { time: formatShortDate(last_used_at) }),
            ].join(' · ')}
          </Text>
        </Box>
        <Group gap="xs" wrap="nowrap">
          <RenamePasskey passkey={passkey} />
          <Button
            size="compact-xs"
            variant="default"
            aria-label={t('common.named', { what: t('security.passkeys.delete'), name })}
            onClick={() => setIsAsked(true)}
          >
            {t('security.passkeys.delete')}
          </Button>
        </Group>
      </Group>
      <Confirm
        opened={isAsked}
        title={t('security.passkeys.deleteTitle', { name })}
        text={t('security.passkeys.deleteText')}
        verb={t('security.passkeys.delete')}
        destroys
        busy={remove.isPending}
        error={remove.error}
        onConfirm={() =>
          remove.mutate(
            { passkeyId: id },
            {
              onSuccess: () => {
                setIsAsked(false);
                void invalidate(client, ['passkeys.list']);
              },
            },
          )
        }
        onClose={() => setIsAsked(false)}
      />
    </Card>
  );
}
