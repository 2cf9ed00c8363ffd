import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT, run, ReadableFailure, tail } from './commands.mjs';

const SOURCE_FOLDERS = ['src', 'sandbox/src', 'migrations', 'bench'];
const SOURCE_FILES = [
  'package.json',
  'package-lock.json',
  'nest-cli.json',
  'tsconfig.json',
  'tsconfig.build.json',
];
const STAMP = join(ROOT, 'dist', '.build-stamp');

/** A hash over everything the build reads; specs are not built. */
function fingerprint() {
  const hash = createHash('sha256').update(process.version);
  const files = [...SOURCE_FILES];
  for (const folder of SOURCE_FOLDERS.filter((name) => existsSync(join(ROOT, name)))) {
    for (const entry of readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true })) {
      if (!entry.isFile() || entry.name.endsWith('.spec.ts')) continue;
      files.push(join(entry.parentPath ?? entry.path, entry.name).slice(ROOT.length + 1));
    }
  }
  for (const file of files.sort()) {
    hash
      .update(`${file}\0`)
      .update(readFileSync(join(ROOT, file)))
      .update('\0');
  }
  return hash.digest('hex');
}

/** Compiles the service into `dist` unless that is what the sources say already. */
export async function ensureBuild(say) {
  const wanted = fingerprint();
  if (existsSync(STAMP) && readFileSync(STAMP, 'utf8') === wanted) return;
  say('Building the service');
  const { ok, output } = await run('npm', ['run', '--silent', 'build'], { capture: true });
  if (!ok) throw new ReadableFailure(`The build failed:\n${tail(output, 60)}`);
  writeFileSync(STAMP, wanted);
}
