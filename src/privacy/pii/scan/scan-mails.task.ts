import { createHash } from 'node:crypto';
import { allText } from '../../../mime/all-text';
import { type PiiFinding, summarisePii } from '../detection/summarise-pii';

export interface ScanMailsTask {
  /** The messages, one directly after the other. */
  readonly bytes: ArrayBuffer;
  readonly lengths: readonly number[];
  /** What each of them is to have, lower-case hex. */
  readonly sha256: readonly string[];
  /** A BigInt64 that is set to the time the work begins, in milliseconds since 1970. */
  readonly startedAt: SharedArrayBuffer;
}

/** Of one mail. Values that were found do not leave the thread. */
export interface ScannedMail {
  readonly findings: readonly PiiFinding[];
  /** Whether the mail has more text than is looked through. */
  readonly isCut: boolean;
  /** Whether its bytes are not those that were archived; nothing is looked for then. */
  readonly isAltered: boolean;
}

/** Worker-thread entry: looks through archived messages for personal data. */
export function scanMails({ bytes, lengths, sha256, startedAt }: ScanMailsTask): ScannedMail[] {
  Atomics.store(new BigInt64Array(startedAt), 0, BigInt(Date.now()));
  let end = 0;
  return lengths.map((length, index) => {
    end += length;
    const raw = Buffer.from(bytes, end - length, length);
    if (createHash('sha256').update(raw).digest('hex') !== sha256[index])
      return { findings: [], isCut: false, isAltered: true };
    const { text, isCut } = allText(raw);
    return { findings: summarisePii(text), isCut, isAltered: false };
  });
}
