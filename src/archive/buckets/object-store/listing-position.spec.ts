import { LISTING_START, type ListedPage, type ListingPosition, positionAfter } from './listing-position';
import { EndlessListing } from './object-store-failure';

const after = (...pages: ListedPage[]): ListingPosition | null =>
  pages.reduce<ListingPosition | null>((from, page) => positionAfter('u/', from!, page), LISTING_START);

const more = (token: string, ...keys: string[]): ListedPage => ({ keys, next: token });

describe('positionAfter', () => {
  it('should continue while keys increase from page to page', () => {
    expect(after(more('1', 'u/a', 'u/b'), more('2', 'u/b1'))).toMatchObject({ token: '2', lastKey: 'u/b1' });
  });

  it('should end with the last page', () => {
    expect(
      after(more('should use the order of UTF-8, which is not that of UTF-16', 'u/a'), {
        keys: ['u/b'],
        next: null,
      }),
    ).toBeNull();
  });

  it('should use the order of UTF-8, which is not that of UTF-16', () => {
    expect(after(more('1', 'u/\ufffd', 'u/\u{1f600}'))).not.toBeNull();
    expect(() => after(more('1', 'u/\u{1f600}', 'u/\ufffd'))).toThrow(EndlessListing);
  });

  it('should accept several uploads of a key, but no smaller key', () => {
    const uploads = (...keys: string[]): ListedPage => ({ keys, next: keys.join(), repeats: true });
    expect(after(uploads('u/a', 'u/b', 'u/b'), uploads('u/b'))).toMatchObject({ lastKey: 'u/b' });
    expect(() => after(uploads('u/b', 'u/a'))).toThrow(EndlessListing);
  });

  it.each<[string, ListedPage[]]>([
    ['a key twice in a page', [more('1', 'u/a', 'u/a')]],
    ['a smaller key in a page', [more('1', 'u/b', 'u/a')]],
    ['the same page again', [more('1', 'u/a', 'u/b'), more('2', 'u/a', 'u/b')]],
    ['the last key again', [more('1', 'u/a'), more('2', 'u/a')]],
    ['a smaller key after an empty page', [more('1', 'u/b'), more('2'), more('3', 'u/a')]],
    ['the same token again', [more('1', 'u/a'), more('1', 'u/b')]],
    ['more without a token', [more('', 'u/a')]],
    ['a key beside the prefix', [more('1', 'v/a')]],
    ['a page without end', [more('1', ...Array.from({ length: 1_001 }, (_, n) => `u/${1_000 + n}`))]],
    ['empty pages without end', Array.from({ length: 51 }, (_, page) => more(`${page}`))],
  ])('should refuse %s', (_what, pages) => {
    expect(() => after(...pages)).toThrow(EndlessListing);
  });

  it('should tolerate some empty pages', () => {
    const empty = Array.from({ length: 50 }, (_, page) => more(`${page}`));
    expect(after(...empty, more('a', 'u/a'), ...empty)).not.toBeNull();
  });
});
