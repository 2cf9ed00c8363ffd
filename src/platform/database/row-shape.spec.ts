import { column, RowMismatch, RowShape, typedRows } from './row-shape';

interface Sample {
  id: string;
  size: number;
  at: Date | null;
  tags: string[];
  state: 'on' | 'off';
}

const SAMPLE_ROW: RowShape<Sample> = {
  id: column.text,
  size: column.number,
  at: column.nullable(column.date),
  tags: column.array(column.text),
  state: column.oneOf(['on', 'off']),
};

const row = { id: 'a', size: 1, at: null, tags: ['x'], state: 'on' };

describe('typedRows', () => {
  it('should return the rows themselves when every column fits', () => {
    const rows = [row, { ...row, at: new Date(0), tags: [], state: 'off' }];
    expect(typedRows(SAMPLE_ROW, rows)).toBe(rows);
  });

  it.each([
    ['a number in place of text', { id: 1 }, 'The column "id" is not text'],
    ['a bigint as the driver answers it', { size: '12' }, 'The column "size" is not a number'],
    ['null', { size: null }, 'The column "size" is not a number'],
    ['a date as text', { at: '2025-01-01' }, 'The column "at" is not a date or null'],
    ['one element of another type', { tags: ['x', 2] }, 'The column "tags" is not an array of text'],
    ['an unknown value', { state: 'maybe' }, 'The column "state" is not one of on, off'],
    ['a missing column', { at: undefined }, 'The column "at" is not a date or null'],
  ])('should refuse %s', (_, change, message) => {
    const rows = [row, { ...row, ...change }];
    expect(() => typedRows(SAMPLE_ROW, rows)).toThrow(RowMismatch);
    expect(() => typedRows(SAMPLE_ROW, rows)).toThrow(message);
  });

  it('should include no value in the error', () => {
    expect(() => typedRows({ id: column.number }, [{ id: 'secret' }])).toThrow(/^(?!.*secret)/);
  });
});
