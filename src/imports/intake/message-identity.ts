import type { ArchiveParse } from '../../archive/jobs/parse-message.task';
import { storableText } from '../../archive/writing/mail-to-archive';

/** Longer ones are no ids anybody refers to, and would not fit the index. */
const MAX_MESSAGE_ID = 512;

type Identified = Pick<ArchiveParse, 'messageId' | 'sha256'>;

/** `mailbox_message_id` of an imported mail: its Message-ID as it stands, else `sha256:<hex>` of its bytes. */
export function mailboxMessageId({ messageId, sha256 }: Identified): string {
  const id = storableText(messageId ?? '').trim();
  return id === '' || id.length > MAX_MESSAGE_ID ? `sha256:${sha256}` : id;
}

const DAY_MS = 86_400_000;
const OLDEST = Date.UTC(1970, 0, 1);
const END = Date.UTC(10_000, 0, 1);

/**
 * The date a mail is archived under: the first of the Date header and the source's own that a table can hold, else
 * the present day, as a whole so that a repeated import finds the same.
 */
export function archiveDate(candidates: readonly (Date | null)[], now: Date): Date {
  const usable = candidates.find((date) => date && date.getTime() >= OLDEST && date.getTime() < END);
  return usable ?? new Date(now.getTime() - (now.getTime() % DAY_MS));
}
