import type {
  CallOptions,
  MessageMetadata,
  ProviderAccount,
} from '../../providers/port/mailbox-provider.port';

/** The local copy of message metadata, as far as the mailbox routes need it. */
export abstract class MessageMetadataSource {
  /** In the order of `ids`, each once, in batches; messages the mailbox does not have are left out. */
  abstract withSnippets(
    account: ProviderAccount,
    ids: readonly string[],
    options: CallOptions,
  ): AsyncIterable<readonly MessageMetadata[]>;

  /** Takes a deleted label off the messages. */
  abstract removeLabel(accountId: string, labelId: string): Promise<void>;
}
