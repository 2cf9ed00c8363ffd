import { Divider } from '@mantine/core';
import type { ReactNode } from 'react';
import { useAccount } from '../../api/me';
import { useInterrupted } from './interrupted';
import { UploadList } from './UploadList';
import { useUploads } from './use-uploads';

/** Uploads in the tray, above the jobs. */
export function TrayUploads(): ReactNode {
  const accountId = useAccount()?.id;
  return accountId === undefined ? null : <OfAccount accountId={accountId} />;
}

function OfAccount({ accountId }: { readonly accountId: string }): ReactNode {
  const count = useUploads().length + useInterrupted(accountId).length;
  if (count === 0) return null;
  return (
    <>
      <UploadList accountId={accountId} />
      <Divider my="sm" />
    </>
  );
}
