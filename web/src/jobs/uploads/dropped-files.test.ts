import { describe, expect, it } from 'vitest';
import { chosenFiles, droppedFiles } from './dropped-files';

interface Entry {
  readonly fullPath: string;
  readonly children?: readonly Entry[];
}

/** An entry as browsers hand it out: the children of a folder in parts of at most two. */
const entryOf = ({ fullPath, children }: Entry): object => ({
  fullPath,
  isFile: !children,
  isDirectory: Boolean(children),
  file: (give: (file: File) => void) => give(new File(['x'], fullPath.split('/').pop()!)),
  createReader: () => {
    let at = 0;
    return {
      readEntries: (give: (part: object[]) => void) => {
        give((children ?? []).slice(at, at + 2).map(entryOf));
        at += 2;
      },
    };
  },
});

const dropOf = (entries: readonly Entry[], others: readonly File[] = []): DataTransfer =>
  ({
    items: [
      { kind: 'string' },
      ...entries.map((entry) => ({ kind: 'file', webkitGetAsEntry: () => entryOf(entry) })),
      ...others.map((file) => ({ kind: 'file', webkitGetAsEntry: () => null, getAsFile: () => file })),
    ],
  }) as unknown as DataTransfer;

describe('dropped files', () => {
  it('should be those of folders as well, with their places', async () => {
    const children = ['1', '2', '3'].map((name) => ({ fullPath: `/mail/Inbox/${name}` }));
    const folder = {
      fullPath: '/mail',
      children: [{ fullPath: '/mail/Inbox', children }, { fullPath: '/mail/a.mbox' }],
    };
    const found = await droppedFiles(dropOf([folder, { fullPath: '/b.mbox' }]));
    expect(found.map(({ path, file }) => [path, file.name])).toEqual([
      ['mail/Inbox/1', '1'],
      ['mail/Inbox/2', '2'],
      ['mail/Inbox/3', '3'],
      ['mail/a.mbox', 'a.mbox'],
      ['b.mbox', 'b.mbox'],
    ]);
  });

  it('should be taken as well when there is no file system behind them', async () => {
    const found = await droppedFiles(dropOf([{ fullPath: '/b.eml' }], [new File(['x'], 'a.eml')]));
    expect(found.map(({ path }) => path)).toEqual(['b.eml', 'a.eml']);
  });

  it('should be placed by the picker of a folder', () => {
    const file = new File(['x'], '1.eml');
    Object.defineProperty(file, 'webkitRelativePath', { value: 'mail/Inbox/1.eml' });
    expect(chosenFiles([file])[0]!.path).toBe('mail/Inbox/1.eml');
  });
});
