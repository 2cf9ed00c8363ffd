import { Button, Group, Select, SimpleGrid, Stack, Text } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { ProblemView } from '../../../ui/ProblemView';
import {
  chosenFolders,
  confirmedRoles,
  FOLDER_ROLES,
  type ChosenFolders,
  type ChosenRole,
  isByName,
  type Test,
} from './imap-form';

interface ImapFoldersProps {
  readonly test: Test;
  readonly busy: boolean;
  readonly error: Error | null;
  readonly onConfirm: (roles: Record<string, ChosenRole>) => void;
  readonly onBack: () => void;
}

/** The mailbox was entered: what its folders are for, before it is connected. */
export function ImapFolders({ test, busy, error, onConfirm, onBack }: ImapFoldersProps): ReactNode {
  const { t } = useTranslation();
  const [chosen, setChosen] = useState<ChosenFolders>(() => chosenFolders(test));
  const choose = (role: ChosenRole, path: string | null): void =>
    setChosen((before) => ({ ...before, [role]: path ?? undefined }));
  const folders = (test.folders ?? [])
    .filter(({ role }) => role !== 'inbox' && role !== 'ignored')
    .map(({ path }) => path);
  const taken = (role: ChosenRole): string[] =>
    FOLDER_ROLES.filter((other) => other !== role).flatMap((other) => chosen[other] ?? []);
  return (
    <Stack>
      <Text role="status">{t('mailboxes.imap.entered', { count: test.folders?.length ?? 0 })}</Text>
      <Text size="sm">
        {t(test.rolesFixed ? 'mailboxes.imap.foldersFixed' : 'mailboxes.imap.foldersText')}
      </Text>
      {!test.rolesFixed && (
        <SimpleGrid cols={{ base: 1, sm: 2 }}>
          {FOLDER_ROLES.map((role) => (
            <Select
              key={role}
              label={t(`mailboxes.imap.roles.${role}`)}
              placeholder={t('mailboxes.imap.noFolder')}
              data={folders.filter((path) => !taken(role).includes(path))}
              value={chosen[role] ?? null}
              description={isByName(test, role, chosen[role]) ? t('mailboxes.imap.roleByName') : undefined}
              clearable
              clearButtonProps={{
                'aria-label': t('mailboxes.imap.clearRole', { role: t(`mailboxes.imap.roles.${role}`) }),
              }}
              searchable
              onChange={(path) => choose(role, path)}
            />
          ))}
        </SimpleGrid>
      )}
      {test.exactSizes === false && <Text size="sm">{t('mailboxes.imap.inexactSizes')}</Text>}
      {error !== null && <ProblemView error={error} />}
      <Group>
        <Button loading={busy} onClick={() => onConfirm(test.rolesFixed ? {} : confirmedRoles(test, chosen))}>
          {t('mailboxes.imap.connect')}
        </Button>
        <Button variant="default" onClick={onBack}>
          {t('mailboxes.imap.back')}
        </Button>
      </Group>
    </Stack>
  );
}
