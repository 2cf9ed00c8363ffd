const { createHash } = require('node:crypto');
const { readFileSync } = require('node:fs');
const { javaScript } = require('./native-require');

const VERSION = createHash('sha256')
  .update(readFileSync(__filename))
  .update(readFileSync(require.resolve('./native-require')))
  .digest('hex');

/** A `jest.mock` has to come before the imports of its spec, which ts-jest sees to. */
const HAS_MOCKS = /^jest\.mock\(/m;

let hoisting;

function hoisted(source, path, options) {
  hoisting ??= require('ts-jest').default.createTransformer({
    tsconfig: 'tsconfig.json',
    diagnostics: false,
  });
  return hoisting.process(source, path, options);
}

/** The transform of whatever runs in the sandbox of a spec, from what the compiler has made of all files at once. */
module.exports = {
  process: (source, path, options) =>
    HAS_MOCKS.test(source) ? hoisted(source, path, options) : { code: javaScript(path) },
  getCacheKey: (source, path) =>
    createHash('sha256').update(VERSION).update(path).update(source).digest('hex'),
};
