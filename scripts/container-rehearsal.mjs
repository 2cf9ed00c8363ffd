import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import {
  chmodSync,
  chownSync,
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { basename, delimiter, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseEnv } from 'node:util';
import { choosePort } from './demo/service.mjs';
import { findProgram, ROOT, run, secondsSince, ReadableFailure, tail } from './lib/commands.mjs';
import { parseDockerfile } from './lib/dockerfile.mjs';
import { ensureNode24 } from './lib/node24.mjs';
import { runScript, say, setUp } from './setup.mjs';

/** Rehearses the Dockerfile without a container engine: its build steps, then its process under its conditions. */

const UNPRIVILEGED_ID = 65_534;
const READY_TIMEOUT_MS = 60_000;
const STOP_TIMEOUT_MS = 40_000;
const FIRST_PORT = 13_000;
const AS_ROOT = process.getuid() === 0;
/** Packages were just installed from the same lock file, and `dist` built from these sources: neither is repeated. */
const BUILT = process.argv.includes('--built');

/** The folder that each build step makes. */
const BUILDS = { 'npm run build:service': 'dist', 'npm run build:web': 'web/dist' };

/** The files that a clone would have; nothing that only lies about in this folder. */
async function trackedFiles(path) {
  const { ok, output } = await run('git', ['ls-files', '-z', '--', path], { capture: true });
  if (!ok) throw new ReadableFailure(`git cannot list the files of ${path}: ${output}`);
  const files = output.split('\0').filter((file) => file && existsSync(join(ROOT, file)));
  if (files.length === 0)
    throw new ReadableFailure(`The Dockerfile copies ${path}, which is not in the repository.`);
  return files;
}

/** The path that `destination` of a COPY means for `source` (a trailing slash or `./` means "into"). */
function copyTarget(folder, source, destination) {
  return destination.endsWith('/') ? join(folder, destination, basename(source)) : join(folder, destination);
}

async function copyFromContext(folder, instruction) {
  const parts = instruction.value.split(/\s+/);
  const destination = parts.pop();
  for (const source of parts) {
    const target = copyTarget(folder, source, destination);
    for (const file of await trackedFiles(source)) {
      cpSync(join(ROOT, file), join(target, file.slice(source.length)), { recursive: true });
    }
  }
}

/** The installed packages by hard links, which `npm prune` may remove; false where files cannot be linked. */
async function linkPackages(folder) {
  const { ok } = await run('cp', ['-al', join(ROOT, 'node_modules'), folder], { capture: true });
  if (!ok) rmSync(join(folder, 'node_modules'), { recursive: true, force: true });
  return ok;
}

async function buildStage(instructions, folder) {
  mkdirSync(folder);
  for (const instruction of instructions) {
    if (instruction.keyword === 'COPY') await copyFromContext(folder, instruction);
    if (instruction.keyword !== 'RUN') continue;
    if (BUILT && instruction.value.startsWith('npm ci') && (await linkPackages(folder))) {
      say(`${instruction.value}: as installed from the same lock file before`);
      continue;
    }
    const built = BUILT && BUILDS[instruction.value];
    if (built) {
      cpSync(join(ROOT, built), join(folder, built), { recursive: true });
      say(`${instruction.value}: as built from the same sources before`);
      continue;
    }
    const startedAt = Date.now();
    const env = { ...process.env, npm_config_prefer_offline: 'true', NODE_ENV: '' };
    const { ok, output } = await run('sh', ['-c', instruction.value], { cwd: folder, env, capture: true });
    if (!ok)
      throw new ReadableFailure(`The container step "${instruction.value}" failed:\n${tail(output, 40)}`);
    say(`${instruction.value} (${secondsSince(startedAt)})`);
  }
}

/** Copies what the final stage takes from the others; its RUN lines need the image's root and are left out. */
function finalStage(instructions, folderOf, folder) {
  mkdirSync(folder);
  const env = {};
  for (const { keyword, flags, value } of instructions) {
    if (keyword === 'ENV') {
      const split = value.indexOf('=');
      env[value.slice(0, split)] = value.slice(split + 1);
    }
    if (keyword !== 'COPY') continue;
    const [source, destination] = value.split(/\s+/);
    if (!flags.from) throw new ReadableFailure(`The final stage copies ${source} from outside the build.`);
    const inBuild = join(folderOf(flags.from), source.replace(/^\/app\/?/, ''));
    cpSync(inBuild, copyTarget(folder, source, destination), { recursive: true, verbatimSymlinks: true });
  }
  return env;
}

/** The command that runs a program as the image's unprivileged user would. */
function unprivilegedCommand(command) {
  const identity = AS_ROOT
    ? [`--reuid=${UNPRIVILEGED_ID}`, `--regid=${UNPRIVILEGED_ID}`, '--clear-groups']
    : [];
  return [...identity, '--pdeathsig=TERM', '--no-new-privs', '--', ...command];
}

function start(command, folder, env) {
  const [program, ...args] = command;
  const child = spawn(findProgram('setpriv'), unprivilegedCommand([program, ...args]), {
    cwd: folder,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const started = { child, output: '', exit: null };
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (chunk) => {
      started.output += chunk;
    });
  }
  started.ended = new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code, signal) => {
      started.exit = { code, signal };
      resolve(started.exit);
    });
  });
  return started;
}

async function waitUntilReady(service, url) {
  const giveUpAt = Date.now() + READY_TIMEOUT_MS;
  for (;;) {
    const ready = await fetch(`${url}/health/ready`).then(
      (response) => response.ok,
      () => false,
    );
    if (ready) return;
    if (service.exit)
      throw new ReadableFailure(
        `The service ended (${JSON.stringify(service.exit)}):\n${tail(service.output)}`,
      );
    if (Date.now() > giveUpAt)
      throw new ReadableFailure(`The service was not ready in time:\n${tail(service.output)}`);
    await sleep(100);
  }
}

