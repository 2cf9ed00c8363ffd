import { senderAddress, senderName } from './sender';

/** Number of hues, which the theme has as `AVATAR_COLORS`. */
export const HUES = 8;
const FIRST = /[\p{L}\p{N}]/u;

/** At most two letters for a From header: of its first and last name, or of the address. */
export function initialsOf(from: string): string {
  const words = senderName(from)
    .replace(/@.*$/, '')
    .split(/[\s._-]+/)
    .map((word) => FIRST.exec(word)?.[0])
    .filter((letter) => letter !== undefined);
  const ends = words.length > 1 ? [words[0], words.at(-1)] : words;
  return ends.join('').toUpperCase() || '?';
}

/** The hue of a sender: always the same for the same address. */
export function hueOf(from: string): number {
  let hash = 0;
  for (const character of senderAddress(from).toLowerCase())
    hash = (hash * 31 + character.codePointAt(0)!) % 65_521;
  return hash % HUES;
}
