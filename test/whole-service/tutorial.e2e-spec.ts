import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readPace } from '../support/run/pace';
import { spawnBound } from '../support/run/bound-process';

const ROOT = join(__dirname, '../..');
const DEMO_TIMEOUT_MS = 180_000;

/** Requests that the tutorial shows being refused. */
const REFUSED = ['403 POST /api/unsubscribe/{account}/scan', '401 GET /api/auth/me'];

/** Before the tutorial: the first failing command ends it, and each request writes its status to descriptor 9. */
const PRELUDE = `
set -euo pipefail
curl() { command curl -w '%{stderr}%{http_code} %{method} %{url}\\n' "$@" 2>&9; }
`;

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  server.close();
  return port;
}

describe('docs/tutorial.md', () => {
  const folder = mkdtempSync(join(tmpdir(), 'mailroom-tutorial-'));
  const dataDir = join(folder, 'data');
  let demo: ChildProcess;
  let output = '';
  let port: number;

  beforeAll(async () => {
    port = await freePort();
    demo = spawnBound(process.execPath, ['scripts/demo.mjs'], {
      cwd: ROOT,
      env: {
        ...process.env,
        PORT: String(port),
        DATA_DIR: dataDir,
        SANDBOX_MESSAGES: '400',
        DATABASE_URL: '',
        REDIS_URL: '',
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    for (const stream of [demo.stdout!, demo.stderr!]) {
      stream.setEncoding('utf8').on('data', (chunk: string) => (output += chunk));
    }
    const deadline = Date.now() + DEMO_TIMEOUT_MS * readPace();
    while (!output.includes('Mailroom is running')) {
      if (demo.exitCode !== null) throw new Error(`The demo ended:\n${output}`);
      if (Date.now() > deadline) throw new Error(`The demo was not ready in time:\n${output}`);
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }, DEMO_TIMEOUT_MS + 10_000);

  afterAll(async () => {
    if (demo.exitCode === null) {
      demo.kill('SIGTERM');
      await once(demo, 'exit');
    }
    rmSync(folder, { recursive: true, force: true });
  });

  it('should work as it is written, against the demo', async () => {
    const blocks = [
      ...readFileSync(join(ROOT, 'docs/tutorial.md'), 'utf8').matchAll(/^```sh\n([^]*?)^```$/gm),
    ];
    expect(blocks.length).toBeGreaterThanOrEqual(10);
    const script = join(folder, 'tutorial.sh');
    writeFileSync(script, PRELUDE + blocks.map(([, code]) => code).join('\n'));
    const requests = join(folder, 'requests.log');
    const bash = spawnBound('bash', ['-c', 'exec bash "$0" 9> "$1"', script, requests], {
      cwd: ROOT,
      env: {
        ...process.env,
        BASE: `http://127.0.0.1:${port}`,
        DATA_DIR: dataDir,
        DATABASE_URL: '',
        REDIS_URL: '',
        RECEIVER_PORT: String(await freePort()),
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let shown = '';
    for (const stream of [bash.stdout!, bash.stderr!]) {
      stream.setEncoding('utf8').on('data', (chunk: string) => (shown += chunk));
    }
    const [code] = (await once(bash, 'close')) as [number];
    if (code !== 0) throw new Error(`The tutorial ended with ${code}:\n${shown.slice(-4_000)}`);

    const answers = readFileSync(requests, 'utf8')
      .trim()
      .split('\n')
      .map((line) => line.replace(`http://127.0.0.1:${port}`, '').replace(/[0-9a-f-]{36}/, '{account}'));
    expect(answers.length).toBeGreaterThan(60);
    expect(answers.filter((line) => !/^2\d\d /.test(line))).toEqual(REFUSED);
    expect(shown).toContain('signed {');
    expect(shown).not.toContain('FORGED');
  }, 180_000);
});
