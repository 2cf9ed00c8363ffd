import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { compareReaders, foldersOf } from '../../../test/support/mime/compare-readers';
import differences from '../../../test/support/mime/reader-differences.json';

const SHARED = join(__dirname, '../../../../shared');
const describeShared = existsSync(SHARED) ? describe : describe.skip;

/** Differences that are named, with who is right. */
const NAMED = new Map(
  differences.flatMap(({ right, reason, differences: keys }) =>
    keys.map((key) => [key, `${right}: ${reason}`] as const),
  ),
);

describeShared('independent readers', () => {
  it.each(foldersOf(SHARED))('should differ only where it is named: %s', async (folder) => {
    const { differences: found, messages } = await compareReaders(folder);
    const unnamed = found.filter(([file, value, reader]) => !NAMED.has(`${file} ${value} ${reader}`));
    expect(messages).toBeGreaterThan(0);
    expect(unnamed).toEqual([]);
  });

  it('should have no name for a difference that is gone', async () => {
    const found = new Set<string>();
    const readers = new Set<string>();
    for (const folder of foldersOf(SHARED)) {
      const comparison = await compareReaders(folder);
      for (const [file, value, reader] of comparison.differences) {
        found.add(`${file} ${value} ${reader}`);
        readers.add(reader);
      }
    }
    // Without Python on the machine, its differences are not found.
    const stale = [...NAMED.keys()].filter(
      (key) => !found.has(key) && readers.has(key.split(' ').at(-1) ?? ''),
    );
    expect(stale).toEqual([]);
  });
});
