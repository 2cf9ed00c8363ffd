import { jsonPieces } from './json-pieces';

const mails = (count: number): object[] =>
  Array.from({ length: count }, (_, number) => ({
    file: `${number}.eml`,
    subject: 'two\nlines "quoted" \\n é',
    labels: number % 2 === 0 ? [] : ['INBOX', 'Work/2018'],
    intact: true,
  }));

describe('jsonPieces', () => {
  it.each([0, 1, 499, 500, 501, 1_700])('should yield the text of a list of %d items', (count) => {
    for (const indent of [1, 2]) {
      const fields = {
        generated_at: '2024-02-29',
        mails: mails(count),
        missing: [],
        format: 'mbox',
        left_out: mails(2),
      };
      const text = Buffer.concat([...jsonPieces(fields, indent)]).toString();
      expect(text).toBe(`${JSON.stringify(fields, null, indent)}\n`);
    }
  });

  it('should yield long lists in several pieces', () => {
    expect([...jsonPieces({ mails: mails(1_700) }, 2)]).toHaveLength(5);
  });
});
