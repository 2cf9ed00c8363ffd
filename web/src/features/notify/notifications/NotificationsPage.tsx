import { Anchor, Box, Button, Card, Group, SegmentedControl, Text } from '@mantine/core';
import type { Schemas } from '@mailroom/sdk';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { op, useOperation } from '../../../api/op';
import { invalidate } from '../../../api/query-client';
import { formatFullDate, formatShortDate } from '../../../i18n/format';
import { noticeText } from '../../../jobs/notice';
import { noticeLink } from '../../../jobs/notice-link';
import { EmptyState } from '../../../ui/EmptyState';
import { Page } from '../../../ui/Page';
import { PlainList } from '../../../ui/PlainList';
import { ProblemView } from '../../../ui/ProblemView';
import { QueryView } from '../../../ui/QueryView';
import { Section } from '../../../ui/Section';
import { Wrapping } from '../../../ui/Wrapping';
import { NotificationPreferences } from './NotificationPreferences';

type Notification = Schemas['NotificationResponse'];

const PER_PAGE = 20;

/** Notifications of the person, and their notification settings. */
export function NotificationsPage(): ReactNode {
  const { t } = useTranslation();
  const client = useQueryClient();
  const [unread, setUnread] = useState(false);
  const [page, setPage] = useState(1);
  const list = useQuery(
    op('notifications.list', { page, limit: PER_PAGE, unread_only: unread ? 'true' : 'false' }),
  );
  const readAll = useOperation('notifications.markAllRead');
  const deleteRead = useOperation('notifications.deleteRead');
  const again = {
    onSuccess: () => {
      setPage(1);
      void invalidate(client, ['notifications.list']);
    },
  };
  const error = readAll.error ?? deleteRead.error;
  return (
    <Page title={t('notifications.title')}>
      <Group justify="space-between">
        <SegmentedControl
          size="xs"
          aria-label={t('notifications.which')}
          value={unread ? 'unread' : 'all'}
          onChange={(which) => {
            setUnread(which === 'unread');
            setPage(1);
          }}
          data={[
            { value: 'all', label: t('notifications.all') },
            { value: 'unread', label: t('notifications.unread') },
          ]}
        />
        <Group gap="xs">
          <Button
            size="xs"
            variant="default"
            loading={readAll.isPending}
            onClick={() => readAll.mutate({}, again)}
          >
            {t('notifications.readAll')}
          </Button>
          <Button
            size="xs"
            variant="default"
            loading={deleteRead.isPending}
            onClick={() => deleteRead.mutate({}, again)}
          >
            {t('notifications.deleteRead')}
          </Button>
        </Group>
      </Group>
      {error && <ProblemView error={error} />}
      <QueryView
        query={list}
        empty={{
          when: ({ notifications }) => notifications.length === 0,
          show: <EmptyState text={t(unread ? 'notifications.noneUnread' : 'notifications.none')} />,
        }}
      >
        {({ notifications }) => (
          <>
            <PlainList gap="xs" aria-label={t('notifications.title')}>
              {notifications.map((notification) => (
                <Item key={notification.id} notification={notification} />
              ))}
            </PlainList>
            <Group justify="center">
              {page > 1 && (
                <Button size="xs" variant="default" onClick={() => setPage(page - 1)}>
                  {t('notifications.newer')}
                </Button>
              )}
              {notifications.length === PER_PAGE && (
                <Button size="xs" variant="default" onClick={() => setPage(page + 1)}>
                  {t('notifications.older')}
                </Button>
              )}
            </Group>
          </>
        )}
      </QueryView>
      <Section title={t('notifications.preferences')}>
        <NotificationPreferences />
      </Section>
    </Page>
  );
}

function Item({ notification }: { readonly notification: Notification }): ReactNode {
  const { t } = useTranslation();
  const client = useQueryClient();
  const read = useOperation('notifications.markRead');
  const remove = useOperation('notifications.delete');
  const { id: notificationId, is_read: isRead, created_at: createdAt } = notification;
  const { title, body } = noticeText(notification);
  const link = noticeLink(notification);
  const again = { onSuccess: () => void invalidate(client, ['notifications.list']) };
  return (
    <Card withBorder component="li" padding="sm">
      <Group justify="space-between" align="start" gap="xs">
        {/* Beside the buttons where there is room, else above them. */}
        <Box miw={0} flex="1 1 14rem">
          <Text size="sm" fw={isRead ? 400 : 700}>
            {link === null ? (
              title
            ) : (
              <Anchor
                inherit
                // Who follows it has read it.
                onClick={isRead ? undefined : () => read.mutate({ notificationId }, again)}
                renderRoot={(props) => <Link {...link} {...props} />}
              >
                {title}
              </Anchor>
            )}
          </Text>
          <Wrapping size="sm">{body}</Wrapping>
          <Text size="xs" c="dimmed" title={formatFullDate(createdAt)}>
            {formatShortDate(createdAt)}
          </Text>
        </Box>
        <Group gap={4} wrap="nowrap">
          {!isRead && (
            <Button
              size="compact-xs"
              variant="default"
              aria-label={t('common.named', { what: t('notifications.read'), name: title })}
              onClick={() => read.mutate({ notificationId }, again)}
            >
              {t('notifications.read')}
            </Button>
          )}
          <Button
            size="compact-xs"
            variant="default"
            aria-label={t('common.named', { what: t('notifications.delete'), name: title })}
            onClick={() => remove.mutate({ notificationId }, again)}
          >
            {t('notifications.delete')}
          </Button>
        </Group>
      </Group>
      {(read.error ?? remove.error) && <ProblemView error={read.error ?? remove.error} />}
    </Card>
  );
}
