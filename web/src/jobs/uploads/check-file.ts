import type { transfer } from '../../i18n/en/transfer';

/** Why a file cannot be imported, known before anything is sent. */
export type Refusal = keyof typeof transfer.refused;

/** Enough to know the formats below. */
const HEAD_BYTES = 8;

/** Kinds of archives that the service does not read, by first bytes. */
const FORMATS: readonly { readonly magic: readonly number[]; readonly refusal: Refusal }[] = [
  { magic: [0x37, 0x7a, 0xbc, 0xaf], refusal: 'packed' },
  { magic: [0x52, 0x61, 0x72, 0x21], refusal: 'packed' },
];

/**
 * Why a file cannot be imported; null when it can. The service says the rest once it has read the file: names tell nothing.
 * @param most bytes that the service takes; undefined while that is not known
 */
export async function refusalOf(file: File, most: number | undefined): Promise<Refusal | null> {
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
