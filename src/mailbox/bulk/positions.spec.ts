import fc from 'fast-check';
import { unpackPositions, packPositions } from './positions';

describe('packPositions', () => {
  it.each([
    [[], []],
    [[4], [4]],
    [
      [0, 1, 2, 4, 7, 8],
      [[0, 2], 4, [7, 8]],
    ],
  ])('should save %j as %j', (positions, saved) => {
    expect(packPositions(positions)).toEqual(saved);
  });

  it('should save fifty thousand consecutive positions as one pair', () => {
    expect(packPositions(Array.from({ length: 50_000 }, (_, at) => at))).toEqual([[0, 49_999]]);
  });

  it('should return what was saved', () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.nat(200)), (some) => {
        const positions = some.sort((a, b) => a - b);
        expect(unpackPositions(packPositions(positions))).toEqual(positions);
      }),
    );
  });

  it('should read what earlier versions saved, each position separately', () => {
    expect(unpackPositions([3, 4, 9])).toEqual([3, 4, 9]);
  });
});
