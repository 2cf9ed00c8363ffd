/** Most elements of a structure: more than a message of 32 MiB has that was signed in pieces of a kilobyte. */
const MAX_ELEMENTS = 100_000;
const MAX_DEPTH = 40;
const END_OF_CONTENTS = 0;

/** Element of a structure in BER (ITU-T X.690), a view of the bytes. */
export interface BerElement {
  /** First octet of the identifier: class, form and number, such as 0x30 for SEQUENCE. */
  readonly tag: number;
  /** Identifier, length and content; of an indefinite length, its end included. */
  readonly bytes: Buffer;
  readonly content: Buffer;
  /** Elements of a constructed element; empty for a primitive one. */
  readonly children: readonly BerElement[];
}

/** Bytes that are no BER, or more of it than is read. */
export class NotBer extends Error {}

/**
 * Reads one element with all that is in it, in one pass without copying; definite and indefinite lengths. Bytes behind it do not
 * matter. At most 100,000 elements, 40 levels deep, and no tag numbers above 30, which CMS does not have.
 * @throws NotBer
 */
export function readBer(bytes: Buffer): BerElement {
  return new BerReader(bytes).read(0, bytes.length, 0);
}

class BerReader {
  private elements = 0;

  constructor(private readonly bytes: Buffer) {}

  read(start: number, limit: number, depth: number): BerElement {
    this.elements += 1;
    if (this.elements > MAX_ELEMENTS || depth > MAX_DEPTH) throw new NotBer('It has too many elements.');
    const tag = this.byteAt(start, limit);
    if ((tag & 0x1f) === 0x1f) throw new NotBer('It has a tag of several octets.');
    const { contentStart, length } = this.readLength(start + 1, limit);
    const isConstructed = (tag & 0x20) !== 0;
    if (length === null) {
      if (!isConstructed) throw new NotBer('It has a primitive element of indefinite length.');
      const { children, end } = this.readUntilEnd(contentStart, limit, depth);
      return this.createElement(tag, start, contentStart, end, end + 2, children);
    }
    const end = contentStart + length;
    if (end > limit) throw new NotBer('It ends inside an element.');
    const children: BerElement[] = [];
    if (isConstructed) {
      for (let pos = contentStart; pos < end;) {
        const child = this.read(pos, end, depth + 1);
        children.push(child);
        pos += child.bytes.length;
      }
    }
    return this.createElement(tag, start, contentStart, end, end, children);
  }

  private readUntilEnd(start: number, limit: number, depth: number): { children: BerElement[]; end: number } {
    const children: BerElement[] = [];
    let pos = start;
    while (this.byteAt(pos, limit) !== END_OF_CONTENTS || this.byteAt(pos + 1, limit) !== 0) {
      const child = this.read(pos, limit, depth + 1);
      children.push(child);
      pos += child.bytes.length;
    }
    return { children, end: pos };
  }

  /** @returns the length in octets; null: indefinite */
  private readLength(pos: number, limit: number): { contentStart: number; length: number | null } {
    const first = this.byteAt(pos, limit);
    if (first < 0x80) return { contentStart: pos + 1, length: first };
    if (first === 0x80) return { contentStart: pos + 1, length: null };
    const octets = first & 0x7f;
    if (octets > 6 || pos + 1 + octets > limit) throw new NotBer('It has a length that is too long.');
    return { contentStart: pos + 1 + octets, length: this.bytes.readUIntBE(pos + 1, octets) };
  }

  private byteAt(pos: number, limit: number): number {
    const byte = pos < limit ? this.bytes[pos] : undefined;
    if (byte === undefined) throw new NotBer('It ends inside an element.');
    return byte;
  }

  private createElement(
    tag: number,
    start: number,
    contentStart: number,
    contentEnd: number,
    end: number,
    children: readonly BerElement[],
  ): BerElement {
    return {
      tag,
      bytes: this.bytes.subarray(start, end),
      content: this.bytes.subarray(contentStart, contentEnd),
      children,
    };
  }
}

/** The octets of an OCTET STRING, put together when it comes in pieces. */
export function octetsOf(element: BerElement): Buffer {
  if (element.children.length === 0) return element.content;
  return Buffer.concat(element.children.map(octetsOf));
}

/** An OBJECT IDENTIFIER in dots, such as `1.2.840.113549.1.7.2`; empty when the element is none. */
export function oidOf(element: BerElement | undefined): string {
  if (element?.tag !== 0x06 || element.content.length === 0 || element.content.length > 64) return '';
  const numbers: number[] = [];
  let number = 0;
  for (const byte of element.content) {
    number = number * 128 + (byte & 0x7f);
    if (byte >= 0x80) continue;
    if (numbers.length > 0) numbers.push(number);
    else
      numbers.push(Math.min(2, Math.floor(number / 40)), number - 40 * Math.min(2, Math.floor(number / 40)));
    number = 0;
  }
  return numbers.join('.');
}
