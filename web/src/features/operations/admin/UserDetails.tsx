import { Box, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useId, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { hasNoMailbox } from '../../../api/me';
import { op } from '../../../api/op';
import { formatShortDate } from '../../../i18n/format';
import { isNamedKind } from '../../../jobs/kinds';
import { QueryView } from '../../../ui/QueryView';
import { Wrapping } from '../../../ui/Wrapping';

/** Mailboxes and latest jobs of a user; never their mail. */
export function UserDetails({ userId }: { readonly userId: string }): ReactNode {
  const { t } = useTranslation();
  const user = useQuery(op('admin.getUser', { userId }));
  const [mailboxesId, jobsId] = [useId(), useId()];
  return (
    <QueryView query={user}>
      {({ mailboxAccounts, recentJobs }) => (
        <Stack gap="xs" mt="sm">
          <Title order={4} size="h6" id={mailboxesId}>
            {t('admin.details.mailboxes')}
          </Title>
          {mailboxAccounts.length === 0 ? (
            <Text size="sm" c="dimmed">
              {t('admin.details.noMailboxes')}
            </Text>
          ) : (
            <Box component="ul" m={0} aria-labelledby={mailboxesId}>
              {mailboxAccounts.map(({ id, email, status, provider }) => (
                <li key={id}>
                  <Wrapping size="sm">
                    {email} ·{' '}
                    {t(hasNoMailbox({ provider }) ? 'shell.withoutMailbox' : `shell.status.${status}`)}
                  </Wrapping>
                </li>
              ))}
            </Box>
          )}
          <Title order={4} size="h6" id={jobsId}>
            {t('admin.details.jobs')}
          </Title>
          {recentJobs.length === 0 ? (
            <Text size="sm" c="dimmed">
              {t('admin.details.noJobs')}
            </Text>
          ) : (
            <Box component="ul" m={0} aria-labelledby={jobsId}>
              {recentJobs.map(({ id, type, status, created_at }) => (
                <li key={id}>
                  <Text size="sm">
                    {[
                      formatShortDate(created_at),
                      isNamedKind(type) ? t(`jobs.kinds.${type}`) : type,
                      t(`admin.statuses.${status}`),
                    ].join(' · ')}
                  </Text>
                </li>
              ))}
            </Box>
          )}
        </Stack>
      )}
    </QueryView>
  );
}
