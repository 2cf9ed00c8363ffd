import type { ChildProcess } from 'node:child_process';
import { on, once } from 'node:events';
import { createInterface, type Interface } from 'node:readline';
import { spawnBound } from '../run/bound-process';

/** An OpenID provider as a process of its own, which takes commands from standard input and answers each with `done`. */
export class ProviderProcess {
  private constructor(
    private readonly child: ChildProcess,
    private readonly lines: Interface,
  ) {}

  static async start(script: string, env: Readonly<Record<string, string>>): Promise<ProviderProcess> {
    const child = spawnBound(process.execPath, [script], {
      env: { PATH: process.env.PATH, NODE_ENV: 'test', ...env },
      // Its warnings on standard error are meant for operators, and would hide those of the test.
      stdio: ['pipe', 'pipe', process.env.TEST_LOG_LEVEL ? 'inherit' : 'ignore'],
    });
    const lines = createInterface({ input: child.stdout! });
    const ended = once(child, 'exit').then(([code]) => {
      throw new Error(`The OpenID provider ended with code ${code}`);
    });
    await Promise.race([waitForLine(lines, 'ready'), ended]);
    ended.catch(() => undefined);
    return new ProviderProcess(child, lines);
  }

  async command(command: object): Promise<void> {
    const done = waitForLine(this.lines, 'done');
    this.child.stdin!.write(`${JSON.stringify(command)}\n`);
    await done;
  }

  async stop(): Promise<void> {
    if (this.child.exitCode !== null) return;
    const ended = once(this.child, 'exit');
    this.child.kill('SIGKILL');
    await ended;
  }
}

async function waitForLine(lines: Interface, expected: string): Promise<void> {
  for await (const [line] of on(lines, 'line') as AsyncIterable<[string]>) if (line === expected) return;
}
