import { MAIL_ANALYTICS } from './platforms/mail-analytics';
import { MARKETING_SUITES } from './platforms/marketing-suites';
import { NEWSLETTER_PLATFORMS } from './platforms/newsletter-platforms';
import { OWN_MAILS } from './platforms/own-mails';
import { SALES_TOOLS } from './platforms/sales-tools';
import type { Vendor } from './platforms/vendor';

/**
 * Hosts and endpoints of sender platforms. A host that also serves content images (logos, uploads) has a path here:
 * an image is never taken for a tracker because of who stores it.
 */
export const SENDER_PLATFORMS: readonly Vendor[] = [
  ...NEWSLETTER_PLATFORMS,
  ...MARKETING_SUITES,
  ...SALES_TOOLS,
  ...MAIL_ANALYTICS,
  ...OWN_MAILS,
];
