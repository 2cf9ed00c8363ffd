import { createServer } from 'node:net';
import { closeSync, existsSync, mkdirSync, openSync, readFileSync, renameSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { ROOT, ReadableFailure, spawnBound, tail } from '../lib/commands.mjs';

/** Written by `scripts/demo-mail.mjs`. */
export const MAIL_WITH_DOCUMENTS = join(ROOT, 'sandbox/mail');
const READY_TIMEOUT_MS = 120_000;
const STOP_PATIENCE_MS = 30_000;
const LARGEST_LOG_BYTES = 10 * 1024 * 1024;
const HIGHEST_PORT = 65_535;

/** True when the port can be listened on, on the loopback address. */
function isFree(port) {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', (error) => (error.code === 'EADDRINUSE' ? resolve(false) : reject(error)));
    probe.listen({ host: '127.0.0.1', port }, () => probe.close(() => resolve(true)));
  });
}

/** The wanted port or the next free one above it. */
export async function choosePort(wanted) {
  for (let port = wanted; port <= HIGHEST_PORT; port += 1) {
    if (await isFree(port)) return port;
  }
  throw new ReadableFailure(`No free port from ${wanted} upwards: set PORT.`);
}

function setAsideIfLarge(file) {
  if (existsSync(file) && statSync(file).size > LARGEST_LOG_BYTES) renameSync(file, `${file}.1`);
}

/** The service as a child process, with its log in a file. */
export class DemoService {
  #exit = null;

  constructor({ port, dataDir }) {
    this.url = `http://127.0.0.1:${port}`;
    this.logFile = join(dataDir, 'demo.log');
    mkdirSync(dataDir, { recursive: true, mode: 0o700 });
    setAsideIfLarge(this.logFile);
    const log = openSync(this.logFile, 'a', 0o600);
    /** Address at which people open the page: at another one it could not sign them in. */
    this.appUrl = process.env.APP_URL ?? `http://localhost:${port}`;
    const env = {
      ...process.env,
      PORT: String(port),
      DATA_DIR: dataDir,
      APP_URL: this.appUrl,
      SANDBOX: 'true',
      // Mail with attached documents, beside the generated one.
      SANDBOX_MAIL_DIR: process.env.SANDBOX_MAIL_DIR || MAIL_WITH_DOCUMENTS,
      // Cache of compiled code, from Node 22 on. It takes 25 MiB of memory: for a quick start rather than for
      // production.
      NODE_COMPILE_CACHE: join(ROOT, 'dist', '.compile-cache'),
    };
    // The service runs in a separate session: Ctrl-C reaches only this script, which then stops it in order.
    this.child = spawnBound(process.execPath, ['dist/src/main.js'], {
      cwd: ROOT,
      env,
      detached: true,
      stdio: ['ignore', log, log],
    });
    closeSync(log);
    this.ended = new Promise((resolve) => {
      this.child.once('error', (error) => resolve({ code: null, signal: error.message }));
      this.child.once('exit', (code, signal) => resolve({ code, signal }));
    }).then((exit) => {
      this.#exit = exit;
      return exit;
    });
  }

  async waitUntilReady() {
    const giveUpAt = Date.now() + READY_TIMEOUT_MS;
    for (;;) {
      if (this.#exit) throw this.failure('The service ended while starting');
      const ready = await fetch(`${this.url}/health/ready`).then(
        async (response) => {
          await response.body?.cancel();
          return response.ok;
        },
        () => false,
      );
      if (ready) return;
      if (Date.now() > giveUpAt) throw this.failure('The service was not ready in time');
      await sleep(50);
    }
  }

  failure(what) {
    return new ReadableFailure(
      `${what}; the end of ${this.logFile}:\n${tail(readFileSync(this.logFile, 'utf8'))}`,
    );
  }

  /** Asks the service to end and waits; true when it ended in order. */
  async stop() {
    if (!this.#exit) this.child.kill('SIGTERM');
    const late = AbortSignal.timeout(STOP_PATIENCE_MS);
    late.addEventListener('abort', () => this.child.kill('SIGKILL'));
    const { code } = await this.ended;
    return code === 0;
  }
}
