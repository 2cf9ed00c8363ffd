import { ImapFlow } from 'imapflow';
import type { LookupFunction } from 'node:net';
import { MailboxAnswers } from '../../../providers/imap/session/mailbox-answers';
import type { ImapTimings } from './imap-timings';

const MIB = 1024 * 1024;

export interface ImapServer {
  readonly host: string;
  readonly port: number;
  /** TLS from the first byte, the certificate verified. */
  readonly secure: boolean;
  readonly user: string;
  readonly pass: string;
  /** Resolves to the one address that may be connected to. */
  readonly lookup: LookupFunction;
}

/** Of a message at a time; a message of any size is read in such pieces. */
export const PIECE = 4 * MIB;
/** Limit of answers other than messages, e.g. a list of UIDs. */
const MAX_RESPONSE = 16 * MIB;

/** A client that is not connected yet, and holds no more of an answer than it must. */
export function imapClient(server: ImapServer, limits: ImapTimings): ImapFlow {
  const client = new ImapFlow({
    host: server.host,
    port: server.port,
    secure: server.secure,
    auth: { user: server.user, pass: server.pass },
    // The name is what the certificate is checked against; where the connection goes to is decided by `lookup`.
    tls: { lookup: server.lookup, rejectUnauthorized: server.secure },
    logger: false,
    disableAutoIdle: true,
    disableCompression: true,
    connectionTimeout: limits.connectMs,
    greetingTimeout: limits.greetingMs,
    socketTimeout: limits.silenceMs,
    maxLiteralSize: 2 * PIECE,
    maxLineLength: MAX_RESPONSE,
    maxResponseSize: MAX_RESPONSE,
  });
  // The command under way fails with any such error.
  client.on('error', () => undefined);
  // Names of folders that the client's parser drops, such as `]bracket`, are put into quotes.
  new MailboxAnswers(client);
  return client;
}
