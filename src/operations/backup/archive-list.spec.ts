import { ArchiveListEntry, isArchivePath, MailRow, joinKnown } from './archive-list';
import { parseCopyLine } from './snapshot.repository';

const row = (key: string, sha256 = 'a'): MailRow => ({ id: key, storage: 'local', key, bytes: 1, sha256 });
const entry = (key: string, sha256 = 'a', state: ArchiveListEntry['state'] = 'sound'): ArchiveListEntry => ({
  ...row(key, sha256),
  state,
  path: key,
});

async function* each<T>(...items: T[]): AsyncGenerator<T> {
  yield* items;
}

describe('joinKnown', () => {
  it('should find files of an earlier list only if they are intact and have the same bytes', async () => {
    const found: [string, boolean][] = [];
    const rows = each(row('a'), row('c'), row('d', 'b'), row('e'), row('e'), row('f'), row('z'));
    const known = each(entry('b'), entry('c'), entry('d'), entry('e'), entry('f', 'a', 'altered'));
    for await (const { row: one, known: earlier } of joinKnown(rows, known)) found.push([one.key, !!earlier]);
    expect(found).toEqual([
      ['a', false],
      ['c', true],
      ['d', false],
      ['e', true],
      ['e', true],
      ['f', false],
      ['z', false],
    ]);
  });
});

describe('isArchivePath', () => {
  it.each(['../x', '/x', 'a//b', 'a/../b', '.tmp/x', '', 'a/b\\c', 'a/\0'])('should refuse %j', (path) => {
    expect(isArchivePath(path)).toBe(false);
  });
  it('should accept keys, and keys with a hash', () => {
    expect(isArchivePath(`u/a/2024/01/m.eml.${'a'.repeat(64)}`)).toBe(true);
  });
});

describe('parseCopyLine', () => {
  it('should undo the escapes of the text format', () => {
    expect(parseCopyLine('a\\tb\t\\N\t\t\\\\N\tx\\ny')).toEqual(['a\tb', null, '', '\\N', 'x\ny']);
  });
});
