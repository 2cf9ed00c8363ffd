import { type DocumentFrame, splitDocumentFrames } from './document-frames';
import { readDocument } from '../read-document';

/** Reads documents that come by standard input, one after the other, and writes their texts to standard output as lines of JSON. */
async function readDocuments(): Promise<void> {
  for await (const { header, bytes } of splitDocumentFrames(process.stdin as AsyncIterable<Buffer>)) {
    const reading = await readDocument({ ...header, bytes }, header);
    await write(`${JSON.stringify(reading)}\n`);
  }
}

const write = (line: string): Promise<void> =>
  new Promise((resolve, reject) => {
    process.stdout.write(line, (error) => (error ? reject(error) : resolve()));
  });

export type { DocumentFrame };

void readDocuments();
