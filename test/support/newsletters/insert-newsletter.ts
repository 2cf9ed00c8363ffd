import type { SandboxMailbox } from '../../../sandbox/src/sandbox-server';
import { eml } from '../archive/eml';

const DAY_MS = 86_400_000;
const LEAVE = 'List-Unsubscribe: <https://lists.example/u?k=1>';

interface NewsletterOptions {
  /** Header lines; default: one List-Unsubscribe. */
  readonly lines?: readonly string[];
  readonly labelIds?: readonly string[];
  /** Its age; default: one day. */
  readonly daysAgo?: number;
}

/** Inserts a message with a List-Unsubscribe header, unless `lines` says otherwise. @returns its id */
export function insertNewsletter(
  mailbox: SandboxMailbox,
  from: string,
  { lines = [LEAVE], labelIds = ['INBOX'], daysAgo = 1 }: NewsletterOptions = {},
): string {
  const raw = eml(`From: ${from}`, 'Subject: Offers', ...lines, '', 'Hello', '');
  return mailbox.insert(raw, { labelIds, internalDate: new Date(Date.now() - daysAgo * DAY_MS) });
}
