import { en } from '../../i18n/en';

type Catalogue = 'excludedBy' | 'failedBy' | 'blockedBy';
type Key<C extends Catalogue> = keyof (typeof en.keep)[C];

/**
 * The key of the text for a reason of the service; `other` when it has none of its own.
 * @param reason e.g. `copy-missing`, or an exclusion such as `sender:@news.example`
 */
export function reasonKey<C extends Catalogue>(catalogue: C, reason: string | null): Key<C> {
  const name = reason?.split(':')[0] ?? '';
  return (name in en.keep[catalogue] ? name : 'other') as Key<C>;
}
