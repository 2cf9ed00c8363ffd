const { ModernFakeTimers } = require('@jest/fake-timers');
const circus = require('jest-circus');
const { ModuleMocker } = require('jest-mock');

const mocker = new ModuleMocker(globalThis);
const timers = new ModernFakeTimers({ config: { fakeTimers: {} }, global: globalThis });
/** Streams and sockets of Node, which specs share with the code under test, cannot do without. */
const NEVER_FAKED = ['nextTick', 'queueMicrotask'];

/** The part of Jest's object that specs use; in place of `jest.mock` they hand over what the code under test needs. */
const jest = {
  fn: (implementation) => mocker.fn(implementation),
  spyOn: (object, name, access) => mocker.spyOn(object, name, access),
  replaceProperty: (object, name, value) => mocker.replaceProperty(object, name, value),
  mocked: (object) => object,
  clearAllMocks: () => mocker.clearAllMocks(),
  resetAllMocks: () => mocker.resetAllMocks(),
  restoreAllMocks: () => mocker.restoreAllMocks(),
  useFakeTimers: ({ doNotFake = [], ...options } = {}) =>
    timers.useFakeTimers({ ...options, doNotFake: [...doNotFake, ...NEVER_FAKED] }),
  useRealTimers: () => timers.useRealTimers(),
  advanceTimersByTime: (ms) => timers.advanceTimersByTime(ms),
  advanceTimersByTimeAsync: (ms) => timers.advanceTimersByTimeAsync(ms),
  getTimerCount: () => timers.getTimerCount(),
  setSystemTime: (now) => timers.setSystemTime(now),
  setTimeout: (ms) => (circus.getState().testTimeout = ms),
};

/** Takes away what a spec has put in front of methods and clocks. */
function restoreEverything() {
  timers.useRealTimers();
  mocker.restoreAllMocks();
}

module.exports = { jest, restoreEverything };
