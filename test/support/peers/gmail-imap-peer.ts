import { GmailImapServer } from '../imap/gmail/gmail-imap-server';
import type { GmailMessage, NewGmailMessage } from '../imap/gmail/gmail-mailbox';
import { arrivalOf, plainMail } from '../imap/plain-mail';
import { fingerprintOf } from '../imap/test-certificate';
import type { TestApp } from '../app';
import type { TestUser } from '../test-user';
import { type MailboxPeer, type PeerMessage, subjectOf } from './mailbox-peer';

/** A mailbox of Gmail, by IMAP with an app password. */
export class GmailImapPeer implements MailboxPeer {
  readonly name = 'Gmail, by IMAP';
  private server!: GmailImapServer;

  async start(_app: TestApp): Promise<void> {
    this.server = await GmailImapServer.start();
  }

  connect(user: TestUser): Promise<string> {
    return connectGmailImap(user, this.server);
  }

  async receive(messages: readonly PeerMessage[]): Promise<void> {
    for (const { raw, receivedAt, isSeen, isStarred } of messages) {
      const flags = [...(isSeen ? ['\\Seen'] : []), ...(isStarred ? ['\\Flagged'] : [])];
      this.server.mailbox.add({ raw, receivedAt, flags });
    }
  }

  async subjects(label: 'INBOX' | 'TRASH'): Promise<string[]> {
    return this.with(({ place, labels }) =>
      label === 'TRASH' ? place === 'trash' : place === 'all' && labels.has('\\Inbox'),
    );
  }

  async unread(): Promise<string[]> {
    return this.with(
      ({ place, labels, flags }) => place === 'all' && labels.has('\\Inbox') && !flags.has('\\Seen'),
    );
  }

  async remove(subject: string): Promise<void> {
    const { mailbox } = this.server;
    mailbox.remove([...mailbox.messages].filter(({ raw }) => subjectOf(raw) === subject));
  }

  async stop(): Promise<void> {
    await this.server.stop();
  }

  private with(isIn: (message: GmailMessage) => boolean): string[] {
    return [...this.server.mailbox.messages]
      .filter(isIn)
      .map(({ raw }) => subjectOf(raw))
      .sort();
  }
}

/** The body of a request to try or to connect the mailbox. */
export const gmailConnection = (server: GmailImapServer): Record<string, unknown> => ({
  email: server.user,
  password: server.pass,
  host: 'localhost',
  port: server.port,
  certificateSha256: fingerprintOf(server.certificate.cert),
});

/** Adds the plain message of a number to the mailbox. */
export const addPlainMail = (
  server: GmailImapServer,
  number: number,
  more: Partial<NewGmailMessage> = {},
): GmailMessage => server.mailbox.add({ raw: plainMail(number), receivedAt: arrivalOf(number), ...more });

/** Connects the mailbox over HTTP. @returns the account id */
export async function connectGmailImap(user: TestUser, server: GmailImapServer): Promise<string> {
  const { status, body } = await user.api.post('/api/auth/mailbox/imap', gmailConnection(server));
  if (status !== 201) throw new Error(`Not connected: ${status} ${JSON.stringify(body)}`);
  return body.id as string;
}
