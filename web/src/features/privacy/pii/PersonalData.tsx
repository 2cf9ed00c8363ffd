import { Button, Card, Code, Group, Stack, Text } from '@mantine/core';
import type { Schemas } from '@mailroom/sdk';
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
import { senderName } from '../../../ui/sender';
import { WrappingLink } from '../../../ui/Wrapping';
import { ScanButton } from '../ScanButton';
import { OneLine } from '../../../ui/OneLine';

type Kind = Schemas['PiiFindingResponse']['pii_type'];

const PER_PAGE = 20;

/** Archived mail that holds card numbers, passwords and the like; what was found is masked by the service. */
export function PersonalData({ accountId }: { readonly accountId: string }): ReactNode {
  const { t } = useTranslation();
  const [page, setPage] = useState(1);
  const [kind, setKind] = useState<Kind | undefined>();
  const stats = useQuery(op('privacy.getPiiStats', { accountId }));
  const findings = useQuery(
    op('privacy.listPiiFindings', { accountId, page, limit: PER_PAGE, ...(kind && { piiType: kind }) }),
  );
  const choose = (chosen: Kind): void => {
    setKind(kind === chosen ? undefined : chosen);
    setPage(1);
  };
  return (
    <Stack>
      <Text size="sm">{t('privacy.piiText')}</Text>
      <ScanButton accountId={accountId} kind="pii" />
      <QueryView query={stats}>
        {({ affectedMails, byType }) =>
          affectedMails > 0 && (
            <Group gap="xs" role="group" aria-label={t('privacy.kindsLabel')}>
              <Text size="sm">{t('privacy.affected', { count: affectedMails })}</Text>
              {byType
                .filter(({ count }) => count > 0)
                .map(({ type, count }) => (
                  <Button
                    key={type}
                    size="compact-sm"
                    variant={kind === type ? 'filled' : 'default'}
                    aria-pressed={kind === type}
                    onClick={() => choose(type)}
                  >
                    {t(`privacy.kinds.${type}`)} {count}
                  </Button>
                ))}
            </Group>
          )
        }
      </QueryView>
      <QueryView
        query={findings}
        empty={{ when: ({ total }) => total === 0, show: <EmptyState text={t('privacy.noFindings')} /> }}
      >
        {({ items, total }) => (
          <>
            <PlainList gap="xs" aria-label={t('privacy.tabs.pii')}>
              {items.map((item) => (
                <Card key={item.id} withBorder component="li" padding="sm">
                  <Group justify="space-between" wrap="nowrap" align="start">
                    <WrappingLink
                      size="sm"
                      renderRoot={(root) => (
                        <Link
                          to="/a/$accountId/archive"
                          params={{ accountId }}
                          search={{ mail: item.archived_mail_id }}
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
                  <Text size="xs" c="dimmed">
                    {[senderName(item.sender), t(`privacy.kinds.${item.pii_type}`), `× ${item.count}`].join(
                      ' · ',
                    )}
                  </Text>
                  <Code>{item.snippet}</Code>
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
