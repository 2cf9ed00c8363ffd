import { IconFileImport } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { MailboxAccount } from '../../../api/me';
import { droppedFiles } from '../../../jobs/uploads/dropped-files';
import { takeFiles } from '../../../jobs/uploads/take-files';
import { DropOverlay } from '../../../ui/DropOverlay';
import { useFileDrop } from '../../../ui/use-file-drop';

interface DropAnywhereProps {
  readonly account: Pick<MailboxAccount, 'id' | 'email'>;
}

/** Files that are dropped on any page of a mailbox are imported into its archive. */
export function DropAnywhere({ account }: DropAnywhereProps): ReactNode {
  const { id, email } = account;
  const { t } = useTranslation();
  const client = useQueryClient();
  const navigate = useNavigate();
  const isOver = useFileDrop((dropped) => {
    void droppedFiles(dropped).then((files) => takeFiles(client, id, files));
    void navigate({ to: '/a/$accountId/transfer', params: { accountId: id } });
  });
  return isOver ? <DropOverlay icon={IconFileImport} text={t('jobs.dropAnywhere', { email })} /> : null;
}
