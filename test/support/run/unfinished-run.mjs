// A run of one spec that starts servers and does not stop them, for test/e2e/platform/jobs/ended-runs.e2e-spec.ts.
import { join } from 'node:path';
import { ROOT, run } from '../../../scripts/lib/commands.mjs';
import { TestRun } from '../../../scripts/lib/test-run.mjs';

const testRun = new TestRun();
console.log(`folder ${testRun.folder}`);
const { ok } = await run(process.execPath, [
  join(ROOT, 'node_modules/jest/bin/jest.js'),
  '--config',
  join(ROOT, 'test/support/run/unfinished.jest.cjs'),
]);
const left = await testRun.end();
console.log(`ended ${JSON.stringify({ ok, left: left.length })}`);
