/** Name and type of a document. */
export interface DocumentHeader {
  readonly name: string;
  readonly mimeType: string;
  /** Whether the contents of files with pictures within the document are wanted. */
  readonly wantsPictures?: boolean;
}

/** A document on its way to the process that reads it. */
export interface DocumentFrame {
  readonly header: DocumentHeader;
  readonly bytes: Buffer;
}

/** Two lengths of 32 bits: of the header in JSON, and of the bytes. */
const LENGTHS = 8;

/** The bytes that stand before those of a document. */
export function frameStart(header: DocumentHeader, length: number): Buffer {
  const json = Buffer.from(JSON.stringify(header));
  const lengths = Buffer.alloc(LENGTHS);
  lengths.writeUInt32BE(json.length, 0);
  lengths.writeUInt32BE(length, 4);
  return Buffer.concat([lengths, json]);
}

/** Splits a stream into documents. */
export async function* splitDocumentFrames(
  chunks: AsyncIterable<Buffer>,
): AsyncGenerator<DocumentFrame, void, undefined> {
  let held: Buffer[] = [];
  let length = 0;
  const take = (wanted: number): Buffer => {
    const all = Buffer.concat(held);
    held = [all.subarray(wanted)];
    length -= wanted;
    return all.subarray(0, wanted);
  };
  let lengths: { readonly header: number; readonly bytes: number } | null = null;
  for await (const chunk of chunks) {
    held.push(chunk);
    length += chunk.length;
    for (;;) {
      if (lengths === null) {
        if (length < LENGTHS) break;
        const start = take(LENGTHS);
        lengths = { header: start.readUInt32BE(0), bytes: start.readUInt32BE(4) };
      }
      if (length < lengths.header + lengths.bytes) break;
      const header = JSON.parse(take(lengths.header).toString('utf8')) as DocumentHeader;
      const bytes = take(lengths.bytes);
      lengths = null;
      yield { header, bytes };
    }
  }
}
