import { closeSync, openSync, writeSync } from 'node:fs';
import { checksum, R } from './pst-encoding';
import { PstHeap } from './pst-heap';

/** A message of a made data file. */
export interface PstLetter {
  readonly subject: string;
  readonly headers: string;
  readonly body: string;
  /** Bytes of an HTML body, of any size. */
  readonly html?: Buffer;
  readonly messageClass?: string;
  /** Names of its categories. */
  readonly categories?: readonly string[];
  readonly attachment?: { readonly name: string; readonly data: Buffer };
}

export interface PstFolderContent {
  readonly name: string;
  /** At most 400, unless the folder has no tables. */
  readonly letters: readonly PstLetter[];
  /** Whether the tables of the folder are missing, as in a damaged file. */
  readonly hasNoTables?: boolean;
}

/** Layout of the two versions of the format (MS-PST 2.2.2): widths of identifiers, places of fields. */
const LAYOUT = {
  unicode: {
    wide: 8,
    version: 23,
    maxData: 8176,
    trailer: 16,
    pageTrailer: 16,
    meta: 488,
    root: 180,
    crypt: 513,
  },
  ansi: {
    wide: 4,
    version: 14,
    maxData: 8180,
    trailer: 12,
    pageTrailer: 12,
    meta: 496,
    root: 164,
    crypt: 461,
  },
} as const;

const PAGE = 512;
const COMPRESSIBLE = 1;
const STRING = { unicode: 0x1f, ansi: 0x1e };
const BINARY = 0x0102;
const ROOT_FOLDER = 0x122;
const LETTERS_PER_FOLDER = 400;
const FOLDERS_PER_PARENT = 100;
/** Subnodes of a message that hold its HTML, the table of its attachments, and an attachment. */
const HTML_NODE = 0x1f01;
const ATTACHMENTS_NODE = 0x671;
const ATTACHMENT_NODE = 0x8025;

interface Placed {
  readonly bid: bigint;
  readonly at: number;
  readonly length: number;
}

interface Subnode {
  readonly nid: number;
  readonly data: bigint;
  readonly sub?: bigint;
}

type Property = readonly [id: number, type: number, value: string | Buffer | number];

/**
 * Writes a data file of Outlook with the parts that readers need: header, B-trees, folders, tables, messages. Files of any size are
 * written block by block.
 */
export class PstWriter {
  private readonly layout;
  private readonly file: number;
  private at = 0x4600;
  private nextBid = 4n;
  private nextFolder = 0x400;
  private nextMessage = 0x10000;
  private readonly blocks: Placed[] = [];
  private readonly nodes: { nid: number; data: bigint; sub: bigint; parent: number }[] = [];
  private readonly parents: { nid: number; folders: number[] }[] = [{ nid: ROOT_FOLDER, folders: [] }];

  constructor(
    path: string,
    private readonly kind: keyof typeof LAYOUT,
  ) {
    this.layout = LAYOUT[kind];
    this.file = openSync(path, 'w');
  }

  addFolder({ name, letters, hasNoTables = false }: PstFolderContent): void {
    if (letters.length > LETTERS_PER_FOLDER && !hasNoTables)
      throw new Error('too many letters for a table of one block');
    const nid = (this.nextFolder++ << 5) | 0x02;
    const messages = letters.map((letter) => this.addLetter(nid, letter));
    const { nid: parent, folders } = this.nextParent();
    folders.push(nid);
    this.addFolderNodes(nid, parent, name, [], hasNoTables ? null : messages);
  }

  /** Writes the root folder, the trees and the header. */
  end(): void {
    this.node(0x21, 0, this.properties([[0x3001, STRING[this.kind], 'Store']]));
    // Named properties: one with a number, and the categories, whose name is a text.
    const names: Property[] = [
      [0x0001, 0x0003, 251],
      [0x0002, BINARY, Buffer.alloc(16, 1)],
      [0x0003, BINARY, Buffer.from([0x01, 0x85, 0, 0, 2, 0, 0, 0, 8, 0, 0, 0, 5, 0, 1, 0])],
      [
        0x0004,
        BINARY,
        Buffer.concat([
          Buffer.from([2, 0, 0, 0, 0x61, 0, 0, 0, 16, 0, 0, 0]),
          Buffer.from('Keywords', 'utf16le'),
        ]),
      ],
    ];
    this.node(0x61, 0, this.properties(names));
    for (const [index, { nid, folders }] of this.parents.entries())
      this.addFolderNodes(nid, ROOT_FOLDER, index === 0 ? '' : `More ${index}`, folders, []);
    this.nodes.sort((one, other) => one.nid - other.nid);
    const nodes = this.writeTree(
      0x81,
      this.nodes.map(({ nid, data, sub, parent }) => ({
        key: BigInt(nid),
        bytes: this.nodeEntry(nid, data, sub, parent),
      })),
    );
    const blocks = this.writeTree(
      0x80,
      this.blocks.map((block) => ({ key: block.bid, bytes: this.blockEntry(block) })),
    );
    this.writeHeader(nodes, blocks);
    closeSync(this.file);
  }

