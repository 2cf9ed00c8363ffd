const { join, sep } = require('node:path');

const SDK = join(__dirname, '../../../sdk/src') + sep;

/** The SDK's sources import each other as they will be called when they are built: `./x.js` is `./x.ts` here. */
module.exports = (request, options) => {
  const isOwn = request.startsWith('.') && `${options.basedir}${sep}`.startsWith(SDK);
  return options.defaultResolver(isOwn ? request.replace(/\.js$/, '.ts') : request, options);
};
