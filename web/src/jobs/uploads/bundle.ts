/** A file, and where it lay among the files that were chosen with it. */
export interface PlacedFile {
  /** Names of its folders and its own, with `/` between them. */
  readonly path: string;
  readonly file: File;
}

const BLOCK = 512;
const MAX_NAME = 100;
/** A tar header holds sizes of up to 11 octal digits; larger ones go to an extended header. */
const MAX_SIZE = 8 ** 11 - 1;
const ENCODER = new TextEncoder();
/**
 * One file of many: a tar archive (POSIX ustar, with pax headers for long names and large files) whose parts are the files
 * themselves. Nothing is read until it is sent. The same files make the same bundle, under the same name, in any order:
 * that is how an upload goes on after a reload.
 */
export function bundleOf(files: readonly PlacedFile[]): File {
  const sorted = files.toSorted((a, b) => (a.path < b.path ? -1 : 1));
  const parts = sorted.flatMap(({ path, file }) => [
    ...headersOf(path, file.size, Math.floor(file.lastModified / 1000)),
    file,
    new Uint8Array(paddingOf(file.size)),
  ]);
  // Two empty blocks are the end.
  return new File([...parts, new Uint8Array(2 * BLOCK)], nameOf(sorted));
}

function nameOf(files: readonly PlacedFile[]): string {
  const [top = ''] = files[0]?.path.split('/') ?? [];
  const isOneFolder = files.every(({ path }) => path.startsWith(`${top}/`));
  const facts = files.map(({ path, file }) => `${path}\0${file.size}\0${file.lastModified}`).join('\n');
  return `${isOneFolder ? top.slice(0, 200) : 'files'}-${files.length}-${fingerprint(facts)}.tar`;
}

function headersOf(path: string, size: number, modified: number): Uint8Array<ArrayBuffer>[] {
  const name = ENCODER.encode(path);
  const isPlain = name.length <= MAX_NAME && name.length === path.length;
  if (isPlain && size <= MAX_SIZE) return [header(name, size, modified, '0')];
  const records = [record('path', path), ...(size > MAX_SIZE ? [record('size', String(size))] : [])];
  const body = ENCODER.encode(records.join(''));
  const extended = new Uint8Array(body.length + paddingOf(body.length));
  extended.set(body);
  return [
    header(ENCODER.encode('pax'), body.length, modified, 'x'),
    extended,
    header(name.slice(0, MAX_NAME), Math.min(size, MAX_SIZE), modified, '0'),
  ];
}

/** A record of an extended header, which begins with its length, that of the length included. */
function record(key: string, value: string): string {
  const rest = ENCODER.encode(` ${key}=${value}\n`).length;
  let length = rest + String(rest).length;
  if (rest + String(length).length !== length) length += 1;
  return `${length} ${key}=${value}\n`;
}

function header(name: Uint8Array, size: number, modified: number, type: '0' | 'x'): Uint8Array<ArrayBuffer> {
  const block = new Uint8Array(BLOCK);
  const put = (text: string, at: number): void => block.set(ENCODER.encode(text), at);
  const octal = (value: number, digits: number): string => value.toString(8).padStart(digits, '0');
  block.set(name);
  put('0000600\0', 100);
  put('0000000\0', 108);
  put('0000000\0', 116);
  put(octal(size, 11), 124);
  put(octal(Math.max(0, modified), 11), 136);
  put('        ', 148);
  put(type, 156);
  put('ustar\x0000', 257);
  const sum = block.reduce((total, byte) => total + byte, 0);
  put(`${octal(sum, 6)}\0 `, 148);
  return block;
}

const paddingOf = (size: number): number => (BLOCK - (size % BLOCK)) % BLOCK;

/** FNV-1a of the text, in eight hex digits. */
function fingerprint(text: string): string {
  let hash = 0x811c9dc5;
  for (const byte of ENCODER.encode(text)) hash = Math.imul(hash ^ byte, 0x01000193) >>> 0;
  return hash.toString(16).padStart(8, '0');
}
