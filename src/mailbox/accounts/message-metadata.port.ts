import type {
  CallOptions,
  MessageMetadata,
  ProviderAccount,
} from '../../providers/port/mailbox-provider.port';

/** Port to the local copy of message metadata, with the methods that the mailbox routes need. */
export abstract class MessageMetadataSource {
  /**
   * Reads metadata with snippets, in the order of `ids` and each once, in batches. Messages that the mailbox does not
   * have are left out.
   */
  abstract readWithSnippets(
    account: ProviderAccount,
    ids: readonly string[],
    options: CallOptions,
  ): AsyncIterable<readonly MessageMetadata[]>;

  /** Removes a deleted label from the messages. */
  abstract removeLabel(accountId: string, labelId: string): Promise<void>;
}
