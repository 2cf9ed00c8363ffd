import { ChildProcess, fork } from 'node:child_process';
import { SandboxOptions, startSandbox } from '../src/sandbox/sandbox-server';

export interface SandboxAddresses {
  readonly url: string;
  readonly authUrl: string;
  readonly tokenUrl: string;
  readonly revokeUrl: string;
  readonly clientId: string;
  readonly clientSecret: string;
}

/** The provider simulator in a process of its own, so that its work is not counted as the service's. */
export class SandboxProcess {
  private constructor(
    private readonly child: ChildProcess,
    readonly addresses: SandboxAddresses,
  ) {}

  static async start(options: SandboxOptions): Promise<SandboxProcess> {
    const child = fork(__filename, { stdio: 'inherit' });
    const addresses = await new Promise<SandboxAddresses>((resolve, reject) => {
      child.once('message', (message) => resolve(message as SandboxAddresses));
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

if (require.main === module) {
  process.once('message', (options: SandboxOptions) => {
    void startSandbox(options).then(({ url, authUrl, tokenUrl, revokeUrl, clientId, clientSecret }) =>
      process.send?.({ url, authUrl, tokenUrl, revokeUrl, clientId, clientSecret }),
    );
  });
  process.once('disconnect', () => process.exit(0));
}
