import { Anchor, Group, Stack, Text } from '@mantine/core';
import type { Schemas } from '@mailroom/sdk';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useMe } from '../../../api/me';
import { op } from '../../../api/op';
import { formatDateTime, formatFullDate, formatShortDate } from '../../../i18n/format';
import { useJobs, type ListedJob } from '../../../jobs/job-cache';
import { JobOutcome } from '../../../jobs/JobOutcome';
import { useJobTitle } from '../../../jobs/job-title';
import { noticeText } from '../../../jobs/notice';
import { PlainList } from '../../../ui/PlainList';
import { Section } from '../../../ui/Section';
import { lastVisit } from './home-memory';

type Notification = Schemas['NotificationResponse'];

const SHOWN = 5;

/** Jobs that have ended and notifications since the person was last here; nothing at the first visit. */
export function WhileAway(): ReactNode {
  const { t } = useTranslation();
  const { user } = useMe();
  const [since] = useState(() => lastVisit(user.id));
  const jobs = useJobs();
  const list = useQuery(op('notifications.list', { page: 1, limit: SHOWN, unread_only: 'false' }));
  if (since === undefined || jobs.data === undefined) return null;
  const ended = jobs.data.filter(({ completed_at: end }) => end !== null && end > since);
  // Those about jobs say the same as the jobs.
  const notices = (list.data?.notifications ?? []).filter(
    ({ created_at: at, type }) => at > since && type !== 'job_completed' && type !== 'job_failed',
  );
  return (
    <Section title={t('home.away.title')}>
      <Text size="sm" c="dimmed" mb="sm">
        {t(ended.length + notices.length === 0 ? 'home.away.nothing' : 'home.away.since', {
          time: formatDateTime(since),
        })}
      </Text>
      <PlainList gap="sm">
        {notices.map((notice) => (
          <NoticeItem key={notice.id} notice={notice} />
        ))}
        {ended.slice(0, SHOWN).map((job) => (
          <JobLine key={job.id} job={job} />
        ))}
      </PlainList>
      {ended.length > SHOWN && (
        <Anchor size="sm" renderRoot={(root) => <Link to="/jobs" {...root} />}>
          {t('home.away.more', { count: ended.length - SHOWN })}
        </Anchor>
      )}
    </Section>
  );
}

function NoticeItem({ notice }: { readonly notice: Notification }): ReactNode {
  const { title, body } = noticeText(notice);
  return (
    <Line to="/notifications" title={title} at={notice.created_at}>
      <Text size="sm" c="dimmed" lineClamp={2}>
        {body}
      </Text>
    </Line>
  );
}

function JobLine({ job }: { readonly job: ListedJob }): ReactNode {
  return (
    <Line to="/jobs" title={useJobTitle(job)} at={job.completed_at ?? job.created_at}>
      <JobOutcome job={job} />
    </Line>
  );
}

interface LineProps {
  readonly to: '/jobs' | '/notifications';
  readonly title: string;
  readonly at: string;
  readonly children: ReactNode;
}

function Line({ to, title, at, children }: LineProps): ReactNode {
  return (
    <Stack component="li" gap={0}>
      <Group justify="space-between" wrap="nowrap" gap="xs">
        <Anchor size="sm" fw={600} lineClamp={1} renderRoot={(root) => <Link to={to} {...root} />}>
          {title}
        </Anchor>
        <Text size="xs" c="dimmed" title={formatFullDate(at)} style={{ flexShrink: 0 }}>
          {formatShortDate(at)}
        </Text>
      </Group>
      {children}
    </Stack>
  );
}
