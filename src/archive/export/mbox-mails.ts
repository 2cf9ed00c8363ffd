import { createHash } from 'node:crypto';
import { mboxEntry, type MboxEnvelope } from './mbox-format';

/** What an mbox needs to know of a mail. */
export interface MboxSource extends MboxEnvelope {
  /** The hash its bytes must have, hex; null when they have been verified already. */
  readonly sha256: string | null;
}

/** Some messages of an mbox. */
export interface MboxPart {
  readonly pieces: readonly Buffer[];
  /** Position of the first mail that is not what was archived: it is not in the part, nor is any after it. */
  readonly altered: number | null;
}

/** Verifies mails and writes them as mboxrd. @param sources one for each mail */
export function mboxMails(mails: readonly Buffer[], sources: readonly MboxSource[]): MboxPart {
  const pieces: Buffer[] = [];
  for (const [index, mail] of mails.entries()) {
    const { sha256, ...envelope } = sources[index]!;
    if (sha256 !== null && createHash('sha256').update(mail).digest('hex') !== sha256) {
      return { pieces, altered: index };
    }
    pieces.push(...mboxEntry(mail, envelope));
  }
  return { pieces, altered: null };
}
