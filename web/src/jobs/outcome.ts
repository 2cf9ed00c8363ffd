import type { en } from '../i18n/en';
import type { Job } from './job-cache';
import { type ItemFailure, itemFailureText } from './job-failure';

type Outcomes = typeof en.jobs.outcomes;
/** One kind of outcome; its text has a number, and so two forms. */
export type OutcomeName = keyof Outcomes extends infer Key
  ? Key extends `${infer Name}_other`
    ? Name
    : never
  : never;

/** Number of items with an outcome. */
export interface Outcome {
  readonly name: OutcomeName;
  readonly count: number;
}

/** Facts of results, in the order they are read. What stands first is said even of nothing. */
const FACTS = {
  bulk: { alreadyDone: 'alreadyDone', notFound: 'notFound', refused: 'refused', unknown: 'outcomeUnknown' },
  undo: {
    restored: 'restored',
    alreadyBack: 'alreadyBack',
    changedSince: 'changedSince',
    gone: 'notFound',
    labelGone: 'labelGone',
    unknownBefore: 'unknownBefore',
    refused: 'refused',
    unknown: 'outcomeUnknown',
  },
  import: {
    imported: 'imported',
    duplicates: 'duplicates',
    sameIdDifferent: 'sameId',
    deleted: 'deletedAtSource',
    folderData: 'folderData',
  },
  leftOut: {
    notMail: 'notMail',
    programData: 'programData',
    emptyFile: 'emptyFile',
    linkOrDevice: 'linkOrDevice',
    contact: 'contact',
    calendar: 'calendar',
    task: 'task',
    note: 'note',
    journal: 'journal',
    otherItem: 'otherItem',
  },
  statesNotKept: { answered: 'answeredLost', forwarded: 'forwardedLost' },
  archive: { archived: 'archived', skipped: 'skipped', failed: 'notArchived' },
  deletion: { deleted: 'deleted' },
  restore: { untrashed: 'untrashed', inserted: 'inserted', alreadyThere: 'alreadyThere' },
  trialRun: { mails: 'restorable' },
  offloadPlan: { offloadable: 'offloadable' },
} as const satisfies Readonly<Record<string, Readonly<Record<string, OutcomeName>>>>;

/** Outcomes by the reasons for which imports leave items out. */
export const LEFT_OUT_OUTCOMES = {
  ...FACTS.leftOut,
  deleted: FACTS.import.deleted,
  folderData: FACTS.import.folderData,
} as const;

/** Outcome of a completed change of messages, by its action. */
const DONE: Readonly<Record<string, OutcomeName>> = {
  trash: 'trashed',
  delete: 'deleted',
  archive: 'takenOut',
  label: 'labelled',
  unlabel: 'unlabelled',
  move: 'moved',
  mark_read: 'read',
  mark_unread: 'unread',
};

/**
 * The outcome of a job that has ended, from its result: `4,780 moved to the trash, 12 were so already`. Empty for kinds
 * whose results are not read here, and for jobs that failed before they did anything.
 */
export function outcomesOf({ result }: Pick<Job, 'result'>): Outcome[] {
  if (!result) return [];
  if (isCount(result['restored'])) return countsOf(result, FACTS.undo);
  if (isCount(result['untrashed'])) {
    const ends = countsOf(result, FACTS.restore);
    return ends.length > 1 ? ends.filter(({ count }) => count > 0) : ends;
  }
  if (result['phase'] === 'plan') return countsOf(result, FACTS.trialRun);
  if (isCount(result['offloadable'])) return countsOf(result, FACTS.offloadPlan);
  if (isCount(result['imported']))
    return [
      ...countsOf(result, FACTS.import),
      ...countsWithin(result['leftOut'], FACTS.leftOut),
      ...countsWithin(result['statesNotKept'], FACTS.statesNotKept),
    ];
  if (isCount(result['archived'])) return countsOf(result, FACTS.archive);
  if (isCount(result['deleted'])) return countsOf(result, FACTS.deletion);
  if (!isCount(result['changed'])) return [];
  const action = result['action'];
  const name = (typeof action === 'string' ? DONE[action] : undefined) ?? 'changed';
  // "12 were there already" is said of the trash only.
  const already = action === 'trash' ? { ...FACTS.bulk, alreadyDone: 'inTrash' as const } : FACTS.bulk;
  return countsOf(result, { changed: name, ...already });
}

const isCount = (value: unknown): value is number => typeof value === 'number';

function countsOf(
  result: Readonly<Record<string, unknown>>,
  facts: Readonly<Record<string, OutcomeName>>,
): Outcome[] {
  return Object.entries(facts).flatMap(([fact, name], place) => {
    const count = result[fact];
    return isCount(count) && (count > 0 || place === 0) ? [{ name, count }] : [];
  });
}

/** Counts that are together in one entry of the result; those of nothing are left out. */
function countsWithin(found: unknown, facts: Readonly<Record<string, OutcomeName>>): Outcome[] {
  if (typeof found !== 'object' || found === null) return [];
  return countsOf(found as Readonly<Record<string, unknown>>, facts).filter(({ count }) => count > 0);
}

/** Number of items that failed for a reason. */
export interface FailureReason {
  readonly reason: string;
  readonly count: number;
}

/**
 * Why items failed, in the language of the page, the most frequent reason first; of very many failures only some are
 * remembered.
 */
export function failureReasons({ result }: Pick<Job, 'result'>): FailureReason[] {
  const failures = result?.['failures'];
  if (!Array.isArray(failures)) return [];
  const counts = new Map<string, number>();
  for (const failure of failures as ItemFailure[]) {
    const reason = itemFailureText(failure);
    counts.set(reason, (counts.get(reason) ?? 0) + 1);
  }
  return [...counts]
    .map(([reason, count]) => ({ reason, count }))
    .sort((one, other) => other.count - one.count);
}

/** Whether every failure is remembered by name, so that exactly those can be tried again. */
export const failuresAreKnown = ({ result }: Pick<Job, 'result'>): boolean =>
  result?.['failuresTruncated'] !== true;
