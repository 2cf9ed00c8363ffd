import 'reflect-metadata';
import { Command } from 'commander';
import { BackupError } from '../backup/backup.errors';
import { loadConfig } from '../../platform/config/load-config';
import { addAuditCommands } from './audit-commands';
import { addBackupCommands } from './backup-commands';
import { addCoverageCommand, CoverageIncomplete } from './coverage-command';
import { addDecryptCommand, DecryptionFailed } from './decrypt-command';
import { askSecret, choosePassword } from './password-input';
import { addImportCommand, ImportIncomplete } from './import-command';
import { addReceiptCommand, ReceiptRefused } from './receipt-command';
import { addUserCommands } from './user-commands';

/**
 * The operators' command line. It exits with 0 on success, 1 on failure and 2 on partial success; 1 and 2 come with one
 * line on standard error.
 */
async function main(): Promise<void> {
  const program = new Command('mailroom').description('Operate this Mailroom installation');
  const terminal = { print: (line: string) => process.stdout.write(`${line}\n`), choosePassword };
  const config = () => loadConfig(process.env);
  addUserCommands(program, config, terminal);
  addBackupCommands(program, config, terminal);
  addAuditCommands(program, config, { print: terminal.print, output: process.stdout });
  addReceiptCommand(program, terminal.print);
  addCoverageCommand(program, config, terminal.print);
  addImportCommand(program, config, terminal.print);
  addDecryptCommand(program, {
    // The mail may be written to standard output.
    print: (line) => process.stderr.write(`${line}\n`),
    askPassphrase: () => askSecret('Passphrase: '),
    output: process.stdout,
  });
  await program.parseAsync();
}

main().then(
  () => process.exit(0),
  (error: unknown) => {
    const message = error instanceof Error ? error.message : String(error);
    process.stderr.write(`${message.split('\n')[0]}\n`);
    const hasExitCode =
      error instanceof BackupError ||
      error instanceof CoverageIncomplete ||
      error instanceof DecryptionFailed ||
      error instanceof ImportIncomplete ||
      error instanceof ReceiptRefused;
    process.exit(hasExitCode ? error.exitCode : 1);
  },
);
