import { readFileSync } from 'node:fs';
import type { TestApp } from '../app';
import type { ImapTestServer } from '../imap/imap-test-server';
import { fingerprintOf } from '../imap/test-certificate';
import type { TestUser } from '../test-user';
import type { MailboxPeer, PeerMessage } from './mailbox-peer';

const FOLDERS = { INBOX: 'INBOX', TRASH: 'Trash' } as const;

/** A mailbox on a real IMAP server. */
export class ImapServerPeer implements MailboxPeer {
  private server!: ImapTestServer;

  constructor(
    readonly name: string,
    private readonly startServer: () => Promise<ImapTestServer>,
  ) {}

  async start(_app: TestApp): Promise<void> {
    this.server = await this.startServer();
  }

  connect(user: TestUser): Promise<string> {
    return connectByPassword(user, this.server);
  }

  receive(messages: readonly PeerMessage[]): Promise<void> {
    return this.server.append(
      'INBOX',
      messages.map(({ raw, receivedAt, isSeen, isStarred }) => ({
        raw,
        receivedAt,
        flags: [...(isSeen ? ['\\Seen'] : []), ...(isStarred ? ['\\Flagged'] : [])],
      })),
    );
  }

  async subjects(label: 'INBOX' | 'TRASH'): Promise<string[]> {
    return subjectsIn(this.server, FOLDERS[label]);
  }

  async unread(): Promise<string[]> {
    const messages = await messagesIn(this.server, 'INBOX');
    return messages.flatMap(({ subject, isSeen }) => (isSeen ? [] : [subject])).sort();
  }

  remove(subject: string): Promise<void> {
    return this.server.session(async (client) => {
      await client.mailboxOpen('INBOX');
      await client.messageDelete({ subject });
    });
  }

  async stop(): Promise<void> {
    await this.server.stop();
  }
}

/** Connects the mailbox over HTTP. @returns the account id */
export async function connectByPassword(
  user: TestUser,
  server: ImapTestServer,
  { port = server.tlsPort, password = server.pass } = {},
): Promise<string> {
  const { status, body, bytes } = await user.api.post('/api/auth/mailbox/imap', {
    email: server.email,
    username: server.user,
    password,
    host: 'localhost',
    port,
    security: 'tls',
    certificateSha256: fingerprintOf(readFileSync(server.certificatePath, 'utf8')),
  });
  if (status !== 201) throw new Error(`Not connected: ${status} ${bytes.toString()}`);
  return body.id as string;
}

/** Subjects of a folder as another client sees them, sorted. */
export async function subjectsIn(server: ImapTestServer, folder: string): Promise<string[]> {
  return (await messagesIn(server, folder)).map(({ subject }) => subject).sort();
}

function messagesIn(server: ImapTestServer, folder: string): Promise<{ subject: string; isSeen: boolean }[]> {
  return server.session(async (client) => {
    const { exists } = await client.mailboxOpen(folder, { readOnly: true });
    const found: { subject: string; isSeen: boolean }[] = [];
    if (exists === 0) return found;
    for await (const { envelope, flags } of client.fetch('1:*', { envelope: true, flags: true }))
      found.push({ subject: envelope?.subject ?? '', isSeen: flags?.has('\\Seen') ?? false });
    return found;
  });
}
