import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseDecodedAddressList } from '../../../src/platform/mime/address-list';
import { parseMessage } from '../../../src/platform/mime/parse-message';
import { comparedMessages } from './compared-messages';
import { readWithMailparser } from './readers/mailparser-reader';
import { readWithMime4j } from './readers/mime4j-reader';
import { readWithNotmuch } from './readers/notmuch-reader';
import { readWithPython } from './readers/python-reader';
import { GIVEN_UP, type ReadFiles, type Reading, toDate, wordsOf } from './readers/reading';

const COMPARED = ['subject', 'sender', 'date', 'files', 'text'] as const;
type Compared = (typeof COMPARED)[number];

/** A value that two readers see differently. */
export type Difference = readonly [
  file: string,
  value: Compared,
  reader: string,
  ours: string,
  theirs: string,
];

export const READERS: Readonly<Record<string, ReadFiles>> = {
  python: readWithPython,
  mailparser: readWithMailparser,
  notmuch: readWithNotmuch,
  mime4j: readWithMime4j,
};

const MAX_SHOWN = 120;

export interface Comparison {
  readonly messages: number;
  readonly values: number;
  readonly differences: readonly Difference[];
  /** Readers that are not installed. */
  readonly absent: readonly string[];
}

/** Compares how this service and other readers read the messages of a folder. Readers that are not installed are left out. */
export async function compareReaders(folder: string): Promise<Comparison> {
  const scratch = mkdtempSync(join(tmpdir(), 'readers-'));
  try {
    const messages = comparedMessages(folder, scratch);
    const ours = messages.map(({ path }) => readWithOurs(readFileSync(path)));
    const differences: Difference[] = [];
    const absent: string[] = [];
    let values = 0;
    for (const [reader, readFiles] of Object.entries(READERS)) {
      const theirs = await readFiles(messages.map(({ path }) => path));
      if (theirs === null) absent.push(reader);
      for (const [index, their] of (theirs ?? []).entries()) {
        if (their === null) continue;
        values += COMPARED.length;
        differences.push(...compare(messages[index]!.name, reader, ours[index]!, their));
      }
    }
    return { messages: messages.length, values, differences, absent };
  } finally {
    rmSync(scratch, { recursive: true });
  }
}

function compare(name: string, reader: string, ours: Reading, theirs: Reading): Difference[] {
  return COMPARED.flatMap((value): Difference[] => {
    const [mine, other] = [shown(ours, value), shown(theirs, value)];
    const isSame =
      value === 'text'
        ? saysTheSame(ours.text, theirs.text)
        : value === 'files'
          ? hasFiles(ours, theirs)
          : mine === other;
    // A value at which the other reader gave up is none of the differences.
    return isSame || other.startsWith(GIVEN_UP) ? [] : [[name, value, reader, mine, other]];
  });
}

const shown = (reading: Reading, value: Compared): string =>
  (value === 'files'
    ? reading.files
        .map(([name, size]) => (size === null ? name : `${name}:${size}`))
        .sort()
        .join(' ')
    : value === 'text'
      ? reading.text.join(' ')
      : String(reading[value])
  ).slice(0, MAX_SHOWN);

/** Whether all files of the other reading are in ours, which may have more: those in messages and wrappings. */
const hasFiles = ({ files: ours }: Reading, { files: theirs }: Reading): boolean =>
  theirs.every(([name, size]) =>
    ours.some(([own, bytes]) => own === name && (size === null || bytes === size)),
  );

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
    date: toDate(date),
    files: attachments.map(({ filename, sizeBytes }) => [filename, sizeBytes]),
    text: wordsOf(text),
  };
}
