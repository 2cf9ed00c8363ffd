import type { Answer } from '@mailroom/sdk';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { op } from '../../api/op';
import { uploads } from './upload-store';
import { useUploads } from './use-uploads';
import { useUploadsElsewhere } from './uploads-elsewhere';

/** An upload that the service keeps, and that this tab does not have the file of. */
export type Interrupted = Answer<'import.listUploads'>[number] & {
  /** Another tab of this browser has the file. */
  readonly isElsewhere: boolean;
};

const WATCH_MS = 3_000;

/** The uploads of a mailbox that wait for their file to be chosen again. */
export function useInterrupted(accountId: string): readonly Interrupted[] {
  const elsewhere = useUploadsElsewhere();
  const own = useUploads();
  const listed = useQuery({
    ...op('import.listUploads', { accountId }),
    refetchInterval: elsewhere.size > 0 ? WATCH_MS : false,
  });
  const { refetch } = listed;
  const seen = useRef(own.length);
  useEffect(() => {
    if (seen.current !== own.length) void refetch();
    seen.current = own.length;
  }, [refetch, own.length]);
  return (listed.data ?? [])
    .filter(({ id }) => !uploads.isKnown(id))
    .map((upload) => ({ ...upload, isElsewhere: elsewhere.has(upload.id) }));
}

/** Whether an upload is a bundle of several files or of a folder: by its name, which ends with their number and a fingerprint. */
export const isBundle = (filename: string): boolean => /-\d+-[0-9a-f]{8}\.tar$/.test(filename);

/** Whether a file can be the one that an upload was begun with. */
export const isSameFile = ({ filename, size }: { filename: string; size: number }, file: File): boolean =>
  file.name === filename && file.size === size;
