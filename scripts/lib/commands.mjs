import { spawn } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { dirname, delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The repository's root folder. */
export const ROOT = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

/** One sentence for the person at the terminal: what to install or which variable to set. */
export class ReadableFailure extends Error {}

const SYSTEM_FOLDERS = ['/usr/local/bin', '/usr/bin', '/bin', '/usr/local/sbin', '/usr/sbin', '/sbin'];

/** The absolute path of a program on PATH or in the system's folders, or null. */
export function findProgram(name) {
  for (const folder of [...(process.env.PATH ?? '').split(delimiter), ...SYSTEM_FOLDERS]) {
    if (!folder.startsWith('/')) continue;
    const candidate = join(folder, name);
    try {
      accessSync(candidate, constants.X_OK);
      return candidate;
    } catch (error) {
      if (!['ENOENT', 'ENOTDIR', 'EACCES'].includes(error.code)) throw error;
    }
  }
  return null;
}

/**
 * Starts a program that ends with this process, however that ends: where setpriv(1) is there, the kernel
 * sends it SIGTERM when this process is gone.
 */
export function spawnBound(program, args, options) {
  const setpriv = findProgram('setpriv');
  if (!setpriv) return spawn(program, args, options);
  return spawn(setpriv, ['--pdeathsig=TERM', '--', program, ...args], options);
}

/**
 * Runs a program in the repository and waits for it. With `capture` its output is collected, otherwise shown.
 *
 * @returns {Promise<{ ok: boolean, output: string }>}
 */
export function run(program, args, { capture = false, env = process.env, cwd = ROOT } = {}) {
  return new Promise((resolve, reject) => {
    const child = spawnBound(program, args, {
      cwd,
      // Under `npm --silent` a nested npm would keep its reason for failing to itself.
      env: { ...env, npm_config_loglevel: undefined },
      stdio: ['ignore', capture ? 'pipe' : 'inherit', capture ? 'pipe' : 'inherit'],
    });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream?.setEncoding('utf8').on('data', (chunk) => {
        output += chunk;
      });
    }
    child.once('error', reject);
    child.once('close', (code) => resolve({ ok: code === 0, output }));
  });
}

/** The last lines of a text, for an error message. */
export function tail(text, lines = 20) {
  return text.trimEnd().split('\n').slice(-lines).join('\n');
}

/** Seconds since `startedAt` (milliseconds), such as `1.4 s`. */
export function secondsSince(startedAt) {
  return `${((Date.now() - startedAt) / 1000).toFixed(1)} s`;
}
