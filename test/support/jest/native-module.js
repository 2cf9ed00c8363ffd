const { createHash } = require('node:crypto');
const { readFileSync } = require('node:fs');

const VERSION = createHash('sha256').update(readFileSync(__filename)).digest('hex');

const NATIVE_REQUIRE = JSON.stringify(require.resolve('./native-require'));

/**
 * The transform of everything a spec does not own, the service and its packages: instead of evaluating the file in
 * the sandbox of the spec, its module is taken from the process, which loads it once for all specs of a worker.
 * The global set-up has no sandbox: there the file itself is evaluated.
 */
module.exports = {
  process(_source, path) {
    const file = JSON.stringify(path);
    return {
      code:
        `if (typeof nativeRequire === 'function') module.exports = nativeRequire(${file});\n` +
        `else module._compile(require(${NATIVE_REQUIRE}).javaScript(${file}), ${file});`,
    };
  },
  getCacheKey: (_source, file) => createHash('sha256').update(VERSION).update(file).digest('hex'),
};
