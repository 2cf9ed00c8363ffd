import type { Command } from 'commander';
import { decryptMails, type DecryptTerminal } from '../decrypt/decrypt-mails';

/** The way to encrypted mail without the service: needs no configuration, database or account. */
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
