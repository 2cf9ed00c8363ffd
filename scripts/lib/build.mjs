import { createHash } from 'node:crypto';
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { ROOT, run, ReadableFailure, tail } from './commands.mjs';

/** JavaScript that benches import by way of the tests' support; the compiler leaves it where it is. */
const COPIED = ['test/support/run/pace.js'];
/** The builds, with their sources and outputs; specs are not built. */
const BUILDS = [
  {
    what: 'the service',
    script: 'build:service',
    folders: ['src', 'sandbox/src', 'migrations', 'bench'],
    files: [
      ...['package.json', 'package-lock.json', 'nest-cli.json', 'tsconfig.json', 'tsconfig.build.json'],
      ...COPIED,
    ],
    copied: COPIED,
    stamp: 'dist/.build-stamp',
  },
  {
    what: 'the web client',
    script: 'build:web',
    folders: ['web/src', 'web/public', 'web/build', 'sdk/src'],
    files: ['package.json', 'package-lock.json', 'web/package.json', 'web/index.html', 'web/vite.config.ts'],
    stamp: 'web/dist/.build-stamp',
  },
];
const NOT_BUILT = /\.(spec|test)\.tsx?$/;

/** A hash over everything a build reads. */
function fingerprint({ folders, files }) {
  const hash = createHash('sha256');
  const sources = [...files];
  for (const folder of folders.filter((name) => existsSync(join(ROOT, name)))) {
    for (const entry of readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true })) {
      if (!entry.isFile() || NOT_BUILT.test(entry.name)) continue;
      sources.push(join(entry.parentPath ?? entry.path, entry.name).slice(ROOT.length + 1));
    }
  }
  for (const file of sources.sort()) {
    hash
      .update(`${file}\0`)
      .update(readFileSync(join(ROOT, file)))
      .update('\0');
  }
  return hash.digest('hex');
}

async function ensure(build, say) {
  const wanted = fingerprint(build);
  const stamp = join(ROOT, build.stamp);
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) return;
  say(`Building ${build.what}`);
  const { ok, output } = await run('npm', ['run', '--silent', build.script], { capture: true });
  if (!ok) throw new ReadableFailure(`The build of ${build.what} failed:\n${tail(output, 60)}`);
  for (const path of build.copied ?? []) {
    const target = join(ROOT, 'dist', path);
    mkdirSync(dirname(target), { recursive: true });
    copyFileSync(join(ROOT, path), target);
  }
  writeFileSync(stamp, wanted);
}

/** Compiles the service and its web client unless what is there is what the sources say already. */
export async function ensureBuild(say) {
  await Promise.all(BUILDS.map((build) => ensure(build, say)));
}
