import type { ProviderRejected } from './mail-provider.errors';

/**
 * Port through which features reach a live mailbox. Types and errors are provider-neutral; adapters translate. Every
 * method goes through the gateway (quota, concurrency, retries, usage records, token refresh) and throws only the
 * errors of `mail-provider.errors.ts`.
 */

/**
 * When quota is short, interactive calls are served before background ones, and these before spare ones. Spare calls
 * are for work that can wait for hours; after a minute each counts as a background call.
 */
export type CallPriority = 'interactive' | 'background' | 'spare';

export interface CallOptions {
  readonly priority: CallPriority;
  /** Aborts waiting for quota as well as the call itself. */
  readonly signal?: AbortSignal;
  /**
   * Throws when the call must no longer be made. It runs immediately before each attempt, after all waiting. Calls
   * whose effect cannot be undone set it.
   */
  readonly fence?: () => void;
}

export interface MailboxProfile {
  readonly emailAddress: string;
  readonly messagesTotal: number;
  readonly threadsTotal: number;
  /** Opaque cursor of the change history. */
  readonly historyId: string;
}

export interface MessageRef {
  readonly id: string;
  readonly threadId: string;
}

export interface ListMessagesRequest {
  /** Native provider query. */
  readonly query?: string;
  /** Messages must carry all of these labels. */
  readonly labelIds?: readonly string[];
  readonly pageToken?: string;
  /** 1–500. */
  readonly maxResults: number;
  readonly includeSpamTrash?: boolean;
}

export interface MessagePage {
  readonly messages: readonly MessageRef[];
  readonly nextPageToken?: string;
  readonly resultSizeEstimate: number;
}

export interface MessagePart {
  /** The provider's part id, stable between reads (unlike its attachment ids). */
  readonly partId: string;
  readonly filename: string;
  readonly mimeType: string;
  /** Decoded size in bytes. */
  readonly sizeBytes: number;
  readonly isInline: boolean;
}

/** All of a message but its body. Only `labelIds` ever changes in the life of a message. */
export interface MessageMetadata {
  readonly id: string;
  readonly threadId: string;
  /** Instant at which the provider accepted the message. */
  readonly internalDate: Date;
  /** The Date header as sent. */
  readonly date: string;
  readonly subject: string;
  readonly from: string;
  readonly to: string;
  readonly sizeEstimate: number;
  /** The beginning of the text; null when it was not read, see `MetadataOptions.withSnippets`. */
  readonly snippet: string | null;
  readonly labelIds: readonly string[];
  readonly hasAttachments: boolean;
  /** Parts with a file name or declared as attachments, inline images included. */
  readonly parts: readonly MessagePart[];
  /** RFC 2369 header, unparsed. */
  readonly listUnsubscribe: string | null;
  /** RFC 8058 header, unparsed. */
  readonly listUnsubscribePost: string | null;
  /** RFC 5322 Message-ID with angle brackets. */
  readonly messageIdHeader: string | null;
}

export interface RawMessage {
  readonly id: string;
  readonly threadId: string;
  readonly internalDate: Date;
  readonly labelIds: readonly string[];
  /** IMAP flags that no label stands for: keywords such as `$Label1`, and `\Answered`. */
  readonly keywords?: readonly string[];
  readonly snippet: string;
  /** The message exactly as the provider holds it. */
  readonly bytes: Buffer;
  /** Bytes of further places of the message that differ from `bytes`; read with `everyPlace` only. */
  readonly others?: readonly Buffer[];
  /** Peculiarities of these bytes, as sentences for the defects of the archived mail. */
  readonly notes?: readonly string[];
}

/** A message to be added to a mailbox. */
export interface MessageToInsert {
  /** The message as it is (RFC 5322). */
  readonly bytes: Buffer;
  readonly labelIds: readonly string[];
  /** The conversation that the message joins; default: the provider decides. */
  readonly threadId?: string;
  /** Arrival time; without it, or where the provider decides, the Date header counts. */
  readonly date?: Date;
  /** IMAP flags of the message that no label stands for, e.g. `$Label1`. Providers without flags ignore them. */
  readonly keywords?: readonly string[];
}

/** A message that has been added. */
export interface InsertedMessage extends MessageRef {
  /** Whether the message lacks some of its labels, because they were deleted since or are refused. */
  readonly lacksLabels?: boolean;
}

export interface LabelChange {
  readonly add: readonly string[];
  readonly remove: readonly string[];
}

export interface MailboxLabel {
  readonly id: string;
  readonly name: string;
  readonly type: 'system' | 'user';
  readonly messagesTotal: number | null;
  readonly messagesUnread: number | null;
}

export interface MailboxChange {
  readonly kind: 'added' | 'deleted' | 'labels';
  readonly message: MessageRef;
  /** Labels after the change; undefined when the provider does not say. */
  readonly labelIds?: readonly string[];
  readonly labelsAdded?: readonly string[];
  readonly labelsRemoved?: readonly string[];
  /** Cursor of the history after this change; undefined when the provider does not say. */
  readonly cursor?: string;
}

