import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { simpleParser } from 'mailparser';
import { parseDecodedAddressList } from '../../../src/platform/mime/address-list';
import { htmlToText } from '../../../src/platform/mime/html-text';
import { parseMessage } from '../../../src/platform/mime/parse-message';

/** The values of a message that readers are compared by. */
interface Reading {
  readonly subject: string;
  /** Address of the first sender. */
  readonly sender: string;
  readonly date: string | null;
  /** Files with a name, and the sizes of their content; ours may have more: those in messages and wrappings. */
  readonly files: readonly string[];
  /** Words of the text. */
  readonly text: readonly string[];
}

const COMPARED = ['subject', 'sender', 'date', 'files', 'text'] as const;
type Compared = (typeof COMPARED)[number];

/** A value that two readers see differently. */
type Difference = readonly [file: string, value: Compared, reader: string, ours: string, theirs: string];

/** A value at which the other reader gave up is none of the differences. */
const FAILED = /^!/;
const MAX_SHOWN = 120;

interface Comparison {
  readonly messages: number;
  readonly values: number;
  readonly differences: readonly Difference[];
}

/**
 * Compares how this service, Python's `email` and mailparser read the messages of a folder. Without Python, its view is left out.
 */
export async function compareReaders(folder: string): Promise<Comparison> {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.(?:eml|msg)$/.test(name))
    .sort();
  const python = readWithPython(names.map((name) => join(folder, name)));
  const differences: Difference[] = [];
  let values = 0;
  for (const [index, name] of names.entries()) {
    const raw = readFileSync(join(folder, name));
    const ours = readWithOurs(raw);
    const others = { python: python?.[index] ?? null, mailparser: await readWithMailparser(raw) };
    for (const [reader, theirs] of Object.entries(others)) {
      if (theirs === null) continue;
      for (const value of COMPARED) {
        values += 1;
        const [mine, other] = [shown(ours[value]), shown(theirs[value])];
        const isSame =
          value === 'text'
            ? saysTheSame(ours.text, theirs.text)
            : value === 'files'
              ? theirs.files.every((file) => ours.files.includes(file))
              : mine === other;
        if (!isSame && !FAILED.test(other)) differences.push([name, value, reader, mine, other]);
      }
    }
  }
  return { messages: names.length, values, differences };
}

const shown = (value: Reading[Compared]): string =>
  (Array.isArray(value) ? value.join(' ') : String(value)).slice(0, MAX_SHOWN);
const tidy = (text: string): string => text.replace(/\s+/g, ' ').trim();
const wordsOf = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{N}]{3,}/gu) ?? [];

/** Whether nearly all words of the other reading are in ours, which may have more: those of messages in parts. */
function saysTheSame(ours: readonly string[], theirs: readonly string[]): boolean {
  const known = new Set(ours);
  const missing = theirs.filter((word) => !known.has(word));
  return missing.length <= theirs.length * 0.02;
}

function readWithOurs(raw: Buffer): Reading {
  const { subject, sender, date, attachments, text } = parseMessage(raw);
  return {
    subject,
    sender: (parseDecodedAddressList(sender)[0]?.address ?? '').toLowerCase(),
    date: date ? date.toISOString().replace('.000', '') : null,
    files: attachments.map(({ filename, sizeBytes }) => `${filename}:${sizeBytes}`).sort(),
    text: wordsOf(text),
  };
}

async function readWithMailparser(raw: Buffer): Promise<Reading | null> {
  const parsed = await simpleParser(raw, {
    skipTextToHtml: true,
    skipImageLinks: true,
    skipTextLinks: true,
  }).catch(() => null);
  if (!parsed) return null;
  const text = parsed.text ?? (parsed.html === false ? '' : htmlToText(parsed.html, 1_000_000));
  return {
    subject: tidy(parsed.subject ?? ''),
    sender: (parsed.from?.value[0]?.address ?? '').toLowerCase(),
    date: parsed.date ? parsed.date.toISOString().replace('.000', '') : null,
    files: parsed.attachments
      .filter(({ filename }) => filename)
      .map(({ filename, size }) => `${filename}:${size}`)
      .sort(),
    text: wordsOf(text),
  };
}

interface PythonReading {
  readonly subject: string;
  readonly sender: string;
  readonly date: string | null;
  readonly files: string | readonly (readonly [name: string, size: number])[];
  readonly text: string;
}

function readWithPython(paths: readonly string[]): (Reading | null)[] | null {
  const { status, stdout } = spawnSync('python3', [join(__dirname, 'read-with-python.py')], {
    input: paths.join('\n'),
    encoding: 'utf8',
    maxBuffer: 256 * 1024 * 1024,
  });
  if (status !== 0) return null;
  return stdout
    .trimEnd()
    .split('\n')
    .map((line) => toReading(JSON.parse(line) as PythonReading | string));
}

function toReading(read: PythonReading | string): Reading | null {
  if (typeof read === 'string') return null;
  return {
    subject: tidy(read.subject),
    sender: read.sender.toLowerCase(),
    date: read.date,
    files:
      typeof read.files === 'string'
        ? [read.files]
        : read.files.map(([name, size]) => `${tidy(name)}:${size}`).sort(),
    text: FAILED.test(read.text)
      ? []
      : wordsOf(/<\w/.test(read.text) ? htmlToText(read.text, 1_000_000) : read.text),
  };
}

/** Folders of messages beside the repository, as far as they are there. */
export const foldersOf = (shared: string): string[] =>
  ['data/eml', 'cases'].map((name) => join(shared, name)).filter((folder) => existsSync(folder));
