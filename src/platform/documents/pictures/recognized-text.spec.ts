import { recognizedText } from './recognized-text';

const word = (block: number, line: number, confidence: number, text: string): string =>
  ['5', '1', block, '1', line, '1', '0', '0', '9', '9', confidence, text].join('\t');

describe('recognizedText', () => {
  it('should put words on their lines, and join divided ones', () => {
    const rows = [
      'level\tpage_num\tblock_num\tpar_num\tline_num\tword_num\tleft\ttop\twidth\theight\tconf\ttext',
      '4\t1\t1\t1\t1\t0\t0\t0\t9\t9\t-1\t',
      word(1, 1, 96.1, 'Copper'),
      word(1, 1, 88, 'plumb-'),
      word(1, 2, 90, 'er'),
      word(2, 2, 91, 'Total'),
    ];
    expect(recognizedText(rows.join('\n'))).toBe('Copper plumber\nTotal');
  });

  it('should leave out shapes that are hardly words', () => {
    expect(
      recognizedText([word(1, 1, 39, '~|'), word(1, 1, 95, 'herons'), word(1, 1, 95, ' ')].join('\n')),
    ).toBe('herons');
    expect(recognizedText('')).toBe('');
  });
});
