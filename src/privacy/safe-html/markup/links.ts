import type { Findings } from '../rendering/findings';
import { trackingParameters } from '../../tracking/detection/tracking-parameters';
import { linkTarget, withoutParameters } from './addresses';

/** Where a link leads without what tells the sender who followed it; null when it is not kept. */
export function safeLink(href: string, findings: Findings): string | null {
  const url = linkTarget(href);
  if (!url) return null;
  const names = trackingParameters(url);
  findings.addParameters(url, names);
  return withoutParameters(url, names);
}
