import { describe, expect, it } from 'vitest';
import { BLANK, filterOf, mostOf } from './export-request';

describe('the content of an export', () => {
  it('should be everything, or a selection', () => {
    expect(filterOf({ ...BLANK, words: 'kept for later' })).toEqual({});
    expect(
      filterOf({ ...BLANK, scope: 'some', words: ' invoice ', sender: 'bank', attachments: true }),
    ).toEqual({
      q: 'invoice',
      sender: 'bank',
      has_attachments: true,
    });
  });

  it('should cover whole days in the user’s time zone', () => {
    const { from_date: from, to_date: to } = filterOf({
      ...BLANK,
      scope: 'some',
      from: '2024-02-29',
      to: '2024-02-29',
    });
    expect(new Date(from!)).toEqual(new Date(2024, 1, 29));
    expect(new Date(to!)).toEqual(new Date(2024, 1, 29, 23, 59, 59, 999));
  });

  it('should be limited to what the service accepts', () => {
    expect(mostOf({ ...BLANK, format: 'mbox' })).toBe(Infinity);
    expect(mostOf({ ...BLANK, format: 'mbox', scope: 'some', words: 'x' })).toBe(50_000);
    expect(mostOf({ ...BLANK, format: 'zip' })).toBe(10_000);
  });
});
