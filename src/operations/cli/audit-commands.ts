import { Command, InvalidArgumentError } from 'commander';
import { once } from 'node:events';
import type { Writable } from 'node:stream';
import { AuditVerificationService } from '../../platform/audit/audit-verification.service';
import type { ChainPoint } from '../../platform/audit/chain-check';
import type { AppConfig } from '../../platform/config/app-config';
import { withModule, withServers } from './operator-context';
import { OperatorModule } from './operator.module';

export interface AuditTerminal {
  /** Writes one line for the operator. */
  print(line: string): void;
  /** The stream the log is written to. */
  readonly output: Writable;
}

/** @param config read when a command runs, so that `--help` needs none */
export function addAuditCommands(program: Command, config: () => AppConfig, terminal: AuditTerminal): void {
  const withVerification = <T>(work: (verification: AuditVerificationService) => Promise<T>): Promise<T> =>
    withServers(config(), (reached) =>
      withModule(OperatorModule.forAudit(reached), (app) => work(app.get(AuditVerificationService))),
    );

  program
    .command('audit:verify')
    .description(
      'check that the audit log is as it was written, while the service runs or not; changes nothing',
    )
    .option(
      '--from-head <sequence:hash>',
      'a head printed earlier and kept elsewhere: it must still be in the log, and what follows it is checked',
      toHead,
    )
    .action(async ({ fromHead }: { fromHead?: ChainPoint }) => {
      const { count, since, head } = await withVerification((log) => log.verify(fromHead ?? null));
      const entries = `${count} ${count === 1 ? 'entry fits' : 'entries fit'}`;
      terminal.print(since === null ? `${entries}.` : `${entries}, the first of ${since}.`);
      terminal.print(`Last sequence: ${head.sequence}`);
      terminal.print(`Head: ${head.sequence}:${head.hash.toString('hex')}`);
    });

  program
    .command('audit:export')
    .description('write the audit log to standard output, one JSON object a line, oldest first')
    .action(async () => {
      await withVerification((log) =>
        log.export(async (entry) => {
          if (!terminal.output.write(`${JSON.stringify(entry)}\n`)) await once(terminal.output, 'drain');
        }),
      );
    });
}

function toHead(text: string): ChainPoint {
  const [, sequence, hash = ''] = /^(\d{1,15}):((?:[0-9a-f]{64})?)$/i.exec(text) ?? [];
  if (sequence === undefined || (Number(sequence) === 0) !== (hash === '')) {
    throw new InvalidArgumentError(
      'It is the sequence, a colon and 64 hexadecimal digits, as audit:verify prints it.',
    );
  }
  return { sequence: Number(sequence), hash: Buffer.from(hash, 'hex') };
}
