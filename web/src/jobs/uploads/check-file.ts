import type { en } from '../../i18n/en';

/** Why a file cannot be imported, known before anything is sent. */
export type Refusal = keyof typeof en.transfer.refused;

/** Enough to know the formats below. */
const HEAD_BYTES = 8;

/** Formats of programs for mail and archives that this service does not accept, by first bytes. */
const FORMATS: readonly { readonly magic: readonly number[]; readonly refusal: Refusal }[] = [
  { magic: [0x50, 0x4b, 0x03, 0x04], refusal: 'zip' },
  { magic: [0x50, 0x4b, 0x05, 0x06], refusal: 'zip' },
  { magic: [0x21, 0x42, 0x44, 0x4e], refusal: 'outlook' },
  { magic: [0xd0, 0xcf, 0x11, 0xe0], refusal: 'outlook' },
  { magic: [0x37, 0x7a, 0xbc, 0xaf], refusal: 'zip' },
];

const NAMES: readonly { readonly pattern: RegExp; readonly refusal: Refusal }[] = [
  { pattern: /\.(tgz|tar|tar\.gz)$/i, refusal: 'zip' },
  { pattern: /\.eml$/i, refusal: 'eml' },
];

/**
 * Whether a file can be an mbox file; null when it can. Any name is good: mail programs give such files none.
 * @param most bytes that the service takes; undefined while that is not known
 */
export async function refusalOf(file: File, most: number | undefined): Promise<Refusal | null> {
  const named = NAMES.find(({ pattern }) => pattern.test(file.name));
  if (named) return named.refusal;
  const head = await headOf(file);
  if (head === null) return 'unreadable';
  if (file.size === 0) return 'empty';
  const format = FORMATS.find(({ magic }) => magic.every((byte, at) => head[at] === byte));
  if (format) return format.refusal;
  return most !== undefined && file.size > most ? 'tooLarge' : null;
}

/** null for what looks like a file and is none, as a folder that was dropped. */
async function headOf(file: File): Promise<Uint8Array | null> {
  try {
    return new Uint8Array(await file.slice(0, HEAD_BYTES).arrayBuffer());
  } catch (error) {
    console.info('A file cannot be read', error);
    return null;
  }
}
