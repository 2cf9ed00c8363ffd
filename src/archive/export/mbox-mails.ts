import { createHash } from 'node:crypto';
import { mboxEntry, type MboxEnvelope } from './mbox-format';

/** The facts about a mail that an mbox needs. */
export interface MboxSource extends MboxEnvelope {
  /** SHA-256 that the bytes must have, 64 hex digits; null when they have been verified already. */
  readonly sha256: string | null;
}

/** Some messages of an mbox. */
export interface MboxPart {
  readonly pieces: readonly Buffer[];
  /** Position of the first mail that is not as it was archived, which the part omits with all later ones; null: none. */
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
