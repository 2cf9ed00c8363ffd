const { fork } = require('node:child_process');
const { once } = require('node:events');

const WORKER = require.resolve('./worker');

/** A process that runs one spec at a time, in the same realm as the service: modules are loaded once for all of its specs. */
class Worker {
  #child;

  constructor(number) {
    this.#child = fork(WORKER, {
      env: { ...process.env, JEST_WORKER_ID: String(number) },
      // Standard output is Jest's: with --json it holds the report.
      stdio: ['ignore', 2, 2, 'ipc'],
    });
  }

  get hasEnded() {
    return this.#child.exitCode !== null || this.#child.signalCode !== null;
  }

  /** Resolves to `{ result, heapUsed }`, or to `{ error }` when the spec cannot be loaded or ends the process. */
  run(spec) {
    return new Promise((resolve) => {
      const onExit = (code, signal) => {
        const message = `The process of the spec has ended with ${signal ?? `exit code ${code}`}.`;
        resolve({ error: { message, stack: message } });
      };
      this.#child.once('exit', onExit);
      this.#child.once('message', (message) => {
        this.#child.off('exit', onExit);
        resolve(message);
      });
      this.#child.send(spec);
    });
  }

  /** Waits until the worker has ended by itself, which it does unless its specs have left something open. */
  async end(patienceMs) {
    if (this.hasEnded) return;
    const ended = once(this.#child, 'exit');
    const force = setTimeout(() => this.#child.kill('SIGKILL'), patienceMs);
    this.#child.send('end');
    await ended;
    clearTimeout(force);
  }
}

/**
 * A runner as Jest documents it for the option `runner`. Jest's own gives each spec a sandbox with modules, globals and classes of its own;
 * here specs run in plain Node, so that nothing is loaded twice and `instanceof` holds everywhere. See ADR 103.
 */
module.exports = class Runner {
  #globalConfig;

  constructor(globalConfig) {
    this.#globalConfig = globalConfig;
  }

  async runTests(tests, watcher, onStart, onResult, onFailure, { serial }) {
    const waiting = [...tests];
    const count = serial ? 1 : Math.min(this.#globalConfig.maxWorkers, tests.length);
    const report = { onStart, onResult, onFailure };
    const lanes = Array.from({ length: count }, (_, index) =>
      this.#runLane(index + 1, waiting, watcher, report),
    );
    await Promise.all(lanes);
  }

  /** Runs specs one after the other until none waits. */
  async #runLane(number, waiting, watcher, { onStart, onResult, onFailure }) {
    let worker;
    while (waiting.length > 0 && !watcher.isInterrupted()) {
      const test = waiting.shift();
      worker ??= new Worker(number);
      await onStart(test);
      const { result, error, heapUsed } = await worker.run(this.#specOf(test));
      if (error) await onFailure(test, error);
      else await onResult(test, result);
      if (!worker.hasEnded && !(heapUsed > this.#heapLimit())) continue;
      await worker.end(this.#globalConfig.workerGracefulExitTimeout);
      worker = undefined;
    }
    await worker?.end(this.#globalConfig.workerGracefulExitTimeout);
  }

  #heapLimit() {
    return this.#globalConfig.workerIdleMemoryLimit ?? Infinity;
  }

  #specOf({ path, context: { config } }) {
    const { rootDir, displayName, setupFiles, setupFilesAfterEnv, slowTestThreshold, testMatch } = config;
    const { testNamePattern, testTimeout, noStackTrace, expand, workerGracefulExitTimeout } =
      this.#globalConfig;
    return {
      path,
      config: { rootDir, displayName, setupFiles, setupFilesAfterEnv, slowTestThreshold, testMatch },
      globalConfig: { testNamePattern, testTimeout, noStackTrace, expand, workerGracefulExitTimeout },
    };
  }
};
