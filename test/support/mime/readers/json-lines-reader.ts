import { spawnSync } from 'node:child_process';
import { htmlToText } from '../../../../src/platform/mime/html-text';
import { GIVEN_UP, type NamedFile, type Reading, tidy, wordsOf } from './reading';

/** A line of a reader in another language: values begin with `!` where it has given up. */
interface ReadLine {
  readonly subject: string;
  readonly sender: string;
  readonly date: string | null;
  readonly files: string | readonly NamedFile[];
  readonly text: string;
}

const MAX_OUTPUT = 256 * 1024 * 1024;

/** Runs a program that takes paths, a line each, and answers with a line of JSON for each. @returns null when it fails */
export function readWithProgram(
  program: string,
  parameters: readonly string[],
  paths: readonly string[],
): (Reading | null)[] | null {
  const { status, stdout } = spawnSync(program, parameters, {
    input: paths.map((path) => `${path}\n`).join(''),
    encoding: 'utf8',
    maxBuffer: MAX_OUTPUT,
  });
  if (status !== 0) return null;
  const lines = stdout.trimEnd().split('\n');
  if (lines.length !== paths.length)
    throw new Error(`${program} answered ${lines.length} of ${paths.length} messages`);
  return lines.map((line) => toReading(JSON.parse(line) as ReadLine | string));
}

function toReading(read: ReadLine | string): Reading | null {
  if (typeof read === 'string') return null;
  const { subject, sender, date, files, text } = read;
  return {
    subject: tidy(subject),
    sender: sender.toLowerCase(),
    date,
    files: typeof files === 'string' ? [[GIVEN_UP, null]] : files.map(([name, size]) => [tidy(name), size]),
    text: text.startsWith(GIVEN_UP) ? [] : wordsOf(/<\w/.test(text) ? htmlToText(text, 1_000_000) : text),
  };
}
