import { join } from 'node:path';
import { PageVisitor } from '../oidc/page-visitor';
import { ProviderProcess } from '../oidc/provider-process';
import { IMAP_SCOPE } from './oauth-issuer';

const SCRIPT = join(__dirname, 'issuer-process.mjs');

/** The `oidc-provider` as an issuer of access to mail, and how a person passes it. See `issuer-process.mjs`. */
export class TestMailIssuer {
  private constructor(
    private readonly process: ProviderProcess,
    private readonly port: number,
  ) {}

  static async start(port: number, redirectUri: string): Promise<TestMailIssuer> {
    const process = await ProviderProcess.start(SCRIPT, {
      PORT: String(port),
      REDIRECT_URI: redirectUri,
      MICROSOFT_SCOPE: IMAP_SCOPE,
      GOOGLE_SCOPE: 'https://mail.google.com/',
    });
    return new TestMailIssuer(process, port);
  }

  /** Address at which an IMAP server asks about access tokens, with its name and secret. */
  static introspectionUrl(port: number): string {
    return `http://mail-server:mail-server-secret@127.0.0.1:${port}/introspect`;
  }

  /** Environment of a service that uses it in place of Microsoft and Google. */
  static environment(port: number, imapPort: number): Record<string, string> {
    const url = `http://127.0.0.1:${port}`;
    return {
      MICROSOFT_CLIENT_ID: 'public-client',
      MICROSOFT_LOGIN_URL: url,
      MICROSOFT_IMAP_SERVER: `localhost:${imapPort}`,
      GOOGLE_IMAP: 'true',
      GOOGLE_CLIENT_ID: 'confidential-client',
      GOOGLE_CLIENT_SECRET: 'confidential-secret',
      GOOGLE_AUTH_URL: `${url}/common/oauth2/v2.0/authorize`,
      GOOGLE_TOKEN_URL: `${url}/common/oauth2/v2.0/token`,
      GOOGLE_REVOKE_URL: `${url}/revoke`,
      GOOGLE_IMAP_SERVER: `localhost:${imapPort}`,
    };
  }

  /** Sets who signs in: the address of a mailbox, or `deny`. */
  person(address: string): Promise<void> {
    return this.process.command({ person: address });
  }

  /** Sets the lifetime of access tokens, in seconds. */
  lifetime(seconds: number): Promise<void> {
    return this.process.command({ lifetime: seconds });
  }

  /** Ends all grants, as a person does in the settings of the mailbox. */
  endGrants(): Promise<void> {
    return this.process.command({ end: true });
  }

  async countGrants(): Promise<number> {
    const response = await fetch(`http://127.0.0.1:${this.port}/grants`);
    return (await response.json()) as number;
  }

  /** Consents in the browser. @returns the parameters that the browser brings back */
  async consent(authorizationUrl: string): Promise<Record<string, string>> {
    const end = await this.visitor().visit(new URL(authorizationUrl));
    if (typeof end === 'string') throw new Error(`The issuer shows a page: ${end.slice(0, 300)}`);
    return Object.fromEntries(end.searchParams);
  }

  /** Enters a code on the issuer's page, and consents there. @returns the text of the last page */
  async enterCode(page: string, userCode: string): Promise<string> {
    const url = new URL(page);
    url.searchParams.set('user_code', userCode);
    const end = await this.visitor().visit(url);
    if (typeof end !== 'string') throw new Error(`The issuer leads to ${end.origin}`);
    return end;
  }

  stop(): Promise<void> {
    return this.process.stop();
  }

  private visitor(): PageVisitor {
    return new PageVisitor(`http://127.0.0.1:${this.port}`);
  }
}
