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

type Key = Schemas['ApiKeyResponse'];

/** A key, without its secret; it can be revoked. */
export function KeyItem({ apiKey }: { readonly apiKey: Key }): ReactNode {
  const { t } = useTranslation();
  const client = useQueryClient();
  const [isAsked, setIsAsked] = useState(false);
  const revoke = useOperation('apiKeys.delete');
  const { id, name, prefix, scope, account_ids, created_at, last_used_at, expires_at } = apiKey;
  const isExpired = expires_at !== null && new Date(expires_at) <= new Date();
  return (
    <Card withBorder component="li" padding="sm">
      <Group justify="space-between" wrap="nowrap" align="start">
        <Box miw={0}>
          <Wrapping size="sm" fw={600}>
            {name}
          </Wrapping>
          <Text size="xs" c="dimmed">
            {[
              t('apiKeys.begins', { prefix }),
              t(`apiKeys.scopes.${scope}`),
              account_ids === null
                ? t('apiKeys.allMailboxes')
                : t('apiKeys.limited', { count: account_ids.length }),
              t('apiKeys.since', { time: formatShortDate(created_at) }),
              last_used_at === null
                ? t('apiKeys.neverUsed')
                : t('apiKeys.used', { time: formatShortDate(last_used_at) }),
              ...(expires_at === null
                ? []
                : [
                    t(isExpired ? 'apiKeys.expired' : 'apiKeys.until', { time: formatShortDate(expires_at) }),
                  ]),
            ].join(' · ')}
          </Text>
        </Box>
        <Button
          size="compact-xs"
          variant="default"
          aria-label={t('common.named', { what: t('apiKeys.revoke'), name })}
          onClick={() => setIsAsked(true)}
        >
          {t('apiKeys.revoke')}
        </Button>
      </Group>
      <Confirm
        opened={isAsked}
        title={t('apiKeys.revokeTitle', { name })}
        text={t('apiKeys.revokeText')}
        verb={t('apiKeys.revoke')}
        destroys
        busy={revoke.isPending}
        error={revoke.error}
        onConfirm={() =>
          revoke.mutate(
            { keyId: id },
            {
              onSuccess: () => {
                setIsAsked(false);
                void invalidate(client, ['apiKeys.list']);
              },
            },
          )
        }
        onClose={() => setIsAsked(false)}
      />
    </Card>
  );
}
