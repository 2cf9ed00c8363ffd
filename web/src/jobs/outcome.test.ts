import { afterEach, describe, expect, it } from 'vitest';
import { setLanguage } from '../i18n';
import { loadTexts } from '../i18n/texts';
import { failureReasons, outcomesOf } from './outcome';

const said = (result: Record<string, unknown> | null): string[] =>
  outcomesOf({ result }).map(({ name, count }) => `${count} ${name}`);

describe('outcomesOf', () => {
  it.each([
    [
      { action: 'trash', changed: 4_780, alreadyDone: 12, notFound: 0, refused: 3 },
      '4780 trashed, 12 inTrash, 3 refused',
    ],
    [
      { action: 'mark_read', changed: 0, alreadyDone: 5, notFound: 2, refused: 0 },
      '0 read, 5 alreadyDone, 2 notFound',
    ],
    [{ action: 'something_new', changed: 7 }, '7 changed'],
    [{ action: 'archive', changed: 0, refused: 0, unknown: 20 }, '0 takenOut, 20 outcomeUnknown'],
    [
      { restored: 9, alreadyBack: 1, changedSince: 2, gone: 3, labelGone: 4, unknownBefore: 5, refused: 6 },
      '9 restored, 1 alreadyBack, 2 changedSince, 3 notFound, 4 labelGone, 5 unknownBefore, 6 refused',
    ],
    [
      { action: 'trash', query: 'label:a', found: 9, matched: 9, changed: 4, failed: 0, unknown: 5 },
      '4 trashed, 5 outcomeUnknown',
    ],
    [{ restored: 2, alreadyBack: 0, unknown: 3 }, '2 restored, 3 outcomeUnknown'],
    [{ archived: 40, skipped: 2, failed: 1, bytes: 900 }, '40 archived, 2 skipped, 1 notArchived'],
    [{ deleted: 50 }, '50 deleted'],
    [{ phase: 'plan', mails: 12, encrypted: 2, tooLarge: 0, labelsToCreate: 1 }, '12 restorable'],
    [{ untrashed: 0, inserted: 9, alreadyThere: 3, tooLarge: 1 }, '9 inserted, 3 alreadyThere'],
    [{ untrashed: 0, inserted: 0, alreadyThere: 0 }, '0 untrashed'],
    [{ planId: 'p', selected: 40, offloadable: 12, bytes: 900 }, '12 offloadable'],
    [
      {
        imported: 3,
        leftOut: { deleted: 1, notMail: 2, emptyFile: 1 },
        deleted: 1,
        statesNotKept: { answered: 4 },
      },
      '3 imported, 1 deletedAtSource, 2 notMail, 1 emptyFile, 4 answeredLost',
    ],
    [{ imported: 0, duplicates: 7, sameIdDifferent: 0, failed: 2, bytes: 0 }, '0 imported, 7 duplicates'],
  ])('should read %j as %s', (result, expected) => {
    expect(said(result).join(', ')).toBe(expected);
  });

  it('should return nothing for a job without a result of a known kind', () => {
    expect([said(null), said({ failures: [] }), said({ deleted: 'many' })]).toEqual([[], [], []]);
  });
});

describe('failureReasons', () => {
  afterEach(() => setLanguage('en'));

  it('should group failures by reason, the most frequent first', () => {
    const failures = [
      { item: 'a', reason: 'Gone.' },
      { item: 'b', reason: 'Refused.' },
      { item: 'c', reason: 'Refused.' },
    ];
    expect(failureReasons({ result: { failures } })).toEqual([
      { reason: 'Refused.', count: 2 },
      { reason: 'Gone.', count: 1 },
    ]);
    expect(failureReasons({ result: null })).toEqual([]);
  });

  it('should explain reasons by their codes, in the language of the page', async () => {
    await loadTexts('jobFailures');
    await setLanguage('fr');
    const failures = [
      { item: 'a', code: 'changed-since', reason: 'The message was changed again since.' },
      { item: 'b', code: 'message-not-found', reason: 'The mailbox has no such message.' },
      { item: 'c', code: 'message-not-found', reason: 'The mailbox no longer has this message.' },
    ];
    expect(failureReasons({ result: { failures } })).toEqual([
      { reason: 'La boîte n’a plus ce message.', count: 2 },
      { reason: 'Le message a de nouveau été modifié depuis\u00a0: il reste tel quel.', count: 1 },
    ]);
  });
});
