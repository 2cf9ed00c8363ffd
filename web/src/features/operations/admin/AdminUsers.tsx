import { Badge, Box, Button, Card, Group, Stack, Text, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { op } from '../../../api/op';
import { formatBytes, formatShortDate } from '../../../i18n/format';
import { EmptyState } from '../../../ui/EmptyState';
import { Pages } from '../../../ui/Pages';
import { PlainList } from '../../../ui/PlainList';
import { QueryView } from '../../../ui/QueryView';
import { Wrapping } from '../../../ui/Wrapping';
import { InviteUser } from './InviteUser';
import { UserDetails } from './UserDetails';
import { UserForm } from './UserForm';

const PER_PAGE = 20;
const REST_MS = 300;

/** Everybody who has an account here. */
export function AdminUsers(): ReactNode {
  const { t } = useTranslation();
  const [typed, setTyped] = useState('');
  const [page, setPage] = useState(1);
  const [edited, setEdited] = useState<string | null>(null);
  const [search] = useDebouncedValue(typed.trim(), REST_MS);
  const users = useQuery({
    ...op('admin.listUsers', { page, limit: PER_PAGE, ...(search !== '' && { search }) }),
    placeholderData: keepPreviousData,
  });
  return (
    <Stack>
      <InviteUser />
      <TextInput
        label={t('admin.search')}
        maw={360}
        value={typed}
        onChange={(event) => {
          setTyped(event.currentTarget.value);
          setPage(1);
        }}
      />
      <QueryView
        query={users}
        empty={{ when: ({ total }) => total === 0, show: <EmptyState text={t('admin.noUsers')} /> }}
      >
        {({ users: found, total }) => (
          <>
            <PlainList gap="xs" aria-label={t('admin.tabs.users')}>
              {found.map((user) => (
                <Card key={user.id} withBorder component="li" padding="sm">
                  <Group justify="space-between" align="start">
                    <Box miw={0}>
                      <Group gap="xs">
                        <Wrapping fw={600}>{user.email}</Wrapping>
                        {user.role === 'admin' && (
                          <Badge variant="default" tt="none">
                            {t('admin.administrator')}
                          </Badge>
                        )}
                        {user.awaits_admin_role && (
                          <Badge color="orange" variant="light" tt="none">
                            {t('admin.awaitsRole')}
                          </Badge>
                        )}
                        {!user.is_active && (
                          <Badge variant="default" tt="none">
                            {t('admin.inactive')}
                          </Badge>
                        )}
                      </Group>
                      <Text size="xs" c="dimmed">
                        {[
                          t('admin.mailboxes', {
                            count: user.mailbox_accounts_count,
                            most: user.max_mailbox_accounts,
                          }),
                          t('admin.storage', {
                            used: formatBytes(user.storage_used_bytes),
                            quota: formatBytes(user.storage_quota_bytes),
                          }),
                          user.last_login_at === null
                            ? t('admin.neverSignedIn')
                            : t('admin.signedIn', { time: formatShortDate(user.last_login_at) }),
                        ].join(' · ')}
                      </Text>
                    </Box>
                    <Button
                      size="xs"
                      variant="default"
                      aria-expanded={edited === user.id}
                      aria-label={t('common.named', { what: t('admin.change'), name: user.email })}
                      onClick={() => setEdited(edited === user.id ? null : user.id)}
                    >
                      {t('admin.change')}
                    </Button>
                  </Group>
                  {edited === user.id && (
                    <>
                      <UserForm user={user} onDone={() => setEdited(null)} />
                      <UserDetails userId={user.id} />
                    </>
                  )}
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
