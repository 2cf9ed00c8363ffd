import { MAIL_ANALYTICS } from './mail-analytics';
import { MARKETING_SUITES } from './marketing-suites';
import { NEWSLETTER_PLATFORMS } from './newsletter-platforms';
import { OWN_MAILS } from './own-mails';
import { SALES_TOOLS } from './sales-tools';
import type { Vendor } from './vendor';

/**
 * Hosts and endpoints of sender platforms. A host that also serves content images (logos, uploads) has a path here:
 * an image is never taken for a tracker because of the host that stores it.
 */
export const SENDER_PLATFORMS: readonly Vendor[] = [
  ...NEWSLETTER_PLATFORMS,
  ...MARKETING_SUITES,
  ...SALES_TOOLS,
  ...MAIL_ANALYTICS,
  ...OWN_MAILS,
];
