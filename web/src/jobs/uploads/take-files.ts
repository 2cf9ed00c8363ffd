import type { QueryClient } from '@tanstack/react-query';
import { op } from '../../api/op';
import { bundleOf, type PlacedFile } from './bundle';
import { isSameFile } from './interrupted';
import { uploads } from './upload-store';

/**
 * Files that were dropped or chosen: an interrupted upload goes on, others begin. Several files, or those of a folder,
 * are one upload.
 */
export async function takeFiles(
  client: QueryClient,
  accountId: string,
  files: readonly PlacedFile[],
): Promise<void> {
  const most = client.getQueryData(op('auth.config').queryKey)?.maxUploadBytes;
  const begun = client.getQueryData(op('import.listUploads', { accountId }).queryKey) ?? [];
  const goOn = (file: File): boolean => {
    const same = begun.find((upload) => !uploads.isKnown(upload.id) && isSameFile(upload, file));
    if (same) uploads.resume(accountId, same, file);
    return same !== undefined;
  };
  const fresh = files.filter(({ path, file }) => path !== file.name || !goOn(file));
  const [only] = fresh;
  if (!only) return;
  const upload = fresh.length === 1 ? only.file : bundleOf(fresh);
  if (fresh.length === 1 || !goOn(upload)) await uploads.add(accountId, [upload], most);
}
