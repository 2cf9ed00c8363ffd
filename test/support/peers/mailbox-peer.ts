import type { TestApp } from '../app';
import type { TestUser } from '../test-user';

/** A message as it is put into a mailbox. */
export interface PeerMessage {
  readonly raw: Buffer;
  readonly receivedAt: Date;
  readonly isSeen?: boolean;
  readonly isStarred?: boolean;
}

/** A mailbox of any provider, and another client of it: what Mailroom does must be seen there. */
export interface MailboxPeer {
  readonly name: string;
  start(app: TestApp): Promise<void>;
  /** @returns the account id */
  connect(user: TestUser): Promise<string>;
  /** Messages come to the inbox. */
  receive(messages: readonly PeerMessage[]): Promise<void>;
  /** Subjects in a system label, sorted. */
  subjects(label: 'INBOX' | 'TRASH'): Promise<string[]>;
  /** Subjects of unread messages in the inbox, sorted. */
  unread(): Promise<string[]>;
  /** Deletes a message for good. */
  remove(subject: string): Promise<void>;
  stop(): Promise<void>;
}

export const subjectOf = (raw: Buffer): string =>
  /^Subject: (.*?)\r?$/m.exec(raw.toString('latin1'))?.[1] ?? '';
