import { describe, expect, it } from 'vitest';
import { parseSearch, stringifySearch } from './address';
import { archiveSearch } from './archive-search';
import { mailboxSearch } from './search-parameters';

describe('the search in the address', () => {
  it.each([
    'two words',
    '"two words"',
    '"two words" from:shop',
    '2024',
    '007',
    '1e5',
    'true',
    '"',
    '"a\\"b"',
    '{x}',
    '[1]',
  ])('should keep %s as typed', (q) => {
    const address = stringifySearch({ q });
    expect(mailboxSearch(parseSearch(address)).q).toBe(q);
    expect(archiveSearch(parseSearch(address)).q).toBe(q);
  });

  it('should keep the quotes of a handwritten one', () => {
    expect(mailboxSearch(parseSearch('?q="two words"')).q).toBe('"two words"');
    expect(mailboxSearch(parseSearch('?q=%22two+words%22')).q).toBe('"two words"');
  });

  it('should read a phrase as earlier versions wrote it', () => {
    expect(mailboxSearch(parseSearch('?q=%22%5C%22two+words%5C%22%22')).q).toBe('"two words"');
  });

  it('should recognise numbers and booleans', () => {
    const address = stringifySearch({ min: 5_000, files: true, up: true, only: false });
    expect(archiveSearch(parseSearch(address))).toMatchObject({
      min: 5_000,
      files: true,
      up: true,
      only: false,
    });
  });
});
