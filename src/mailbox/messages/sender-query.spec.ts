import { senderQuery } from './search-text';

describe('senderQuery', () => {
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
    ['+news@shop.test', 'from:("+news@shop.test")'],
    ['a|b@shop.test', 'from:("a|b@shop.test")'],
    ['{a@shop.test', 'from:("{a@shop.test")'],
    ['" or in:trash "@shop.test', 'from:("or in:trash @shop.test")'],
  ])('should select %j with %s', (address, query) => {
    expect(senderQuery(address)).toBe(query);
  });

  it.each(['', 'me', 'undisclosed', '@', 'a@', '@shop.test', '"@"', '!@?'])(
    'should select nothing with %j',
    (address) => expect(senderQuery(address)).toBeNull(),
  );
});
