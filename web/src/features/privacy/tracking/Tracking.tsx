import { Card, Group, List, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { op } from '../../../api/op';
import { formatShortDate } from '../../../i18n/format';
import { EmptyState } from '../../../ui/EmptyState';
import { Pages } from '../../../ui/Pages';
import { PlainList } from '../../../ui/PlainList';
import { QueryView } from '../../../ui/QueryView';
import { Section } from '../../../ui/Section';
import { senderName } from '../../../ui/sender';
import { Wrapping, WrappingLink } from '../../../ui/Wrapping';
import { ScanButton } from '../ScanButton';
import { OneLine } from '../../../ui/OneLine';

const PER_PAGE = 20;

/** Messages that tell their senders when and where they are read. */
export function Tracking({ accountId }: { readonly accountId: string }): ReactNode {
  const { t } = useTranslation();
  const [page, setPage] = useState(1);
  const stats = useQuery(op('privacy.getTrackingStats', { accountId }));
  const items = useQuery(op('privacy.listTracking', { accountId, page, limit: PER_PAGE }));
  return (
    <Stack>
      <Text size="sm">{t('privacy.trackingText')}</Text>
      <ScanButton accountId={accountId} kind="tracking" />
      <QueryView query={stats}>
        {({ trackedMessages: count, totalTrackers, topDomains }) =>
          count > 0 && (
            <Section title={t('privacy.trackers', { count: totalTrackers })}>
              <List size="sm">
                {topDomains.map(({ domain, count: found }) => (
                  <List.Item key={domain}>{t('privacy.domain', { domain, count: found })}</List.Item>
                ))}
              </List>
            </Section>
          )
        }
      </QueryView>
      <QueryView
        query={items}
        empty={{ when: ({ total }) => total === 0, show: <EmptyState text={t('privacy.noTrackers')} /> }}
      >
        {({ items: found, total }) => (
          <>
            <PlainList gap="xs" aria-label={t('privacy.tabs.tracking')}>
              {found.map((item) => (
                <Card key={item.id} withBorder component="li" padding="sm">
                  <Group justify="space-between" wrap="nowrap" align="start">
                    <WrappingLink
                      size="sm"
                      renderRoot={(root) => (
                        <Link
                          to="/a/$accountId/mailbox"
                          params={{ accountId }}
                          search={{ message: item.mailbox_message_id }}
                          {...root}
                        />
                      )}
                    >
                      {item.subject || t('mail.noSubject')}
                    </WrappingLink>
                    <OneLine size="xs" c="dimmed">
                      {formatShortDate(item.date)}
                    </OneLine>
                  </Group>
                  <Wrapping size="xs" c="dimmed">
                    {[
                      senderName(item.sender),
                      t('privacy.trackers', { count: item.tracker_count }),
                      ...new Set(item.trackers.map(({ domain }) => domain)),
                    ].join(' · ')}
                  </Wrapping>
                </Card>
              ))}
            </PlainList>
            <Pages total={total} perPage={PER_PAGE} page={page} onChange={setPage} />
          </>
        )}
      </QueryView>
    </Stack>
  );
}
