const { createHash } = require('node:crypto');
const { mkdirSync, readFileSync, renameSync, writeFileSync } = require('node:fs');
const { join } = require('node:path');

/*
 * Node's own `require`, for TypeScript files too. Also runs the sources in a child process without a build:
 * `node -r ./native-require.js file.ts`.
 */

const ROOT = join(__dirname, '../../..');
const CACHE = join(ROOT, 'node_modules/.cache/mailroom-transpiled');
const TSCONFIG = join(ROOT, 'tsconfig.json');
const SEED = `${require('typescript/package.json').version} ${readFileSync(TSCONFIG, 'utf8')}`;

let compilerOptions;

function transpile(fileName, source) {
  // Slow to load, and hardly ever needed: most files are as they were in the run before.
  const ts = require('typescript');
  if (!compilerOptions) {
    const { config } = ts.readConfigFile(TSCONFIG, ts.sys.readFile);
    const { options } = ts.convertCompilerOptionsFromJson(config.compilerOptions, ROOT);
    compilerOptions = { ...options, sourceMap: false, inlineSourceMap: true, incremental: false };
  }
  return ts.transpileModule(source, { fileName, compilerOptions }).outputText;
}

/** What to evaluate for a file; TypeScript is compiled and kept between runs, named for all that it depends on. */
function javaScript(file) {
  const source = readFileSync(file, 'utf8');
  if (!file.endsWith('.ts')) return source;
  const kept = join(CACHE, createHash('sha256').update(SEED).update(file).update(source).digest('hex'));
  try {
    return readFileSync(kept, 'utf8');
  } catch (error) {
    if (error.code !== 'ENOENT') throw error;
  }
  const code = transpile(file, source);
  mkdirSync(CACHE, { recursive: true, mode: 0o700 });
  // Whoever comes in between reads the whole file or none.
  writeFileSync(`${kept}.${process.pid}`, code);
  renameSync(`${kept}.${process.pid}`, kept);
  return code;
}

require.extensions['.ts'] = (module, file) => module._compile(javaScript(file), file);

exports.javaScript = javaScript;
exports.nativeRequire = (file) => require(file);
