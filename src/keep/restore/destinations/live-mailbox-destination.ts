import { fetchRaw, retryWhileRateLimited } from '../../../providers/port/fetch-raw';
import {
  CursorInvalid,
  LabelExists,
  LabelNotFound,
  MessageNotFound,
  ProviderRejected,
  ThreadNotFound,
} from '../../../providers/port/mail-provider.errors';
import type {
  CallOptions,
  MailboxLabel,
  MailboxProvider,
  MessageRef,
} from '../../../providers/port/mailbox-provider.port';
import type {
  ArrivedMessage,
  HeldMessage,
  MailboxDestination,
  MailToPlace,
  PlacedMessage,
} from '../mailbox-destination.port';
import type { RestoreNote } from '../restore.entity';
import { type DestinationRefusal, RefusedByDestination } from '../restore.errors';
import type { RestoredLabels } from '../restored-labels';

/** Largest number of messages with one Message-ID that are compared. */
const MAX_TWINS = 5;
/** Message-IDs that a search can contain unquoted, so that it finds this id and nothing else. */
const SEARCHABLE_ID = /^<([^\s"'<>(){}|\\]{1,500})>$/;

const searchableId = (messageIdHeader: string | null): string | undefined =>
  SEARCHABLE_ID.exec(messageIdHeader ?? '')?.[1];

/** Labels that a message has from the start, and that its owner may have removed since. */
const GIVEN_WITH_THE_MESSAGE = new Set(['SENT', 'DRAFT', 'UNREAD', 'STARRED']);

/** A connected mailbox, reached through the provider's port. */
export class LiveMailboxDestination implements MailboxDestination {
  /** The quota allows two mails a second; more at a time hide the provider's latency. */
  readonly atOnce = 4;
  private readonly options: CallOptions;
  /** Ids of the mailbox's labels by name; null: not requested yet. */
  private labelIds: Promise<Map<string, string>> | null = null;
  /** Label names that the mailbox has refused. */
  private readonly refusedNames = new Set<string>();
  /** Conversations that the mailbox does not have. */
  private readonly goneThreads = new Set<string>();

  constructor(
    private readonly provider: MailboxProvider,
    private readonly signal: AbortSignal,
  ) {
    this.options = { priority: 'spare', signal };
  }

  get maxBytes(): number {
    return this.provider.maxInsertBytes;
  }

  async listMissingLabels(labels: readonly RestoredLabels[]): Promise<string[]> {
    const known = await this.readLabels();
    const names = new Set(labels.flatMap((each) => each.names));
    return [...names].filter((name) => !known.has(keyOf(name))).sort();
  }

  async readCursor(): Promise<string> {
    return (await this.callProvider(() => this.provider.getProfile(this.options))).historyId;
  }

  async listArrivedSince(cursor: string): Promise<ArrivedMessage[] | null> {
    const ids = new Set<string>();
    try {
      for (let pageToken: string | undefined; ;) {
        const page = await this.callProvider(() =>
          this.provider.listChanges(cursor, pageToken, this.options),
        );
        for (const { kind, message } of page.changes) {
          if (kind === 'added') ids.add(message.id);
          else if (kind === 'deleted') ids.delete(message.id);
        }
        pageToken = page.nextPageToken;
        if (!pageToken) break;
      }
    } catch (error) {
      if (error instanceof CursorInvalid) return null;
      throw error;
    }
    const arrived: ArrivedMessage[] = [];
    for await (const batch of this.provider.fetchMetadata([...ids], this.options))
      for (const { id, messageIdHeader, internalDate: date, sizeEstimate: sizeBytes } of batch)
        arrived.push({ id, messageIdHeader, date, sizeBytes });
    return arrived;
  }

  async *find(mail: MailToPlace): AsyncGenerator<HeldMessage, void, undefined> {
    const seen = new Set<string>();
    for (const id of mail.knownIds) {
      seen.add(id);
      const held = await this.readBack(id, mail.bytes.length);
      if (held) yield held;
    }
    for (const { id } of await this.search(mail.messageIdHeader)) {
      if (seen.has(id)) continue;
      const held = await this.readBack(id, mail.bytes.length);
      if (held) yield held;
    }
  }

  canFind({ messageIdHeader }: MailToPlace): boolean {
    return searchableId(messageIdHeader) !== undefined;
  }

  async insert(mail: MailToPlace, fence: () => void): Promise<PlacedMessage> {
    const { ids, isComplete } = await this.ensureLabels(mail.labels);
    const notes = new Set<RestoreNote>(isComplete ? [] : ['label-refused']);
    const { message, labelled } = await this.insertJoining(mail, ids, fence);
    if (!labelled && !(await this.addLabels(message.id, ids))) notes.add('label-refused');
    const { threadId, threadIsThere } = mail;
    const isGone = threadId !== null && this.goneThreads.has(threadId) && !threadIsThere;
    if (threadId !== null && message.threadId !== threadId && !isGone) notes.add('thread-not-kept');
    return { id: message.id, threadId: message.threadId, notes: [...notes] };
  }

  async completeLabels(held: HeldMessage, { labels }: MailToPlace): Promise<RestoreNote[]> {
    const { ids, isComplete } = await this.ensureLabels(labels);
    const missing = ids.filter(
      (label) => !held.labelIds?.includes(label) && !GIVEN_WITH_THE_MESSAGE.has(label),
    );
    const isLabelled = missing.length === 0 || (await this.addLabels(held.id, missing));
    return isComplete && isLabelled ? [] : ['label-refused'];
  }

  async untrash(id: string, { labels }: MailToPlace): Promise<RestoreNote[]> {
    const { ids, isComplete } = await this.ensureLabels(labels);
    // The provider does not allow SENT to be added to an existing message.
    const add = ids.filter((label) => label !== 'SENT');
    const remove = ['TRASH'];
    try {
      await this.callProvider(() => this.provider.modify([id], { add, remove }, this.options));
      return isComplete ? [] : ['label-refused'];
    } catch (error) {
      if (!(error instanceof LabelNotFound) || add.length === 0) throw error;
    }
    // The provider refuses the whole change because of one label: the message is taken out of the trash all the same.
    await this.callProvider(() => this.provider.modify([id], { add: [], remove }, this.options));
    const isLabelled = await this.addLabels(id, add);
    return isComplete && isLabelled ? [] : ['label-refused'];
  }

  async readBack(id: string, expectedBytes: number): Promise<HeldMessage | null> {
    const fetched = await fetchRaw(this.provider, id, {
      signal: this.signal,
      expectedBytes,
      priority: 'spare',
    });
    if (fetched.kind === 'later') throw fetched.error;
    if (fetched.kind === 'failed') return null;
    const { threadId, internalDate, labelIds, bytes } = fetched.message;
    return { id, threadId, date: internalDate, isInTrash: labelIds.includes('TRASH'), labelIds, bytes };
  }

  close(): Promise<void> {
    return Promise.resolve();
  }

  private async search(messageIdHeader: string | null): Promise<readonly MessageRef[]> {
    const searchable = searchableId(messageIdHeader);
    if (searchable === undefined) return [];
    const request = {
      query: `rfc822msgid:${searchable}`,
      maxResults: MAX_TWINS,
      includeSpamTrash: true,
    };
    return (await this.callProvider(() => this.provider.listMessages(request, this.options))).messages;
  }

  /** Inserts a message, without the conversation if that is refused, and without labels if one of them is. */
  private async insertJoining(
    { bytes, threadId, date, keywords }: MailToPlace,
    labelIds: readonly string[],
    fence: () => void,
  ): Promise<{ message: MessageRef; labelled: boolean }> {
    let joining = threadId !== null && !this.goneThreads.has(threadId) ? threadId : undefined;
    let labels = labelIds;
    for (;;) {
      try {
        const conversation = joining !== undefined && { threadId: joining };
        const message = { bytes, date, keywords, labelIds: labels, ...conversation };
        const inserted = await this.callProvider(() =>
          this.provider.insert(message, { ...this.options, fence }),
        );
        return { message: inserted, labelled: labels === labelIds && !inserted.lacksLabels };
      } catch (error) {
        if (error instanceof ThreadNotFound && joining !== undefined) {
          this.goneThreads.add(joining);
          joining = undefined;
        } else if (error instanceof LabelNotFound && labels.length > 0) labels = [];
        else throw asRefusal(error);
      }
    }
  }

  /** Adds labels to a message: all of them, else those that are not refused. @returns whether none was refused */
  private async addLabels(id: string, labelIds: readonly string[]): Promise<boolean> {
    if (labelIds.length === 0) return true;
    const add = async (some: readonly string[]): Promise<boolean> => {
      try {
        await this.callProvider(() => this.provider.modify([id], { add: some, remove: [] }, this.options));
        return true;
      } catch (error) {
        if (error instanceof LabelNotFound || error instanceof MessageNotFound) return false;
        // The message is there: a refused label is no failure.
        if (error instanceof ProviderRejected && !error.concernsAccount) return false;
        throw error;
      }
    };
    if (await add(labelIds)) return true;
    if (labelIds.length === 1) return false;
    for (const labelId of labelIds) await add([labelId]);
    return false;
  }

  private async ensureLabels(labels: RestoredLabels): Promise<{ ids: string[]; isComplete: boolean }> {
    const known = await this.readLabels();
    const ids = [...labels.system];
    let isComplete = !labels.isIncomplete;
    for (const name of labels.names) {
      const id = known.get(keyOf(name)) ?? (await this.createLabel(name, known));
      if (id === null) isComplete = false;
      else ids.push(id);
    }
    return { ids, isComplete };
  }

  /** @returns null when the mailbox does not allow the name */
  private async createLabel(name: string, known: Map<string, string>): Promise<string | null> {
    if (this.refusedNames.has(name)) return null;
    try {
      const { id } = await this.callProvider(() => this.provider.createLabel(name, this.options));
      known.set(keyOf(name), id);
      return id;
    } catch (error) {
      if (error instanceof LabelExists) {
        // Another client, or another mail of the restore, has just created the label.
        this.labelIds = null;
        const id = (await this.readLabels()).get(keyOf(name));
        if (id !== undefined) return id;
      } else if (!(error instanceof ProviderRejected) || error.concernsAccount) throw error;
      this.refusedNames.add(name);
      return null;
    }
  }

  private readLabels(): Promise<Map<string, string>> {
    this.labelIds ??= this.callProvider(() => this.provider.listLabels(this.options)).then(byName);
    this.labelIds.catch(() => (this.labelIds = null));
    return this.labelIds;
  }

  private callProvider<T>(work: () => Promise<T>): Promise<T> {
    return retryWhileRateLimited(work, this.signal);
  }
}

const REFUSALS: Readonly<Record<string, DestinationRefusal>> = {
  http_413: 'message-too-large',
  mailboxFull: 'mailbox-full',
};

/** The refusal of a single message as an error of the destination; other errors as they are. */
function asRefusal(error: unknown): unknown {
  if (!(error instanceof ProviderRejected) || error.concernsAccount) return error;
  return new RefusedByDestination(REFUSALS[error.reason] ?? 'message-refused', error);
}

/** Key of a label name: names that differ only in case, or in Unicode form, are the same label. */
const keyOf = (name: string): string => name.normalize('NFC').toLowerCase();

const byName = (labels: readonly MailboxLabel[]): Map<string, string> =>
  new Map(labels.map(({ id, name }) => [keyOf(name), id]));
