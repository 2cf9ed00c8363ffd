import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { foldersOf } from '../../../test/support/mime/compared-messages';
import { compareReaders, type Comparison } from '../../../test/support/mime/compare-readers';
import differences from '../../../test/support/mime/reader-differences.json';

const SHARED = join(__dirname, '../../../../shared');
const describeShared = existsSync(SHARED) ? describe : describe.skip;

/** Differences that are named, with who is right. */
const NAMED = new Map(
  differences.flatMap(({ right, reason, differences: keys }) =>
    keys.map((key) => [key, `${right}: ${reason}`] as const),
  ),
);

/** All readers over all messages take a minute. */
const compared = new Map<string, Promise<Comparison>>();
const compare = (folder: string): Promise<Comparison> => {
  const known = compared.get(folder) ?? compareReaders(folder);
  compared.set(folder, known);
  return known;
};

describeShared('independent readers', () => {
  it.each(foldersOf(SHARED))('should differ only where it is named: %s', async (folder) => {
    const { differences: found, messages, values, absent } = await compare(folder);
    const unnamed = found.filter(([file, value, reader]) => !NAMED.has(`${file} ${value} ${reader}`));
    for (const reader of absent) console.info(`${reader} is not installed: its view is left out`);
    console.info(`${folder}: ${messages} messages, ${values} values, ${found.length} named differences`);
    expect(messages).toBeGreaterThan(0);
    expect(unnamed).toEqual([]);
  });

  it('should have no name for a difference that is gone', async () => {
    const found = new Set<string>();
    const absent = new Set<string>();
    for (const folder of foldersOf(SHARED)) {
      const comparison = await compare(folder);
      for (const [file, value, reader] of comparison.differences) found.add(`${file} ${value} ${reader}`);
      for (const reader of comparison.absent) absent.add(reader);
    }
    const stale = [...NAMED.keys()].filter(
      (key) => !found.has(key) && !absent.has(key.split(' ').at(-1) ?? ''),
    );
    expect(stale).toEqual([]);
  });
});
