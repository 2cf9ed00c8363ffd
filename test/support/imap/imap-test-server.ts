import { ImapFlow } from 'imapflow';
import { connect } from 'node:net';

export interface AppendedMessage {
  readonly raw: Buffer;
  readonly flags?: readonly string[];
  readonly receivedAt?: Date;
}

/** A real IMAP server with one mailbox, and another client of that mailbox. */
export abstract class ImapTestServer {
  readonly host = '127.0.0.1';
  readonly email: string = 'alice@imap.test';
  /** The name that the owner logs in with. */
  abstract readonly user: string;
  abstract readonly pass: string;
  /** IMAP, with STARTTLS offered. */
  abstract readonly port: number;
  /** IMAP over TLS. */
  abstract readonly tlsPort: number;
  /** PEM, self-signed and for `localhost` only. */
  abstract readonly certificatePath: string;

  /** Starts it, again after `halt`: mail, ports and UIDs are as before. */
  abstract run(): Promise<void>;
  /** Connections break, new ones are refused. */
  abstract halt(): Promise<void>;
  /** Ends it for good and removes its mail. */
  abstract stop(): Promise<void>;

  /** Runs `work` with a client that is logged in. */
  async session<T>(work: (client: ImapFlow) => Promise<T>): Promise<T> {
    const client = new ImapFlow({
      host: this.host,
      port: this.port,
      secure: false,
      doSTARTTLS: false,
      auth: { user: this.user, pass: this.pass },
      logger: false,
    });
    client.on('error', () => undefined);
    await client.connect();
    let result: T;
    try {
      result = await work(client);
    } catch (error) {
      // A logout on a connection that is gone would hide what went wrong.
      client.close();
      throw error;
    }
    if (client.usable) await client.logout();
    return result;
  }

  /** Appends messages to a folder, which is created when it is missing. */
  async append(folder: string, messages: readonly (AppendedMessage | Buffer)[]): Promise<void> {
    await this.session(async (client) => {
      if (folder !== 'INBOX') await client.mailboxCreate(folder);
      for (const message of messages) {
        const { raw, flags, receivedAt } = Buffer.isBuffer(message)
          ? ({ raw: message } as AppendedMessage)
          : message;
        await client.append(folder, raw, [...(flags ?? [])], receivedAt);
      }
    });
  }
}

/** Tells whether an IMAP server greets on a port. */
export function greets(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host: '127.0.0.1', port }, () => undefined);
    socket.once('data', () => {
      resolve(true);
      socket.destroy();
    });
    socket.once('error', () => resolve(false));
    socket.once('close', () => resolve(false));
  });
}

/** Tells whether anything listens on a port. */
export function accepts(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host: '127.0.0.1', port }, () => {
      resolve(true);
      socket.destroy();
    });
    socket.once('error', () => resolve(false));
  });
}
