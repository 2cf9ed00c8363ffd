const { writeSync } = require('node:fs');
const { TestEnvironment } = require('jest-environment-node');
const { nativeRequire } = require('./native-require');
const { readPace } = require('../run/pace');

/**
 * Objects that come out of the sandbox of a spec, or are made while it is entered, are objects outside too: Piscina, for
 * one, takes a thread for ready when its message is an `instanceof Object`.
 */
function knowObjectsOfSandboxes() {
  if (Object.hasOwn(Object, Symbol.hasInstance)) return;
  const ordinary = Function.prototype[Symbol.hasInstance];
  Object.defineProperty(Object, Symbol.hasInstance, {
    value(value) {
      if (ordinary.call(this, value)) return true;
      if (this !== Object || value === null || typeof value !== 'object') return false;
      let root = value;
      for (let next = root; next !== null; next = Object.getPrototypeOf(next)) root = next;
      return root !== value && root.constructor?.name === 'Object';
    },
  });
}

/** What Jest tells a worker that has nothing left to do. */
const END_OF_WORKER = 2;
/** Before Jest ends it by force (`workerGracefulExitTimeout`). */
const NAMED_AFTER_MS = 3_000;

/** Ends a worker whose Jest was killed, whatever its specs have open. */
function endWithJest() {
  if (process.listeners('disconnect').includes(endProcess)) return;
  process.on('disconnect', endProcess);
  process.on('message', letWorkerEnd);
}

function endProcess() {
  process.exit(1);
}

/** Listeners keep a worker from ending by itself: it does unless its specs have left something open. */
function letWorkerEnd(message) {
  if (!Array.isArray(message) || message[0] !== END_OF_WORKER) return;
  process.off('disconnect', endProcess);
  process.off('message', letWorkerEnd);
  setTimeout(nameWhatIsOpen, NAMED_AFTER_MS * readPace()).unref();
}

/** Says what keeps a worker from ending, before Jest ends it by force. */
function nameWhatIsOpen() {
  const open = process.getActiveResourcesInfo().join(', ');
  writeSync(2, `Specs of worker ${process.env.JEST_WORKER_ID} have left something open: ${open}\n`);
}

/**
 * Node's environment for specs whose service is loaded once per Jest worker, outside the sandbox of the spec
 * (see `native-module.js`). What both sides have to share is handed in here.
 */
module.exports = class NativeEnvironment extends TestEnvironment {
  constructor(config, context) {
    super(config, context);
    knowObjectsOfSandboxes();
    endWithJest();
    this.global.nativeRequire = nativeRequire;
    // Decorators of the specs write their metadata where those of the service are read.
    this.global.Reflect = Reflect;
    this.pace = readPace();
    this.pacedHooks = new WeakSet();
  }

  /** Multiplies every time-out of tests and hooks by the pace of the machine (Jest Circus calls this for its events). */
  handleTestEvent(event, state) {
    if (event.name === 'run_start') state.testTimeout *= this.pace;
    if (event.name === 'test_fn_start' && event.test.timeout) event.test.timeout *= this.pace;
    if (event.name === 'hook_start' && event.hook.timeout && !this.pacedHooks.has(event.hook)) {
      this.pacedHooks.add(event.hook);
      event.hook.timeout *= this.pace;
    }
  }
};
