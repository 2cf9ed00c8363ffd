import { describe, expect, it } from 'vitest';
import { monthSearch } from './month-search';

describe('monthSearch', () => {
  it.each([
    ['2024-02', 'after:2024/02/01 before:2024/03/01'],
    ['2024-12', 'after:2024/12/01 before:2025/01/01'],
    ['2024-09', 'after:2024/09/01 before:2024/10/01'],
  ])('should find the mail of %s with %s', (month, query) => {
    expect(monthSearch(month)).toBe(query);
  });
});
