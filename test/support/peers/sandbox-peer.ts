import type { SandboxMailbox } from '../../../sandbox/src/sandbox-server';
import type { TestApp } from '../app';
import type { TestUser } from '../test-user';
import { type MailboxPeer, type PeerMessage, subjectOf } from './mailbox-peer';

/** A mailbox of the simulator of Gmail's API. */
export class SandboxPeer implements MailboxPeer {
  readonly name = 'Gmail';
  private readonly email = 'peer-1@sandbox.mailroom.test';
  private mailbox!: SandboxMailbox;

  async start(app: TestApp): Promise<void> {
    this.mailbox = app.sandbox.mailbox(this.email);
    // A mailbox is made with a message of its own.
    for (const id of this.mailbox.ids()) this.mailbox.remove(id);
  }

  connect(user: TestUser): Promise<string> {
    return user.connect(this.email);
  }

  async receive(messages: readonly PeerMessage[]): Promise<void> {
    for (const { raw, receivedAt, isSeen = false, isStarred = false } of messages) {
      const labelIds = ['INBOX', ...(isSeen ? [] : ['UNREAD']), ...(isStarred ? ['STARRED'] : [])];
      this.mailbox.insert(raw, { labelIds, internalDate: receivedAt });
    }
  }

  subjects(label: 'INBOX' | 'TRASH'): Promise<string[]> {
    return this.with(label);
  }

  unread(): Promise<string[]> {
    return this.with('INBOX', 'UNREAD');
  }

  async remove(subject: string): Promise<void> {
    for (const id of this.mailbox.ids())
      if (subjectOf(this.mailbox.raw(id)) === subject) this.mailbox.remove(id);
  }

  async stop(): Promise<void> {}

  private async with(...labels: readonly string[]): Promise<string[]> {
    return this.mailbox
      .ids()
      .filter((id) => labels.every((label) => this.mailbox.labels(id).includes(label)))
      .map((id) => subjectOf(this.mailbox.raw(id)))
      .sort();
  }
}
