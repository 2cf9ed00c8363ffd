import { isNestedDeeperThan } from './json-body.guard';

describe('isNestedDeeperThan', () => {
  it.each<[number, unknown, boolean]>([
    [0, 'text', false],
    [0, null, false],
    [0, {}, true],
    [1, {}, false],
    [1, { a: 1, b: null }, false],
    [1, { a: 1, b: [] }, true],
    [2, { a: 1, b: [1, 2, 'x'] }, false],
    [2, [[], [[]]], true],
    [3, [[], [[]]], false],
  ])('should decide whether there are more than %i levels in %j: %s', (levels, value, expected) => {
    expect(isNestedDeeperThan(levels, value)).toBe(expected);
  });

  it('should stop where it has seen enough', () => {
    expect(isNestedDeeperThan(32, JSON.parse('['.repeat(100_000) + ']'.repeat(100_000)))).toBe(true);
  });
});
