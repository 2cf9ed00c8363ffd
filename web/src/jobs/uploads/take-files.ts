import type { QueryClient } from '@tanstack/react-query';
import { op } from '../../api/op';
import { isSameFile } from './interrupted';
import { uploads } from './upload-store';

/** Files that were dropped or chosen: an interrupted upload goes on, others begin. */
export async function takeFiles(
  client: QueryClient,
  accountId: string,
  files: readonly File[],
): Promise<void> {
  const most = client.getQueryData(op('auth.config').queryKey)?.maxUploadBytes;
  const begun = client.getQueryData(op('import.listUploads', { accountId }).queryKey) ?? [];
  const fresh = files.filter((file) => {
    const same = begun.find((upload) => !uploads.isKnown(upload.id) && isSameFile(upload, file));
    if (same) uploads.resume(accountId, same, file);
    return !same;
  });
  await uploads.add(accountId, fresh, most);
}
