import { ValidationFailed } from '../http/domain-error';
import { dateFilter } from './date-filter';

describe('dateFilter', () => {
  it.each([
    ['2024-02-29', '2024-02-29T00:00:00.000Z', '2024-03-01T00:00:00.000Z'],
    ['2024-02-29T10:11:12Z', '2024-02-29T10:11:12.000Z', '2024-02-29T10:11:13.000Z'],
    ['2024-02-29T10:11:12.345Z', '2024-02-29T10:11:12.345Z', '2024-02-29T10:11:12.346Z'],
    ['2024-02-29T10:11', '2024-02-29T10:11:00.000Z', '2024-02-29T10:12:00.000Z'],
    ['2024-02-29T10:11:12+05:30', '2024-02-29T04:41:12.000Z', '2024-02-29T04:41:13.000Z'],
    ['2024-02-29 23:59:59-01', '2024-03-01T00:59:59.000Z', '2024-03-01T01:00:00.000Z'],
    ['0001-01-01', '0001-01-01T00:00:00.000Z', '0001-01-02T00:00:00.000Z'],
  ])('should cover all of %s', (value, start, end) => {
    const sut = dateFilter({ from_date: value, to_date: value });
    expect(sut.from?.toISOString()).toBe(start);
    expect(sut.until?.toISOString()).toBe(end);
  });

  it.each([
    '',
    'yesterday',
    '2024-02-30',
    '2024-13-01',
    '24-01-01',
    '2024-01-01T25:00',
    '1706745600',
    '2024-01-01T10:00:00+99:00',
  ])('should refuse %s and name the field', (value) => {
    expect(() => dateFilter({ to_date: value })).toThrow(ValidationFailed);
    expect(() => dateFilter({ to_date: value })).toThrow('to_date must be an ISO 8601 date');
  });

  it('should name both fields when both are invalid', () => {
    expect(() => dateFilter({ from_date: 'a', to_date: 'b' })).toThrow(/from_date.*to_date/);
  });

  it('should omit missing fields', () => {
    expect(dateFilter({})).toEqual({ from: null, until: null });
  });
});
