import { posix } from 'node:path';
import { createGunzip } from 'node:zlib';
import { damaged, type DocumentText, DocumentUnread, protectedByPassword } from '../document-text';
import { memberPath, placeIn, type DocumentFile } from '../document-file';
import type { Unzip, ZipMember } from '../unzip';

const TAR_BLOCK = 512;
const GZIP_PIECE = 64 * 1024;

/** Reads the files of a ZIP archive, and their names. @throws DocumentUnread after all that can be read */
export async function readZipArchive(
  file: DocumentFile,
  zip: Unzip,
  text: DocumentText,
  readFile: (file: DocumentFile) => Promise<void>,
): Promise<void> {
  addNames(
    file,
    zip.members.map(({ path }) => path),
    text,
  );
  const members = zip.members.filter(({ isEncrypted }) => !isEncrypted);
  for (const member of members) {
    text.countMember();
    const bytes = await readMember(zip, member, text);
    if (bytes) await readFile({ ...innerFile(file, member.path), bytes });
  }
  if (members.length < zip.members.length) throw protectedByPassword();
}

/** @returns null: it cannot be read, which is noted */
async function readMember(zip: Unzip, member: ZipMember, text: DocumentText): Promise<Buffer | null> {
  try {
    return await zip.read(member);
  } catch (error) {
    if (!(error instanceof DocumentUnread)) throw error;
    text.skipMember(error.problem);
    return null;
  }
}

export const isTar = (bytes: Buffer): boolean =>
  bytes.length >= TAR_BLOCK && bytes.toString('latin1', 257, 262) === 'ustar';

/** Reads the files of a tar archive, and their names. @throws DocumentUnread */
export async function readTarArchive(
  file: DocumentFile,
  text: DocumentText,
  readFile: (file: DocumentFile) => Promise<void>,
): Promise<void> {
  const members = [...tarMembers(file.bytes)];
  addNames(
    file,
    members.map(({ path }) => path),
    text,
  );
  for (const { path, bytes } of members) {
    text.countMember();
    await readFile({ ...innerFile(file, path), bytes });
  }
}

export const isGzip = (bytes: Buffer): boolean => bytes[0] === 0x1f && bytes[1] === 0x8b;

/** Unpacks a gzip file into memory. @throws DocumentUnread */
export async function gunzip(bytes: Buffer, text: DocumentText): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let length = 0;
  const unpacking = createGunzip({ chunkSize: GZIP_PIECE });
  unpacking.end(bytes);
  try {
    for await (const chunk of unpacking as AsyncIterable<Buffer>) {
      text.countUnpacked(chunk.length);
      length += chunk.length;
      if (length > text.limits.maxMember)
        throw new DocumentUnread({ state: 'too-large', reason: 'member-limit' });
      chunks.push(chunk);
    }
  } catch (error) {
    throw error instanceof DocumentUnread ? error : damaged();
  } finally {
    unpacking.destroy();
  }
  return Buffer.concat(chunks);
}

function addNames(file: DocumentFile, paths: readonly string[], text: DocumentText): void {
  text.add(placeIn(file), paths.join('\n'));
}

const innerFile = (file: DocumentFile, path: string): Omit<DocumentFile, 'bytes'> => ({
  name: posix.basename(path),
  mimeType: '',
  member: memberPath(file, path),
  depth: file.depth + 1,
});

/** Lists the files of a tar archive that is in memory (POSIX ustar, GNU long names, pax paths). */
function* tarMembers(bytes: Buffer): Generator<{ path: string; bytes: Buffer }> {
  let longName: string | null = null;
  for (let at = 0; at + TAR_BLOCK <= bytes.length;) {
    const header = bytes.subarray(at, at + TAR_BLOCK);
    if (header.every((byte) => byte === 0)) return;
    const size = parseInt(header.toString('latin1', 124, 136).replaceAll('\0', ' ').trim(), 8) || 0;
    const start = at + TAR_BLOCK;
    if (size < 0 || start + size > bytes.length) throw damaged();
    const body = bytes.subarray(start, start + size);
    const type = String.fromCharCode(header[156]!);
    if (type === 'L') longName = textOf(body);
    else if (type === 'x') longName = /\d+ path=([^\n]*)\n/.exec(body.toString('utf8'))?.[1] ?? longName;
    else {
      const path: string =
        longName ?? [textOf(header.subarray(345, 500)), textOf(header.subarray(0, 100))].join('/');
      if (type === '0' || type === '\0') yield { path: path.replace(/^\//, ''), bytes: body };
      longName = null;
    }
    at = start + Math.ceil(size / TAR_BLOCK) * TAR_BLOCK;
  }
}

const textOf = (field: Buffer): string => {
  const end = field.indexOf(0);
  return field.toString('utf8', 0, end === -1 ? field.length : end);
};
