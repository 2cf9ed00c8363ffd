import { fromBuffer, type Entry } from 'yauzl';

export interface ZipContent {
  readonly entries: Map<string, Buffer>;
  readonly methods: Set<number>;
}

/** An independent ZIP reader. */
export function unzip(bytes: Buffer): Promise<ZipContent> {
  return new Promise((resolve, reject) => {
    const content: ZipContent = { entries: new Map(), methods: new Set() };
    fromBuffer(bytes, { lazyEntries: true, strictFileNames: true }, (opened, zip) => {
      if (opened) return reject(opened);
      zip.on('error', reject);
      zip.on('end', () => resolve(content));
      zip.on('entry', (entry: Entry) => {
        if (entry.uncompressedSize > 0) content.methods.add(entry.compressionMethod);
        zip.openReadStream(entry, (failed, stream) => {
          if (failed) return reject(failed);
          const chunks: Buffer[] = [];
          stream.on('data', (chunk: Buffer) => chunks.push(chunk));
          stream.on('error', reject);
          stream.on('end', () => {
            content.entries.set(entry.fileName, Buffer.concat(chunks));
            zip.readEntry();
          });
        });
      });
      zip.readEntry();
    });
  });
}

/** An independent mboxrd reader: From_ lines after an empty line, one `>` less in bodies, LF line ends. */
export function parseMbox(bytes: Buffer): { from: string; message: string }[] {
  const messages: { from: string; lines: string[]; inHeader: boolean }[] = [];
  let lastWasEmpty = true;
  for (const line of bytes.toString('latin1').split('\n')) {
    if (lastWasEmpty && /^From \S+ [A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d \d{4}$/.test(line)) {
      messages.push({ from: line, lines: [], inHeader: true });
    } else {
      const current = messages.at(-1);
      if (!current) throw new Error(`Not in a message: ${line}`);
      if (line === '') current.inHeader = false;
      current.lines.push(!current.inHeader && /^>+From /.test(line) ? line.slice(1) : line);
    }
    lastWasEmpty = line === '';
  }
  // Each message ends with an empty line of the mbox's own; the last one with the file's end besides.
  const last = messages.at(-1);
  last?.lines.pop();
  return messages.map(({ from, lines }) => ({
    from,
    message: lines
      .slice(0, -1)
      .map((line) => `${line}\n`)
      .join(''),
  }));
}

/** The part of a message that an mbox keeps: its lines, with LF ends, the last one included. */
export function asMboxKeepsIt(raw: Buffer): string {
  const text = raw.toString('latin1').replaceAll('\r\n', '\n');
  return text === '' || text.endsWith('\n') ? text : `${text}\n`;
}
