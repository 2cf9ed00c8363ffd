import { pageFrom } from './page-from';

describe('pageFrom', () => {
  it.each([
    [{ limit: 50, offset: 0 }, null, { limit: 50, offset: 0, isReversed: false }],
    [{ limit: 50, offset: 0 }, 0, { limit: 0, offset: 0, isReversed: false }],
    [{ limit: 50, offset: 0 }, 20, { limit: 20, offset: 0, isReversed: false }],
    [{ limit: 50, offset: 950 }, 1_000, { limit: 50, offset: 0, isReversed: true }],
    [{ limit: 50, offset: 950 }, 970, { limit: 20, offset: 0, isReversed: true }],
    [{ limit: 50, offset: 600 }, 1_000, { limit: 50, offset: 350, isReversed: true }],
    [{ limit: 50, offset: 400 }, 1_000, { limit: 50, offset: 400, isReversed: false }],
  ])('should read %j of %s as %j', (range, total, expected) => {
    expect(pageFrom(range, total)).toEqual(expected);
  });

  it.each([[1_000], [1_001]])('should read nothing beyond the end, from %d', (offset) => {
    expect(pageFrom({ limit: 50, offset }, 1_000).limit).toBe(0);
  });

  it('should return the same rows from either end', () => {
    for (let total = 0; total < 30; total++) {
      const rows = Array.from({ length: total }, (_, row) => row);
      for (let offset = 0; offset < 35; offset++) {
        for (let limit = 1; limit < 12; limit++) {
          const from = pageFrom({ limit, offset }, total);
          const read = (from.isReversed ? rows.toReversed() : rows).slice(
            from.offset,
            from.offset + from.limit,
          );
          expect(from.isReversed ? read.reverse() : read).toEqual(rows.slice(offset, offset + limit));
        }
      }
    }
  });
});
