import { ApiError } from '../http/api-error';
import { USER_LABELS } from '../generator/initial-labels';
import { GeneratedMessages, type GeneratedMailbox } from '../generator/generated-messages';
import type { MessageFacts } from '../mime/message-facts';
import { parseMime } from '../mime/mime-tree';
import { readableText, snippetOf } from '../mime/part-content';
import type { SearchSubject } from '../../../src/platform/search/search-compiler';
import { phraseOf } from '../../../src/platform/search/search-terms';
import { containsPhrase, searchWords } from '../../../src/platform/search/search-values';
import { AddedMessages, type NewMessage } from './added-messages';
import { ABSENT, HistoryLog } from './history-log';
import { LabelRegistry } from './label-registry';
import { LabelSets } from './label-sets';
import { RawCache } from './raw-cache';

/** Messages are numbered: the generated ones 0…n−1 from old to new, then the added ones in order of arrival. */
export type MessageNumber = number;

/** One user's mailbox: generated content, the labels and deletions on top of it, and the history of changes. */
export class Mailbox {
  readonly email: string;
  readonly labels = new LabelRegistry(USER_LABELS);
  readonly labelSets = new LabelSets();
  readonly history: HistoryLog;
  private readonly generated: GeneratedMessages;
  private readonly added = new AddedMessages();
  private readonly generatedLabels: Int32Array;
  private readonly generatedSizes: Uint32Array;
  private readonly generatedHistory: Float64Array;
  private readonly startHistoryId: number;
  private readonly rawCache: RawCache;
  /** Snippets of the raw messages in the cache: to find one, the whole message is read. */
  private readonly snippets = new WeakMap<Buffer, string>();
  /** Message numbers by ascending date. */
  private order: MessageNumber[];

  constructor(options: GeneratedMailbox, rawCacheBytes?: number) {
    this.rawCache = new RawCache(rawCacheBytes);
    this.email = options.email;
    this.generated = new GeneratedMessages(options);
    const { count } = this.generated;
    // The first id comes from the clock, so that a cursor kept from an earlier run is recognised as too old.
    this.startHistoryId = Math.floor(Date.now() / 10);
    this.history = new HistoryLog(this.startHistoryId);
    this.generatedLabels = new Int32Array(count);
    this.generatedSizes = new Uint32Array(count);
    this.generatedHistory = new Float64Array(count);
    for (let number = 0; number < count; number++) {
      this.generatedLabels[number] = this.labelSets.intern(this.generated.initialLabels(number));
    }
    this.order = Array.from({ length: count }, (_, number) => number);
  }

  /** The message with that id; throws 404, or 400 for what cannot be an id. */
  require(id: string): MessageNumber {
    const number = this.find(id);
    if (number !== undefined) return number;
    throw /^[0-9a-f]{1,16}$/.test(id) ? ApiError.notFound() : ApiError.invalidArgument('Invalid id value');
  }

  find(id: string): MessageNumber | undefined {
    const number = this.numberOf(id);
    return number === undefined || this.labelSetOf(number) === ABSENT ? undefined : number;
  }

  /** Deleted messages included. */
  private numberOf(id: string): MessageNumber | undefined {
    const position = this.added.positionOf(id);
    return position === undefined ? this.generated.indexOf(id) : this.generated.count + position;
  }

  idOf(number: MessageNumber): string {
    return this.isGenerated(number) ? this.generated.idOf(number) : this.addedAt(number).id;
  }

  threadIdOf(number: MessageNumber): string {
    return this.idOf(this.headOf(number));
  }

  headOf(number: MessageNumber): MessageNumber {
    return this.isGenerated(number) ? this.generated.headOf(number) : this.addedAt(number).head;
  }

  /** Messages of the thread with that id, oldest first; throws 404 when none is left. */
  requireThread(threadId: string): MessageNumber[] {
    const head = this.numberOf(threadId);
    const members = head === undefined ? [] : this.threadMembers(head);
    if (members.length > 0) return members;
    throw /^[0-9a-f]{1,16}$/.test(threadId)
      ? ApiError.notFound()
      : ApiError.invalidArgument('Invalid id value');
  }

  threadMembers(head: MessageNumber): MessageNumber[] {
    const own = this.isGenerated(head) ? this.generated.threadMembers(head) : [];
    const joined = this.added.membersOf(head).map((position) => this.generated.count + position);
    return [...own, ...joined]
      .filter((number) => this.labelSetOf(number) !== ABSENT)
      .sort((a, b) => this.dateOf(a) - this.dateOf(b));
  }

  /** The number of the message's label set, ABSENT when it was deleted. */
  labelSetOf(number: MessageNumber): number {
    return this.isGenerated(number)
      ? (this.generatedLabels[number] as number)
      : this.addedAt(number).labelSet;
  }

  labelsOf(number: MessageNumber): ReadonlySet<string> {
    return this.labelSets.get(this.labelSetOf(number));
  }

  dateOf(number: MessageNumber): number {
    return this.isGenerated(number) ? this.generated.dateOf(number) : this.addedAt(number).internalDate;
  }

