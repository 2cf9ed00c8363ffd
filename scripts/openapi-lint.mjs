import { createRequire } from 'node:module';
import { join } from 'node:path';
import { ROOT } from './lib/commands.mjs';

const { formatProblems, getTotals, lint, loadConfig } = createRequire(import.meta.url)(
  '@redocly/openapi-core',
);

/** Lints the committed `openapi.json` by `redocly.yaml`; a warning fails as an error does. */
const config = await loadConfig({ configPath: join(ROOT, 'redocly.yaml') });
const problems = await lint({ ref: join(ROOT, 'openapi.json'), config });
const totals = getTotals(problems);
formatProblems(problems, { format: 'stylish', cwd: ROOT, totals, version: '1' });
if (totals.errors + totals.warnings > 0) process.exitCode = 1;
