import type { Command } from 'commander';
import { access, mkdir, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Writable } from 'node:stream';
import { NotDecryptable } from '../../archive/passphrases/encrypted-file';
import { MailKeys } from '../../archive/passphrases/mail-keys';
import { decryptToFile, decryptToStream } from './decrypt-file';
import { decryptedName, type EncryptedFile, findEncryptedFiles } from './encrypted-files';

const PROBLEMS_SHOWN = 20;

export interface DecryptOptions {
  /** Target: a file, a folder, or `-` for standard output; null writes beside the encrypted files. */
  readonly output: string | null;
  /** Whether existing files are overwritten. */
  readonly force: boolean;
}

export interface DecryptTerminal {
  /** Prints one line. */
  print(line: string): void;
  askPassphrase(): Promise<string>;
  /** The target of `-`. */
  readonly output: Writable;
}

/** Ends the command with a message. */
export class DecryptionFailed extends Error {
  /** @param exitCode 1: nothing was decrypted; 2: some files were not */
  constructor(
    message: string,
    readonly exitCode: 1 | 2 = 1,
  ) {
    super(message);
    this.name = 'DecryptionFailed';
  }
}

/**
 * Decrypts files with their passphrase, without the service. Files of one encryption job share a salt, whose key is
 * derived once.
 * @param paths files, and folders that are searched for encrypted mails
 * @throws DecryptionFailed
 */
export async function decryptMails(
  paths: readonly string[],
  { output, force }: DecryptOptions,
  terminal: DecryptTerminal,
): Promise<void> {
  if (output === '-') return writeToStandardOutput(paths, terminal);
  const files = await planTargets(paths, output);
  if (!force) await refuseOverwriting(files);
  const keys = new MailKeys(await readPassphrase(terminal));
  const problems: string[] = [];
  for (const { source, target } of files) {
    try {
      await mkdir(dirname(target), { recursive: true });
      await decryptToFile(source, target, keys);
      terminal.print(`Decrypted ${source} to ${target}`);
    } catch (error) {
      problems.push(reasonOf(source, error));
    }
  }
  if (problems.length === 0) return;
  if (files.length === 1) throw new DecryptionFailed(problems[0]!);
  for (const problem of problems.slice(0, PROBLEMS_SHOWN)) terminal.print(problem);
  throw new DecryptionFailed(
    `${problems.length} of ${files.length} files could not be decrypted.`,
    problems.length < files.length ? 2 : 1,
  );
}

async function writeToStandardOutput(paths: readonly string[], terminal: DecryptTerminal): Promise<void> {
  const [source, ...more] = await findEncrypted(paths);
  if (source === undefined || more.length > 0) {
    throw new DecryptionFailed('Standard output takes one mail: name one encrypted file.');
  }
  const keys = new MailKeys(await readPassphrase(terminal));
  try {
    await decryptToStream(source.path, terminal.output, keys);
  } catch (error) {
    throw new DecryptionFailed(reasonOf(source.path, error));
  }
}

/** Sources and targets. The output is a folder if it exists as one, or if there are several mails. */
async function planTargets(
  paths: readonly string[],
  output: string | null,
): Promise<{ source: string; target: string }[]> {
  const files = await findEncrypted(paths);
  if (files.length === 0) throw new DecryptionFailed('There is no encrypted mail.');
  const isOne = files.length === 1 && files[0]!.path === paths[0];
  if (output !== null && isOne && !(await isFolder(output))) {
    return [{ source: files[0]!.path, target: output }];
  }
  const plan = files.map((file) => ({ source: file.path, target: decryptedName(file, output) }));
  const targets = new Set<string>();
  for (const { target } of plan) {
    if (targets.has(target)) throw new DecryptionFailed(`Several mails would be written to ${target}.`);
    targets.add(target);
  }
  return plan;
}

async function findEncrypted(paths: readonly string[]): Promise<EncryptedFile[]> {
  const files: EncryptedFile[] = [];
  for (const path of new Set(paths)) {
    try {
      for await (const file of findEncryptedFiles([path])) files.push(file);
    } catch (error) {
      throw new DecryptionFailed(
        error instanceof NotDecryptable ? `${path} is not an encrypted mail.` : reasonOf(path, error),
      );
    }
  }
  return files;
}

async function refuseOverwriting(files: readonly { target: string }[]): Promise<void> {
  for (const { target } of files) {
    if (await exists(target)) {
      throw new DecryptionFailed(`${target} exists already; --force overwrites it.`);
    }
  }
}

async function readPassphrase(terminal: DecryptTerminal): Promise<string> {
  const given = await terminal.askPassphrase();
  if (given === '') throw new DecryptionFailed('No passphrase was given.');
  return given;
}

async function exists(path: string): Promise<boolean> {
  try {
    await access(path);
    return true;
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return false;
    throw new DecryptionFailed(reasonOf(path, error));
  }
}

async function isFolder(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isDirectory();
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return false;
    throw new DecryptionFailed(reasonOf(path, error));
  }
}

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  ENOTDIR: 'a part of the path is a file, not a folder',
  EACCES: 'it may not be read or written by you',
  EPERM: 'it may not be read or written by you',
  EISDIR: 'it is a folder',
  EROFS: 'the file system is read-only',
  ENOSPC: 'there is no space left on the disk',
  EDQUOT: 'your quota on the disk is used up',
  EPIPE: 'nobody reads the output any more',
};

function reasonOf(path: string, error: unknown): string {
  if (error instanceof NotDecryptable) return `${path}: the passphrase is wrong, or the file is damaged.`;
  const reason = REASONS[codeOf(error)] ?? (error instanceof Error ? error.message : String(error));
  return `${path}: ${reason}.`;
}

const codeOf = (error: unknown): string => (error as NodeJS.ErrnoException | undefined)?.code ?? '';

/** Adds the command that decrypts mail without the service, its configuration or its database. */
export function addDecryptCommand(program: Command, terminal: DecryptTerminal): void {
  program
    .command('decrypt')
    .description('decrypt mails with their passphrase, asked for or the first line of standard input')
    .argument('<files...>', 'encrypted files, and folders that are searched for them')
    .option('-o, --output <path>', 'a file or folder to write to, or - for standard output')
    .option('--force', 'overwrite files that are there already', false)
    .action((files: string[], options: { output?: string; force: boolean }) =>
      decryptMails(files, { output: options.output ?? null, force: options.force }, terminal),
    );
}
