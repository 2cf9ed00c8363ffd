import { subjectQuery } from './suggestions';

describe('subjectQuery', () => {
  it.each([
    ['Re: Invoice #4711 of 3 March 2026', 'subject:("invoice" "of")'],
    ['Build 1.2.3 failed, failed again', 'subject:("build" "failed" "again")'],
    ['V2 release', 'subject:("release")'],
    ['from:boss OR -label:inbox "x\\"', 'subject:("from" "boss" "or" "label" "inbox" "x")'],
    ['L’été à Paris', 'subject:("l" "été" "à" "paris")'],
    ['12345', null],
    ['abc123', null],
    ['', null],
  ])('should select the series of %j with %s', (subject, query) => {
    expect(subjectQuery(subject)).toBe(query);
  });

  it('should bound the number of words', () => {
    const words = Array.from({ length: 200 }, (_, n) => 'x'.repeat(n + 2)).join(' ');
    expect(subjectQuery(words)?.split(' ')).toHaveLength(20);
  });
});
