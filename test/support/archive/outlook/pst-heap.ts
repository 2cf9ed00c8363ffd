/** A heap of one block (MS-PST 2.3.1). */
export class PstHeap {
  private readonly items: Buffer[] = [];
  root = 0;

  constructor(private readonly client: number) {}

  add(bytes: Buffer): number {
    if (bytes.length > 3580) throw new Error('too large for a heap');
    this.items.push(bytes);
    return this.items.length << 5;
  }

  /** A tree of one level (MS-PST 2.3.2). */
  addTree(key: number, entry: number, records: readonly Buffer[]): number {
    const header = Buffer.alloc(8);
    header.set([0xb5, key, entry, 0]);
    if (records.length > 0) header.writeUInt32LE(this.add(Buffer.concat(records)), 4);
    return this.add(header);
  }

  build(): Buffer {
    const header = Buffer.alloc(12);
    const held = this.items.reduce((sum, { length }) => sum + length, header.length);
    const map = held + (held % 2);
    header.writeUInt16LE(map, 0);
    header.set([0xec, this.client], 2);
    header.writeUInt32LE(this.root, 4);
    const places = Buffer.alloc(4 + 2 * (this.items.length + 1));
    places.writeUInt16LE(this.items.length, 0);
    let at = header.length;
    for (const [index, { length }] of this.items.entries()) {
      places.writeUInt16LE(at, 4 + 2 * index);
      at += length;
    }
    places.writeUInt16LE(at, 4 + 2 * this.items.length);
    return Buffer.concat([header, ...this.items, Buffer.alloc(held % 2), places]);
  }
}
