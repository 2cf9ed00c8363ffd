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
 * Runs a program in the repository and waits for it. With `capture` its output is collected, otherwise shown. With
 * `silenceMs` it is ended when it has printed nothing for so long.
 *
 * @returns {Promise<{ ok: boolean, output: string }>}
 */
export function run(program, args, { capture = false, env = process.env, cwd = ROOT, silenceMs } = {}) {
  const isRead = capture || silenceMs !== undefined;
  const colours = isRead && !capture && process.stdout.isTTY ? { FORCE_COLOR: '1' } : {};
  return new Promise((resolve, reject) => {
    const child = spawnBound(program, args, {
      cwd,
      // Under `npm --silent` a nested npm would keep its reason for failing to itself.
      env: { ...env, ...colours, npm_config_loglevel: undefined },
      stdio: ['ignore', isRead ? 'pipe' : 'inherit', isRead ? 'pipe' : 'inherit'],
    });
    let output = '';
    const watch = silenceMs === undefined ? null : setTimeout(endSilentChild, silenceMs);
    function endSilentChild() {
      const minutes = Math.round(silenceMs / 60_000);
      const line = `Ended, as it had printed nothing for ${minutes} minutes: ${program} ${args.join(' ')}\n`;
      if (capture) output += line;
      else process.stderr.write(line);
      child.kill('SIGKILL');
      // Programs that it started may keep its output open.
      for (const stream of [child.stdout, child.stderr]) stream.destroy();
    }
    for (const [stream, shown] of [
      [child.stdout, process.stdout],
      [child.stderr, process.stderr],
    ]) {
      stream?.setEncoding('utf8').on('data', (chunk) => {
        watch?.refresh();
        if (capture) output += chunk;
        else shown.write(chunk);
      });
    }
    child.once('error', reject);
    child.once('close', (code) => {
      clearTimeout(watch);
      resolve({ ok: code === 0, output });
    });
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