async function expectReadOnly(folder, env) {
  for (const target of ['', 'dist/src', 'node_modules']) {
    const file = join(folder, target, 'written-by-the-service');
    const attempt = start(['sh', '-c', 'echo x > "$0"', file], folder, env);
    const { code } = await attempt.ended;
    if (code === 0 || existsSync(file))
      throw new ReadableFailure(`The service can write to its code in /${target}.`);
  }
}

async function expectWorkingAccounts(url) {
  const response = await fetch(`${url}/api/auth/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: 'operator@example.com', password: randomBytes(12).toString('hex') }),
  });
  if (response.status !== 201) {
    throw new ReadableFailure(`Registering a user answered ${response.status}: ${await response.text()}`);
  }
}

async function expectPage(url) {
  const response = await fetch(url, { headers: { accept: 'text/html' } });
  const script = /src="(\/assets\/[^"]+)"/.exec(await response.text())?.[1];
  if (!script || !(await fetch(new URL(script, url))).ok)
    throw new ReadableFailure(`The service does not serve the web client at ${url}.`);
}

/** The variables of an `.env` that `scripts/setup-env.sh` makes, as compose passes them on. */
async function operatorsEnvironment(folder) {
  for (const file of ['.env.example', 'scripts/setup-env.sh'])
    cpSync(join(ROOT, file), join(folder, file), { recursive: true });
  const { ok, output } = await run('sh', [join(folder, 'scripts/setup-env.sh')], { capture: true });
  if (!ok) throw new ReadableFailure(`scripts/setup-env.sh failed:\n${output}`);
  return parseEnv(readFileSync(join(folder, '.env'), 'utf8'));
}

async function rehearseProcess(stage, folder, imageEnv, work) {
  const { startEmbeddedServices } = createRequire(import.meta.url)(
    '../dist/src/platform/embedded/embedded-services.js',
  );
  const services = await startEmbeddedServices({
    dataDir: join(work, 'services'),
    postgres: true,
    redis: true,
    durable: false,
  });
  const data = join(work, 'data');
  mkdirSync(data, { mode: 0o700 });
  if (AS_ROOT) chownSync(data, UNPRIVILEGED_ID, UNPRIVILEGED_ID);
  const port = await choosePort(FIRST_PORT);
  const url = `http://127.0.0.1:${port}`;
  const env = {
    PATH: process.env.PATH,
    ...imageEnv,
    ...(await operatorsEnvironment(join(work, 'clone'))),
    HOST: '127.0.0.1',
    PORT: String(port),
    DATA_DIR: data,
    APP_URL: url,
    DATABASE_URL: services.databaseUrl,
    REDIS_URL: services.redisUrl,
  };
  const find = (keyword) => stage.instructions.find((instruction) => instruction.keyword === keyword).list;
  let service = null;
  try {
    const startedAt = Date.now();
    service = start(find('CMD'), folder, env);
    await waitUntilReady(service, url);
    say(`${find('CMD').join(' ')} is ready as an unprivileged user (${secondsSince(startedAt)})`);
    await expectWorkingAccounts(url);
    await expectPage(url);
    say('the service serves the web client');
    await expectReadOnly(folder, env);
    say('the code is read-only to the service');
    const health = start(find('HEALTHCHECK'), folder, env);
    if ((await health.ended).code !== 0)
      throw new ReadableFailure(`The HEALTHCHECK fails:\n${health.output}`);
    say('the HEALTHCHECK passes');
    const stoppingAt = Date.now();
    service.child.kill('SIGTERM');
    const end = await Promise.race([service.ended, sleep(STOP_TIMEOUT_MS, null, { ref: false })]);
    if (end?.code !== 0) {
      throw new ReadableFailure(
        `SIGTERM ended the service with ${JSON.stringify(end)}:\n${tail(service.output)}`,
      );
    }
    say(`SIGTERM stops it with exit code 0 (${secondsSince(stoppingAt)})`);
  } finally {
    if (service && !service.exit) service.child.kill('SIGKILL');
    await services.stop();
  }
}

/** Switches to the image's Node, copied to a folder that its unprivileged user can reach. */
async function useNodeOfImage(folder) {
  mkdirSync(folder);
  copyFileSync(join(await ensureNode24(say), 'node'), join(folder, 'node'));
  process.env.PATH = [folder, process.env.PATH].join(delimiter);
}

async function rehearse() {
  await setUp();
  const stages = parseDockerfile(readFileSync(join(ROOT, 'Dockerfile'), 'utf8'));
  const final = stages.at(-1);
  const work = mkdtempSync(join(tmpdir(), 'mailroom-image-'));
  chmodSync(work, 0o711);
  const folder = join(work, 'app');
  try {
    await useNodeOfImage(join(work, 'bin'));
    const folderOf = (stage) => join(work, stage);
    for (const { name, instructions } of stages.slice(0, -1)) await buildStage(instructions, folderOf(name));
    const env = finalStage(final.instructions, folderOf, folder);
    await run('chmod', ['-R', 'a-w,a+rX', folder]);
    if (existsSync(join(folder, 'node_modules/typescript'))) {
      throw new ReadableFailure('Development dependencies are left in the image.');
    }
    const { output } = await run('du', ['-sm', folder], { capture: true });
    say(`the image's code takes ${output.split('\t')[0]} MB`);
    await rehearseProcess(final, folder, env, work);
  } finally {
    if (existsSync(folder)) await run('chmod', ['-R', 'u+w', folder]);
    rmSync(work, { recursive: true, force: true });
  }
}

await runScript(async () => {
  await rehearse();
  process.exit();
});
