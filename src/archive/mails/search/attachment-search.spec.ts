import { attachmentSearchText, attachmentSearchWords } from './attachment-search';

describe('attachmentSearchText', () => {
  it('should fold name, subject and sender into one line each', () => {
    const mail = { subject: 'Été  à\r\n Paris', sender: 'JOSÉ <jose@Example.com>' };
    expect(attachmentSearchText('Résumé.PDF', mail)).toBe('resume.pdf\nete a paris\njose <jose@example.com>');
  });

  it('should limit the length of long headers', () => {
    const mail = { subject: 's'.repeat(50_000), sender: 't'.repeat(50_000) };
    expect(attachmentSearchText('f', mail)).toHaveLength(1 + 1 + 1_000 + 1 + 500);
  });
});

describe('attachmentSearchWords', () => {
  it.each([
    ['Annual  Report', ['annual', 'report']],
    ['été ÉTÉ', ['ete']],
    [' \t ', []],
    ['a\0b', ['a', 'b']],
    ['100%_\\', ['100%_\\']],
  ])('should split %j', (query, words) => {
    expect(attachmentSearchWords(query)).toEqual(words);
  });
});
