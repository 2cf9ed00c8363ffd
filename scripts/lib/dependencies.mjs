import { createHash } from 'node:crypto';
import { existsSync, lstatSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT, run, ReadableFailure, tail } from './commands.mjs';

const MODULES = join(ROOT, 'node_modules');
const STAMP = join(MODULES, '.mailroom-dependencies');

/** The state that the installed packages depend on: the platform they were installed for and the lock file. */
function fingerprint() {
  const lock = createHash('sha256').update(readFileSync(join(ROOT, 'package-lock.json')));
  return { platform: `${process.platform}-${process.arch}`, lock: lock.digest('hex') };
}

/** True when an `npm ci` or `npm install` by hand is newer than the lock file and brought the build tools. */
function installedByHand() {
  const record = join(MODULES, '.package-lock.json');
  return (
    existsSync(record) &&
    existsSync(join(MODULES, 'typescript')) &&
    statSync(record).mtimeMs >= statSync(join(ROOT, 'package-lock.json')).mtimeMs
  );
}

/** Installs the packages of package-lock.json unless they are there. */
export async function ensureDependencies(say) {
  const wanted = fingerprint();
  const stamped = existsSync(STAMP) ? JSON.parse(readFileSync(STAMP, 'utf8')) : null;
  const samePlatform = stamped === null || stamped.platform === wanted.platform;
  if (samePlatform && stamped?.lock === wanted.lock) return;
  if (samePlatform && installedByHand()) {
    writeFileSync(STAMP, JSON.stringify(wanted));
    return;
  }
  // npm ci would empty the folder behind the link, and with it every tree that shares it.
  if (lstatSync(MODULES, { throwIfNoEntry: false })?.isSymbolicLink()) {
    throw new ReadableFailure(
      'node_modules is a link and does not fit package-lock.json: install where it points to, or remove it.',
    );
  }
  say('Installing the dependencies with npm ci (about a minute)');
  const args = ['ci', '--include=dev', '--include=optional', '--no-audit', '--no-fund'];
  const { ok, output } = await run('npm', args, { capture: true });
  if (!ok) {
    throw new ReadableFailure(
      `npm ci failed; check the network or the npm registry, then try again.\n${tail(output)}`,
    );
  }
  writeFileSync(STAMP, JSON.stringify(wanted));
}
