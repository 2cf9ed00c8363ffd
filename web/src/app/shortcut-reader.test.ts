import { describe, expect, it } from 'vitest';
import { ShortcutReader } from './shortcut-reader';

describe('ShortcutReader', () => {
  it('should open a page after g and its letter', () => {
    const sut = new ShortcutReader();
    expect(sut.read('g', 0)).toBeNull();
    expect(sut.read('m', 500)).toEqual({ kind: 'go', page: 'm' });
    expect(sut.read('m', 600)).toBeNull();
  });

  it('should forget a g that is followed by nothing or another key', () => {
    const sut = new ShortcutReader();
    sut.read('g', 0);
    expect(sut.read('m', 2_000)).toBeNull();
    sut.read('g', 3_000);
    sut.read('x', 3_100);
    expect(sut.read('m', 3_200)).toBeNull();
  });

  it('should lead to the search on a slash, also after g', () => {
    const sut = new ShortcutReader();
    expect(sut.read('/', 0)).toEqual({ kind: 'search' });
    sut.read('g', 100);
    expect(sut.read('/', 200)).toEqual({ kind: 'search' });
  });

  it('should show the keys on a question mark', () => {
    expect(new ShortcutReader().read('?', 0)).toEqual({ kind: 'help' });
  });
});
