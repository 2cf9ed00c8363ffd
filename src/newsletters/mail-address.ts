/** The column that holds sender addresses has no more. */
const MAX_LENGTH = 320;

/** Characters of an unquoted local part or a domain, beyond ASCII too (RFC 6532). */
const ATOM = String.raw`[^\s\p{Cc}\p{Cs}()<>[\]:;@\\,"]`;
const QUOTED = String.raw`"[^\p{Cc}\p{Cs}"\\]+"`;
const LITERAL = String.raw`\[[\w.:]+\]`;
const ADDRESS = new RegExp(`^(?:${ATOM}+|${QUOTED})@(?:${ATOM}+|${LITERAL})$`, 'u');

/** Whether the text is one bare address (RFC 5322 §3.4.1). */
export function isMailAddress(text: string): boolean {
  return text.length <= MAX_LENGTH && ADDRESS.test(text);
}
