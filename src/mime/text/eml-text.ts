import { isUtf8 } from 'node:buffer';

/** The raw message as text: UTF-8 when the bytes are valid UTF-8, else Latin-1 (every byte one character). */
export function emlText(raw: Buffer): string {
  return isUtf8(raw) ? raw.toString('utf8') : raw.toString('latin1');
}
