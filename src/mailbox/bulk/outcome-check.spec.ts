import { isListingCheaper } from './outcome-check';

describe('isListingCheaper', () => {
  it.each([
    ['few messages are read', 100, 1_000, 2, false],
    ['half of a small mailbox is listed', 5_000, 10_000, 2, true],
    ['a hundred and one in a million are read', 101, 1_000_000, 2, false],
    ['fifty thousand in a million are listed', 50_000, 1_000_000, 2, true],
    ['an even cost is read, which fills the index', 200, 50_000, 2, false],
  ])('%s', (_case, messages, total, listings, expected) => {
    expect(isListingCheaper(messages, total, listings)).toBe(expected);
  });
});
