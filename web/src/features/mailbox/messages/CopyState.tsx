import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { op } from '../../../api/op';
import { formatDay } from '../../../i18n/format';

interface CopyStateProps {
  readonly accountId: string;
  readonly messageId: string;
}

/** State of a message's copy in the archive, where the mailbox is archived continuously. */
export function CopyState({ accountId, messageId }: CopyStateProps): ReactNode {
  const { t } = useTranslation();
  const archiving = useQuery(op('archiving.get', { accountId }));
  const isOn = archiving.data !== undefined && archiving.data.mode !== 'off';
  // A message that has just arrived is not known there yet: nothing is said of it.
  const state = useQuery({
    ...op('coverage.getMessage', { accountId, messageId }),
    enabled: isOn,
    retry: false,
  });
  const { class: copied, verifiedOn } = state.data ?? {};
  if (copied === undefined || copied === null) return null;
  // In a mailbox that is only watched, no message waits for a copy.
  const name = copied === 'pending' && archiving.data?.mode === 'watch' ? 'absent' : copied;
  return (
    <Text size="xs" c="dimmed">
      {t(`mailbox.copy.${name}`, { day: verifiedOn ? formatDay(verifiedOn) : '' })}
    </Text>
  );
}
