import { readFileSync } from 'node:fs';
import { baseSubject, factsOf, referencesOf, type MessageFacts } from '../mime/message-facts';
import { parseMime } from '../mime/mime-tree';

/** Bytes in memory (inserted), or in a file that is read whenever they are asked for (a mail folder). */
export type AddedSource = { readonly bytes: Buffer; readonly path?: string };

export interface NewMessage {
  readonly source: AddedSource;
  readonly labelIds: readonly string[];
  /** Epoch milliseconds. */
  readonly internalDate: number;
  /** Thread to join; without one the message's references decide. */
  readonly threadId?: string | undefined;
  /** A stable id; without one it is made from the clock as Gmail's are. */
  readonly id?: string;
}

interface AddedMessage {
  readonly id: string;
  readonly bytes: Buffer | undefined;
  readonly path: string | undefined;
  readonly size: number;
  readonly internalDate: number;
  readonly facts: MessageFacts;
  readonly head: number;
  labelSet: number;
  historyId: number;
}

/** Messages that were not generated: inserted, imported, or read from a folder. */
export class AddedMessages {
  private readonly messages: AddedMessage[] = [];
  private readonly positions = new Map<string, number>();
  private readonly byMessageId = new Map<string, number>();
  private readonly threads = new Map<number, number[]>();

  get count(): number {
    return this.messages.length;
  }

  at(position: number): AddedMessage {
    return this.messages[position] as AddedMessage;
  }

  positionOf(id: string): number | undefined {
    return this.positions.get(id);
  }

  positionOfMessageId(messageId: string): number | undefined {
    return this.byMessageId.get(messageId);
  }

  /** Positions of the added messages in the thread, in order of arrival. */
  membersOf(head: number): readonly number[] {
    return this.threads.get(head) ?? [];
  }

  rawAt(position: number): Buffer {
    const message = this.at(position);
    return message.bytes ?? readFileSync(message.path as string);
  }

  add(message: NewMessage, place: { labelSet: number; historyId: number; head: number }): void {
    const { source } = message;
    const position = this.messages.length;
    const facts = factsOf(source.bytes);
    const id = this.freeId(message.id);
    this.messages.push({
      id,
      bytes: source.path === undefined ? source.bytes : undefined,
      path: source.path,
      size: source.bytes.length,
      internalDate: message.internalDate,
      facts,
      head: place.head,
      labelSet: place.labelSet,
      historyId: place.historyId,
    });
    this.positions.set(id, position);
    if (facts.messageId !== '' && !this.byMessageId.has(facts.messageId))
      this.byMessageId.set(facts.messageId, position);
    const members = this.threads.get(place.head);
    if (members === undefined) this.threads.set(place.head, [position]);
    else members.push(position);
  }

  threadingOf(source: AddedSource): { references: string[]; baseSubject: string } {
    const root = parseMime(source.bytes);
    return {
      references: referencesOf(root.fields),
      baseSubject: baseSubject(factsOf(source.bytes, root).subject),
    };
  }

  sameSubject(subject: string, base: string): boolean {
    return baseSubject(subject) === base;
  }

  /** Gmail's ids begin with the millisecond they were made in: 11 digits of time, then 5 that count. */
  private freeId(wanted: string | undefined): string {
    const base = wanted ?? Date.now().toString(16).padStart(11, '0') + '00000';
    let id = BigInt(`0x${base}`);
    while (this.positions.has(id.toString(16).padStart(16, '0'))) id += 1n;
    return id.toString(16).padStart(16, '0');
  }
}
