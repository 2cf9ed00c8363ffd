import { Select, SimpleGrid } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { ServiceForm } from '../../../ui/use-service-form';
import { FOLDER_ROLES, isByName, type ChosenRole, type ChosenFolders, type Test } from './imap-form';

interface RoleFieldsProps {
  readonly form: ServiceForm<ChosenFolders>;
  readonly account: Pick<Test, 'folders'>;
}

/** A folder for each role; no folder has two. */
export function RoleFields({ form, account }: RoleFieldsProps): ReactNode {
  const { t } = useTranslation();
  const chosen = form.getValues();
  const folders = (account.folders ?? [])
    .filter(({ role }) => role !== 'inbox' && role !== 'ignored')
    .map(({ path }) => path);
  const isTaken = (role: ChosenRole, path: string): boolean =>
    FOLDER_ROLES.some((other) => other !== role && chosen[other] === path);
  return (
    <SimpleGrid cols={{ base: 1, sm: 2 }}>
      {FOLDER_ROLES.map((role) => (
        <Select
          key={role}
          label={t(`mailboxes.imap.roles.${role}`)}
          placeholder={t('mailboxes.imap.noFolder')}
          data={folders.filter((path) => !isTaken(role, path))}
          description={isByName(account, role, chosen[role]) ? t('mailboxes.imap.roleByName') : undefined}
          clearable
          clearButtonProps={{
            'aria-label': t('mailboxes.imap.clearRole', { role: t(`mailboxes.imap.roles.${role}`) }),
          }}
          searchable
          {...form.getInputProps(role)}
        />
      ))}
    </SimpleGrid>
  );
}
