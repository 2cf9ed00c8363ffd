export type Problem = 'missing' | 'altered';

/** What a check came to; the result of its job. */
export interface IntegrityReport {
  /** Files read and hashed. */
  checked: number;
  /** Of the files read. */
  bytes: number;
  /** Mails without their file, known before or not. */
  missing: number;
  /** Mails whose file is not what was archived, known before or not. */
  altered: number;
  /** Mails found whole again. */
  resolved: number;
  /** Files no mail named, removed. */
  orphansRemoved: number;
  orphanBytes: number;
  /** Files no mail names that were left alone because there are suspiciously many, see `OrphanSweeper`. */
  orphansKept: number;
  /** Files on the local disk that Mailroom never writes. Left alone. */
  unknownFiles: number;
  /** The first hundred. */
  problems: { mailId: string; accountId: string; problem: Problem }[];
}

export const MAX_PROBLEMS_LISTED = 100;

export const emptyReport = (): IntegrityReport => ({
  checked: 0,
  bytes: 0,
  missing: 0,
  altered: 0,
  resolved: 0,
  orphansRemoved: 0,
  orphanBytes: 0,
  orphansKept: 0,
  unknownFiles: 0,
  problems: [],
});
