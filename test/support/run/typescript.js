const { createHash } = require('node:crypto');
const {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} = require('node:fs');
const { SourceMap } = require('node:module');
const { basename, join, relative, sep } = require('node:path');

/*
 * Lets Node's own `require` load TypeScript files. Also runs the sources in a child process without a build:
 * `node -r ./typescript.js file.ts`.
 */

const ROOT = join(__dirname, '../../..');
const CACHE = join(ROOT, 'node_modules/.cache/mailroom');
const TSCONFIG = join(ROOT, 'tsconfig.json');
const SEED = `${require('typescript/package.json').version} ${readFileSync(TSCONFIG, 'utf8')}`;
/** The SDK's sources import each other as they will be called when they are built: `./x.js` is `./x.ts` here. */
const SDK = join(ROOT, 'sdk/src') + sep;
/** The folder to which the type check writes the JavaScript of everything it has checked. */
const EMITTED = join(CACHE, 'emitted');

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

/** Reads the cached output for a source with that hash; undefined when there is none, or it cannot be read. */
function kept(hash) {
  try {
    return readFileSync(join(CACHE, hash), 'utf8');
  } catch {
    return undefined;
  }
}

/** Whoever comes in between reads the whole file or none. Where nothing can be written every run compiles anew. */
function keep(hash, code) {
  const unfinished = join(CACHE, `${hash}.${process.pid}`);
  try {
    mkdirSync(CACHE, { recursive: true, mode: 0o700 });
    writeFileSync(unfinished, code);
    renameSync(unfinished, join(CACHE, hash));
  } catch {
    rmSync(unfinished, { force: true });
  }
}

const hashOf = (file, source) => createHash('sha256').update(SEED).update(file).update(source).digest('hex');

/** The code to evaluate for a file; compiled TypeScript is cached between runs, under a hash of all that it depends on. */
function javaScript(file) {
  const source = readFileSync(file, 'utf8');
  if (!file.endsWith('.ts')) return source;
  const hash = hashOf(file, source);
  const earlier = kept(hash);
  if (earlier !== undefined) return earlier;
  const code = transpile(file, source);
  keep(hash, code);
  return code;
}

/** The output of a build for a file, with an inline source map, like that of `transpile`. */
function built(outputFolder, file) {
  const output = join(outputFolder, relative(ROOT, file)).replace(/\.ts$/, '.js');
  if (!existsSync(output)) return undefined;
  const map = {
    ...JSON.parse(readFileSync(`${output}.map`, 'utf8')),
    sourceRoot: '',
    sources: [basename(file)],
  };
  const inline = Buffer.from(JSON.stringify(map)).toString('base64');
  return readFileSync(output, 'utf8').replace(
    /^\/\/# sourceMappingURL=.*$/m,
    `//# sourceMappingURL=data:application/json;base64,${inline}`,
  );
}

/** Keeps what a build of these very sources has made, so that nobody compiles them again. */
function keepBuilt(outputFolder, sourceFolders) {
  for (const folder of sourceFolders) {
    for (const name of readdirSync(join(ROOT, folder), { recursive: true })) {
      if (!name.endsWith('.ts')) continue;
      const file = join(ROOT, folder, name);
      const code = built(outputFolder, file);
      const hash = hashOf(file, readFileSync(file, 'utf8'));
      if (code !== undefined && kept(hash) === undefined) keep(hash, code);
    }
  }
}

const withoutExtensions = (code) => code.replace(/\brequire\("(\.[^"]+)\.js"\)/g, 'require("$1")');

require.extensions['.ts'] = (module, file) => {
  const code = javaScript(file);
  module._compile(file.startsWith(SDK) ? withoutExtensions(code) : code, file);
};

/** The source map that the JavaScript of a file holds. */
function sourceMapOf(file) {
  const encoded = /^\/\/# sourceMappingURL=data:application\/json;base64,(.+)$/m.exec(javaScript(file))?.[1];
  return encoded && new SourceMap(JSON.parse(Buffer.from(encoded, 'base64').toString()));
}

/** A stack with the lines and columns of TypeScript files in place of those of their JavaScript. */
function mapStack(stack) {
  const maps = new Map();
  return stack.replace(/([^\s()]+\.ts):(\d+):(\d+)/g, (place, file, line, column) => {
    if (!existsSync(file)) return place;
    if (!maps.has(file)) maps.set(file, sourceMapOf(file));
    const { originalLine, originalColumn } = maps.get(file)?.findEntry(line - 1, column - 1) ?? {};
    return originalLine === undefined ? place : `${file}:${originalLine + 1}:${originalColumn + 1}`;
  });
}

module.exports = { EMITTED, keepBuilt, mapStack };
