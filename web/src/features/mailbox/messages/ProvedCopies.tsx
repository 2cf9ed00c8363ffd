import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { op } from '../../../api/op';
import type { Target } from './use-changes';

/** Largest number of messages of one request. */
const MOST = 10_000;

interface ProvedCopiesProps {
  readonly accountId: string;
  readonly target: Target | null;
}

/** Before messages go: how many of those that were chosen one by one have a proved copy in the archive. */
export function ProvedCopies({ accountId, target }: ProvedCopiesProps): ReactNode {
  const { t } = useTranslation();
  const messageIds = target !== null && 'messageIds' in target ? [...target.messageIds] : [];
  const archiving = useQuery(op('archiving.get', { accountId }));
  const isOn = archiving.data !== undefined && archiving.data.mode !== 'off';
  const asked = useQuery({
    ...op('coverage.askDeletable', { accountId, body: { messageIds } }),
    enabled: isOn && messageIds.length > 0 && messageIds.length <= MOST,
    retry: false,
  });
  if (!asked.data) return null;
  const { yes, no } = asked.data;
  return (
    <Text size="sm" role="status">
      {no === 0 ? t('mailbox.proved.all', { count: yes }) : t('mailbox.proved.some', { count: no })}
    </Text>
  );
}