  /** A folder with room in its table: the root, or a further one in it. */
  private nextParent(): { nid: number; folders: number[] } {
    const last = this.parents.at(-1)!;
    if (last.folders.length < FOLDERS_PER_PARENT) return last;
    const nid = (this.nextFolder++ << 5) | 0x02;
    this.parents[0]!.folders.push(nid);
    this.parents.push({ nid, folders: [] });
    return this.parents.at(-1)!;
  }

  private addLetter(
    folder: number,
    { subject, headers, body, html, attachment, categories, messageClass = 'IPM.Note' }: PstLetter,
  ): number {
    const nid = (this.nextMessage++ << 5) | 0x04;
    const text = STRING[this.kind];
    const parts: Subnode[] = attachment ? this.attachmentNodes(attachment) : [];
    if (html) parts.push({ nid: HTML_NODE, data: this.data(html) });
    const sub = parts.length > 0 ? this.subnodes(parts) : 0n;
    const properties: Property[] = [
      [0x001a, text, messageClass],
      [0x0037, text, subject],
      [0x007d, text, headers],
      [0x0e07, 0x0003, 1],
      [0x1000, text, body],
      ...(html ? [[0x1013, BINARY, HTML_NODE] as const] : []),
      ...(categories ? [[0x8001, 0x1000 | text, severalTexts(categories, text)] as const] : []),
    ];
    this.node(nid, folder, this.properties(properties), sub);
    return nid;
  }

  private attachmentNodes({ name, data }: { name: string; data: Buffer }): Subnode[] {
    const bytes = this.subnodes([{ nid: HTML_NODE, data: this.data(data) }]);
    const properties: Property[] = [
      [0x0e20, 0x0003, data.length],
      [0x3701, BINARY, HTML_NODE],
      [0x3705, 0x0003, 1],
      [0x3707, STRING[this.kind], name],
    ];
    const table = this.table([ATTACHMENT_NODE]);
    return [
      { nid: ATTACHMENTS_NODE, data: this.data(table.heap), sub: table.sub },
      { nid: ATTACHMENT_NODE, data: this.data(this.properties(properties)), sub: bytes },
    ];
  }

  private addFolderNodes(
    nid: number,
    parent: number,
    name: string,
    folders: readonly number[],
    messages: readonly number[] | null,
  ): void {
    const counts: Property[] = [
      [0x3602, 0x0003, messages?.length ?? 0],
      [0x3603, 0x0003, 0],
      [0x360a, 0x000b, folders.length > 0 ? 1 : 0],
    ];
    this.node(nid, parent, this.properties([[0x3001, STRING[this.kind], name], ...counts]));
    if (messages === null) return;
    for (const [type, rows] of [
      [0x0d, folders],
      [0x0e, messages],
      [0x0f, []],
    ] as const) {
      const { heap, sub } = this.table(rows);
      this.node((nid & ~0x1f) | type, 0, heap, sub);
    }
  }

  private node(nid: number, parent: number, heap: Buffer, sub = 0n): void {
    this.nodes.push({ nid, data: this.data(heap), sub, parent });
  }

  /** A property context (MS-PST 2.3.3). A number as value of a type that is larger is the node that holds it. */
  private properties(properties: readonly Property[]): Buffer {
    const heap = new PstHeap(0xbc);
    const records = [...properties]
      .sort(([one], [other]) => one - other)
      .map(([id, type, value]) => {
        const record = Buffer.alloc(8);
        record.writeUInt16LE(id, 0);
        record.writeUInt16LE(type, 2);
        const bytes =
          typeof value === 'string' ? Buffer.from(value, type === 0x1f ? 'utf16le' : 'latin1') : value;
        const held = typeof bytes === 'number' ? bytes : bytes.length === 0 ? 0 : heap.add(bytes);
        record.writeUInt32LE(held, 4);
        return record;
      });
    heap.root = heap.addTree(2, 6, records);
    return heap.build();
  }

