import 'reflect-metadata';
import { Command } from 'commander';
import { BackupError } from '../backup/backup.errors';
import { loadConfig } from '../config/load-config';
import { addBackupCommands } from './commands/backup-commands';
import { choosePassword } from './commands/password-input';
import { addUserCommands } from './commands/user-commands';

/**
 * The operators' command line: exits 0 when done, 1 with one line on standard error when not, 2 with such a line when
 * something had to be left out.
 */
async function main(): Promise<void> {
  const program = new Command('mailroom').description('Operate this Mailroom installation');
  const terminal = { print: (line: string) => process.stdout.write(`${line}\n`), choosePassword };
  const config = () => loadConfig(process.env);
  addUserCommands(program, config, terminal);
  addBackupCommands(program, config, terminal);
  await program.parseAsync();
}

main().then(
  () => process.exit(0),
  (error: unknown) => {
    const message = error instanceof Error ? error.message : String(error);
    process.stderr.write(`${message.split('\n')[0]}\n`);
    process.exit(error instanceof BackupError ? error.exitCode : 1);
  },
);
