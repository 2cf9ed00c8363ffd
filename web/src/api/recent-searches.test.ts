import { beforeEach, describe, expect, it } from 'vitest';
import {
  clearRecentSearches,
  forgetAllSearches,
  keepRecentSearch,
  readRecentSearches,
} from './recent-searches';

describe('recent searches', () => {
  beforeEach(() => localStorage.clear());

  it('should be the newest eight, each once', () => {
    for (const q of ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'c']) keepRecentSearch('ada', q);
    expect(readRecentSearches('ada')).toEqual(['c', 'i', 'h', 'g', 'f', 'e', 'd', 'b']);
  });

  it('should be those of one person, until that person clears them', () => {
    keepRecentSearch('ada', 'pipe');
    keepRecentSearch('bob', 'roof');
    clearRecentSearches('ada');
    expect([readRecentSearches('ada'), readRecentSearches('bob')]).toEqual([[], ['roof']]);
  });

  it('should be forgotten at the sign-out, and nothing else', () => {
    keepRecentSearch('ada', 'pipe');
    keepRecentSearch('bob', 'roof');
    localStorage.setItem('mailroom-language', 'fr');
    forgetAllSearches();
    expect({ ...localStorage }).toEqual({ 'mailroom-language': 'fr' });
  });

  it.each(['nonsense', '{}', '[1, null]'])('should be none when %s is kept', (kept) => {
    localStorage.setItem('mailroom-searches-ada', kept);
    expect(readRecentSearches('ada')).toEqual([]);
  });
});