  /** A table of rows with nothing but their identifiers (MS-PST 2.3.4). */
  private table(rows: readonly number[]): { heap: Buffer; sub: bigint } {
    const heap = new PstHeap(0x7c);
    const width = this.kind === 'unicode' ? 4 : 2;
    const index = [...rows.entries()]
      .sort(([, one], [, other]) => one - other)
      .map(([place, nid]) => {
        const entry = Buffer.alloc(4 + width);
        entry.writeUInt32LE(nid, 0);
        entry.writeUIntLE(place, 4, width);
        return entry;
      });
    const indexed = heap.addTree(4, width, index);
    const matrix = Buffer.concat(
      rows.map((nid) => {
        const row = Buffer.alloc(9);
        row.writeUInt32LE(nid, 0);
        row[8] = 0xc0;
        return row;
      }),
    );
    const rowsNode = 0x1f02;
    const info = Buffer.alloc(22 + 16);
    info.set([0x7c, 2], 0);
    [8, 8, 8, 9].forEach((end, place) => info.writeUInt16LE(end, 2 + 2 * place));
    info.writeUInt32LE(indexed, 10);
    info.writeUInt32LE(rows.length > 0 ? rowsNode : 0, 14);
    [0x67f20003, 0x67f30003].forEach((tag, place) => {
      info.writeUInt32LE(tag, 22 + 8 * place);
      info.writeUInt16LE(4 * place, 26 + 8 * place);
      info.set([4, place], 28 + 8 * place);
    });
    heap.root = heap.add(info);
    return {
      heap: heap.build(),
      sub: rows.length > 0 ? this.subnodes([{ nid: rowsNode, data: this.data(matrix) }]) : 0n,
    };
  }

  /** Bytes of any size up to some megabytes: a block, or a list of blocks. */
  private data(bytes: Buffer): bigint {
    const { maxData, wide } = this.layout;
    if (bytes.length <= maxData) return this.block(bytes, false);
    const parts: bigint[] = [];
    for (let at = 0; at < bytes.length; at += maxData)
      parts.push(this.block(bytes.subarray(at, at + maxData), false));
    const list = Buffer.alloc(8 + parts.length * wide);
    list.set([1, 1], 0);
    list.writeUInt16LE(parts.length, 2);
    list.writeUInt32LE(bytes.length, 4);
    for (const [place, bid] of parts.entries()) this.write(list, 8 + place * wide, bid);
    return this.block(list, true);
  }

  private subnodes(nodes: readonly Subnode[]): bigint {
    const entries = [...nodes].sort((one, other) => one.nid - other.nid);
    const { wide } = this.layout;
    const head = this.kind === 'unicode' ? 8 : 4;
    const list = Buffer.alloc(head + entries.length * 3 * wide);
    list.set([2, 0], 0);
    list.writeUInt16LE(entries.length, 2);
    for (const [place, { nid, data, sub = 0n }] of entries.entries()) {
      const at = head + place * 3 * wide;
      this.write(list, at, BigInt(nid));
      this.write(list, at + wide, data);
      this.write(list, at + 2 * wide, sub);
    }
    return this.block(list, true);
  }

  private block(plain: Buffer, isInternal: boolean): bigint {
    const { trailer } = this.layout;
    const data = isInternal ? plain : plain.map((byte) => R[byte]!);
    const bid = this.nextBid | (isInternal ? 2n : 0n);
    this.nextBid += 4n;
    const size = Math.ceil((data.length + trailer) / 64) * 64;
    const bytes = Buffer.concat([data], size);
    const at = size - trailer;
    bytes.writeUInt16LE(data.length, at);
    bytes.writeUInt16LE(signature(this.at, bid), at + 2);
    this.writeSums(bytes, at + 4, data, bid);
    writeSync(this.file, bytes, 0, size, this.at);
    this.blocks.push({ bid, at: this.at, length: data.length });
    this.at += size;
    return bid;
  }

  private writeTree(
    type: number,
    leaves: readonly { key: bigint; bytes: Buffer }[],
  ): { bid: bigint; at: number } {
    this.at = Math.ceil(this.at / PAGE) * PAGE;
    let level = 0;
    let entries = leaves;
    for (;;) {
      const width = entries[0]!.bytes.length;
      const most = Math.floor((PAGE - this.layout.pageTrailer - (this.kind === 'unicode' ? 8 : 4)) / width);
      const pages: { key: bigint; bytes: Buffer }[] = [];
      let last = { bid: 0n, at: 0 };
      for (let from = 0; from < entries.length; from += most) {
        const part = entries.slice(from, from + most);
        last = this.writePage(
          type,
          level,
          most,
          width,
          part.map(({ bytes }) => bytes),
        );
        const bytes = Buffer.alloc(3 * this.layout.wide);
        [part[0]!.key, last.bid, BigInt(last.at)].forEach((value, place) =>
          this.write(bytes, place * this.layout.wide, value),
        );
        pages.push({ key: part[0]!.key, bytes });
      }
      if (pages.length === 1) return last;
      entries = pages;
      level += 1;
    }
  }

