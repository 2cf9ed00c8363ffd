import { Injectable } from '@nestjs/common';
import { ImapFlow } from 'imapflow';
import { createHash } from 'node:crypto';
import type { Socket } from 'node:net';
import { type Certificate, TLSSocket } from 'node:tls';
import { EgressGuard } from '../../../platform/egress/egress-guard';
import type { ImapSecurity } from './imap-account.entity';
import { type ImapConnectProblem, ImapLoginFailure, imapLoginFailure } from './imap-login-failure';
import { setTimeout } from '../../../platform/concurrency/timers';

/**
 * Protection of a connection. `starttls-if-offered` is only for requests with `secure: false`: the certificate is not
 * verified, and where the server does not offer STARTTLS the password is sent unencrypted.
 */
export type ConnectionSecurity = ImapSecurity | 'starttls-if-offered';

/** A server and the user who logs in there. */
export interface ImapLoginServer {
  readonly host: string;
  readonly port: number;
  readonly security: ConnectionSecurity;
  readonly username: string;
  /** SHA-256 of the only certificate that is accepted, 64 hex digits; null: any that verifies. */
  readonly certificateSha256: string | null;
}

/** A server of a connected mailbox and the user who logs in there. */
export interface ImapServer extends ImapLoginServer {
  readonly security: ImapSecurity;
}

/** The secret of a login: a password, or an OAuth access token (RFC 7628, XOAUTH2). */
export interface LoginSecret {
  readonly kind: 'password' | 'token';
  readonly value: string;
}

/** Timeouts of a connection, in milliseconds. */
export class ImapLoginTimings {
  readonly connectMs: number = 20_000;
  readonly greetingMs: number = 20_000;
  /** Timeout of the look-up of the name, the connection and the login in sum. */
  readonly openMs: number = 60_000;
  /** Longest silence of the server while an answer is due, also after the login. */
  readonly silenceMs: number = 120_000;
}

export interface ImapLoginOptions {
  /** The user who named the host. Look-ups of names are shared fairly among users. */
  readonly userId: string;
  /** Signal that aborts the login. After the login it has no effect. */
  readonly signal?: AbortSignal;
  readonly timings?: Partial<ImapLoginTimings>;
  /** Whether to ask for VANISHED (RFC 7162), which servers that lose mail with it are not asked for. */
  readonly qresync?: boolean;
}

/** Certificate that a server shows before anything is sent to it. */
export interface ImapCertificate {
  /** SHA-256 of the whole certificate in DER, 64 hex digits. */
  readonly sha256: string;
  readonly subject: string;
  readonly issuer: string;
  readonly validFrom: Date;
  readonly validTo: Date;
}

const MIB = 1024 * 1024;
/** Size of the pieces in which a message is read, in bytes. */
export const IMAP_PIECE = 4 * MIB;
/** Largest answer other than a message, e.g. a list of UIDs, in bytes. */
const MAX_RESPONSE = 16 * MIB;

/** Members of the client that its types do not declare. */
interface Authenticating {
  /** Called once, when TLS is established and before anything secret is sent. */
  authenticate(): Promise<unknown>;
  readonly options: { auth?: { user: string; pass?: string; accessToken?: string } };
  readonly socket: Socket;
  readonly byeReason?: string;
}

/** Logs in to IMAP servers. Passwords and tokens are sent to servers nowhere else. See ADR 101. */
@Injectable()
export class ImapLogin {
  constructor(private readonly egress: EgressGuard) {}

  /**
   * Returns a client that is connected and logged in; the caller closes it. Unless the server's security is
   * `starttls-if-offered`, the connection uses TLS 1.2 or later, with a certificate that is verified or equal to the
   * pinned one.
   * @throws ImapLoginFailure, the signal's reason
   */
  async open(server: ImapLoginServer, secret: LoginSecret, options: ImapLoginOptions): Promise<ImapFlow> {
    const isToken = secret.kind === 'token';
    try {
      return await this.connect(server, options, (client) => {
        checkConnection(client, server);
        if (isToken) requireTokenLogin(client);
        // The client gets the secret only now, so that it cannot send it earlier.
        (client as unknown as Authenticating).options.auth = {
          user: server.username,
          ...(isToken ? { accessToken: secret.value } : { pass: secret.value }),
        };
      });
    } catch (error) {
      throw isToken ? tokenFailure(error) : error;
    }
  }

  /**
   * Reads the certificate of a server, valid or not, for people to check. After TLS is established only the connection
   * is closed.
   * @throws ImapLoginFailure, the signal's reason
   */
  async readCertificate(server: ImapServer, options: ImapLoginOptions): Promise<ImapCertificate> {
    let seen: ImapCertificate | null = null;
    try {
      await this.connect({ ...server, certificateSha256: ANY_CERTIFICATE }, options, (client) => {
        seen = certificateOf(tlsSocketOf(client));
        throw new ImapLoginFailure('imap-connection-lost');
      });
    } catch (error) {
      if (seen === null) throw error;
    }
    if (seen === null) throw new ImapLoginFailure('imap-tls-failed');
    return seen;
  }

