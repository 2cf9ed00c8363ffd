const { TestEnvironment } = require('jest-environment-node');
const { nativeRequire } = require('./native-require');

/**
 * Node's environment for specs whose service is loaded once per Jest worker, outside the sandbox of the spec
 * (see `native-module.js`). What both sides have to share is handed in here.
 */
module.exports = class NativeEnvironment extends TestEnvironment {
  constructor(config, context) {
    super(config, context);
    this.global.nativeRequire = nativeRequire;
    // Decorators of the specs write their metadata where those of the service are read.
    this.global.Reflect = Reflect;
  }
};
