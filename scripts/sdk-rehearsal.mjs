import { createServer } from 'node:http';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ROOT, run, ReadableFailure } from './lib/commands.mjs';
import { runScript, say } from './setup.mjs';

/*
 * Packs the SDK as it would be published, installs the package into an empty project without the network, and uses it
 * there: from ES modules, from CommonJS, and from TypeScript, with the examples of its README.
 */

const SDK = join(ROOT, 'sdk');
const MODULES = join(ROOT, 'node_modules');
const TSC = join(MODULES, 'typescript/bin/tsc');
/** Dependencies of the package, taken from this installation. */
const DEPENDENCIES = ['openapi-fetch', 'openapi-typescript-helpers'];

const USE = `
const mailroom = createMailroom({ baseUrl: process.argv[2], credentials: { apiKey: 'mrk_x' } });
mailroom.auth.config().then(async ({ allowRegistration }) => {
  const ids = [];
  for await (const { id } of mailroom.jobs.list.iterate({ limit: 2 })) ids.push(id);
  const error = await mailroom.auth.me().catch((thrown) => thrown);
  if (!(error instanceof MailroomError)) throw error;
  console.log(JSON.stringify([allowRegistration, ids, error.code]));
});
`;
const USED = JSON.stringify([true, ['b', 'a'], 'unauthorized']);

/** A service that knows three questions. */
function startService() {
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url, 'http://x');
    const answers = {
      '/api/auth/config': [200, { allowRegistration: true, providers: [] }],
      '/api/jobs': [200, request.url.includes('before') ? [] : [{ id: 'b' }, { id: 'a' }]],
    };
    const [status, body] = answers[pathname] ?? [401, { code: 'unauthorized', detail: 'No.' }];
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  });
  return new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(server)));
}

async function must(what, program, args, cwd) {
  const { ok, output } = await run(program, args, { capture: true, cwd });
  if (!ok) throw new ReadableFailure(`${what} failed:\n${output}`);
  return output;
}

async function pack(work) {
  await must('Building the SDK', 'node', ['scripts/sdk-build.mjs'], ROOT);
  const output = await must('npm pack', 'npm', ['pack', '--json', '--pack-destination', work], SDK);
  const [{ filename, files }] = JSON.parse(output.slice(output.indexOf('[\n')));
  const paths = files.map(({ path }) => path);
  const stray = paths.filter(
    (path) => !/^(dist\/(esm|cjs)\/.+\.(js|d\.ts|json)|package\.json|README\.md)$/.test(path),
  );
  const missing = [
    'README.md',
    'dist/esm/index.js',
    'dist/esm/index.d.ts',
    'dist/cjs/index.js',
    'dist/cjs/index.d.ts',
  ];
  const absent = missing.filter((path) => !paths.includes(path));
  if (stray.length + absent.length > 0)
    throw new ReadableFailure(`The package holds ${stray.join(', ')} and lacks ${absent.join(', ')}.`);
  return join(work, filename);
}

async function install(project, tarball) {
  mkdirSync(project);
  writeFileSync(join(project, 'package.json'), '{ "name": "empty", "private": true }\n');
  const sources = DEPENDENCIES.map((name) => join(MODULES, name));
  const args = ['install', '--offline', '--install-links', '--ignore-scripts', '--no-audit', '--no-fund'];
  await must('Installing the package', 'npm', [...args, tarball, ...sources], project);
}

async function useIt(project) {
  const imports = `{ createMailroom, MailroomError }`;
  writeFileSync(join(project, 'use.mjs'), `import ${imports} from '@mailroom/sdk';${USE}`);
  writeFileSync(join(project, 'use.cjs'), `const ${imports} = require('@mailroom/sdk');${USE}`);
  const service = await startService();
  const url = `http://127.0.0.1:${service.address().port}`;
  for (const file of ['use.mjs', 'use.cjs']) {
    const output = await must(file, process.execPath, [file, url], project);
    if (output.trim() !== USED) throw new ReadableFailure(`${file} printed ${output}`);
    say(`${file} calls, pages and catches`);
  }
  service.closeAllConnections();
  await new Promise((resolve) => service.close(resolve));
}

/** The examples of the README, one after the other, as a reader would copy them. */
function examples() {
  const readme = readFileSync(join(SDK, 'README.md'), 'utf8');
  return [...readme.matchAll(/^```ts\n(.*?)^```$/gms)].map(([, code]) => code).join('\n');
}

async function checkTypes(project) {
  // Only the compiler and Node's types: what else lies beside them could hide that something is missing.
  mkdirSync(join(project, 'node_modules/@types'), { recursive: true });
  for (const name of ['@types/node', 'undici-types'])
    symlinkSync(join(MODULES, name), join(project, 'node_modules', name));
  writeFileSync(join(project, 'readme.mts'), examples());
  writeFileSync(
    join(project, 'common.cts'),
    `import { createMailroom, type Schemas } from '@mailroom/sdk';
const job: Promise<Schemas['JobDetailResponse']> = createMailroom({ baseUrl: '' }).jobs.get({ jobId: 'x' });
// @ts-expect-error a job has an id
void createMailroom({ baseUrl: '' }).jobs.get({});
// @ts-expect-error there is no such action
void createMailroom({ baseUrl: '' }).mailbox.startBulkOperation({ accountId: 'x', body: { action: 'burn', messageIds: [] } });
void job;
`,
  );
  writeFileSync(
    join(project, 'browser.ts'),
    `import { createMailroom } from '@mailroom/sdk';
export const upload = (file: File) => createMailroom({ baseUrl: '' }).import.importMbox({ accountId: 'x', body: { file } });
`,
  );
  const strict = ['--noEmit', '--strict', '--target', 'es2022', '--lib', 'es2022,dom,dom.iterable'];
  const tsc = (...args) => must('Type-checking', TSC, [...strict, ...args], project);
  await tsc('--module', 'nodenext', '--types', 'node', '--skipLibCheck', 'readme.mts', 'common.cts');
  say('the examples of the README and a CommonJS file type-check');
  // The command line cannot say that there are no types at all.
  const compilerOptions = { noEmit: true, strict: true, target: 'es2022', lib: ['es2022', 'dom'], types: [] };
  const page = { ...compilerOptions, module: 'esnext', moduleResolution: 'bundler' };
  writeFileSync(
    join(project, 'tsconfig.json'),
    JSON.stringify({ compilerOptions: page, files: ['browser.ts'] }),
  );
  await must('Type-checking', TSC, ['-p', '.'], project);
  say('a page type-checks without the types of Node, those of the package included');
}

await runScript(async () => {
  const work = mkdtempSync(join(tmpdir(), 'mailroom-sdk-'));
  try {
    const tarball = await pack(work);
    const project = join(work, 'project');
    await install(project, tarball);
    say('the package is installed');
    await useIt(project);
    await checkTypes(project);
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
});
