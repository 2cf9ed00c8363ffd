import { SearchTermNotSupported } from './mail-provider.errors';
import type { ProviderAccount } from './mailbox-provider.port';
import type { QueryTerm } from '../../platform/search/query-parser';
import {
  GENERAL_TERMS,
  GMAIL_TERMS,
  requireReadableTerms,
  type SearchLack,
  SearchTermUnsupported,
} from '../../platform/search/search-terms';

/** Advice for terms that only the archive can search for. */
const ADVICE: Readonly<Record<SearchLack, string>> = {
  text: 'Leave out "body:" to search the whole message, or search the archive.',
  files: 'Only the archive knows the content of files: search there.',
  'partial-words': 'It finds whole words only: write the word in full, or search the archive.',
};

/**
 * Checks a query by its words alone, before a job that searches with it is started. The search itself checks the
 * labels.
 * @returns the terms that name a label
 * @throws SearchTermNotSupported
 */
export function requireReadableQuery(
  { provider }: Pick<ProviderAccount, 'provider'>,
  query: string,
): readonly QueryTerm[] {
  return translateUnsupportedTerm(() =>
    requireReadableTerms(query, provider === 'imap' ? GENERAL_TERMS : GMAIL_TERMS),
  );
}

/**
 * Runs `read`, and translates its error for a term that cannot be read into that of the mail providers. @throws
 * SearchTermNotSupported
 */
export function translateUnsupportedTerm<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof SearchTermUnsupported)
      throw new SearchTermNotSupported(error.term, error.span, error.lack && ADVICE[error.lack]);
    throw error;
  }
}
