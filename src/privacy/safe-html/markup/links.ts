import type { Findings } from '../rendering/findings';
import { trackingParameters } from '../../tracking/detection/tracking-parameters';
import { linkTarget, withoutParameters } from './addresses';
import { isFunctional } from './functional-links';

/**
 * Where a link leads without what tells the sender who followed it; null when it is not kept. Links that manage the
 * subscription or show the mail in a browser stay whole: they are for this reader, and do not work without.
 * @param label the beginning of what the link shows, empty when not known
 */
export function safeLink(href: string, label: string, findings: Findings): string | null {
  const url = linkTarget(href);
  if (!url) return null;
  const names = trackingParameters(url);
  if (names.length > 0 && isFunctional(url, label)) return url.href;
  findings.addParameters(url, names);
  return withoutParameters(url, names);
}
