import { readFileSync } from 'node:fs';
import { startTestApp, type TestApp } from '../app';
import { TestImapServer } from '../imap/imap-server';
import { trust } from '../imap/trust';
import { TestOAuthIssuer } from './oauth-issuer';

const MAIL = Buffer.from('From: a@example.org\r\nTo: b@example.org\r\nSubject: Hello\r\n\r\nHello\r\n');

/** A Dovecot with one message in its inbox, an issuer whose tokens it takes, and a service that knows both. */
export class OAuthMailbox {
  private constructor(
    readonly issuer: TestOAuthIssuer,
    readonly dovecot: TestImapServer,
    readonly app: TestApp,
  ) {}

  static async start(): Promise<OAuthMailbox> {
    const issuer = await TestOAuthIssuer.start();
    const dovecot = await TestImapServer.start({ own: true, introspectionUrl: issuer.introspectionUrl });
    await dovecot.append('INBOX', [MAIL]);
    const app = await startTestApp({ sandbox: { messages: 1 }, env: issuer.environment(dovecot.tlsPort) });
    return new OAuthMailbox(issuer, dovecot, app);
  }

  /** Lets this process trust the server's certificate until the mocks are restored. */
  trustServer(): void {
    trust(readFileSync(this.dovecot.certificatePath, 'utf8'));
  }

  async stop(): Promise<void> {
    await this.app.close();
    await Promise.all([this.dovecot.stop(), this.issuer.close()]);
  }
}
