/** An attribute of a TNEF file: its level and id (MS-OXTNEF §2.1.3.2), and its data. */
export type Attribute = readonly [level: 1 | 2, id: number, data: Buffer];
/** A property: type, id, value; of a property that is named, its name. */
export type Property = readonly [type: number, id: number, value: Buffer, name?: string];

const sumOf = (data: Buffer): number => data.reduce((sum, byte) => (sum + byte) & 0xffff, 0);

/** Writes a file as Outlook does (MS-OXTNEF). */
export function tnefFile(...attributes: readonly Attribute[]): Buffer {
  const header = Buffer.alloc(6);
  header.writeUInt32LE(0x223e9f78);
  const pieces = attributes.map(([level, id, data]) => {
    const head = Buffer.alloc(9);
    head.writeUInt8(level);
    head.writeUInt32LE(id, 1);
    head.writeUInt32LE(data.length, 5);
    const sum = Buffer.alloc(2);
    sum.writeUInt16LE(sumOf(data));
    return Buffer.concat([head, data, sum]);
  });
  return Buffer.concat([header, ...pieces]);
}

/** Writes a list of properties. */
export function properties(...list: readonly Property[]): Buffer {
  return Buffer.concat([
    number(list.length),
    ...list.map(([type, id, value, name]) => {
      const head = Buffer.alloc(4);
      head.writeUInt16LE(type);
      head.writeUInt16LE(id, 2);
      const named =
        name === undefined
          ? []
          : [
              Buffer.alloc(16),
              number(1),
              number(Buffer.byteLength(name, 'utf16le')),
              padded(Buffer.from(name, 'utf16le')),
            ];
      const isVariable = [0x0d, 0x1e, 0x1f, 0x102].includes(type);
      return Buffer.concat([
        head,
        ...named,
        ...(isVariable ? [number(1), number(value.length)] : []),
        padded(value),
      ]);
    }),
  ]);
}

export const number = (value: number): Buffer => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
};
/** A string with its end mark. */
export const unicode = (text: string): Buffer => Buffer.from(`${text}\0`, 'utf16le');

const padded = (bytes: Buffer): Buffer => Buffer.concat([bytes, Buffer.alloc((4 - (bytes.length % 4)) % 4)]);

export const CODEPAGE_1252: Attribute = [1, 0x69007, Buffer.concat([number(1252), number(0)])];
/** Begins an attachment. */
export const NEXT_FILE: Attribute = [2, 0x69002, Buffer.alloc(14)];

/** The attributes of an attached file. */
export const attachedFile = (title: string, content: Buffer, ...more: readonly Property[]): Attribute[] => [
  NEXT_FILE,
  [2, 0x18010, Buffer.from(`${title}\0`, 'latin1')],
  [2, 0x6800f, content],
  ...(more.length > 0 ? [[2, 0x69005, properties(...more)] as const] : []),
];
