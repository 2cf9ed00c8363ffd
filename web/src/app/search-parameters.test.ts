import { describe, expect, it } from 'vitest';
import { loginSearch } from './search-parameters';

describe('the page after the sign-in', () => {
  it.each(['/', '/settings', '/a/1/mailbox?q=x'])('should be %s', (next) => {
    expect(loginSearch({ next }).next).toBe(next);
  });

  it.each(['https://evil.test', '//evil.test', '/\\evil.test', 'settings', '', 7, undefined])(
    'should not be %s',
    (next) => {
      expect(loginSearch({ next }).next).toBeUndefined();
    },
  );
});
