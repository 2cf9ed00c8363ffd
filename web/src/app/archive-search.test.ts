import { describe, expect, it } from 'vitest';
import { archiveSearch } from './archive-search';

describe('the address of the archive', () => {
  it('should keep valid parameters', () => {
    const search = {
      q: 'invoice',
      sender: 'bank',
      after: '2024-02-29',
      min: 1_000_000,
      files: true,
      encrypted: false,
      sort: 'size',
      up: true,
      view: 'threads',
      thread: 't1',
      mail: 'm1',
    };
    expect(archiveSearch(search)).toMatchObject(search);
  });

  it('should read a number as words', () => {
    expect(archiveSearch({ q: 2024, label: 7 })).toMatchObject({ q: '2024', label: '7' });
  });

  it('should drop invalid parameters', () => {
    const senseless = {
      q: '',
      after: '2024-02-31x',
      before: '2024-99-99',
      min: -1,
      max: 1.5,
      files: 'yes',
      sort: 'colour',
      up: false,
      view: 'map',
    };
    expect(Object.values(archiveSearch(senseless)).filter((value) => value !== undefined)).toEqual([]);
  });
});
