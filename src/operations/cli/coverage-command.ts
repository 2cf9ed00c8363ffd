import type { Command } from 'commander';
import type { AppConfig } from '../../platform/config/app-config';
import { coverageFigures } from '../../keep/continuous/ledger/coverage-figures';
import { CoverageRepository, type OperatorOverview } from '../../keep/continuous/ledger/coverage.repository';
import { withModule, withServers } from './operator-context';
import { OperatorModule } from './operator.module';

/** The coverage of some mailboxes is incomplete. */
export class CoverageIncomplete extends Error {
  readonly exitCode = 2;
}

/** The line of a mailbox. */
export interface CoverageLine {
  readonly accountId: string;
  readonly userId: string;
  readonly exact: boolean;
  readonly healthy: boolean;
  readonly historyId: string | null;
  readonly at: string | null;
  readonly total: number;
  readonly verified: number;
  readonly archived: number;
  readonly excluded: number;
  readonly failed: number;
  readonly pending: number;
  readonly onlyInArchive: number;
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
      const overviews = await withServers(config(), (reached) =>
        withModule(OperatorModule.forCoverage(reached), (app) => app.get(CoverageRepository).findOverviews()),
      );
      const lines = overviews.map(lineOf);
      for (const line of lines) print(json ? JSON.stringify(line) : textOf(line));
      if (lines.length === 0 && !json) print('No mailbox is archived continuously.');
      const incomplete = lines.filter(({ exact, healthy }) => !exact || !healthy).length;
      if (incomplete > 0)
        throw new CoverageIncomplete(`${incomplete} of ${lines.length} are not covered exactly and healthy.`);
    });
}

/**
 * Line that the command prints for a mailbox. A mailbox whose state has been bad for a while, or whose count is wrong, is not
 * healthy.
 */
export function lineOf(overview: OperatorOverview): CoverageLine {
  const { total, classes, onlyInArchive } = coverageFigures(overview.totals);
  return {
    accountId: overview.accountId,
    userId: overview.userId,
    exact: overview.exact,
    healthy: overview.unhealthySince === null && overview.providerAgreed !== false && classes.failed === 0,
    historyId: overview.historyId,
    at: overview.at?.toISOString() ?? null,
    total,
    ...classes,
    onlyInArchive: onlyInArchive.count,
  };
}

function textOf(line: CoverageLine): string {
  const { accountId, total, verified, archived, excluded, failed, pending, onlyInArchive } = line;
  const state = [line.exact ? 'exact' : 'not exact', line.healthy ? 'healthy' : 'not healthy'].join(', ');
  return `${accountId}  ${state}  ${total} messages: ${verified} verified, ${archived} archived, ${excluded} excluded, ${failed} failed, ${pending} pending; ${onlyInArchive} only in the archive`;
}
