import { describe, expect, it } from 'vitest';
import { BLANK, filterOf, mostOf } from './export-request';

describe('what is exported', () => {
  it('should be everything, or what is asked for', () => {
    expect(filterOf({ ...BLANK, words: 'kept for later' })).toEqual({});
    expect(
      filterOf({ ...BLANK, scope: 'some', words: ' invoice ', sender: 'bank', attachments: true }),
    ).toEqual({
      q: 'invoice',
      sender: 'bank',
      has_attachments: true,
    });
  });

  it('should have whole days, as the person counts them', () => {
    const { from_date: from, to_date: to } = filterOf({
      ...BLANK,
      scope: 'some',
      from: '2024-02-29',
      to: '2024-02-29',
    });
    expect(new Date(from!)).toEqual(new Date(2024, 1, 29));
    expect(new Date(to!)).toEqual(new Date(2024, 1, 29, 23, 59, 59, 999));
  });

  it('should be as much as the service takes', () => {
    expect(mostOf({ ...BLANK, format: 'mbox' })).toBe(Infinity);
    expect(mostOf({ ...BLANK, format: 'mbox', scope: 'some', words: 'x' })).toBe(50_000);
    expect(mostOf({ ...BLANK, format: 'zip' })).toBe(10_000);
  });
});
