import { join } from 'node:path';
import { PageVisitor } from './page-visitor';
import { ProviderProcess } from './provider-process';

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
    private readonly process: ProviderProcess,
    readonly issuer: string,
  ) {}

  static async start(port: number, client: ProviderClient): Promise<TestOpenIdProvider> {
    const process = await ProviderProcess.start(SCRIPT, {
      PORT: String(port),
      CLIENT_ID: client.clientId,
      CLIENT_SECRET: client.clientSecret,
      REDIRECT_URI: client.redirectUri,
    });
    return new TestOpenIdProvider(process, `http://127.0.0.1:${port}`);
  }

  /** Creates or changes a person known to it. */
  account(account: ProviderAccount): Promise<void> {
    return this.process.command({ account });
  }

  /** Whom it finds in front of it when a request does not say so: a `sub`, or `deny`. */
  person(sub: string): Promise<void> {
    return this.process.command({ person: sub });
  }

  /** Makes it sign with other keys from now on, and forget all codes. */
  rotateKeys(): Promise<void> {
    return this.process.command({ rotate: true });
  }

  /** Makes it close every connection, or work again. */
  away(away: boolean): Promise<void> {
    return this.process.command({ away });
  }

  /**
   * A browser's way from the URL it is sent to, through the provider's pages, to the URL it is sent back to.
   * @param person whom the provider finds in front of it: a `sub`, or `deny`
   * @returns the callback URL, which is not called
   */
  async signIn(authorizationUrl: string, person: string): Promise<URL> {
    const url = new URL(authorizationUrl);
    url.searchParams.set('login_hint', person);
    const end = await new PageVisitor(this.issuer).visit(url);
    if (typeof end === 'string') throw new Error(`The provider shows a page: ${end.slice(0, 300)}`);
    return end;
  }

  stop(): Promise<void> {
    return this.process.stop();
  }
}
