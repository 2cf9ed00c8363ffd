import { chmodSync, existsSync, mkdtempSync, readdirSync, readFileSync, readlinkSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const PREFIX = 'mailroom-run-';
/** Exit codes of a shell for a program that a signal ended. */
const SIGNALS = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 };
const PARENT_CHECK_MS = 2_000;
/** Servers write their data before they end. */
const END_MS = 20_000;
const PAUSE_MS = 100;

/**
 * A run of tests: one folder, which is TMPDIR for everything the run starts, and all processes that know the folder. When
 * the run ends, whether by itself, by Ctrl-C, by a signal or with the program that started it, neither is left. Only
 * SIGKILL for this very process leaves the folder, which the next run removes.
 */
export class TestRun {
  constructor() {
    removeAbandonedFolders();
    this.folder = mkdtempSync(join(tmpdir(), `${PREFIX}${process.pid}-`));
    // Servers that run as another user work in it as well.
    chmodSync(this.folder, 0o1777);
    process.env.TMPDIR = this.folder;
    for (const [signal, code] of Object.entries(SIGNALS))
      process.once(signal, () => void this.end().then(() => process.exit(code)));
    const parent = process.ppid;
    this.watch = setInterval(() => {
      if (process.ppid !== parent) process.kill(process.pid, 'SIGHUP');
    }, PARENT_CHECK_MS).unref();
  }

  /**
   * Ends what is left of the run, and removes its folder.
   *
   * @param {number} [patienceMs] time that processes have to end by themselves before they are stopped
   * @returns {Promise<string[]>} the command lines of processes that did not end by themselves
   */
  async end(patienceMs = 0) {
    clearInterval(this.watch);
    await this.#waitUntilEnded(patienceMs);
    const left = processesOf(this.folder);
    for (const { pid } of left) kill(pid, 'SIGTERM');
    await this.#waitUntilEnded(END_MS);
    for (const { pid } of processesOf(this.folder)) kill(pid, 'SIGKILL');
    await this.#waitUntilEnded(END_MS);
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 5, retryDelay: PAUSE_MS });
    return left.map(({ command }) => command);
  }

  async #waitUntilEnded(patienceMs) {
    for (const deadline = Date.now() + patienceMs; Date.now() < deadline; await sleep(PAUSE_MS))
      if (processesOf(this.folder).length === 0) return;
  }
}

/**
 * Every other process that has the folder in its command line or environment, or works in it.
 *
 * @returns {{ pid: number, command: string }[]}
 */
export function processesOf(folder) {
  return readdirSync('/proc')
    .map(Number)
    .filter((pid) => pid > 0 && pid !== process.pid)
    .flatMap((pid) => {
      const command = readProcess(() => readFileSync(`/proc/${pid}/cmdline`, 'utf8'));
      const environment = readProcess(() => readFileSync(`/proc/${pid}/environ`, 'utf8'));
      const workingFolder = readProcess(() => readlinkSync(`/proc/${pid}/cwd`));
      // A process that has ended and was not waited for has no command line.
      if (command === '' || ![command, environment, workingFolder].some((text) => text.includes(folder)))
        return [];
      return [{ pid, command: command.replaceAll('\0', ' ').trim() }];
    });
}

/** The result of `read`; empty when the process has ended meanwhile or belongs to another user. */
function readProcess(read) {
  try {
    return read();
  } catch (error) {
    if (['ENOENT', 'ESRCH', 'EACCES', 'EPERM'].includes(error.code)) return '';
    throw error;
  }
}

function kill(pid, signal) {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if (error.code !== 'ESRCH') throw error;
  }
}

function removeAbandonedFolders() {
  for (const name of readdirSync(tmpdir())) {
    const pid = /^mailroom-run-(\d+)-/.exec(name)?.[1];
    if (!pid || existsSync(`/proc/${pid}`)) continue;
    for (const { pid: left } of processesOf(join(tmpdir(), name))) kill(left, 'SIGKILL');
    rmSync(join(tmpdir(), name), { recursive: true, force: true });
  }
}
