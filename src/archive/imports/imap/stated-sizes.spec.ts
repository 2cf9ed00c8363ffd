import { StatedSizes } from './stated-sizes';

describe('StatedSizes', () => {
  const after = (...pairs: [number, number][]): boolean => {
    const sizes = new StatedSizes();
    for (const [length, stated] of pairs) sizes.compare(length, stated);
    return sizes.areEstimates;
  };

  it('should treat sizes as estimates when none of at least three messages has the stated size', () => {
    expect(after([1, 2], [3, 2], [5, 9])).toBe(true);
  });

  it('should treat sizes as exact when one message has the stated size, or few have been read', () => {
    expect(after()).toBe(false);
    expect(after([1, 2], [1, 2])).toBe(false);
    expect(after([1, 2], [3, 2], [5, 9], [7, 7])).toBe(false);
  });
});
