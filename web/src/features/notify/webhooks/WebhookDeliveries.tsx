import { Stack, Text } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { op } from '../../../api/op';
import { formatFullDate, formatShortDate } from '../../../i18n/format';
import { EmptyState } from '../../../ui/EmptyState';
import { Pages } from '../../../ui/Pages';
import { PlainList } from '../../../ui/PlainList';
import { QueryView } from '../../../ui/QueryView';

const PER_PAGE = 20;

interface WebhookDeliveriesProps {
  readonly webhookId: string;
  readonly name: string;
}

/** Deliveries to a webhook in the last 30 days, with the outcome of each attempt. */
export function WebhookDeliveries({ webhookId, name }: WebhookDeliveriesProps): ReactNode {
  const { t } = useTranslation();
  const [page, setPage] = useState(1);
  const found = useQuery({
    ...op('webhooks.listDeliveries', { webhookId, page, limit: PER_PAGE }),
    placeholderData: keepPreviousData,
  });
  return (
    <QueryView
      query={found}
      empty={{ when: ({ total }) => total === 0, show: <EmptyState text={t('webhooks.noDeliveries')} /> }}
    >
      {({ deliveries, total }) => (
        <Stack gap="xs">
          <PlainList gap="xs" aria-label={t('webhooks.deliveriesOf', { name })}>
            {deliveries.map(({ id, event, data, status, attempts, next_attempt_at, created_at }) => (
              <li key={id}>
                <Text size="sm">
                  {[
                    formatShortDate(created_at),
                    isTest(data) ? t('webhooks.testEvent') : t(`webhooks.eventNames.${event}`),
                    t(`webhooks.statuses.${status}`),
                  ].join(' · ')}
                </Text>
                {attempts.map(({ at, status: answer, error, duration_ms }) => (
                  <Text key={at} size="xs" c="dimmed">
                    {t('webhooks.attempt', {
                      time: formatFullDate(at),
                      status:
                        answer === 0
                          ? [t('webhooks.noAnswer'), ...(error === null ? [] : [error])].join(', ')
                          : `HTTP ${answer}`,
                      ms: duration_ms,
                    })}
                  </Text>
                ))}
                {next_attempt_at !== null && status === 'pending' && (
                  <Text size="xs">{t('webhooks.next', { time: formatFullDate(next_attempt_at) })}</Text>
                )}
              </li>
            ))}
          </PlainList>
          <Pages total={total} perPage={PER_PAGE} page={page} onChange={setPage} />
        </Stack>
      )}
    </QueryView>
  );
}

/** A test is sent as an event of a job of this kind. */
const isTest = (data: Readonly<Record<string, unknown>>): boolean => data['type'] === 'webhook_test';
