import type { Schemas } from '@mailroom/sdk';

type Coverage = Pick<
  Schemas['CoverageResponse'],
  'total' | 'verified' | 'archived' | 'pending' | 'excluded' | 'failed' | 'exact'
>;
type Archiving = Pick<Schemas['ArchivingResponse'], 'mode' | 'state' | 'reason' | 'verifyDays'>;
type Integrity = Pick<Schemas['ArchiveIntegrityResponse'], 'total' | 'checkedThisWeek'>;

/** Days in which every file of an archive is read again. */
const CHECK_DAYS = 7;

/** Number of the messages that are to be kept, and of their copies in the archive. */
export interface Safety {
  /**
   * `kept` counts the mailbox against its copies; `filling` does so while these are made for the first time. `copies` knows
   * only the archive. `reading` knows nothing yet, and with `nothing` there is none to be kept, or no copy.
   */
  readonly kind: 'kept' | 'filling' | 'copies' | 'reading' | 'nothing';
  /** Messages with a copy. */
  readonly kept: number;
  /** Copies whose files were read lately, and are what was archived. */
  readonly proved: number;
  /** Messages that are to be kept: all but those that the settings leave out. */
  readonly wanted: number;
  /** Days that count as lately. */
  readonly days: number;
}

const NOTHING: Safety = { kind: 'nothing', kept: 0, proved: 0, wanted: 0, days: CHECK_DAYS };

/** Says it of a mailbox whose messages are compared with the archive. */
export function safetyOfMailbox({ mode, reason, verifyDays }: Archiving, coverage: Coverage): Safety {
  const { total, verified, archived, excluded, exact } = coverage;
  const kept = verified + archived;
  if (total === 0) return exact ? NOTHING : { ...NOTHING, kind: 'reading' };
  return {
    kind: mode === 'keep' && reason === 'first-fill' ? 'filling' : 'kept',
    kept,
    proved: verified,
    wanted: total - excluded,
    days: verifyDays,
  };
}

/** Says it of an archive that is not compared with a mailbox. */
export const safetyOfArchive = ({ total, checkedThisWeek }: Integrity): Safety =>
  total === 0
    ? NOTHING
    : { kind: 'copies', kept: total, proved: checkedThisWeek, wanted: total, days: CHECK_DAYS };

/** Share of the copies that is proved. */
export function proofOf({ kept, proved }: Safety): 'all' | 'some' | 'none' {
  if (proved === 0) return 'none';
  return proved >= kept ? 'all' : 'some';
}

/** A state of archiving that needs a person; null when all goes on by itself. */
export function troubleOf({
  mode,
  state,
  reason,
}: Archiving): 'needs_reconnection' | 'quota_full' | 'behind' | 'paused' | null {
  if (state === 'off' || state === 'healthy' || mode === 'off') return null;
  // The first copy of a mailbox takes its time: nothing is wrong.
  return state === 'behind' && (reason === 'first-fill' || mode === 'watch') ? null : state;
}
