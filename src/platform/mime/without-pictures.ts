/** Runs of base64 shorter than this are left where they are, in bytes. */
const MIN_RUN = 256;
const BASE64 = new Uint8Array(256);
for (const character of 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/=%-_\t\r\n')
  BASE64[character.charCodeAt(0)] = 1;

/**
 * Returns the bytes of an HTML document without the content of its `data:` URLs, so that pictures do not count as text. Only
 * runs of base64 are left out; everything else stays. Time is linear.
 */
export function withoutPictures(html: Buffer): Buffer {
  const kept: Buffer[] = [];
  let from = 0;
  for (let at = html.indexOf(';base64,'); at >= 0; at = html.indexOf(';base64,', at)) {
    const start = at + ';base64,'.length;
    let end = start;
    while (end < html.length && BASE64[html[end] as number] === 1) end += 1;
    if (end - start >= MIN_RUN) {
      kept.push(html.subarray(from, start));
      from = end;
    }
    at = Math.max(end, start);
  }
  if (from === 0) return html;
  kept.push(html.subarray(from));
  return Buffer.concat(kept);
}
