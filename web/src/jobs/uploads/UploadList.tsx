import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { op } from '../../api/op';
import { InterruptedItem } from './InterruptedItem';
import { useInterrupted } from './interrupted';
import { UploadItem } from './UploadItem';
import { useUploads } from './use-uploads';
import { PlainList } from '../../ui/PlainList';

/** The uploads of this tab, and those of the mailbox that were interrupted. */
export function UploadList({ accountId }: { readonly accountId: string }): ReactNode {
  const { t } = useTranslation();
  const own = useUploads();
  const interrupted = useInterrupted(accountId);
  const most = useQuery(op('auth.config')).data?.maxUploadBytes;
  if (own.length + interrupted.length === 0) return null;
  return (
    <PlainList gap="md" aria-label={t('transfer.uploads')}>
      {own.map((upload) => (
        <UploadItem key={upload.id} upload={upload} most={most} />
      ))}
      {interrupted.map((upload) => (
        <InterruptedItem key={upload.id} accountId={accountId} upload={upload} />
      ))}
    </PlainList>
  );
}
