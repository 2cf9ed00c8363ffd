import { mergeOrdered } from './merge-ordered';

const sut = (lists: number[][], limit = 100): number[] =>
  mergeOrdered(lists, limit, (one, other) => one - other);

describe('mergeOrdered', () => {
  it.each<[string, number[][], number[]]>([
    ['nothing', [], []],
    ['empty lists', [[], []], []],
    ['one list', [[1, 2]], [1, 2]],
    ['lists that alternate', [[1, 4, 5], [2, 3, 6], []], [1, 2, 3, 4, 5, 6]],
    [
      'lists one after the other',
      [
        [7, 8],
        [1, 2],
      ],
      [1, 2, 7, 8],
    ],
    ['equal items', [[1, 1], [1]], [1, 1, 1]],
  ])('should merge %s', (_, lists, merged) => {
    expect(sut(lists)).toEqual(merged);
  });

  it('should end at the limit', () => {
    expect(
      sut(
        [
          [1, 3],
          [2, 4],
        ],
        3,
      ),
    ).toEqual([1, 2, 3]);
  });
});
