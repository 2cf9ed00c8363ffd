const { TestEnvironment } = require('jest-environment-node');
const { nativeRequire } = require('./native-require');

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

/**
 * Node's environment for specs whose service is loaded once per Jest worker, outside the sandbox of the spec
 * (see `native-module.js`). What both sides have to share is handed in here.
 */
module.exports = class NativeEnvironment extends TestEnvironment {
  constructor(config, context) {
    super(config, context);
    knowObjectsOfSandboxes();
    this.global.nativeRequire = nativeRequire;
    // Decorators of the specs write their metadata where those of the service are read.
    this.global.Reflect = Reflect;
  }
};
