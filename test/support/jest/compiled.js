const { createHash } = require('node:crypto');
const { readFileSync } = require('node:fs');
const { javaScript } = require('./native-require');

const VERSION = createHash('sha256')
  .update(readFileSync(__filename))
  .update(readFileSync(require.resolve('./native-require')))
  .digest('hex');

/**
 * The transform of the service's sources for its unit specs: they are compiled once for all of Jest, or not at all
 * where a build has done so. Specs are not, as their mocks have to be hoisted.
 */
module.exports = {
  process: (_source, path) => ({ code: javaScript(path) }),
  getCacheKey: (source, path) =>
    createHash('sha256').update(VERSION).update(path).update(source).digest('hex'),
};