export interface ChangePage {
  readonly changes: readonly MailboxChange[];
  readonly nextPageToken?: string;
  /** Cursor to store once the last page has been applied. */
  readonly cursor: string;
}

export interface DownloadedPart {
  readonly filename: string;
  readonly mimeType: string;
  readonly bytes: Buffer;
}

export interface MetadataOptions extends CallOptions {
  /** Whether to read snippets from providers that do not send them with the metadata. Otherwise they are left out there. */
  readonly withSnippets?: boolean;
  /**
   * Returns the ids that are still to be fetched. It is called when a batch is about to be sent, after its wait for
   * quota. When none are left, no further batches are sent.
   */
  readonly stillWanted?: (ids: readonly string[]) => Promise<readonly string[]>;
  /** Called for a message that the provider refuses to show; without it such a message ends the read. */
  readonly onUnreadable?: (id: string, error: ProviderRejected) => void;
}

export interface RawOptions extends CallOptions {
  /** Expected size in bytes, which is reserved in the budget for bytes in flight; default: that of a typical message. */
  readonly expectedBytes?: number;
  /** Reads all places of the message, where a provider keeps it in several; see `RawMessage.others`. */
  readonly everyPlace?: boolean;
}

export interface HistoryOptions extends CallOptions {
  /** Asks the mailbox itself even when a watch has reported no changes, since notifications may be missed. */
  readonly isLastLook?: boolean;
}

/** A live mailbox, bound to one account. */
export interface MailboxProvider {
  /** Most ids that `modify`, `trash` and `delete` accept in one call. */
  readonly maxIdsPerChange: number;
  /** Number of parallel calls of `fetchRaw` that make a job faster. The gateway decides how many are in flight. */
  readonly rawsAtOnce: number;
  /** Size of the largest message that `insert` takes. */
  readonly maxInsertBytes: number;

  getProfile(options: CallOptions): Promise<MailboxProfile>;
  listMessages(request: ListMessagesRequest, options: CallOptions): Promise<MessagePage>;
  /**
   * Metadata of any number of messages, fetched in bounded batches and yielded as each batch arrives.
   * Unknown ids are left out.
   */
  fetchMetadata(ids: readonly string[], options: MetadataOptions): AsyncIterable<readonly MessageMetadata[]>;
  /** The provider's own full-format message, for pass-through. @throws MessageNotFound */
  fetchFull(id: string, options: CallOptions): Promise<Readonly<Record<string, unknown>>>;
  /** @throws MessageNotFound */
  fetchRaw(id: string, options: RawOptions): Promise<RawMessage>;
  /**
   * Adds a message without sending it, dated by its Date header. The gateway never repeats this call: a second one
   * would add the message again.
   * @throws OutcomeUnknown when the answer was lost, LabelNotFound when a label is refused, ThreadNotFound
   */
  insert(message: MessageToInsert, options: CallOptions): Promise<InsertedMessage>;
  /** Changes labels of up to `maxIdsPerChange` messages. The provider skips unknown ids. */
  modify(ids: readonly string[], change: LabelChange, options: CallOptions): Promise<void>;
  /** Whether labels are folders. Then a message that is moved to the trash loses them, and the history says so. */
  labelsAreFolders(): Promise<boolean>;
  /** Moves up to `maxIdsPerChange` messages to the trash, from which they can be restored. */
  trash(ids: readonly string[], options: CallOptions): Promise<void>;
  /** Deletes up to `maxIdsPerChange` messages irreversibly. */
  delete(ids: readonly string[], options: CallOptions): Promise<void>;
  /** Changes since `cursor`, oldest first. @throws CursorInvalid when the provider has forgotten it. */
  listChanges(cursor: string, pageToken: string | undefined, options: HistoryOptions): Promise<ChangePage>;
  /** Whether `cursor` is later in the history than `than`. */
  isLater(cursor: string, than: string): boolean;
  /** Lists the labels, with counts when `withCounts` is set (a call per label). */
  listLabels(options: CallOptions & { withCounts?: boolean }): Promise<readonly MailboxLabel[]>;
  /** One label with its counts, which are exact. @throws LabelNotFound */
  getLabel(id: string, options: CallOptions): Promise<MailboxLabel>;
  /** @throws LabelExists */
  createLabel(name: string, options: CallOptions): Promise<MailboxLabel>;
  /** @throws LabelNotFound, LabelProtected */
  deleteLabel(id: string, options: CallOptions): Promise<void>;
  /** One part of a live message, decoded. @throws MessageNotFound, PartNotFound */
  downloadPart(messageId: string, partId: string, options: CallOptions): Promise<DownloadedPart>;
}

/** Creates live mailboxes. Features inject this port; it is bound to `ProviderMailboxes`. */
export abstract class MailboxProviders {
  /** @param account the account, which the caller has checked to be usable */
  abstract forAccount(account: ProviderAccount): MailboxProvider;
}

/** An account as adapters need it. They load its credentials themselves. */
export interface ProviderAccount {
  readonly id: string;
  readonly userId: string;
  readonly email: string;
  readonly provider: string;
}
