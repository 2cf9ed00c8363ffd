import type { TestApp } from '../app';
import { connectImap } from '../imap/connected-account';
import { TestImapServer } from '../imap/imap-server';
import type { TestUser } from '../test-user';
import type { MailboxPeer, PeerMessage } from './mailbox-peer';

const FOLDERS = { INBOX: 'INBOX', TRASH: 'Trash' } as const;

/** A mailbox on a real IMAP server, which says that it can do what `capability` names. */
export class DovecotPeer implements MailboxPeer {
  private server!: TestImapServer;
  private app!: TestApp;

  constructor(
    readonly name: string,
    private readonly capability?: string,
  ) {}

  async start(app: TestApp): Promise<void> {
    this.app = app;
    this.server = await TestImapServer.start(
      this.capability === undefined ? {} : { capability: this.capability },
    );
  }

  connect(user: TestUser): Promise<string> {
    return connectImap(this.app, user, this.server);
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
    return (await this.messages(FOLDERS[label])).map(({ subject }) => subject).sort();
  }

  async unread(): Promise<string[]> {
    const messages = await this.messages('INBOX');
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

  private messages(folder: string): Promise<{ subject: string; isSeen: boolean }[]> {
    return this.server.session(async (client) => {
      const { exists } = await client.mailboxOpen(folder, { readOnly: true });
      const found: { subject: string; isSeen: boolean }[] = [];
      if (exists === 0) return found;
      for await (const { envelope, flags } of client.fetch('1:*', { envelope: true, flags: true }))
        found.push({ subject: envelope?.subject ?? '', isSeen: flags?.has('\\Seen') ?? false });
      return found;
    });
  }
}
