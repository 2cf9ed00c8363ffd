import { describe, expect, it } from 'vitest';
import { formatsOf, leftOutOf } from './import-contents';

const jobWith = (result: Record<string, unknown> | null) => ({ result });

describe('formatsOf', () => {
  it('should name the formats of an import, the most frequent first', () => {
    expect(formatsOf(jobWith({ formats: { eml: 2, pst: 70, mbox: 0 } }))).toEqual([
      { name: 'pst', count: 70 },
      { name: 'eml', count: 2 },
    ]);
  });

  it.each([null, {}, { formats: 'eml' }])('should be empty for the result %j', (result) => {
    expect(formatsOf(jobWith(result))).toEqual([]);
  });
});

describe('leftOutOf', () => {
  it('should name what was left out, by reason', () => {
    const result = {
      leftOut: { notMail: 27, deleted: 1, contact: 3 },
      leftOutNames: { notMail: ['photos/cat.jpg', 'notes.txt'], deleted: ['message at byte 12'] },
    };
    expect(leftOutOf(jobWith(result))).toEqual([
      { reason: 'notMail', count: 27, names: ['photos/cat.jpg', 'notes.txt'] },
      { reason: 'deletedAtSource', count: 1, names: ['message at byte 12'] },
    ]);
  });

  it.each([null, {}, { leftOut: { notMail: 2 } }, { leftOut: { notMail: 2 }, leftOutNames: [] }])(
    'should be empty for the result %j',
    (result) => {
      expect(leftOutOf(jobWith(result))).toEqual([]);
    },
  );
});
