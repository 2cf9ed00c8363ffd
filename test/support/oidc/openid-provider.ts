import type { ChildProcess } from 'node:child_process';
import { on, once } from 'node:events';
import { join } from 'node:path';
import { createInterface, Interface } from 'node:readline';
import { spawnBound } from '../run/bound-process';

const SCRIPT = join(__dirname, 'provider.mjs');

export interface ProviderAccount {
  readonly sub: string;
  readonly email?: string;
  readonly email_verified?: unknown;
  readonly name?: string;
}

export interface ProviderClient {
  readonly clientId: string;
  readonly clientSecret: string;
  readonly redirectUri: string;
}

/** The provider process, and how a browser passes it. */
export class TestOpenIdProvider {
  private constructor(
    private readonly child: ChildProcess,
    private readonly lines: Interface,
    readonly issuer: string,
  ) {}

  static async start(port: number, client: ProviderClient): Promise<TestOpenIdProvider> {
    const child = spawnBound(process.execPath, [SCRIPT], {
      env: {
        PATH: process.env.PATH,
        NODE_ENV: 'test',
        PORT: String(port),
        CLIENT_ID: client.clientId,
        CLIENT_SECRET: client.clientSecret,
        REDIRECT_URI: client.redirectUri,
      },
      // What it warns of on standard error is for people who operate it.
      stdio: ['pipe', 'pipe', process.env.TEST_LOG_LEVEL ? 'inherit' : 'ignore'],
    });
    const lines = createInterface({ input: child.stdout! });
    const ended = once(child, 'exit').then(([code]) => {
      throw new Error(`The OpenID provider ended with code ${code}`);
    });
    await Promise.race([TestOpenIdProvider.line(lines, 'ready'), ended]);
    ended.catch(() => undefined);
    return new TestOpenIdProvider(child, lines, `http://127.0.0.1:${port}`);
  }

  /** Creates or changes a person known to it. */
  account(account: ProviderAccount): Promise<void> {
    return this.command({ account });
  }

  /** Whom it finds in front of it when a request does not say so: a `sub`, or `deny`. */
  person(sub: string): Promise<void> {
    return this.command({ person: sub });
  }

  /** Makes it sign with other keys from now on, and forget all codes. */
  rotateKeys(): Promise<void> {
    return this.command({ rotate: true });
  }

  /** Makes it close every connection, or work again. */
  away(away: boolean): Promise<void> {
    return this.command({ away });
  }

  /**
   * A browser's way from the URL it is sent to, through the provider's pages, to the URL it is sent back to.
   * @param person whom the provider finds in front of it: a `sub`, or `deny`
   * @returns the callback URL, which is not called
   */
  async signIn(authorizationUrl: string, person: string): Promise<URL> {
    const cookies = new Map<string, string>();
    let url = new URL(authorizationUrl);
    url.searchParams.set('login_hint', person);
    for (let step = 0; step < 10; step += 1) {
      const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
      const response = await fetch(url, { redirect: 'manual', headers: { cookie } });
      for (const line of response.headers.getSetCookie()) {
        const [name, value] = line.split(';', 1)[0]!.split(/=(.*)/s) as [string, string];
        cookies.set(name, value);
      }
      const location = response.headers.get('location');
      if (!location)
        throw new Error(`The provider answered ${response.status}: ${(await response.text()).slice(0, 300)}`);
      url = new URL(location, url);
      if (url.origin !== this.issuer) return url;
    }
    throw new Error('The provider sends the browser round in circles');
  }

  async stop(): Promise<void> {
    if (this.child.exitCode !== null) return;
    const ended = once(this.child, 'exit');
    this.child.kill('SIGKILL');
    await ended;
  }

  private async command(command: object): Promise<void> {
    const done = TestOpenIdProvider.line(this.lines, 'done');
    this.child.stdin!.write(`${JSON.stringify(command)}\n`);
    await done;
  }

  private static async line(lines: Interface, expected: string): Promise<void> {
    for await (const [line] of on(lines, 'line') as AsyncIterable<[string]>) if (line === expected) return;
  }
}
