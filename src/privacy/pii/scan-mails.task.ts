import { createHash } from 'node:crypto';
import { mapJoined, type JoinedBuffers } from '../../platform/workers/joined-buffers';
import { allText } from '../../platform/mime/all-text';
import { type PiiFinding, summarisePii } from './detection/find-pii';

/** Findings of one mail. The values found do not leave the thread. */
export interface ScannedMail {
  readonly findings: readonly PiiFinding[];
  /** Whether the mail has more text than is scanned. */
  readonly isCut: boolean;
  /** SHA-256 of the scanned bytes, 64 hex digits in lower case. */
  readonly sha256: string;
}

/** Worker-thread entry: scans archived messages for personal data. */
export const scanMails = (mails: JoinedBuffers): ScannedMail[] => mapJoined(mails, scanMail);

function scanMail(raw: Buffer): ScannedMail {
  const { text, isCut } = allText(raw);
  return { findings: summarisePii(text), isCut, sha256: createHash('sha256').update(raw).digest('hex') };
}
