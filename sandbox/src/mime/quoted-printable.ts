const MAX_LINE = 76;
const PLAIN_LINE = /^[\x20-\x3c\x3e-\x7e]*$/;
const SOFT_BREAK = '=\r\n';
/** The encoding of each byte (RFC 2045 §6.7): itself when printable, `=XX` otherwise. */
const ENCODED: readonly string[] = Array.from({ length: 256 }, (_, byte) =>
  byte >= 0x20 && byte <= 0x7e && byte !== 0x3d
    ? String.fromCharCode(byte)
    : `=${byte.toString(16).toUpperCase().padStart(2, '0')}`,
);

/** Encodes text whose lines end in CRLF. Lines that need nothing pass through, as most of a big part does. */
export function encodeQuotedPrintable(bytes: Buffer): Buffer {
  const lines = bytes.toString('latin1').split('\r\n');
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at] as string;
    if (line.length > MAX_LINE || !PLAIN_LINE.test(line) || line.endsWith(' ')) lines[at] = encodeLine(line);
  }
  return Buffer.from(lines.join('\r\n'), 'latin1');
}

function encodeLine(line: string): string {
  let out = '';
  let length = 0;
  for (let at = 0; at < line.length; at++) {
    const byte = line.charCodeAt(at);
    const isLast = at === line.length - 1;
    const encoded = isLast && byte === 0x20 ? '=20' : (ENCODED[byte] as string);
    if (length + encoded.length > (isLast ? MAX_LINE : MAX_LINE - 1)) {
      out += SOFT_BREAK;
      length = 0;
    }
    out += encoded;
    length += encoded.length;
  }
  return out;
}

/** Decodes leniently: what is no valid escape stays as it is. */
export function decodeQuotedPrintable(bytes: Buffer): Buffer {
  const text = bytes
    .toString('latin1')
    .replace(/=[ \t]*\r?\n/g, '')
    .replace(/=([0-9A-Fa-f]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  return Buffer.from(text, 'latin1');
}
