import archiver from 'archiver';
import { pack, type Header } from 'tar-stream';

export type Entries = Readonly<Record<string, Buffer | string>>;

/** A ZIP archive with these files, in this order. */
export async function zipOf(entries: Entries, options: { store?: boolean } = {}): Promise<Buffer> {
  const archive = archiver('zip', { store: options.store ?? false });
  const chunks: Buffer[] = [];
  archive.on('data', (chunk: Buffer) => chunks.push(chunk));
  const ended = new Promise<void>((resolve, reject) => {
    archive.once('end', resolve);
    archive.once('error', reject);
  });
  for (const [name, content] of Object.entries(entries)) archive.append(Buffer.from(content), { name });
  await Promise.all([archive.finalize(), ended]);
  return Buffer.concat(chunks);
}

/** A tar archive with these files, in this order. @param others members that are no files */
export async function tarOf(entries: Entries, others: readonly Partial<Header>[] = []): Promise<Buffer> {
  const archive = pack();
  const chunks: Buffer[] = [];
  archive.on('data', (chunk) => void chunks.push(chunk as Buffer));
  const ended = new Promise<void>((resolve, reject) => {
    archive.once('end', resolve);
    archive.once('error', reject);
  });
  for (const header of others) archive.entry(header as Header);
  for (const [name, content] of Object.entries(entries))
    archive.entry({ name, mtime: new Date(1_600_000_000_000) }, Buffer.from(content));
  archive.finalize();
  await ended;
  return Buffer.concat(chunks);
}
