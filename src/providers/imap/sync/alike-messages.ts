/** A message that is known under a key, or under the key with an ordinal. */
export interface AlikeMessage {
  readonly messageId: string;
  readonly internalDate: Date;
}

const keyOf = (messageId: string): string => messageId.split('~')[0]!;

/**
 * Assigns ids to messages that are found in a folder. A message whose key is known from another folder is the same
 * message. Once several messages have one key, the header does not tell which of them was copied or moved. Then the
 * date that servers keep with a message (INTERNALDATE) decides, if exactly one has it. Otherwise it counts as a further
 * message with a new ordinal: it may be archived twice, but is never taken for another message.
 */
export class AlikeMessages {
  private readonly known = new Map<string, AlikeMessage[]>();
  /** Ids that messages of this folder have. */
  private readonly taken: Set<string>;
  private readonly counts = new Map<string, number>();

  /**
   * @param known messages of all folders with these keys
   * @param taken ids that messages of this folder have
   * @param keys keys of the messages that need an id, repeated as often as they occur
   */
  constructor(known: readonly AlikeMessage[], taken: Iterable<string>, keys: readonly string[]) {
    for (const message of known) this.add(message);
    this.taken = new Set(taken);
    for (const id of this.taken) this.count(keyOf(id));
    for (const key of keys) this.count(key);
  }

  idFor(key: string, internalDate: Date): string {
    const known = this.known.get(key) ?? [];
    const messageId = this.choose(key, known, internalDate);
    if (known.every((message) => message.messageId !== messageId)) this.add({ messageId, internalDate });
    this.taken.add(messageId);
    return messageId;
  }

  private choose(key: string, known: readonly AlikeMessage[], internalDate: Date): string {
    if (known.length === 0) return key;
    const isOnly = known.length === 1 && known[0]!.messageId === key && (this.counts.get(key) ?? 0) <= 1;
    if (isOnly) return key;
    const same = known.filter((message) => message.internalDate.getTime() === internalDate.getTime());
    const [only] = same;
    if (only && same.length === 1 && !this.taken.has(only.messageId)) return only.messageId;
    const ordinals = known.map(({ messageId }) => Number(messageId.split('~')[1] ?? 1));
    return `${key}~${Math.max(...ordinals) + 1}`;
  }

  private add(message: AlikeMessage): void {
    const key = keyOf(message.messageId);
    this.known.set(key, [...(this.known.get(key) ?? []), message]);
  }

  private count(key: string): void {
    this.counts.set(key, (this.counts.get(key) ?? 0) + 1);
  }
}
