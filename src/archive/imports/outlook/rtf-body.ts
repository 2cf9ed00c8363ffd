import { decompressRTF } from '@kenjiuno/decompressrtf';
import { decode } from 'iconv-lite';
import { deEncapsulateSync } from 'rtf-stream-parser';

/** Most bytes of a decompressed body, and how many times its packed size it can have at most (MS-OXRTFCP). */
const MAX_RTF = 32 * 1024 * 1024;
const MAX_RATIO = 18;
const HEADER = 16;
const COMPRESSED = 0x75465a4c;
const UNCOMPRESSED = 0x414c454d;

/** A body as it was before Outlook wrapped it in RTF; or the RTF, when it was written as such. */
export type RtfBody =
  | { readonly kind: 'html' | 'text'; readonly text: string }
  | { readonly kind: 'rtf'; readonly rtf: Buffer };

/**
 * Unpacks PR_RTF_COMPRESSED (MS-OXRTFCP) and takes HTML or text out of it (MS-OXRTFEX).
 * @returns null when there is nothing that can be read
 */
export function readRtfBody(compressed: Buffer): RtfBody | null {
  const rtf = decompress(compressed);
  if (!rtf?.toString('latin1', 0, 6).startsWith('{\\rtf')) return null;
  if (!/\\from(?:html|text)/.test(rtf.toString('latin1', 0, 4096))) return { kind: 'rtf', rtf };
  try {
    const { mode, text } = deEncapsulateSync(rtf, { decode, mode: 'either', replaceSymbolFontChars: true });
    return { kind: mode === 'html' ? 'html' : 'text', text: text.toString() };
  } catch {
    // The library throws plain errors at RTF that it does not understand: the RTF itself is kept.
    return { kind: 'rtf', rtf };
  }
}

function decompress(compressed: Buffer): Buffer | null {
  if (compressed.length <= HEADER) return null;
  const packed = compressed.length - HEADER;
  const size = compressed.readUInt32LE(4);
  const kind = compressed.readUInt32LE(8);
  if (kind === UNCOMPRESSED) return compressed.subarray(HEADER, HEADER + size);
  if (kind !== COMPRESSED || size > Math.min(MAX_RTF, packed * MAX_RATIO)) return null;
  try {
    return Buffer.from(decompressRTF([...compressed])).subarray(0, size);
  } catch {
    // As above: damage is reported as a plain error.
    return null;
  }
}
