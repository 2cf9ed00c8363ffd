import { Button, Progress, SegmentedControl, Stack, Text } from '@mantine/core';
import type { Schemas } from '@mailroom/sdk';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { op } from '../../../api/op';
import { formatBytes } from '../../../i18n/format';
import { Delayed } from '../../../ui/Delayed';
import { EmptyState } from '../../../ui/EmptyState';
import { Loading } from '../../../ui/Loading';
import { QueryView } from '../../../ui/QueryView';
import { senderName, senderSearch } from '../../../ui/sender';
import { MailboxRow } from '../../../shared/mailbox-links/MailboxRow';
import { PlainList } from '../../../ui/PlainList';
import { Section } from '../../../ui/Section';

type Score = Schemas['SenderScoreResponse'];
type Order = 'size' | 'clutter';

const STEP = 25;

/** Senders by size or by clutter, over all mail that is indexed. */
export function Senders({ accountId }: { readonly accountId: string }): ReactNode {
  const { t } = useTranslation();
  const { by = 'size' } = useSearch({ from: '/signed-in/a/$accountId/space' });
  const navigate = useNavigate({ from: '/a/$accountId/space' });
  const scores = useQuery(op('analytics.getSenderScores', { accountId }));
  return (
    <Section title={t('space.senders')}>
      <SegmentedControl
        size="xs"
        mb="xs"
        aria-label={t('space.order')}
        value={by}
        onChange={(order) =>
          void navigate({ search: { by: order === 'clutter' ? order : undefined }, replace: true })
        }
        data={[
          { value: 'size', label: t('space.bySize') },
          { value: 'clutter', label: t('space.byClutter') },
        ]}
      />
      <QueryView
        query={scores}
        loading={
          <>
            <Loading lines={12} />
            <Delayed>
              <Text size="sm" c="dimmed" mt="sm">
                {t('space.firstLook')}
              </Text>
            </Delayed>
          </>
        }
        empty={{ when: (all) => all.length === 0, show: <EmptyState text={t('space.noSenders')} /> }}
      >
        {(all) => <SenderList accountId={accountId} scores={all} order={by} />}
      </QueryView>
    </Section>
  );
}

interface SenderListProps {
  readonly accountId: string;
  readonly scores: readonly Score[];
  readonly order: Order;
}

function SenderList({ accountId, scores, order }: SenderListProps): ReactNode {
  const { t } = useTranslation();
  const [shown, setShown] = useState(STEP);
  const sorted = order === 'clutter' ? scores : scores.toSorted((one, other) => sizeOf(other) - sizeOf(one));
  const largest = Math.max(1, ...scores.map(sizeOf));
  const count = scores.reduce((sum, { emailCount }) => sum + emailCount, 0);
  return (
    <Stack gap="sm">
      <Text size="xs" c="dimmed">
        {t('space.coverage', { count, senders: scores.length })}
        {order === 'clutter' && ` ${t('space.clutterHelp')}`}
      </Text>
      <PlainList gap="xs" component="ol">
        {sorted.slice(0, shown).map((score) => (
          <MailboxRow
            key={score.sender}
            accountId={accountId}
            q={senderSearch(score.sender)}
            title={senderName(score.sender)}
            size={formatBytes(sizeOf(score))}
            facts={[
              t('space.messages', { count: score.emailCount }),
              t('space.unread', { count: score.unreadCount }),
              t('space.clutter', { score: score.clutterScore }),
              ...(score.hasUnsubscribe ? [t('space.newsletter')] : []),
            ]}
          >
            <Progress
              value={order === 'clutter' ? score.clutterScore : (sizeOf(score) / largest) * 100}
              size="xs"
              aria-hidden
            />
          </MailboxRow>
        ))}
      </PlainList>
      {shown < sorted.length && (
        <Button variant="default" size="xs" onClick={() => setShown(shown + STEP)}>
          {t('space.more')}
        </Button>
      )}
    </Stack>
  );
}

const sizeOf = ({ totalSizeBytes }: Score): number => totalSizeBytes;
