import { describe, expect, it } from 'vitest';
import { conditionsIn, filterOf, hasConditions } from './archive-filter';

describe('filters of the archive', () => {
  it('should be sent under the names of the service, without empty ones', () => {
    expect(filterOf({ q: 'invoice', sender: 'bank', min: 5, files: false, encrypted: true })).toEqual({
      q: 'invoice',
      sender: 'bank',
      min_size: 5,
      has_attachments: false,
      encrypted: true,
    });
    expect(filterOf({})).toEqual({});
  });

  it('should send local days as instants, including the whole last one', () => {
    const { from_date, to_date } = filterOf({ after: '2024-02-01', before: '2024-02-29' });
    expect(new Date(from_date!)).toEqual(new Date(2024, 1, 1));
    expect(new Date(to_date!)).toEqual(new Date(2024, 1, 29, 23, 59, 59, 999));
  });

  it('should send a month in the service’s time zone', () => {
    expect(filterOf({ month: '2024-02' })).toEqual({
      from_date: '2024-02-01T00:00:00.000Z',
      to_date: '2024-02-29T23:59:59.999Z',
    });
  });

  it('should send the intersection of a month and days', () => {
    const { from_date, to_date } = filterOf({ after: '2024-02-10', before: '2024-05-01', month: '2024-02' });
    expect(new Date(from_date!)).toEqual(new Date(2024, 1, 10));
    expect(to_date).toBe('2024-02-29T23:59:59.999Z');
  });

  it('should be separated from the rest of the address', () => {
    const search = { q: 'a', mail: 'm', view: 'threads' };
    expect(Object.keys(JSON.parse(JSON.stringify(conditionsIn(search))) as object)).toEqual(['q']);
    expect([hasConditions(search), hasConditions({}), hasConditions({ files: false })]).toEqual([
      true,
      false,
      true,
    ]);
  });
});
