const MAGIC = Buffer.from([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1]);
const HEADER = 512;
const MINI_SECTOR = 64;
const ENTRY = 128;
const FAT_IN_HEADER = 109;
/** Largest number of a sector; those above stand for the end of a chain and for free sectors. */
const LAST_SECTOR = 0xfffffffa;
const END_OF_CHAIN = 0xfffffffe;
const NONE = 0xffffffff;
/** Most streams and storages of a file, and levels of storages. */
const MAX_ENTRIES = 200_000;
const MAX_DEPTH = 64;

/** Whether a file is a compound file (MS-CFB): .msg, but also .doc, .xls and others. @param start its first 8 bytes */
export const isCompoundFile = (start: Buffer): boolean => start.subarray(0, MAGIC.length).equals(MAGIC);

/** A compound file cannot be read. */
export class CompoundFileDamage extends Error {
  /** @param message the end of a sentence, e.g. `its directory is damaged` */
  constructor(message: string) {
    super(message);
    this.name = 'CompoundFileDamage';
  }
}

/** A storage of a compound file: its streams and the storages in it, by name. */
export interface Storage {
  readonly streams: ReadonlyMap<string, () => Buffer>;
  readonly storages: ReadonlyMap<string, Storage>;
}

/**
 * Reads a compound file (MS-CFB). Each loop is bounded by the size of the file, whatever its tables say: the readers of msgreader
 * and others follow a chain that leads back to itself for ever. See ADR 111 and ADR 122.
 * @throws CompoundFileDamage
 */
export function readCompoundFile(bytes: Buffer): Storage {
  return new CompoundFile(bytes).read();
}

interface Entry {
  readonly name: string;
  readonly type: number;
  readonly left: number;
  readonly right: number;
  readonly child: number;
  readonly start: number;
  readonly size: number;
}

const TYPE = { storage: 1, stream: 2, root: 5 };

class CompoundFile {
  private readonly sectorSize: number;
  private readonly sectors: number;
  private readonly miniCutoff: number;
  private fat: number[] = [];
  private miniFat: Uint32Array = new Uint32Array(0);
  private miniStream: Buffer = Buffer.alloc(0);
  private entries: Entry[] = [];

  constructor(private readonly bytes: Buffer) {
    if (bytes.length < HEADER || !isCompoundFile(bytes))
      throw new CompoundFileDamage('its header is damaged');
    const shift = bytes.readUInt16LE(30);
    if (shift !== 9 && shift !== 12)
      throw new CompoundFileDamage('its header has a size of sectors that does not exist');
    this.sectorSize = 1 << shift;
    this.miniCutoff = bytes.readUInt32LE(56);
    this.sectors = Math.ceil(bytes.length / this.sectorSize) - 1;
  }

  read(): Storage {
    const { bytes } = this;
    this.fat = this.readFat();
    const directory = this.readChain(bytes.readUInt32LE(48), null);
    this.entries = readEntries(directory);
    const root = this.entries[0];
    if (root?.type !== TYPE.root) throw new CompoundFileDamage('its directory is damaged');
    if (root.size > 0) this.miniStream = this.readChain(root.start, root.size);
    const miniFat =
      bytes.readUInt32LE(60) <= LAST_SECTOR ? this.readChain(bytes.readUInt32LE(60), null) : Buffer.alloc(0);
    this.miniFat = numbersOf(miniFat);
    return this.readStorage(root, 0, new Set([0]));
  }

  /** The table of sectors: for each sector the next one of its chain. */
  private readFat(): number[] {
    const { bytes, sectors } = this;
    const places: number[] = [];
    for (let index = 0; index < FAT_IN_HEADER; index += 1) places.push(bytes.readUInt32LE(76 + 4 * index));
    let next = bytes.readUInt32LE(68);
    for (let seen = 0; next <= LAST_SECTOR; seen += 1) {
      if (seen > sectors) throw new CompoundFileDamage('its table of sectors leads back to itself');
      const table = numbersOf(this.sector(next));
      places.push(...table.subarray(0, table.length - 1));
      next = table[table.length - 1] ?? END_OF_CHAIN;
    }
    const fat: number[] = [];
    for (const place of places) {
      if (place > LAST_SECTOR) continue;
      if (fat.length > sectors) break;
      for (const value of numbersOf(this.sector(place))) fat.push(value);
    }
    return fat;
  }

