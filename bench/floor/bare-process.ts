import { ChildProcess, fork } from 'node:child_process';
import { join } from 'node:path';
import { freePort } from '../../test/support/service-process';
import { SERVICE_NODE } from '../service-node';

const START_MS = 10_000;

/** A server with one route, to compare the service's own routes with. */
export class BareProcess {
  private constructor(
    private readonly child: ChildProcess,
    readonly url: string,
  ) {}

  static async start(kind: 'nest' | 'node'): Promise<BareProcess> {
    const port = await freePort();
    const child = fork(join(__dirname, 'bare-server.js'), [kind, String(port)], {
      stdio: 'inherit',
      execPath: SERVICE_NODE,
    });
    const url = `http://127.0.0.1:${port}/health/live`;
    const startedAt = performance.now();
    while (performance.now() - startedAt < START_MS) {
      if (
        await fetch(url).then(
          (answer) => answer.ok,
          () => false,
        )
      )
        return new BareProcess(child, url);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    child.kill('SIGKILL');
    throw new Error(`The bare ${kind} server did not start`);
  }

  get pid(): number {
    return this.child.pid!;
  }

  stop(): void {
    this.child.kill('SIGKILL');
  }
}
