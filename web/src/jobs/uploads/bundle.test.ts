import { Buffer } from 'node:buffer';
import { extract } from 'tar-stream';
import { describe, expect, it, vi } from 'vitest';
import { bundleOf, type PlacedFile } from './bundle';
import { isBundle } from './interrupted';

const placed = (path: string, text: string): PlacedFile => ({
  path,
  file: new File([text], path.split('/').pop()!, { lastModified: 1_600_000_000_000 }),
});

/** Name → text, as another program reads them. */
async function read(bundle: File): Promise<Record<string, string>> {
  const found: Record<string, string> = {};
  const archive = extract();
  archive.end(Buffer.from(await bundle.arrayBuffer()));
  for await (const entry of archive) {
    const chunks: Buffer[] = [];
    for await (const chunk of entry) chunks.push(chunk as Buffer);
    found[entry.header.name] = Buffer.concat(chunks).toString();
  }
  return found;
}

describe('a bundle', () => {
  const long = `folder/${'deep/'.repeat(40)}letter.eml`;
  const files = [
    placed('folder/b.eml', 'b'.repeat(512)),
    placed('folder/a.eml', 'a'),
    placed('folder/Entwürfe/ü.eml', 'ü'),
    placed(long, 'long'),
    placed('folder/empty', ''),
  ];

  it('should be a tar archive of its files that other programs read', async () => {
    expect(await read(bundleOf(files))).toEqual({
      'folder/a.eml': 'a',
      'folder/b.eml': 'b'.repeat(512),
      'folder/Entwürfe/ü.eml': 'ü',
      [long]: 'long',
      'folder/empty': '',
    });
  });

  it('should be the same for the same files in any order, and have another name for others', async () => {
    const bundle = bundleOf(files);
    const again = bundleOf(files.toReversed());
    expect([again.name, await again.text()]).toEqual([bundle.name, await bundle.text()]);
    expect(bundle.name).toMatch(/^folder-5-[0-9a-f]{8}\.tar$/);
    expect(bundleOf([...files.slice(1), placed('folder/b.eml', 'c'.repeat(512))]).name).toBe(bundle.name);
    expect(bundleOf([...files.slice(1), placed('folder/c.eml', '')]).name).not.toBe(bundle.name);
    expect(bundleOf([placed('a.mbox', ''), placed('b.mbox', '')]).name).toMatch(/^files-2-/);
    expect([isBundle(bundle.name), isBundle('mail.tar')]).toEqual([true, false]);
  });

  it('should not be read while it is made', () => {
    const buffers = vi.spyOn(Blob.prototype, 'arrayBuffer');
    bundleOf(files);
    expect(buffers).not.toHaveBeenCalled();
    vi.restoreAllMocks();
  });

  it('should state the size of a file of more than 8 GiB', async () => {
    const huge = new File([], 'huge.mbox');
    Object.defineProperty(huge, 'size', { value: 9 * 2 ** 30 });
    const text = await bundleOf([{ path: 'huge.mbox', file: huge }]).text();
    expect(text).toContain(
      `22 size=${9 * 2 ** 30}\n`.replace('22', String(`NN size=${9 * 2 ** 30}\n`.length)),
    );
  });
});
