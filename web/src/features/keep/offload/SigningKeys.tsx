import { Code, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { op } from '../../../api/op';
import { formatShortDate } from '../../../i18n/format';
import { EmptyState } from '../../../ui/EmptyState';
import { QueryView } from '../../../ui/QueryView';

/** The public keys that receipts are checked with. */
export function SigningKeys(): ReactNode {
  const { t } = useTranslation();
  const keys = useQuery(op('offload.listSigningKeys'));
  return (
    <Stack gap="xs" component="section" aria-labelledby="signing-keys">
      <Title order={3} size="h5" id="signing-keys">
        {t('keep.offload.keys')}
      </Title>
      <Text size="sm" c="dimmed">
        {t('keep.offload.keysText')}
      </Text>
      <QueryView
        query={keys}
        empty={{ when: (all) => all.length === 0, show: <EmptyState text={t('keep.offload.noKeys')} /> }}
      >
        {(all) =>
          all.map(({ keyId, publicKey, createdAt }) => (
            <div key={keyId}>
              <Text size="xs">
                {keyId} · {t('keep.offload.since', { time: formatShortDate(createdAt) })}
              </Text>
              <Code block tabIndex={0}>
                {publicKey}
              </Code>
            </div>
          ))
        }
      </QueryView>
    </Stack>
  );
}
