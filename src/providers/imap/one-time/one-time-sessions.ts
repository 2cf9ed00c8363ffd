import { Injectable } from '@nestjs/common';
import { ImapLogin } from '../login/imap-login';
import { ImapSession } from '../session/imap-session';
import { describeLoginFailure } from './imap-server-failure';
import { OneTimeLimits } from './one-time-limits';

/** An IMAP server that a request names for one job. */
export interface OneTimeServer {
  readonly host: string;
  readonly port: number;
  /**
   * Whether to use TLS from the first byte and verify the certificate; false: see `starttls-if-offered` of
   * `ConnectionSecurity`.
   */
  readonly secure: boolean;
  readonly user: string;
  readonly pass: string;
}

/** Opens sessions on servers that are not connected mailboxes, for imports and restores. */
@Injectable()
export class OneTimeSessions {
  constructor(
    private readonly login: ImapLogin,
    private readonly limits: OneTimeLimits,
  ) {}

  /**
   * Connects and logs in; the caller closes the session.
   * @param signal aborts the login, and later closes the session
   * @throws ImapServerFailure, EgressRefused, the signal's reason
   */
  async open(server: OneTimeServer, userId: string, signal: AbortSignal): Promise<ImapSession> {
    const { host, port, secure, user, pass } = server;
    const security = secure ? 'tls' : 'starttls-if-offered';
    try {
      const client = await this.login.open(
        { host, port, security, username: user, certificateSha256: null },
        { kind: 'password', value: pass },
        { userId, signal, timings: this.limits },
      );
      const session = new ImapSession(client, new Set(), client.capabilities.has('X-GM-EXT-1'), this.limits);
      session.guard(signal);
      const close = (): void => session.close();
      signal.addEventListener('abort', close, { once: true });
      client.once('close', () => signal.removeEventListener('abort', close));
      return session;
    } catch (error) {
      throw describeLoginFailure(error, secure);
    }
  }
}
