import { DomainError } from '../../platform/http/domain-error';

/** Reasons for which a job cannot be undone. */
export const UNDO_REFUSALS = [
  'job-not-finished',
  'not-undoable',
  'nothing-changed',
  'undo-expired',
  'already-undone',
] as const;
export type UndoRefusal = (typeof UNDO_REFUSALS)[number];

const DETAILS: Readonly<Record<UndoRefusal, string>> = {
  'job-not-finished': 'The job has not ended yet. Cancel it first, or wait.',
  'not-undoable': 'What this job does cannot be undone.',
  'nothing-changed': 'The job has changed nothing.',
  'undo-expired': 'The job ended too long ago to be undone.',
  'already-undone': 'The job has been undone, or is being undone.',
};

export class UndoRefused extends DomainError {
  constructor(refusal: UndoRefusal) {
    super({ code: refusal, status: 409, detail: DETAILS[refusal] });
  }
}
