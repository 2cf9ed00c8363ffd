import { fromQuery, subjectQuery } from './native-query';

describe('fromQuery', () => {
  it.each([
    ['news@shop.test', 'from:(news@shop.test)'],
    ['first.last+tag_1@sub-domain.shop.test', 'from:(first.last+tag_1@sub-domain.shop.test)'],
    ['"a b"@shop.test', 'from:("a b@shop.test")'],
    ['x) -from:(y@shop.test', 'from:("x) -from:(y@shop.test")'],
    ['a" OR in:anywhere "@shop.test', 'from:("a OR in:anywhere @shop.test")'],
    ['a\\"b@shop.test', 'from:(ab@shop.test)'],
    ['{a}@shop.test', 'from:("{a}@shop.test")'],
    ['-a@shop.test', 'from:("-a@shop.test")'],
    ['a+b@shop.test', 'from:(a+b@shop.test)'],
    ['a”b@shop.test', 'from:("a b@shop.test")'],
    ['“x AROUND 3 y“@shop.test', 'from:("x around 3 y @shop.test")'],
    ["o'neil@shop.test", 'from:("o\'neil@shop.test")'],
    ['münchen@shop.test', 'from:(münchen@shop.test)'],
    ['a\nb@shop.test', 'from:("a b@shop.test")'],
  ])('should select %j with %s', (address, query) => {
    expect(fromQuery(address)).toBe(query);
  });

  it.each(['', 'me', 'undisclosed', '@', 'a@', '@shop.test', '"@"', '!@?'])(
    'should select nothing with %j',
    (address) => expect(fromQuery(address)).toBeNull(),
  );
});

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
