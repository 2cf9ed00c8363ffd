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
 * How a connection is protected. `starttls-if-offered` is for requests that say `secure: false` only: the certificate is not
 * verified, and where the server does not offer STARTTLS the password goes over the line unencrypted.
 */
export type ConnectionSecurity = ImapSecurity | 'starttls-if-offered';

/** A server, and who logs in there. */
export interface ImapLoginServer {
  readonly host: string;
  readonly port: number;
  readonly security: ConnectionSecurity;
  readonly username: string;
  /** The one certificate that is accepted, 64 hex digits; null: any that verifies. */
  readonly certificateSha256: string | null;
}

/** Where a mailbox is, and whose it is there. */
export interface ImapServer extends ImapLoginServer {
  readonly security: ImapSecurity;
}

/** Limits of a connection. */
export class ImapLoginTimings {
  readonly connectMs: number = 20_000;
  readonly greetingMs: number = 20_000;
  /** For all of it until the login is done, look-up of the name included. */
  readonly openMs: number = 60_000;
  /** Silence while an answer is due, also after logging in. */
  readonly silenceMs: number = 120_000;
}

export interface ImapLoginOptions {
  /** Who named the host: users take turns in looking names up. */
  readonly userId: string;
  /** Ends logging in; afterwards the connection is the caller's. */
  readonly signal?: AbortSignal;
  readonly timings?: Partial<ImapLoginTimings>;
  /** Asks for VANISHED (RFC 7162); only where the server is trusted with it, see `imapFeatures`. */
  readonly qresync?: boolean;
}

/** What a server shows of itself before anything is said to it. */
export interface ImapCertificate {
  /** Of the whole certificate in DER, 64 hex digits. */
  readonly sha256: string;
  readonly subject: string;
  readonly issuer: string;
  readonly validFrom: Date;
  readonly validTo: Date;
}

const MIB = 1024 * 1024;
/** A message is read in pieces of that size. */
export const IMAP_PIECE = 4 * MIB;
/** Limit of answers other than messages, e.g. a list of UIDs. */
const MAX_RESPONSE = 16 * MIB;

/** What the client has without declaring it. */
interface Authenticating {
  /** Called once, when TLS is up and before anything secret is said. */
  authenticate(): Promise<unknown>;
  readonly options: { auth?: { user: string; pass: string } };
  readonly socket: Socket;
  readonly byeReason?: string;
}

/** Logs in to IMAP servers: the one place where a password is sent to one. See ADR 101. */
@Injectable()
export class ImapLogin {
  constructor(private readonly egress: EgressGuard) {}

  /**
   * A client that is connected and logged in; the caller closes it. Unless the server's security is `starttls-if-offered`, the
   * connection is protected by TLS 1.2 at least, its certificate verified or exactly the one that was pinned, or there is none.
   * @throws ImapLoginFailure, the signal's reason
   */
  open(server: ImapLoginServer, password: string, options: ImapLoginOptions): Promise<ImapFlow> {
    return this.connect(server, options, (client) => {
      checkConnection(client, server);
      // Only now the client is told, so that it cannot say it any earlier.
      (client as unknown as Authenticating).options.auth = { user: server.username, pass: password };
    });
  }

  /**
   * The certificate of a server, whatever it is, for people to look at. Nothing but an end is said after TLS has begun.
   * @throws ImapLoginFailure, the signal's reason
   */
  async certificate(server: ImapServer, options: ImapLoginOptions): Promise<ImapCertificate> {
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
        // Without it the client goes on in the clear where STARTTLS is not offered.
        ...(server.security === 'starttls' ? { doSTARTTLS: true } : {}),
        tls: {
          // The name is what the certificate is checked against; where the connection goes to was decided above.
          lookup: this.egress.pinned(address),
          minVersion: 'TLSv1.2',
          // A pinned one is compared below instead.
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
      // The command under way fails with any such error.
      client.on('error', () => undefined);
      interceptLogin(client, beforeLogin);
      await client.connect();
      return client;
    } catch (error) {
      client?.close();
      signal?.throwIfAborted();
      if (over.signal.aborted) throw new ImapLoginFailure('imap-host-unreachable', { reason: 'timeout' });
      // A server that takes its leave instead of greeting says why, but need not hang up.
      const goodbye = client && (client as unknown as Authenticating).byeReason;
      throw imapLoginFailure(goodbye ? { reason: goodbye } : error, isTls);
    } finally {
      clearTimeout(clock);
      signal?.removeEventListener('abort', stop);
      over.signal.removeEventListener('abort', close);
    }
  }
}

/** The problem of an attempt to connect; null for errors of another kind. */
export const connectProblem = (error: unknown): ImapConnectProblem | null =>
  error instanceof ImapLoginFailure ? error.problem : null;

const ANY_CERTIFICATE = 'any';

/** Runs `before` once the connection is as protected as it will be. A client that goes past it has no password to send. */
function interceptLogin(client: ImapFlow, before: (client: ImapFlow) => void): void {
  const inner = client as unknown as Authenticating;
  const authenticate = inner.authenticate.bind(client);
  inner.authenticate = async () => {
    before(client);
    return authenticate();
  };
}

/** @throws ImapLoginFailure unless this is a protected connection to the right server, on which nobody is logged in */
function checkConnection(client: ImapFlow, { security, certificateSha256: pinned }: ImapLoginServer): void {
  // A greeting in the clear may say that a user is logged in already (RFC 9051, section 11.2): commands would follow.
  if (client.authenticated) throw new ImapLoginFailure('imap-starttls-unsafe');
  if (security === 'starttls-if-offered') return;
  const socket = tlsSocketOf(client);
  if (pinned === null) {
    if (!socket.authorized) throw new ImapLoginFailure('imap-certificate-untrusted');
  } else if (certificateOf(socket).sha256 !== pinned) throw new ImapLoginFailure('imap-certificate-changed');
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

/** Common name or organisation, as text of one line. */
const nameOf = (name: Certificate | undefined): string =>
  [name?.CN ?? name?.O ?? []]
    .flat()
    .join(', ')
    .replace(/\p{C}+/gu, ' ')
    .slice(0, 200);