  /** A sector; the last one of a file may be cut off and is filled with zeros. */
  private sector(index: number): Buffer {
    const at = (index + 1) * this.sectorSize;
    if (index >= this.sectors) throw new CompoundFileDamage('it ends too early');
    const sector = this.bytes.subarray(at, at + this.sectorSize);
    return sector.length === this.sectorSize ? sector : Buffer.concat([sector], this.sectorSize);
  }

  /** @param size in bytes; null: to the end of the chain */
  private readChain(start: number, size: number | null): Buffer {
    if (size !== null && size > this.bytes.length) throw new CompoundFileDamage('it ends too early');
    const pieces: Buffer[] = [];
    let held = 0;
    for (
      let at = start;
      at <= LAST_SECTOR && (size === null || held < size);
      at = this.fat[at] ?? END_OF_CHAIN
    ) {
      if (pieces.length > this.sectors)
        throw new CompoundFileDamage('a chain of sectors leads back to itself');
      pieces.push(this.sector(at));
      held += this.sectorSize;
    }
    if (size !== null && held < size) throw new CompoundFileDamage('a stream ends too early');
    return Buffer.concat(pieces).subarray(0, size ?? held);
  }

  private readMiniChain(start: number, size: number): Buffer {
    if (size > this.miniStream.length) throw new CompoundFileDamage('a stream ends too early');
    const pieces: Buffer[] = [];
    let held = 0;
    for (let at = start; held < size; at = this.miniFat[at] ?? END_OF_CHAIN) {
      const piece = this.miniStream.subarray(at * MINI_SECTOR, (at + 1) * MINI_SECTOR);
      if (at > LAST_SECTOR || piece.length === 0) throw new CompoundFileDamage('a stream ends too early');
      pieces.push(piece);
      held += piece.length;
    }
    return Buffer.concat(pieces).subarray(0, size);
  }

  private readStream({ start, size }: Entry): Buffer {
    if (size === 0) return Buffer.alloc(0);
    return size < this.miniCutoff ? this.readMiniChain(start, size) : this.readChain(start, size);
  }

  /** @param seen entries that have been visited: an entry has one place in the tree */
  private readStorage(storage: Entry, depth: number, seen: Set<number>): Storage {
    if (depth > MAX_DEPTH) throw new CompoundFileDamage('its storages are nested too deep');
    const streams = new Map<string, () => Buffer>();
    const storages = new Map<string, Storage>();
    const waiting = [storage.child];
    for (let index = waiting.pop(); index !== undefined; index = waiting.pop()) {
      if (index === NONE) continue;
      const entry = this.entries[index];
      if (!entry || seen.has(index)) throw new CompoundFileDamage('its directory is damaged');
      seen.add(index);
      waiting.push(entry.left, entry.right);
      if (entry.type === TYPE.stream) streams.set(entry.name, () => this.readStream(entry));
      if (entry.type === TYPE.storage) storages.set(entry.name, this.readStorage(entry, depth + 1, seen));
    }
    return { streams, storages };
  }
}

function readEntries(directory: Buffer): Entry[] {
  const count = Math.floor(directory.length / ENTRY);
  if (count > MAX_ENTRIES) throw new CompoundFileDamage(`it has more than ${MAX_ENTRIES} streams`);
  return Array.from({ length: count }, (_, index) => {
    const at = directory.subarray(index * ENTRY, (index + 1) * ENTRY);
    const nameLength = Math.min(64, at.readUInt16LE(64));
    return {
      name: at.toString('utf16le', 0, Math.max(0, nameLength - 2)),
      type: at[66]!,
      left: at.readUInt32LE(68),
      right: at.readUInt32LE(72),
      child: at.readUInt32LE(76),
      start: at.readUInt32LE(116),
      size: at.readUInt32LE(120),
    };
  });
}

function numbersOf(bytes: Buffer): Uint32Array {
  const numbers = new Uint32Array(Math.floor(bytes.length / 4));
  for (let index = 0; index < numbers.length; index += 1) numbers[index] = bytes.readUInt32LE(4 * index);
  return numbers;
}
