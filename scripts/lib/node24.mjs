import { existsSync, readFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { ROOT, run, ReadableFailure, tail } from './commands.mjs';

const FOLDER = join(ROOT, 'scripts', 'node24');
const PACKAGE = `node-linux-${process.arch}`;

function installedVersion() {
  const file = join(FOLDER, 'node_modules', PACKAGE, 'package.json');
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')).version : null;
}

/** Installs Node.js 24, which the image runs on, unless it is there. @returns the folder of its program `node` */
export async function ensureNode24(say) {
  const wanted = JSON.parse(readFileSync(join(FOLDER, 'package.json'), 'utf8')).optionalDependencies[PACKAGE];
  if (!wanted)
    throw new ReadableFailure(`There is no package of Node 24 for ${process.platform}-${process.arch}.`);
  if (installedVersion() !== wanted) {
    say(`Installing Node ${wanted} for the tests`);
    const args = ['ci', '--include=optional', '--no-audit', '--no-fund'];
    const { ok, output } = await run('npm', args, { capture: true, cwd: FOLDER });
    if (!ok || installedVersion() !== wanted)
      throw new ReadableFailure(
        `Node ${wanted} could not be installed; check the network or the npm registry, then try again.\n${tail(output)}`,
      );
  }
  return join(FOLDER, 'node_modules', PACKAGE, 'bin');
}

/** An environment in which `node` is Node 24, for this process's children and theirs. */
export async function node24Environment(say) {
  return { ...process.env, PATH: [await ensureNode24(say), process.env.PATH].join(delimiter) };
}
