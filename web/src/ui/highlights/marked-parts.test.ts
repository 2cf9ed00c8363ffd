import { describe, expect, it } from 'vitest';
import { markedParts } from './marked-parts';

const show = (text: string, ...highlights: [number, number][]): string =>
  markedParts(
    text,
    highlights.map(([start, end]) => ({ start, end })),
  )
    .map((part) => (part.isMarked ? `[${part.text}]` : part.text))
    .join('');

describe('the marked parts of a text', () => {
  it.each<[string, [number, number][], string]>([
    ['the copper pipe', [[4, 10]], 'the [copper] pipe'],
    ['copper', [[0, 6]], '[copper]'],
    [
      'a copper pipe',
      [
        [2, 8],
        [9, 13],
      ],
      'a [copper] [pipe]',
    ],
    ['none', [], 'none'],
    ['', [], ''],
  ])('should be those of the highlights: %j', (text, highlights, shown) => {
    expect(show(text, ...highlights)).toBe(shown);
  });

  it('should count in UTF-16 units', () => {
    expect(show('🔧 pipe', [3, 7])).toBe('🔧 [pipe]');
  });

  it('should leave nothing out, and show nothing twice', () => {
    expect(show('copper pipe', [0, 8], [5, 99])).toBe('[copper p][ipe]');
    expect(show('copper', [9, 12])).toBe('copper');
  });
});
