import { describe, expect, it } from 'vitest';
import { largerSearch } from './LargeAttachments';

describe('largerSearch', () => {
  it.each([
    [1_500_000, 'has:attachment larger:1463K'],
    [900, 'has:attachment larger:1K'],
  ])('should find a message of %d bytes with %s', (bytes, query) => {
    expect(largerSearch(bytes)).toBe(query);
  });
});
