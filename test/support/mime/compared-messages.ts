import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { detectDialect } from '../../../src/archive/imports/mbox/detect-dialect';
import { MboxSplitter } from '../../../src/archive/imports/mbox/mbox-splitter';

const MIB = 1024 * 1024;

/** A message in a file, and its name in a comparison. */
export interface ComparedMessage {
  /** Path below the folder; of a message in an mbox followed by its number, from 1. */
  readonly name: string;
  readonly path: string;
}

/**
 * Lists the messages of a folder: files of one message, and each message of its mbox files.
 * @param scratch folder into which messages of mbox files are written
 */
export function comparedMessages(folder: string, scratch: string): ComparedMessage[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .sort()
    .flatMap((name) => {
      const path = join(folder, name);
      if (/\.(?:eml|msg)$/.test(name)) return [{ name, path }];
      return name.endsWith('.mbox') ? writeMessages(name, path, scratch) : [];
    });
}

function writeMessages(name: string, path: string, scratch: string): ComparedMessage[] {
  mkdirSync(scratch, { recursive: true });
  return splitMbox(readFileSync(path)).map((raw, index) => {
    const written = join(scratch, `${name.replaceAll('/', '-')}-${index + 1}.eml`);
    writeFileSync(written, raw);
    return { name: `${name}#${index + 1}`, path: written };
  });
}

/** Splits an mbox file as an import does. */
export function splitMbox(file: Buffer): Buffer[] {
  const splitter = new MboxSplitter(detectDialect(file)!, { maxMessageBytes: MIB });
  splitter.write(file);
  splitter.end();
  const messages: Buffer[] = [];
  for (let entry = splitter.next(); entry; entry = splitter.next()) if (entry.raw) messages.push(entry.raw);
  return messages;
}

/** Folders of messages beside the repository, as far as they are there. */
export const foldersOf = (shared: string): string[] =>
  ['data/eml', 'cases'].map((name) => join(shared, name)).filter((folder) => existsSync(folder));
