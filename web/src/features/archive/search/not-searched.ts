import type { Schemas } from '@mailroom/sdk';
import { i18next } from '../../../i18n';
import { problemText } from '../../../ui/problem-text';

/** Why a mailbox was not searched, as people read it. */
export function reasonText({ code, detail }: Schemas['NotSearchedResponse']): string {
  if (code === 'mailbox-not-searched-in-time') return i18next.t('search.reasons.notInTime');
  if (code === 'mailbox-reauth-required') return i18next.t('search.reasons.sign');
  // The service names the term in quotes.
  const term = code === 'search-term-unsupported' ? /"(.*)"/s.exec(detail)?.[1] : undefined;
  return term === undefined ? problemText({ code, detail }) : i18next.t('search.reasons.term', { term });
}
