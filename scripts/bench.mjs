import { run } from './lib/commands.mjs';
import { runScript, setUp } from './setup.mjs';

await runScript(async () => {
  await setUp();
  const { ok } = await run('node', ['dist/bench/main.js', ...process.argv.slice(2)]);
  if (!ok) process.exitCode = 1;
});
