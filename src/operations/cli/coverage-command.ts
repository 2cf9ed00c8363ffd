import type { Command } from 'commander';
import type { AppConfig } from '../../platform/config/app-config';
import {
  type CoverageLine,
  CoverageReportService,
} from '../../keep/continuous/coverage/coverage-report.service';
import { withModule, withServers } from './operator-context';
import { OperatorModule } from './operator.module';

/** The coverage of some mailboxes is incomplete. */
export class CoverageIncomplete extends Error {
  readonly exitCode = 2;
}

/** @param config read when the command runs, so that `--help` needs none */
export function addCoverageCommand(
  program: Command,
  config: () => AppConfig,
  print: (line: string) => void,
): void {
  program
    .command('coverage')
    .description(
      'say what became of the messages of every mailbox whose mail is kept; exits with 2 unless all are covered exactly and healthy',
    )
    .option('--json', 'one JSON object a line')
    .action(async ({ json = false }: { json?: boolean }) => {
      const lines = await withServers(config(), (reached) =>
        withModule(OperatorModule.forCoverage(reached), (app) => app.get(CoverageReportService).list()),
      );
      for (const line of lines) print(json ? JSON.stringify(line) : textOf(line));
      if (lines.length === 0 && !json) print('No mailbox is archived continuously.');
      const incomplete = lines.filter(({ exact, healthy }) => !exact || !healthy).length;
      if (incomplete > 0)
        throw new CoverageIncomplete(`${incomplete} of ${lines.length} are not covered exactly and healthy.`);
    });
}

function textOf(line: CoverageLine): string {
  const { accountId, total, verified, archived, excluded, failed, pending, onlyInArchive } = line;
  const state = [line.exact ? 'exact' : 'not exact', line.healthy ? 'healthy' : 'not healthy'].join(', ');
  return `${accountId}  ${state}  ${total} messages: ${verified} verified, ${archived} archived, ${excluded} excluded, ${failed} failed, ${pending} pending; ${onlyInArchive} only in the archive`;
}
