import { ActionIcon, Indicator } from '@mantine/core';
import { IconBell } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { op } from '../api/op';

/** Number of unread notifications, with a link to them. */
export function Bell(): ReactNode {
  const { t } = useTranslation();
  const unread = useQuery(op('notifications.list', { page: 1, limit: 1, unread_only: 'true' }));
  const count = unread.data?.unreadCount ?? 0;
  const label = t('shell.unread', { count });
  return (
    <Indicator label={count} size={16} disabled={count === 0}>
      <ActionIcon
        variant="default"
        size="lg"
        aria-label={label}
        title={label}
        renderRoot={(props) => <Link to="/notifications" {...props} />}
      >
        <IconBell size={18} aria-hidden />
      </ActionIcon>
    </Indicator>
  );
}