  private writePage(
    type: number,
    level: number,
    most: number,
    width: number,
    entries: readonly Buffer[],
  ): { bid: bigint; at: number } {
    const { meta, pageTrailer } = this.layout;
    const bid = this.nextBid;
    this.nextBid += 4n;
    const page = Buffer.concat(entries, PAGE);
    page.set([entries.length, most, width, level], meta);
    const at = PAGE - pageTrailer;
    page.set([type, type], at);
    page.writeUInt16LE(signature(this.at, bid), at + 2);
    this.writeSums(page, at + 4, page.subarray(0, at), bid);
    writeSync(this.file, page, 0, PAGE, this.at);
    const place = { bid, at: this.at };
    this.at += PAGE;
    return place;
  }

  /** Checksum and identifier, whose order differs between the versions. */
  private writeSums(target: Buffer, at: number, data: Uint8Array, bid: bigint): void {
    if (this.kind === 'unicode') {
      target.writeUInt32LE(checksum(data), at);
      target.writeBigUInt64LE(bid, at + 4);
    } else {
      target.writeUInt32LE(Number(bid), at);
      target.writeUInt32LE(checksum(data), at + 4);
    }
  }

  private nodeEntry(nid: number, data: bigint, sub: bigint, parent: number): Buffer {
    const { wide } = this.layout;
    const entry = Buffer.alloc(4 * wide);
    this.write(entry, 0, BigInt(nid));
    this.write(entry, wide, data);
    this.write(entry, 2 * wide, sub);
    entry.writeUInt32LE(parent, 3 * wide);
    return entry;
  }

  private blockEntry({ bid, at, length }: Placed): Buffer {
    const { wide } = this.layout;
    const entry = Buffer.alloc(3 * wide);
    this.write(entry, 0, bid);
    this.write(entry, wide, BigInt(at));
    entry.writeUInt16LE(length, 2 * wide);
    entry.writeUInt16LE(2, 2 * wide + 2);
    return entry;
  }

  private writeHeader(nodes: { bid: bigint; at: number }, blocks: { bid: bigint; at: number }): void {
    const { wide, version, root, crypt } = this.layout;
    const header = Buffer.alloc(this.kind === 'unicode' ? 564 : 512);
    header.write('!BDN', 0, 'latin1');
    header.write('SM', 8, 'latin1');
    header.writeUInt16LE(version, 10);
    header.writeUInt16LE(19, 12);
    header.set([1, 1], 14);
    this.write(header, root + 4, BigInt(this.at));
    const trees = root + 4 + 4 * wide;
    [nodes.bid, BigInt(nodes.at), blocks.bid, BigInt(blocks.at)].forEach((value, place) =>
      this.write(header, trees + place * wide, value),
    );
    header[trees + 4 * wide] = 2;
    header.set([0x80, COMPRESSIBLE], crypt - 1);
    if (this.kind === 'unicode') header.writeUInt32LE(checksum(header.subarray(8, 524)), 524);
    header.writeUInt32LE(checksum(header.subarray(8, 479)), 4);
    writeSync(this.file, header, 0, header.length, 0);
  }

  private write(target: Buffer, at: number, value: bigint): void {
    if (this.layout.wide === 8) target.writeBigUInt64LE(value, at);
    else target.writeUInt32LE(Number(value), at);
  }
}

/** Several texts: their number, where each begins, and the texts (MS-PST 2.3.3.4.2). */
function severalTexts(texts: readonly string[], type: number): Buffer {
  const values = texts.map((text) => Buffer.from(text, type === 0x1f ? 'utf16le' : 'latin1'));
  const head = Buffer.alloc(4 + 4 * values.length);
  head.writeUInt32LE(values.length, 0);
  let at = head.length;
  for (const [index, value] of values.entries()) {
    head.writeUInt32LE(at, 4 + 4 * index);
    at += value.length;
  }
  return Buffer.concat([head, ...values]);
}

function signature(at: number, bid: bigint): number {
  const mixed = (BigInt(at) ^ bid) & 0xffffffffn;
  return Number((mixed >> 16n) ^ (mixed & 0xffffn));
}
