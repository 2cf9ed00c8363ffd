import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { htmlToText } from '../../../../src/platform/mime/html-text';
import { parseDecodedAddressList } from '../../../../src/platform/mime/address-list';
import { GIVEN_UP, type NamedFile, type ReadFiles, type Reading, tidy, toDate, wordsOf } from './reading';

interface NotmuchPart {
  readonly 'content-type': string;
  /** Text, parts, or messages in parts. */
  readonly content?: string | readonly (NotmuchPart | { readonly body: readonly NotmuchPart[] })[];
  readonly filename?: string;
}

interface NotmuchMessage {
  /** Epoch seconds of the Date header; 0 when it cannot be read, also before 1970. */
  readonly timestamp: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: readonly NotmuchPart[];
}

const MAX_OUTPUT = 256 * 1024 * 1024;

/**
 * notmuch, which reads with GMime. Each message has a database to itself: messages with the same Message-ID would be one. The
 * values are those of `notmuch show`, which states no sizes of decoded files.
 */
export const readWithNotmuch: ReadFiles = (paths) => {
  if (spawnSync('notmuch', ['--version']).status !== 0) return Promise.resolve(null);
  const root = mkdtempSync(join(tmpdir(), 'notmuch-'));
  try {
    return Promise.resolve(paths.map((path, index) => readOne(path, join(root, String(index)))));
  } finally {
    rmSync(root, { recursive: true });
  }
};

function readOne(path: string, folder: string): Reading | null {
  mkdirSync(folder);
  const config = join(folder, 'config');
  const mail = join(folder, 'mail');
  mkdirSync(mail);
  copyFileSync(path, join(mail, '1'));
  writeFileSync(config, `[database]\npath=${mail}\n[user]\nname=Ada\nprimary_email=ada@mail.example\n`);
  const run = (...parameters: string[]): string =>
    spawnSync('notmuch', [`--config=${config}`, ...parameters], { encoding: 'utf8', maxBuffer: MAX_OUTPUT })
      .stdout;
  run('new', '--quiet');
  const [thread] = JSON.parse(run('show', '--format=json', '--include-html', '*') || '[]') as unknown[];
  const message = (thread as [[NotmuchMessage, unknown]] | undefined)?.[0]?.[0];
  rmSync(folder, { recursive: true });
  return message ? toReading(message) : null;
}

function toReading({ headers, timestamp, body }: NotmuchMessage): Reading {
  const plain = textsOf(body, 'text/plain');
  const text =
    plain.length > 0 ? plain.join('\n') : htmlToText(textsOf(body, 'text/html').join('\n'), 1_000_000);
  return {
    subject: tidy(headers['Subject'] ?? ''),
    sender: (parseDecodedAddressList(headers['From'] ?? '')[0]?.address ?? '').toLowerCase(),
    date: timestamp === 0 ? GIVEN_UP : toDate(new Date(timestamp * 1_000)),
    files: filesOf(body),
    text: wordsOf(text),
  };
}

const partsOf = ({ content }: NotmuchPart): readonly NotmuchPart[] =>
  typeof content === 'string' || content === undefined
    ? []
    : content.flatMap((part) => ('body' in part ? part.body : [part]));

const textsOf = (parts: readonly NotmuchPart[], type: string): string[] =>
  parts.flatMap((part) => [
    ...(part['content-type'] === type && part.filename === undefined && typeof part.content === 'string'
      ? [part.content]
      : []),
    ...textsOf(partsOf(part), type),
  ]);

const filesOf = (parts: readonly NotmuchPart[]): NamedFile[] =>
  parts.flatMap((part): NamedFile[] => [
    ...(part.filename === undefined || part.filename === '' ? [] : [[tidy(part.filename), null] as const]),
    ...filesOf(partsOf(part)),
  ]);
