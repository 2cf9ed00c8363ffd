import type { AuditHashes, AuditHead, HashedEntry } from './audit-hashes';

/** Action of the entry that says that the head was altered or cut before it was written. */
export const END_REFUSED = 'audit.end-refused';

export type StoredEntry = HashedEntry & { readonly hash: Buffer };

/** Entries read after a broken one, to tell what has happened. */
export const LOOK_AHEAD = 100;

/** The last entry up to which a log is intact, and its hash. */
export type ChainPoint = Pick<AuditHead, 'sequence' | 'hash'>;

export const BEGINNING: ChainPoint = { sequence: 0, hash: Buffer.alloc(0) };

/**
 * Checks the log entry by entry, in constant memory. Every check answers null, or one sentence that names the first broken
 * entry.
 */
export class ChainCheck {
  private count = 0;
  private at: ChainPoint;

  constructor(
    private readonly hashes: AuditHashes,
    private readonly head: AuditHead,
    private readonly from: ChainPoint = BEGINNING,
  ) {
    this.at = from;
  }

  /** The last intact entry. */
  get reached(): ChainPoint {
    return this.at;
  }

  /** Intact entries so far. */
  get fitting(): number {
    return this.count;
  }

  /** @param following up to `LOOK_AHEAD` entries after this one */
  checkEntry(entry: StoredEntry, following: readonly StoredEntry[]): string | null {
    const expected = this.at.sequence + 1;
    if (entry.sequence !== expected) return describeMissing(expected, entry.sequence - 1);
    if (!this.hashes.isEntry(entry, this.at.hash)) return this.describeMisfit(entry, following);
    if (entry.action === END_REFUSED) {
      return `Entry ${expected} says so itself: the end of the log had been altered or cut when it was written, or the ENCRYPTION_KEY had changed. Entries before it may be missing.`;
    }
    this.at = { sequence: entry.sequence, hash: entry.hash };
    this.count += 1;
    return null;
  }

  /** After the last entry. */
  checkEnd(): string | null {
    const { sequence, hash } = this.head;
    const last = this.at.sequence;
    if (!this.hashes.isHead(this.head)) {
      const isBlank = sequence === 0 && last === 0 && this.head.mac.length === 0;
      return isBlank
        ? null
        : `The end of the log was altered: entries after ${last} may be missing, and the end rewritten to hide it.`;
    }
    if (sequence > last) return describeMissing(last + 1, sequence, 'at the end');
    if (sequence < last) return describeInserted(sequence + 1, sequence);
    return hash.equals(this.at.hash)
      ? null
      : `Entry ${last} is not the one the log ends with: it was replaced.`;
  }

  private describeMisfit(entry: StoredEntry, following: readonly StoredEntry[]): string {
    const { sequence } = entry;
    const [next] = following;
    const isWholeHead = this.hashes.isHead(this.head);
    if (isWholeHead && sequence > this.head.sequence) return describeInserted(sequence, this.head.sequence);
    if (next && this.hashes.isEntry(next, entry.hash)) return `Entry ${sequence} was altered.`;
    if (following.some((later) => this.hashes.isEntry({ ...later, sequence }, this.at.hash))) {
      return this.isMoved(entry, following)
        ? `Entry ${sequence} is not in its place: entries were reordered.`
        : `Entry ${sequence} was inserted.`;
    }
    if (next && this.isRenumbered(entry, next)) {
      return `Entry ${sequence} is not the one that was written here: entries are missing before it, and those after were renumbered.`;
    }
    if (sequence === this.from.sequence + 1 && !isWholeHead) {
      return `Nothing fits from entry ${sequence} on: ENCRYPTION_KEY is not the one the log was written with, or all of it was rewritten.`;
    }
    return `Entry ${sequence} was altered, or written with another ENCRYPTION_KEY.`;
  }

  /** Whether the entry was written for another place among the following ones. */
  private isMoved(entry: StoredEntry, following: readonly StoredEntry[]): boolean {
    const hashes = [this.at.hash, ...following.map(({ hash }) => hash)];
    return following.some(({ sequence }) =>
      hashes.some((before) => this.hashes.isEntry({ ...entry, sequence }, before)),
    );
  }

  /** Whether the next entry was written right after this one, both with higher numbers. */
  private isRenumbered(entry: StoredEntry, next: StoredEntry): boolean {
    return Array.from({ length: LOOK_AHEAD }, (_, index) => index + 1).some((by) =>
      this.hashes.isEntry({ ...next, sequence: next.sequence + by }, entry.hash),
    );
  }
}

const describeInserted = (sequence: number, end: number): string =>
  `Entry ${sequence} was inserted: the log ends with entry ${end}.`;

function describeMissing(from: number, to: number, where = ''): string {
  const at = where && ` ${where}`;
  return from === to ? `Entry ${from} is missing${at}.` : `Entries ${from} to ${to} are missing${at}.`;
}
