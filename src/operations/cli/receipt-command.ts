import type { Command } from 'commander';
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import {
  isSigned,
  parseStatement,
  type Receipt,
  type ReceiptItem,
  type ReceiptStatement,
} from '../../keep/offload/receipts/receipt';
import { keyIdOf } from '../../keep/offload/keys/signatures';

const PROBLEMS_SHOWN = 20;

export interface ReceiptOptions {
  /** File of the items, one JSON object per line. */
  readonly items?: string;
  /** Folder of EML files; their names do not matter. */
  readonly eml?: string;
  /** File of the public key in PEM. */
  readonly key?: string;
}

/** Ends the command with a message. */
export class ReceiptRefused extends Error {
  /** @param exitCode 1: the receipt is not true; 2: a part of it could not be checked, or is not there any more */
  constructor(
    message: string,
    readonly exitCode: 1 | 2 = 1,
  ) {
    super(message);
    this.name = 'ReceiptRefused';
  }
}

/**
 * Checks a receipt of an offload without the service: its signature, its items and the mails that they are about.
 * @param print prints one line
 * @throws ReceiptRefused
 */
export async function verifyReceipt(
  path: string,
  { items, eml, key }: ReceiptOptions,
  print: (line: string) => void,
): Promise<void> {
  const receipt = await readReceipt(path);
  const statement = parseStatement(receipt.statement);
  if (!statement) throw new ReceiptRefused(`${path} has no statement of an offload.`);
  if (key) requireSignature(receipt, await textOf(key), key);
  const { counts, account } = statement;
  print(
    `${key ? 'Signed' : 'Not checked'}: ${counts.trashed} of ${counts.selected} messages of ${account.address} were moved to the ` +
      `trash from ${statement.startedAt} to ${statement.endedAt} (${statement.mode}), plan ${statement.plan}.`,
  );
  if (counts.unknown)
    print(
      `Unknown: ${counts.unknown} messages were being moved when the plan ended. Whether they are in the trash was not known then.`,
    );
  if (eml && !items) throw new ReceiptRefused('--eml needs --items: they say which mails to look for.');
  if (items) {
    const listed = await readItems(items, statement);
    print(`Items: all ${listed.length} are those of the statement.`);
    if (eml) await requireMails(listed, eml, print);
  }
  if (!key) throw new ReceiptRefused('Without --key the signature cannot be checked.', 2);
}

async function readReceipt(path: string): Promise<Receipt> {
  let receipt: Partial<Record<keyof Receipt, unknown>> | null;
  try {
    receipt = JSON.parse(await textOf(path)) as typeof receipt;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    receipt = null;
  }
  const { statement, signature, keyId } = receipt ?? {};
  if (typeof statement !== 'string' || typeof signature !== 'string' || typeof keyId !== 'string')
    throw new ReceiptRefused(`${path} is not a receipt.`);
  return { statement, signature, keyId };
}

function requireSignature(receipt: Receipt, publicKey: string, path: string): void {
  let keyId: string;
  try {
    keyId = keyIdOf(publicKey);
  } catch (error) {
    throw new ReceiptRefused(`${path} is not a public key: ${messageOf(error)}`);
  }
  if (!isSigned(receipt, publicKey)) {
    throw new ReceiptRefused(
      keyId === receipt.keyId
        ? 'The signature is not that of the statement: one of the two was altered.'
        : `The receipt was signed with the key ${receipt.keyId}, and this is ${keyId}.`,
    );
  }
}

/** The items of a file, in order. Every byte of the file counts. */
async function readItems(
  path: string,
  { counts, items: { count, sha256 } }: ReceiptStatement,
): Promise<ReceiptItem[]> {
  const hash = createHash('sha256');
  const items: ReceiptItem[] = [];
  const source = createReadStream(path).on('data', (chunk) => hash.update(chunk));
  try {
    for await (const line of createInterface({ input: source, crlfDelay: Infinity })) {
      if (line !== '') items.push(JSON.parse(line) as ReceiptItem);
    }
  } catch (error) {
    throw new ReceiptRefused(`${path}: ${messageOf(error)}`);
  }
  if (hash.digest('hex') !== sha256)
    throw new ReceiptRefused(`${path} does not hold the items of the statement: their SHA-256 is another.`);
  if (items.length !== count)
    throw new ReceiptRefused(`${path} has ${items.length} items, and the statement names ${count}.`);
  const unknown = items.filter(({ outcome }) => outcome === 'unknown').length;
  if (unknown !== (counts.unknown ?? 0))
    throw new ReceiptRefused(
      `${path} has ${unknown} items of unknown outcome, and the statement names ${counts.unknown ?? 0}.`,
    );
  return items;
}

async function requireMails(
  items: readonly ReceiptItem[],
  folder: string,
  print: (line: string) => void,
): Promise<void> {
  const found = await hashFilesIn(folder);
  const missing = items.filter(({ sha256 }) => !found.has(sha256));
  if (missing.length === 0) return print(`Mails: all ${items.length} are in ${folder}, byte by byte.`);
  for (const { messageId, sha256 } of missing.slice(0, PROBLEMS_SHOWN))
    print(`Missing: ${messageId}, SHA-256 ${sha256}`);
  throw new ReceiptRefused(
    `${missing.length} of ${items.length} mails are not in ${folder}, or were altered.`,
    missing.length < items.length ? 2 : 1,
  );
}

/** SHA-256 of all files below a folder. */
async function hashFilesIn(folder: string): Promise<Set<string>> {
  const hashes = new Set<string>();
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch((error: unknown) => {
    throw new ReceiptRefused(`${folder}: ${messageOf(error)}`);
  });
  for (const entry of entries) {
    if (!entry.isFile()) continue;
    const hash = createHash('sha256');
    for await (const chunk of createReadStream(join(entry.parentPath, entry.name)))
      hash.update(chunk as Buffer);
    hashes.add(hash.digest('hex'));
  }
  return hashes;
}

async function textOf(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    throw new ReceiptRefused(`${path}: ${messageOf(error)}`);
  }
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** Adds the command that checks receipts without the service, its configuration or its database. */
export function addReceiptCommand(program: Command, print: (line: string) => void): void {
  program
    .command('receipt:verify')
    .description('check the receipt of an offload, without the service')
    .argument('<receipt>', 'the receipt, as the service answers it')
    .option('--key <pem>', 'the public key that it was signed with, noted earlier')
    .option('--items <file>', "the receipt's items")
    .option('--eml <folder>', 'a folder of EML files: each item has to be among them')
    .action((receipt: string, options: ReceiptOptions) => verifyReceipt(receipt, options, print));
}
