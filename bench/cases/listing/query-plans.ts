import { AbstractLogger, type DataSource, type LogLevel, type LogMessage, type QueryRunner } from 'typeorm';

interface Statement {
  readonly sql: string;
  readonly parameters: readonly unknown[];
}

interface Plan {
  readonly 'Node Type': string;
  readonly 'Index Name'?: string;
  readonly 'Relation Name'?: string;
  readonly 'Plan Rows': number;
  readonly 'Actual Rows': number;
  readonly 'Actual Loops': number;
  readonly 'Shared Hit Blocks'?: number;
  readonly 'Shared Read Blocks'?: number;
  readonly Plans?: readonly Plan[];
}

/** Remembers the statements of a data source while it is told to. */
export class StatementRecorder extends AbstractLogger {
  private statements: Statement[] | null = null;

  override logQuery(query: string, parameters?: unknown[], _runner?: QueryRunner): void {
    this.statements?.push({ sql: query, parameters: parameters ?? [] });
  }

  async during(work: () => Promise<unknown>): Promise<readonly Statement[]> {
    const statements: Statement[] = [];
    this.statements = statements;
    try {
      await work();
    } finally {
      this.statements = null;
    }
    return statements;
  }

  protected writeLog(_level: LogLevel, _message: LogMessage | LogMessage[], _runner?: QueryRunner): void {
    // Only statements are of interest.
  }
}

/** One line a statement: its time, buffers, and every node of its plan with rows found and rows believed. */
export async function planDigests(
  dataSource: DataSource,
  statements: readonly Statement[],
): Promise<string[]> {
  const digests: string[] = [];
  await dataSource.transaction(async (manager) => {
    for (const { sql, parameters } of statements) {
      if (/^\s*SELECT set_config/i.test(sql)) await manager.query(sql, [...parameters]);
      if (!/^\s*(SELECT(?! set_config)|WITH)/i.test(sql)) continue;
      const [row] = await manager.query<{ 'QUERY PLAN': [{ Plan: Plan; 'Execution Time': number }] }[]>(
        `EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) ${sql}`,
        [...parameters],
      );
      const { Plan: plan, 'Execution Time': ms } = row!['QUERY PLAN'][0];
      const buffers = `${plan['Shared Hit Blocks'] ?? 0}+${plan['Shared Read Blocks'] ?? 0}`;
      digests.push(`${ms.toFixed(1)} ms, ${buffers} buffers (hit+read): ${nodesOf(plan).join(' < ')}`);
    }
  });
  return digests;
}

function nodesOf(plan: Plan): string[] {
  const on = plan['Index Name'] ?? plan['Relation Name'];
  const loops = plan['Actual Loops'] > 1 ? ` ×${plan['Actual Loops']}` : '';
  const node = `${plan['Node Type']}${on ? ` ${on}` : ''} ${plan['Actual Rows']}/${plan['Plan Rows']}${loops}`;
  return [node, ...(plan.Plans ?? []).flatMap(nodesOf)];
}
