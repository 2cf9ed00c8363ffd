import { RESTORE_OUTCOMES, type RestoreNote, type RestoreOutcome } from './restore.entity';

/** Numbers of mails of a restore by outcome. */
export interface OutcomeCounts {
  untrashed: number;
  inserted: number;
  alreadyThere: number;
  sameIdDiffers: number;
  tooLarge: number;
  encrypted: number;
  damaged: number;
  failed: number;
}

export const COUNT_OF: Readonly<Record<RestoreOutcome, keyof OutcomeCounts>> = {
  untrashed: 'untrashed',
  inserted: 'inserted',
  'already-there': 'alreadyThere',
  'same-id-differs': 'sameIdDiffers',
  'too-large': 'tooLarge',
  encrypted: 'encrypted',
  damaged: 'damaged',
  failed: 'failed',
};

export const COUNT_NAMES = Object.values(COUNT_OF);

/** Counts under the names that the API uses. */
export function outcomeCounts(found: ReadonlyMap<RestoreOutcome | null, number>): OutcomeCounts {
  const counts: OutcomeCounts = {
    untrashed: 0,
    inserted: 0,
    alreadyThere: 0,
    sameIdDiffers: 0,
    tooLarge: 0,
    encrypted: 0,
    damaged: 0,
    failed: 0,
  };
  for (const outcome of RESTORE_OUTCOMES) counts[COUNT_OF[outcome]] = found.get(outcome) ?? 0;
  return counts;
}

/** Numbers of mails of a restore with each note. */
export interface NoteCounts {
  dateDiffers: number;
  labelRefused: number;
  threadNotKept: number;
  fieldsAdded: number;
  bytesDiffer: number;
}

export const noteCounts = (found: ReadonlyMap<RestoreNote, number>): NoteCounts => ({
  dateDiffers: found.get('date-differs') ?? 0,
  labelRefused: found.get('label-refused') ?? 0,
  threadNotKept: found.get('thread-not-kept') ?? 0,
  fieldsAdded: found.get('fields-added') ?? 0,
  bytesDiffer: found.get('bytes-differ') ?? 0,
});
