/** Number of bytes of a mail that are read: a longer text on a page is of no use. */
const MOST_BYTES = 512 * 1024;

/** A mail as it came. */
export interface RawMail {
  readonly text: string;
  /** There is more of it. */
  readonly isCut: boolean;
}

/** The beginning of a mail, byte for byte as far as it is text. */
export async function readRawMail(file: AsyncIterable<Uint8Array>): Promise<RawMail> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of file) {
    chunks.push(chunk);
    length += chunk.length;
    if (length > MOST_BYTES) break;
  }
  return {
    text: decodeMail(await new Blob(chunks.map((chunk) => new Uint8Array(chunk))).arrayBuffer()),
    isCut: length > MOST_BYTES,
  };
}

/** UTF-8 where it is, as the service reads it, else Latin-1. */
function decodeMail(bytes: ArrayBuffer): string {
  const beginning = bytes.slice(0, MOST_BYTES);
  // A character may be cut at the end.
  const text = new TextDecoder('utf-8').decode(beginning, { stream: true });
  return text.includes('\ufffd') ? new TextDecoder('latin1').decode(beginning) : text;
}
