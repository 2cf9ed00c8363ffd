import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT, run, ReadableFailure } from './lib/commands.mjs';
import { runScript } from './setup.mjs';

/*
 * Builds `sdk/dist`: the same sources as ES modules and as CommonJS, each folder saying which it is, with types beside.
 */

const SDK = join(ROOT, 'sdk');
const FORMATS = [
  { name: 'esm', type: 'module' },
  { name: 'cjs', type: 'commonjs' },
];

async function build({ name, type }) {
  const out = join(SDK, 'dist', name);
  const { ok, output } = await run(
    join(ROOT, 'node_modules/typescript/bin/tsc'),
    ['-p', `sdk/tsconfig.${name}.json`],
    {
      capture: true,
    },
  );
  if (!ok) throw new ReadableFailure(`The SDK does not compile (${name}):\n${output}`);
  mkdirSync(out, { recursive: true });
  writeFileSync(join(out, 'package.json'), `${JSON.stringify({ type })}\n`);
}

await runScript(async () => {
  rmSync(join(SDK, 'dist'), { recursive: true, force: true });
  await Promise.all(FORMATS.map(build));
});
