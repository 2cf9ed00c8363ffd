/**
 * The URL of a text, or null when it is none (WHATWG URL Standard).
 *
 * `URL.canParse` must not be asked: once V8 has optimized a caller, Node 20 refuses every text with a letter of Latin-1
 * beyond ASCII, `https://münchen.example/` among them.
 */
export function parseUrl(text: string, base?: string): URL | null {
  try {
    return new URL(text, base);
  } catch {
    // A TypeError, the only one it throws, is the answer.
    return null;
  }
}
