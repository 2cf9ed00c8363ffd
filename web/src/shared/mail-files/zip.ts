/** A file of an archive. */
export interface ZippedFile {
  readonly name: string;
  readonly bytes: Uint8Array;
}

/** Signatures and lengths of the records, without names. */
const LOCAL = { signature: 0x04034b50, length: 30 };
const CENTRAL = { signature: 0x02014b50, length: 46 };
const END = { signature: 0x06054b50, length: 22 };
const VERSION = 20;
/** Bit 11: names are UTF-8. */
const UTF8_NAMES = 0x0800;
/** 1 January 1980, the first date of the format: when a file was written is not known. */
const FIRST_DATE = 0x0021;

/**
 * The files as a ZIP archive (PKWARE APPNOTE), stored and not compressed: most attachments are compressed already. Names have no
 * folders, and each is there once.
 * @param files less than 4 GiB, and fewer than 65,536
 */
export function zipOf(files: readonly ZippedFile[]): Uint8Array {
  const bodies: Uint8Array[] = [];
  const directory: Uint8Array[] = [];
  const taken = new Set<string>();
  let offset = 0;
  for (const { name, bytes } of files) {
    const encoded = new TextEncoder().encode(freeName(name, taken));
    const facts = (record: Writer): Writer =>
      record
        .short(VERSION)
        .short(UTF8_NAMES)
        .short(0)
        .short(0)
        .short(FIRST_DATE)
        .long(crc32(bytes))
        .long(bytes.length)
        .long(bytes.length)
        .short(encoded.length);
    const local = facts(new Writer(LOCAL.length).long(LOCAL.signature));
    const central = facts(new Writer(CENTRAL.length).long(CENTRAL.signature).short(VERSION));
    bodies.push(local.bytes, encoded, bytes);
    directory.push(central.at(42).long(offset).bytes, encoded);
    offset += local.bytes.length + encoded.length + bytes.length;
  }
  const end = new Writer(END.length)
    .long(END.signature)
    .at(8)
    .short(files.length)
    .short(files.length)
    .long(lengthOf(directory))
    .long(offset);
  return joined([...bodies, ...directory, end.bytes]);
}

/** Writes little-endian numbers one after the other. */
class Writer {
  readonly bytes: Uint8Array;
  private readonly view: DataView;
  private offset = 0;

  constructor(length: number) {
    this.view = new DataView(new ArrayBuffer(length));
    this.bytes = new Uint8Array(this.view.buffer);
  }

  at(offset: number): this {
    this.offset = offset;
    return this;
  }

  short(value: number): this {
    this.view.setUint16(this.offset, value, true);
    return this.at(this.offset + 2);
  }

  long(value: number): this {
    this.view.setUint32(this.offset, value, true);
    return this.at(this.offset + 4);
  }
}

/** A name without folders, and with a number if it is taken: `invoice (2).pdf`. */
function freeName(name: string, taken: Set<string>): string {
  // eslint-disable-next-line no-control-regex
  const plain = name.replace(/[\u0000-\u001f\u007f/\\:]/g, '_').replace(/^\.+/, '_') || '_';
  const [, stem = plain, ending = ''] = /^(.+)(\.[^.]+)$/.exec(plain) ?? [];
  let free = plain;
  // Some file systems do not tell small letters from capitals.
  for (let number = 2; taken.has(free.toLowerCase()); number++) free = `${stem} (${number})${ending}`;
  taken.add(free.toLowerCase());
  return free;
}

const lengthOf = (pieces: readonly Uint8Array[]): number =>
  pieces.reduce((sum, { length }) => sum + length, 0);

function joined(pieces: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(lengthOf(pieces));
  let offset = 0;
  for (const piece of pieces) {
    whole.set(piece, offset);
    offset += piece.length;
  }
  return whole;
}

const CRC_TABLE = Uint32Array.from({ length: 256 }, (_, byte) => {
  let value = byte;
  for (let bit = 0; bit < 8; bit++) value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1;
  return value;
});

function crc32(bytes: Uint8Array): number {
  let crc = 0xffffffff;
  for (const byte of bytes) crc = (crc >>> 8) ^ (CRC_TABLE[(crc ^ byte) & 0xff] as number);
  return (crc ^ 0xffffffff) >>> 0;
}
