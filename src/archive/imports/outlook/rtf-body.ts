import { decode } from 'iconv-lite';
import { deEncapsulateSync } from 'rtf-stream-parser';
import { decompressRtf } from '../../../platform/mime/tnef/compressed-rtf';

/** A body as it was before Outlook wrapped it in RTF; or the RTF, when it was written as such. */
export type RtfBody =
  | { readonly kind: 'html' | 'text'; readonly text: string }
  | { readonly kind: 'rtf'; readonly rtf: Buffer };

/**
 * Unpacks PR_RTF_COMPRESSED (MS-OXRTFCP) and takes HTML or text out of it (MS-OXRTFEX).
 * @returns null when there is nothing that can be read
 */
export function readRtfBody(compressed: Buffer): RtfBody | null {
  const rtf = decompressRtf(compressed);
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
