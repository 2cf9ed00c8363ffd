import 'reflect-metadata';
import { Command } from 'commander';
import { loadConfig } from '../config/load-config';
import { choosePassword } from './commands/password-input';
import { addUserCommands } from './commands/user-commands';

/** The operators' command line: exits 0 when done, 1 with one line on standard error when not. */
async function main(): Promise<void> {
  const program = new Command('mailroom').description('Operate this Mailroom installation');
  addUserCommands(program, () => loadConfig(process.env), {
    print: (line) => process.stdout.write(`${line}\n`),
    choosePassword,
  });
  await program.parseAsync();
}

main().then(
  () => process.exit(0),
  (error: unknown) => {
    const message = error instanceof Error ? error.message : String(error);
    process.stderr.write(`${message.split('\n')[0]}\n`);
    process.exit(1);
  },
);
