import { ChildProcess, fork } from 'node:child_process';
import type { ProviderAddresses } from '../test/support/environment';
import { SandboxOptions, startSandbox } from '../sandbox/src/sandbox-server';

export interface NewMessage {
  readonly raw: string;
  readonly labelIds: readonly string[];
  /** Milliseconds since 1970. */
  readonly date: number;
}

interface Request {
  readonly number: number;
  readonly email: string;
  readonly warm?: true;
  readonly insert?: readonly NewMessage[];
}

interface Answer {
  readonly number: number;
  readonly ids?: readonly string[];
}

/** The provider simulator in a process of its own, so that its work is not counted as the service's. */
export class SandboxProcess {
  private requests = 0;

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

  get pid(): number {
    return this.child.pid!;
  }

  /** Calls and units by endpoint since the last reset, as the control route reports them. */
  async stats(): Promise<any> {
    return (await fetch(`${this.addresses.url}/sandbox/stats`)).json();
  }

  async resetStats(): Promise<void> {
    await fetch(`${this.addresses.url}/sandbox/stats/reset`, { method: 'POST' });
  }

  /** Generates all messages of a mailbox, and their snippets, beforehand, so that serving them costs the simulator next to nothing. */
  async warm(email: string): Promise<void> {
    await this.ask({ warm: true, email });
  }

  /** Mail that arrives. @returns the messages' ids */
  async insert(email: string, messages: readonly NewMessage[]): Promise<readonly string[]> {
    const { ids } = await this.ask({ insert: messages, email });
    return ids ?? [];
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

  private ask(request: Omit<Request, 'number'>): Promise<Answer> {
    this.requests += 1;
    const number = this.requests;
    return new Promise((resolve) => {
      const listen = (answer: Answer): void => {
        if (answer.number !== number) return;
        this.child.off('message', listen);
        resolve(answer);
      };
      this.child.on('message', listen);
      this.child.send({ ...request, number } satisfies Request);
    });
  }
}

async function serve(options: SandboxOptions): Promise<void> {
  const sandbox = await startSandbox(options);
  const { url, authUrl, tokenUrl, revokeUrl, clientId, clientSecret } = sandbox;
  process.on('message', ({ number, email, warm, insert }: Request) => {
    const mailbox = sandbox.mailbox(email);
    if (warm) for (const id of mailbox.ids()) mailbox.snippet(id);
    const ids = insert?.map(({ raw, labelIds, date }) =>
      mailbox.insert(raw, { labelIds, internalDate: new Date(date) }),
    );
    process.send?.({ number, ids } satisfies Answer);
  });
  process.send?.({ url, authUrl, tokenUrl, revokeUrl, clientId, clientSecret } satisfies ProviderAddresses);
}

if (require.main === module) {
  process.once('message', (options: SandboxOptions) => void serve(options));
  process.once('disconnect', () => process.exit(0));
}
