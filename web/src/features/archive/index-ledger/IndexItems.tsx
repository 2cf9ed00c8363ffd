import { Anchor, Button, Group, Stack, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import type { Schemas } from '@mailroom/sdk';
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { op, useOperation } from '../../../api/op';
import { invalidate } from '../../../api/query-client';
import { formatBytes, formatNumber, formatShortDate } from '../../../i18n/format';
import { EmptyState } from '../../../ui/EmptyState';
import { Pages } from '../../../ui/Pages';
import { PlainList } from '../../../ui/PlainList';
import { ProblemView } from '../../../ui/ProblemView';
import { QueryView } from '../../../ui/QueryView';
import { Section } from '../../../ui/Section';
import { senderName } from '../../../ui/sender';
import { Wrapping } from '../../../ui/Wrapping';
import { type IndexClass, type IndexKind, isRetried, knownReason } from './index-classes';

const PER_PAGE = 50;
/** The service lists no more. */
const MOST = 10_000;

interface IndexItemsProps {
  readonly accountId: string;
  readonly kind: IndexKind;
  readonly name: IndexClass;
  readonly page: number;
  readonly reasons: readonly Schemas['IndexReasonResponse'][];
  readonly onPage: (page: number) => void;
}

/** The messages or attachments of a class, with the reasons why they could not be read, and a button to read them again. */
export function IndexItems({ accountId, kind, name, page, reasons, onPage }: IndexItemsProps): ReactNode {
  const { t } = useTranslation();
  const items = useQuery({
    ...op('archive.listIndexItems', { accountId, kind, class: name, page, limit: PER_PAGE }),
    placeholderData: keepPreviousData,
  });
  const reasonText = useReasonText();
  const ofClass = reasons.filter((reason) => reason.class === name);
  return (
    <Section title={t(`search.index.titles.${kind}`, { name: t(`search.index.classes.${name}`) })}>
      <Stack gap="sm">
        {ofClass.length > 0 && (
          <Text size="sm">
            {ofClass
              .map(({ reason, count }) =>
                t('common.named', { what: reasonText(reason), name: formatNumber(count) }),
              )
              .join(' · ')}
          </Text>
        )}
        {isRetried(name) && <RetryButton accountId={accountId} name={name} />}
        <QueryView
          query={items}
          empty={{
            when: ({ total }) => total === 0,
            show: <EmptyState text={t('search.index.none')} />,
          }}
        >
          {({ items: listed, total }) => (
            <Stack gap="sm">
              <PlainList gap="xs" aria-label={t(`search.index.classes.${name}`)}>
                {listed.map((item) => (
                  <li key={item.attachment_id ?? item.mail_id}>
                    <Wrapping size="sm">
                      <Anchor
                        size="sm"
                        underline="always"
                        renderRoot={(props) => (
                          <Link
                            to="/a/$accountId/archive"
                            params={{ accountId }}
                            search={{ mail: item.mail_id }}
                            {...props}
                          />
                        )}
                      >
                        {item.filename ?? (item.subject || t('mail.noSubject'))}
                      </Anchor>{' '}
                      ({formatBytes(item.size_bytes)})
                    </Wrapping>
                    <Wrapping size="xs" c="dimmed">
                      {[
                        ...(item.reason === null ? [] : [reasonText(item.reason)]),
                        ...(item.sender === '' ? [] : [senderName(item.sender)]),
                        ...(item.filename === null ? [] : [item.subject || t('mail.noSubject')]),
                        formatShortDate(item.date),
                      ].join(' · ')}
                    </Wrapping>
                  </li>
                ))}
              </PlainList>
              <Pages total={Math.min(total, MOST)} perPage={PER_PAGE} page={page} onChange={onPage} />
            </Stack>
          )}
        </QueryView>
      </Stack>
    </Section>
  );
}

function useReasonText(): (reason: string) => string {
  const { t } = useTranslation();
  return (reason) => {
    const known = knownReason(reason);
    return known ? t(`search.index.reasons.${known}`) : reason;
  };
}

interface RetryButtonProps {
  readonly accountId: string;
  readonly name: 'failed' | 'too-large';
}

/** Has everything in the class read once more, messages and attachments. */
function RetryButton({ accountId, name }: RetryButtonProps): ReactNode {
  const { t } = useTranslation();
  const client = useQueryClient();
  const retry = useOperation('archive.retryIndexing');
  return (
    <>
      <Group>
        <Button
          variant="default"
          loading={retry.isPending}
          onClick={() =>
            retry.mutate(
              { accountId, body: { class: name } },
              {
                onSuccess: ({ retried }) => {
                  notifications.show({ message: t('search.index.retried', { count: retried }) });
                  void invalidate(client, ['archive.getIndex', 'archive.listIndexItems']);
                },
              },
            )
          }
        >
          {t('search.index.retry')}
        </Button>
      </Group>
      {retry.error && <ProblemView error={retry.error} />}
    </>
  );
}
