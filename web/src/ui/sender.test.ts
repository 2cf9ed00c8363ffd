import { describe, expect, it } from 'vitest';
import { senderName, senderSearch, senderText } from './sender';

describe('senderName', () => {
  it.each([
    ['"Ada Lovelace" <ada@example.org>', 'Ada Lovelace'],
    ['Ada <ada@example.org>', 'Ada'],
    ['<ada@example.org>', 'ada@example.org'],
    ['ada@example.org', 'ada@example.org'],
    ['"" <ada@example.org>', 'ada@example.org'],
    ['', ''],
  ])('should be of %s: %s', (from, name) => {
    expect(senderName(from)).toBe(name);
  });
});

describe('senderSearch', () => {
  it.each([
    ['Shop <news@shop.test>', 'from:(news@shop.test)'],
    ['a+b@shop.test', 'from:(a+b@shop.test)'],
    ['Trap <x) -from:(y@shop.test>', 'from:("x) -from:(y@shop.test")'],
    ['Trap <a" OR in:anywhere "@shop.test>', 'from:("a OR in:anywhere @shop.test")'],
    ['undisclosed', 'from:("undisclosed")'],
  ])('should find mail of %s with %s', (from, query) => {
    expect(senderSearch(from)).toBe(query);
  });
});

describe('senderText', () => {
  it.each([
    ['"Rail & Go" <billing@rail.test>', 'Rail & Go <billing@rail.test>'],
    ['Ada <ada@example.org>', 'Ada <ada@example.org>'],
    ['<ada@example.org>', 'ada@example.org'],
    ['undisclosed', 'undisclosed'],
  ])('should show %s as %s', (from, text) => {
    expect(senderText(from)).toBe(text);
  });
});