  /** The history id of the message's last change. */
  historyIdOf(number: MessageNumber): number {
    const changed = this.isGenerated(number)
      ? (this.generatedHistory[number] as number)
      : this.addedAt(number).historyId;
    return changed === 0 ? this.startHistoryId : changed;
  }

  rawOf(number: MessageNumber): Buffer {
    return this.rawCache.get(number, () =>
      this.isGenerated(number) ? this.generated.raw(number) : this.added.rawAt(number - this.generated.count),
    );
  }

  snippetOf(number: MessageNumber): string {
    const raw = this.rawOf(number);
    const known = this.snippets.get(raw);
    if (known !== undefined) return known;
    const snippet = snippetOf(raw, parseMime(raw));
    this.snippets.set(raw, snippet);
    return snippet;
  }

  sizeOf(number: MessageNumber): number {
    if (!this.isGenerated(number)) return this.addedAt(number).size;
    if (this.generatedSizes[number] === 0) this.generatedSizes[number] = this.generated.sizeOf(number);
    return this.generatedSizes[number] as number;
  }

  factsOf(number: MessageNumber): MessageFacts {
    return this.isGenerated(number) ? this.generated.factsOf(number) : this.addedAt(number).facts;
  }

  subjectOf(number: MessageNumber): SearchSubject {
    let facts: MessageFacts | undefined;
    let words: string | undefined;
    return {
      labels: this.labelsOf(number),
      internalDate: this.dateOf(number),
      facts: () => (facts ??= this.factsOf(number)),
      size: () => this.sizeOf(number),
      hasText: (term) => {
        const raw = words === undefined ? this.rawOf(number) : undefined;
        words ??= searchWords(readableText(raw as Buffer, parseMime(raw as Buffer)));
        return containsPhrase(words, phraseOf(term));
      },
    };
  }

  /** Live messages, newest first; `before` continues strictly after that message's place. */
  *newestFirst(before?: { date: number; number: MessageNumber }): Generator<MessageNumber> {
    let at = before === undefined ? this.order.length : this.placeOf(before.date, before.number);
    while (--at >= 0) {
      const number = this.order[at] as MessageNumber;
      if (this.labelSetOf(number) !== ABSENT) yield number;
    }
  }

  /** Changes labels and records the change when there is one; true when something changed. */
  changeLabels(number: MessageNumber, change: (labelSet: number) => number): boolean {
    const before = this.labelSetOf(number);
    const after = change(before);
    if (before === after) return false;
    this.setLabels(number, after, this.history.append(number, before, after));
    return true;
  }

  /** Deletes for good. */
  remove(number: MessageNumber): void {
    const before = this.labelSetOf(number);
    this.setLabels(number, ABSENT, this.history.append(number, before, ABSENT));
    this.rawCache.delete(number);
  }

  /** Adds a message; `silent` adds what was there from the start, so it is no history. */
  add(message: NewMessage, silent = false): MessageNumber {
    const number = this.generated.count + this.added.count;
    // First, as an unknown thread is an error and must leave no trace.
    const head = this.threadFor(message, number);
    const labelSet = this.labelSets.intern(message.labelIds);
    const historyId = silent ? 0 : this.history.append(number, ABSENT, labelSet);
    this.added.add(message, { labelSet, historyId, head });
    this.order.splice(this.placeOf(message.internalDate, number), 0, number);
    return number;
  }

  removeLabelEverywhere(labelId: string): void {
    const change = this.labelSets.createChange([], [labelId]);
    for (const number of this.newestFirst()) this.changeLabels(number, change);
  }

  private threadFor(message: NewMessage, number: MessageNumber): MessageNumber {
    if (message.threadId !== undefined) {
      const head = this.numberOf(message.threadId);
      if (head === undefined || this.threadMembers(head).length === 0) throw ApiError.notFound();
      return head;
    }
    const { references, baseSubject } = this.added.threadingOf(message.source);
    for (const messageId of references) {
      const position = this.added.positionOfMessageId(messageId);
      const parent =
        position === undefined ? this.generated.indexOfMessageId(messageId) : this.generated.count + position;
      // Gmail joins a conversation only when the subject matches, too.
      if (parent !== undefined && this.added.sameSubject(this.factsOf(parent).subject, baseSubject))
        return this.headOf(parent);
    }
    return number;
  }

  /** Position in the order at which a message of that date and number stands, or would stand. */
  private placeOf(date: number, number: MessageNumber): number {
    let low = 0;
    let high = this.order.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      const other = this.order[middle] as MessageNumber;
      const difference = this.dateOf(other) - date || other - number;
      if (difference < 0) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  private setLabels(number: MessageNumber, labelSet: number, historyId: number): void {
    if (this.isGenerated(number)) {
      this.generatedLabels[number] = labelSet;
      this.generatedHistory[number] = historyId;
    } else {
      const added = this.addedAt(number);
      added.labelSet = labelSet;
      added.historyId = historyId;
    }
  }

  private isGenerated(number: MessageNumber): boolean {
    return number < this.generated.count;
  }

  private addedAt(number: MessageNumber): ReturnType<AddedMessages['at']> {
    return this.added.at(number - this.generated.count);
  }
}
