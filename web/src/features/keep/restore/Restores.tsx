import { Anchor, Button, Group, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { op } from '../../../api/op';
import { formatShortDate } from '../../../i18n/format';
import { EmptyState } from '../../../ui/EmptyState';
import { PlainList } from '../../../ui/PlainList';
import { QueryView } from '../../../ui/QueryView';
import { Section } from '../../../ui/Section';
import { Restore } from '../../../shared/restores/Restore';
import { useTargetName } from '../../../shared/restores/restore-target';
import classes from '../keep.module.css';

const LISTED = 20;

/** Archived mail that was put back into a mailbox: the restore that is open, and those of before. */
export function Restores({ accountId }: { readonly accountId: string }): ReactNode {
  const { t } = useTranslation();
  const { restore: opened } = useSearch({ from: '/signed-in/a/$accountId/keep' });
  const navigate = useNavigate({ from: '/a/$accountId/keep' });
  const targetName = useTargetName();
  const restores = useQuery(op('restore.listRestores', { accountId, limit: LISTED }));
  const open = (restore: string | undefined): void =>
    void navigate({ search: (before) => ({ ...before, restore }), replace: true, resetScroll: false });
  const toArchive = (
    <Anchor
      size="sm"
      underline="always"
      renderRoot={(root) => <Link to="/a/$accountId/archive" params={{ accountId }} {...root} />}
    >
      {t('restore.openArchive')}
    </Anchor>
  );
  return (
    <Section title={t('restore.section')}>
      <Stack>
        <Text size="sm" c="dimmed">
          {t('restore.sectionText')}
        </Text>
        {opened && (
          <Restore key={opened} accountId={accountId} restoreId={opened} onClose={() => open(undefined)} />
        )}
        <QueryView
          query={restores}
          empty={{
            when: ({ items }) => items.length === 0,
            show: <EmptyState text={t('restore.none')}>{toArchive}</EmptyState>,
          }}
        >
          {({ items }) => (
            <>
              <PlainList gap={0}>
                {items.map((restore) => (
                  <li key={restore.id} className={classes.message}>
                    <Group justify="space-between" py={4}>
                      <Text size="sm">
                        {[
                          formatShortDate(restore.createdAt),
                          t('restore.to', { target: targetName(restore) }),
                          t('archive.messages', { count: restore.mails }),
                          t(`restore.statuses.${restore.status}`),
                        ].join(' · ')}
                      </Text>
                      {restore.id !== opened && (
                        <Button
                          size="compact-xs"
                          variant="default"
                          aria-label={t('common.named', {
                            what: t('restore.show'),
                            name: formatShortDate(restore.createdAt),
                          })}
                          onClick={() => open(restore.id)}
                        >
                          {t('restore.show')}
                        </Button>
                      )}
                    </Group>
                  </li>
                ))}
              </PlainList>
              <div>{toArchive}</div>
            </>
          )}
        </QueryView>
      </Stack>
    </Section>
  );
}
