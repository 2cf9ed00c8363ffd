/** Mails that a search may miss, because they or their attachments are not, or not wholly, indexed. Encrypted mail is not among them. */
export interface IndexGaps {
  readonly mails: number;
  /** The part of them that is still to be read. */
  readonly waiting: number;
  /** Whether there are no more than `mails`. */
  readonly isExact: boolean;
  /** Mails in the archive. */
  readonly total: number;
}
