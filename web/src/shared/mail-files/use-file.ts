import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import { usePassphrase } from '../passphrases/passphrase';
import { fileBytes, type FileSource } from './file-bytes';

/** The bytes of a file, while they are shown. */
export function useFile(source: FileSource): UseQueryResult<Uint8Array> {
  const passphrase = usePassphrase();
  return useQuery({
    queryKey: ['file', source, passphrase !== null],
    queryFn: ({ signal }) => fileBytes(source, passphrase ?? undefined, signal),
    staleTime: Infinity,
    // Megabytes that are no longer shown.
    gcTime: 0,
  });
}
