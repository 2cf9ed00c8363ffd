import { hasText } from '../../i18n';
import type { keep } from '../../i18n/en/keep';

type Catalogue = 'excludedBy' | 'failedBy' | 'blockedBy';
type Key<C extends Catalogue> = keyof (typeof keep)[C];

/**
 * Key of the text for a reason of the service; `other` when the reason has no text.
 * @param reason e.g. `copy-missing`, or an exclusion such as `sender:@news.example`
 */
export function reasonKey<C extends Catalogue>(catalogue: C, reason: string | null): Key<C> {
  const name = reason?.split(':')[0] ?? '';
  return (hasText(`keep.${catalogue}.${name}`) ? name : 'other') as Key<C>;
}
