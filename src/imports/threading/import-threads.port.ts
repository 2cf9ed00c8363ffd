/** What a message is threaded by. */
export interface ThreadedMessage {
  /** RFC 5322 Message-ID with angle brackets. */
  readonly messageId: string | null;
  readonly inReplyTo: string | null;
  /** The References header, unfolded. */
  readonly references: string | null;
  readonly subject: string;
  readonly sender: string;
  readonly recipient: string;
  readonly date: Date;
}

/**
 * Finds the conversation of imported messages: by In-Reply-To and References, else by subject and participants.
 *
 * Mail archived from the provider is looked for when something is imported, not the other way round: what was imported
 * before the mail it answers was archived from the provider stays a conversation of its own until a mail that names
 * that one is imported, also when it is a duplicate. Importing the same file or folder again joins them.
 */
export abstract class ImportThreads {
  /**
   * Thread ids in the order of the messages, which may belong to each other. The same messages get the same threads
   * when asked again, whatever of them is archived by then.
   */
  abstract assign(accountId: string, messages: readonly ThreadedMessage[]): Promise<string[]>;

  /**
   * To be called when messages have been archived: remembers what later ones are found by, and joins conversations
   * that turn out to be one (a reply that was imported before what it answers). Doing it again changes nothing, so
   * that what a crash has left out is made up for by naming duplicates as well.
   * @param messageIds as the archive names them: the Message-ID, or `sha256:<hex>`
   */
  abstract archived(accountId: string, messageIds: readonly string[]): Promise<void>;
}
