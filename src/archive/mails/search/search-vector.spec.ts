import { quoteLexeme, searchVector } from './search-vector';

const empty = { subject: '', sender: '', recipients: '', attachmentNames: [], text: '' };

/** The size PostgreSQL counts against its limit: lexeme, alignment, count and positions. */
function storedBytes(vector: string): number {
  return vector.split(' ').reduce((sum, entry) => {
    const colon = entry.lastIndexOf(':');
    return sum + Buffer.byteLength(entry.slice(1, colon - 1)) + 4 + entry.slice(colon).split(',').length * 2;
  }, 0);
}

describe('searchVector', () => {
  it('should weight fields and keep them apart', () => {
    const vector = searchVector({
      subject: 'Café bill',
      sender: 'Al <al@x.org>',
      recipients: 'bo@x.org',
      attachmentNames: ['bill.pdf'],
      text: 'the bill',
    });
    expect(vector).toBe(
      "'cafe':1A 'bill':2A,58C,77 'al':19B,20B 'x':21B,40C 'org':22B,41C 'bo':39C 'pdf':59C 'the':76",
    );
  });

  it('should be empty for a mail without words', () => {
    expect(searchVector(empty)).toBe('');
  });

  it('should keep at most 256 positions of a word', () => {
    expect(searchVector({ ...empty, text: 'the '.repeat(1_000) }).split(',')).toHaveLength(256);
  });

  it('should give words beyond position 16,383 that position, once', () => {
    const words = Array.from({ length: 20_000 }, (_, index) => `w${index}`).join(' ');
    const vector = searchVector({ ...empty, text: `${words} w19999 w19999` });
    expect(vector).toContain("'w10000':");
    expect(vector.endsWith("'w19999':16383")).toBe(true);
  });

  it.each([
    ['short words', Array.from({ length: 90_000 }, (_, index) => index.toString(36)).join(' ')],
    ['long words', Array.from({ length: 40_000 }, (_, index) => `${'é'.repeat(50)}${index}`).join(' ')],
    [
      'ideographs',
      Array.from({ length: 87_000 }, (_, index) => String.fromCodePoint(0x20000 + (index % 42_000))).join(''),
    ],
  ])('should stay under the limit of PostgreSQL with %s', (_, text) => {
    const bytes = storedBytes(searchVector({ ...empty, text }));
    expect(bytes).toBeGreaterThan(200_000);
    expect(bytes).toBeLessThanOrEqual(900_000);
  });
});

describe('quoteLexeme', () => {
  it('should double quotes and backslashes', () => {
    expect(quoteLexeme("it's a \\ b")).toBe("'it''s a \\\\ b'");
  });
});
