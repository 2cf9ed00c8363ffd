import { Badge, Box, Button, Card, Group, Stack, Text } from '@mantine/core';
import type { Schemas } from '@mailroom/sdk';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { op, useOperation } from '../../../api/op';
import { invalidate } from '../../../api/query-client';
import { formatFullDate, formatShortDate } from '../../../i18n/format';
import { Confirm } from '../../../ui/Confirm';
import { PlainList } from '../../../ui/PlainList';
import { ProblemView } from '../../../ui/ProblemView';
import { QueryView } from '../../../ui/QueryView';
import { Wrapping } from '../../../ui/Wrapping';
import { deviceOf } from './device';

type Session = Schemas['DeviceSessionResponse'];

/** Sessions of the person. The one of this page can only be ended by signing out. */
export function Sessions(): ReactNode {
  const { t } = useTranslation();
  const client = useQueryClient();
  const sessions = useQuery(op('sessions.list'));
  const [asked, setAsked] = useState(false);
  const endOthers = useOperation('sessions.endOthers');
  return (
    <QueryView query={sessions}>
      {(all) => {
        const others = all.filter(({ current }) => !current).length;
        return (
          <Stack gap="sm">
            <Text size="sm" c="dimmed">
              {t('security.sessions.text')}
            </Text>
            <PlainList gap="xs" aria-label={t('security.sessions.title')}>
              {all.map((session) => (
                <Item key={session.id} session={session} />
              ))}
            </PlainList>
            {others > 0 && (
              <Group>
                <Button variant="default" onClick={() => setAsked(true)}>
                  {t('security.sessions.endOthers')}
                </Button>
              </Group>
            )}
            <Confirm
              opened={asked}
              title={t('security.sessions.endOthersTitle')}
              text={t('security.sessions.endOthersText', { count: others })}
              verb={t('security.sessions.endOthers')}
              busy={endOthers.isPending}
              error={endOthers.error}
              onConfirm={() =>
                endOthers.mutate(
                  {},
                  {
                    onSuccess: () => {
                      setAsked(false);
                      void invalidate(client, ['sessions.list']);
                    },
                  },
                )
              }
              onClose={() => setAsked(false)}
            />
          </Stack>
        );
      }}
    </QueryView>
  );
}

function Item({ session }: { readonly session: Session }): ReactNode {
  const { t } = useTranslation();
  const client = useQueryClient();
  const end = useOperation('sessions.end');
  const { browser, system } = deviceOf(session.user_agent);
  const name =
    browser === null
      ? (session.user_agent ?? t('security.sessions.unknown'))
      : system === null
        ? browser
        : t('security.sessions.device', { browser, system });
  return (
    <Card withBorder component="li" padding="sm">
      <Group justify="space-between" wrap="nowrap" align="start">
        <Box miw={0}>
          <Group gap="xs">
            <Wrapping size="sm" fw={600} lineClamp={2}>
              {name}
            </Wrapping>
            {session.current && (
              <Badge color="green" variant="dot" tt="none">
                {t('security.sessions.current')}
              </Badge>
            )}
          </Group>
          <Text
            size="xs"
            c="dimmed"
            title={session.current ? undefined : formatFullDate(session.last_used_at)}
          >
            {[
              ...(session.ip_address === null ? [] : [session.ip_address]),
              t('security.sessions.since', { time: formatShortDate(session.created_at) }),
              // Written down when a session is renewed, not with each call: of this one it would be out of date.
              session.current
                ? t('security.sessions.usedNow')
                : t('security.sessions.used', { time: formatShortDate(session.last_used_at) }),
            ].join(' · ')}
          </Text>
        </Box>
        {!session.current && (
          <Button
            size="compact-xs"
            variant="default"
            loading={end.isPending}
            aria-label={t('common.named', { what: t('security.sessions.end'), name })}
            onClick={() =>
              end.mutate(
                { sessionId: session.id },
                { onSettled: () => void invalidate(client, ['sessions.list']) },
              )
            }
          >
            {t('security.sessions.end')}
          </Button>
        )}
      </Group>
      {end.error && <ProblemView error={end.error} />}
    </Card>
  );
}
