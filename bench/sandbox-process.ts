import { ChildProcess, fork } from 'node:child_process';
import type { ProviderAddresses } from '../test/support/environment';
import { SandboxOptions, startSandbox } from '../src/sandbox/sandbox-server';

/** The provider simulator in a process of its own, so that its work is not counted as the service's. */
export class SandboxProcess {
  private constructor(
    private readonly child: ChildProcess,
    readonly addresses: ProviderAddresses,
  ) {}

  static async start(options: SandboxOptions): Promise<SandboxProcess> {
    const child = fork(__filename, { stdio: 'inherit' });
    const addresses = await new Promise<ProviderAddresses>((resolve, reject) => {
      child.once('message', (message) => resolve(message as ProviderAddresses));
      child.once('exit', (code) => reject(new Error(`The sandbox ended with code ${code}`)));
      child.send(options);
    });
    return new SandboxProcess(child, addresses);
  }

  /** Calls and units by endpoint since the last reset, as the control route reports them. */
  async stats(): Promise<any> {
    return (await fetch(`${this.addresses.url}/sandbox/stats`)).json();
  }

  async resetStats(): Promise<void> {
    await fetch(`${this.addresses.url}/sandbox/stats/reset`, { method: 'POST' });
  }

  /** Generates all messages of a mailbox beforehand, so that serving them costs the simulator next to nothing. */
  async warm(email: string): Promise<void> {
    const done = new Promise((resolve) => this.child.once('message', resolve));
    this.child.send({ warm: email });
    await done;
  }

  async setOptions(options: SandboxOptions): Promise<void> {
    await fetch(`${this.addresses.url}/sandbox/options`, {
      method: 'PATCH',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(options),
    });
  }

  stop(): void {
    this.child.kill('SIGKILL');
  }
}

async function serve(options: SandboxOptions): Promise<void> {
  const sandbox = await startSandbox(options);
  const { url, authUrl, tokenUrl, revokeUrl, clientId, clientSecret } = sandbox;
  process.on('message', ({ warm }: { warm: string }) => {
    const mailbox = sandbox.mailbox(warm);
    for (const id of mailbox.ids()) mailbox.raw(id);
    process.send?.({ warm });
  });
  process.send?.({ url, authUrl, tokenUrl, revokeUrl, clientId, clientSecret } satisfies ProviderAddresses);
}

if (require.main === module) {
  process.once('message', (options: SandboxOptions) => void serve(options));
  process.once('disconnect', () => process.exit(0));
}