  private async connect(
    server: ImapLoginServer,
    { userId, signal, timings, qresync = false }: ImapLoginOptions,
    beforeLogin: (client: ImapFlow) => void,
  ): Promise<ImapFlow> {
    const limits = { ...new ImapLoginTimings(), ...timings };
    const isTls = server.security === 'tls';
    const over = new AbortController();
    const stop = (): void => over.abort();
    const clock = setTimeout(stop, limits.openMs);
    signal?.addEventListener('abort', stop, { once: true });
    let client: ImapFlow | null = null;
    const close = (): void => client?.close();
    over.signal.addEventListener('abort', close, { once: true });
    try {
      signal?.throwIfAborted();
      const address = await this.egress.resolve(server.host, userId, over.signal);
      client = new ImapFlow({
        host: server.host,
        port: server.port,
        secure: isTls,
        // Without this option the client goes on unencrypted where STARTTLS is not offered.
        ...(server.security === 'starttls' ? { doSTARTTLS: true } : {}),
        tls: {
          // The certificate is checked against the name. The address to connect to was decided above.
          lookup: this.egress.createPinnedLookup(address),
          minVersion: 'TLSv1.2',
          // A pinned certificate is compared below instead.
          rejectUnauthorized: server.certificateSha256 === null && server.security !== 'starttls-if-offered',
        },
        clientInfo: { name: 'Mailroom', vendor: 'Mailroom', version: '', 'support-url': '' },
        logger: false,
        qresync,
        disableAutoIdle: true,
        disableCompression: true,
        connectionTimeout: limits.connectMs,
        greetingTimeout: limits.greetingMs,
        socketTimeout: limits.silenceMs,
        maxLiteralSize: 2 * IMAP_PIECE,
        maxLineLength: MAX_RESPONSE,
        maxResponseSize: MAX_RESPONSE,
      });
      // The command under way fails with the same error.
      client.on('error', () => undefined);
      interceptLogin(client, beforeLogin);
      await client.connect();
      return client;
    } catch (error) {
      client?.close();
      signal?.throwIfAborted();
      if (over.signal.aborted) throw new ImapLoginFailure('imap-host-unreachable', { reason: 'timeout' });
      // A server that sends BYE instead of a greeting gives a reason, but need not close the connection.
      const goodbye = client && (client as unknown as Authenticating).byeReason;
      throw imapLoginFailure(goodbye ? { reason: goodbye } : error, isTls);
    } finally {
      clearTimeout(clock);
      signal?.removeEventListener('abort', stop);
      over.signal.removeEventListener('abort', close);
    }
  }
}

/** Returns the problem of an attempt to connect; null for other errors. */
export const connectProblemOf = (error: unknown): ImapConnectProblem | null =>
  error instanceof ImapLoginFailure ? error.problem : null;

const ANY_CERTIFICATE = 'any';

/** Runs `before` once the protection of the connection is final. A client that skips it has no password to send. */
function interceptLogin(client: ImapFlow, before: (client: ImapFlow) => void): void {
  const inner = client as unknown as Authenticating;
  const authenticate = inner.authenticate.bind(client);
  inner.authenticate = async () => {
    before(client);
    return authenticate();
  };
}

/** @throws ImapLoginFailure unless this is a protected connection to the right server without a logged-in user */
function checkConnection(client: ImapFlow, { security, certificateSha256: pinned }: ImapLoginServer): void {
  // A greeting in the clear may say that a user is logged in already (RFC 9051, section 11.2): commands would follow.
  if (client.authenticated) throw new ImapLoginFailure('imap-starttls-unsafe');
  if (security === 'starttls-if-offered') return;
  const socket = tlsSocketOf(client);
  if (pinned === null) {
    if (!socket.authorized) throw new ImapLoginFailure('imap-certificate-untrusted');
  } else if (certificateOf(socket).sha256 !== pinned) throw new ImapLoginFailure('imap-certificate-changed');
}

const TOKEN_MECHANISMS = ['AUTH=OAUTHBEARER', 'AUTH=XOAUTH2'];

/** @throws ImapLoginFailure when the server takes no tokens: the client would answer that nothing is configured */
function requireTokenLogin({ capabilities }: ImapFlow): void {
  if (!TOKEN_MECHANISMS.some((name) => capabilities.has(name)))
    throw new ImapLoginFailure('imap-token-not-taken');
}

const REFUSED_LOGINS = new Set(['imap-login-failed', 'imap-login-expired']);

/** Describes a refused token: the sentences about user names and passwords would mislead. */
function tokenFailure(error: unknown): unknown {
  if (!(error instanceof ImapLoginFailure) || !REFUSED_LOGINS.has(error.problem.code)) return error;
  return new ImapLoginFailure('imap-token-refused', {
    reason: error.reason,
    serverText: error.problem.serverText,
  });
}

function tlsSocketOf(client: ImapFlow): TLSSocket {
  const { socket } = client as unknown as Authenticating;
  if (!(socket instanceof TLSSocket) || !socket.encrypted)
    throw new ImapLoginFailure('imap-starttls-missing');
  return socket;
}

function certificateOf(socket: TLSSocket): ImapCertificate {
  const { raw, subject, issuer, valid_from, valid_to } = socket.getPeerCertificate();
  return {
    sha256: createHash('sha256').update(raw).digest('hex'),
    subject: nameOf(subject),
    issuer: nameOf(issuer),
    validFrom: new Date(valid_from),
    validTo: new Date(valid_to),
  };
}

/** Returns the common name or the organisation as one line. */
const nameOf = (name: Certificate | undefined): string =>
  [name?.CN ?? name?.O ?? []]
    .flat()
    .join(', ')
    .replace(/\p{C}+/gu, ' ')
    .slice(0, 200);
