import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { hasCode } from '../../../api/problems';
import { passphraseStore, usePassphrase } from '../../../shared/passphrases/passphrase';

export interface UnlockedQuery<Data> {
  readonly query: UseQueryResult<Data>;
  /** The passphrase has to be typed first. */
  readonly isLocked: boolean;
  /** Whether the passphrase typed last was wrong. */
  readonly wasWrong: boolean;
}

/**
 * Something of a mail that may be encrypted.
 * @param read gets the passphrase as far as the person has typed it
 */
export function useUnlockedQuery<Data>(
  key: readonly [string, ...unknown[]],
  read: (passphrase: string | undefined, signal: AbortSignal) => Promise<Data>,
): UnlockedQuery<Data> {
  const passphrase = usePassphrase();
  const query = useQuery({
    // The passphrase is no part of the key: keys are kept, and shown by tools.
    queryKey: [...key, passphrase !== null],
    queryFn: ({ signal }) => read(passphrase ?? undefined, signal),
    staleTime: Infinity,
  });
  const [wasWrong, setWasWrong] = useState(false);
  const isWrong = hasCode(query.error, 'passphrase-invalid');
  useEffect(() => {
    if (query.data !== undefined) passphraseStore.used();
    if (!isWrong) return;
    setWasWrong(true);
    passphraseStore.forget();
  }, [isWrong, query.data]);
  return { query, isLocked: isWrong || hasCode(query.error, 'mails-encrypted'), wasWrong };
}
