const { writeSync } = require('node:fs');
const { createEmptyTestResult } = require('@jest/test-result');
const { expect } = require('expect');
const circus = require('jest-circus');
const { formatExecError, formatResultsErrors } = require('jest-message-util');
const { readPace } = require('../run/pace');
const { mapStack } = require('../run/typescript');
const { jest, restoreEverything } = require('./jest-object');

/** Time for which a spec may have nothing to do before a test or a hook without a time-out of its own fails. */
const TEST_TIMEOUT_MS = 5_000;
/** Part of the time a worker has to end after which it says what keeps it. */
const NAMED_AFTER = 0.6;
const ROOT_BLOCK = 'ROOT_DESCRIBE_BLOCK';
/** Lines of a stack that say nothing about a spec. */
const OWN_FRAMES = /\n[^\n]*\/test\/support\/(jest\/|run\/typescript)[^\n]*/g;

const readableStack = (stack) => mapStack(stack.replace(OWN_FRAMES, ''));

const { describe, it, test, beforeAll, afterAll, beforeEach, afterEach } = circus;
Object.assign(globalThis, { describe, it, test, beforeAll, afterAll, beforeEach, afterEach, expect, jest });
Error.stackTraceLimit = 50;

const pace = readPace();
const pacedHooks = new WeakSet();

/** Multiplies every time-out of tests and hooks by the pace of the machine. */
circus.addEventHandler((event, state) => {
  if (event.name === 'run_start') state.testTimeout *= pace;
  if (event.name === 'test_fn_start' && event.test.timeout) event.test.timeout *= pace;
  if (event.name === 'hook_start' && event.hook.timeout && !pacedHooks.has(event.hook)) {
    pacedHooks.add(event.hook);
    event.hook.timeout *= pace;
  }
});

/** Errors that nothing has caught, by the promise that was rejected or by themselves. */
const uncaught = new Map();
process.on('uncaughtException', (error) => uncaught.set(error, error));
process.on('unhandledRejection', (error, promise) => uncaught.set(promise, error));
process.on('rejectionHandled', (promise) => uncaught.delete(promise));

/** Loads a file anew. */
function evaluate(file) {
  const loaded = require.cache[file];
  if (loaded) {
    delete require.cache[file];
    module.children.splice(module.children.indexOf(loaded), 1);
  }
  require(file);
}

/** Runs the tests of one spec; what Jest reports of it. */
async function runSpec({ path, config, globalConfig }) {
  const start = Date.now();
  const environment = { ...process.env };
  uncaught.clear();
  circus.resetState();
  const state = circus.getState();
  state.testTimeout = globalConfig.testTimeout ?? TEST_TIMEOUT_MS;
  if (globalConfig.testNamePattern) state.testNamePattern = new RegExp(globalConfig.testNamePattern, 'i');
  expect.setState({ expand: globalConfig.expand, testPath: path });
  try {
    for (const file of config.setupFiles) require(file);
    for (const file of config.setupFilesAfterEnv) evaluate(file);
    evaluate(path);
    const result = await circus.run();
    // Node reports rejections that nothing handles after the microtasks of the last test.
    await new Promise(setImmediate);
    return resultOf(result, { path, config, globalConfig, start });
  } finally {
    restoreEverything();
    for (const name of Object.keys(process.env)) if (!(name in environment)) delete process.env[name];
    Object.assign(process.env, environment);
  }
}

function resultOf({ testResults, unhandledErrorsDetailed }, { path, config, globalConfig, start }) {
  const results = testResults.map(assertionOf);
  const errors = [...unhandledErrorsDetailed, ...uncaught.values()].map(asError);
  const messages = [
    formatResultsErrors(results, config, globalConfig, path),
    ...errors.map((error) => formatExecError(error, config, globalConfig, path)),
  ];
  const count = (status) => results.filter((result) => result.status === status).length;
  const end = Date.now();
  const seconds = (end - start) / 1000;
  return {
    ...createEmptyTestResult(),
    displayName: config.displayName,
    testFilePath: path,
    testResults: results,
    numPassingTests: count('passed'),
    numFailingTests: count('failed'),
    numPendingTests: count('pending'),
    numTodoTests: count('todo'),
    skipped: results.length === count('pending'),
    failureMessage: messages.filter(Boolean).join('\n') || null,
    testExecError:
      errors.length > 0 ? { message: '', stack: errors.map(({ stack }) => stack).join('\n') } : undefined,
    perfStats: { start, end, runtime: end - start, slow: seconds > config.slowTestThreshold },
  };
}

function assertionOf({ testPath, status, errors, duration, startedAt, invocations, numPassingAsserts }) {
  const [title, ...ancestors] = testPath.filter((name) => name !== ROOT_BLOCK).toReversed();
  const ancestorTitles = ancestors.toReversed();
  return {
    ancestorTitles,
    title,
    fullName: [...ancestorTitles, title].join(' '),
    status: statusOf(status, errors),
    duration,
    startAt: startedAt,
    invocations,
    numPassingAsserts,
    location: null,
    failureDetails: [],
    failureMessages: errors.map(readableStack),
  };
}

function statusOf(status, errors) {
  if (status === 'skip') return 'pending';
  if (status === 'todo') return 'todo';
  return errors.length > 0 ? 'failed' : 'passed';
}

/** An error whose stack names lines of the sources; circus hands over pairs, of which the second says where a hook was declared. */
function asError(thrown) {
  const [cause, declaredAt] = Array.isArray(thrown) ? thrown : [thrown];
  const { message, stack } = cause instanceof Error ? cause : new Error(`thrown: ${String(cause)}`);
  return { message, stack: readableStack(stack ?? declaredAt?.stack ?? message) };
}

/** Ends a worker whose Jest was killed, whatever its specs have open. */
function endProcess() {
  process.exit(1);
}

/** Lets the process end by itself, which it does unless its specs have left something open: then it says so before it is killed. */
function letProcessEnd(patienceMs) {
  process.off('disconnect', endProcess);
  process.disconnect();
  setTimeout(nameWhatIsOpen, patienceMs * NAMED_AFTER).unref();
}

function nameWhatIsOpen() {
  const open = process.getActiveResourcesInfo().join(', ');
  writeSync(2, `Specs of worker ${process.env.JEST_WORKER_ID} have left something open: ${open}\n`);
}

let patienceMs = 0;
process.on('disconnect', endProcess);
process.on('message', (message) => {
  if (message === 'end') return letProcessEnd(patienceMs);
  patienceMs = message.globalConfig.workerGracefulExitTimeout;
  runSpec(message).then(
    (result) => process.send({ result, heapUsed: process.memoryUsage().heapUsed }),
    (error) => process.send({ error: asError(error) }),
  );
});
