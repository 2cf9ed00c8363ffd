import type { MessageReferences } from './message-references';

const PREFIX = 'import-';

/** Whether the import made a thread; others come from the source, and are neither renamed nor joined. */
export const isImportThread = (threadId: string): boolean => /^import-[0-9a-f]{16}$/.test(threadId);

/** A message to be threaded. */
export interface LinkedMessage extends MessageReferences {
  /** Thread in which the message is archived already; null: it is not. */
  readonly currentThread: string | null;
}

/** Threads that are known already of the ids that messages refer to, and of their subjects. */
export interface KnownConversations {
  /** Threads by keys of ids: of imported mails, and of the mails they refer to. */
  readonly threads: ReadonlyMap<string, string>;
  /** Threads of the source by keys of ids, of mails archived from there. */
  readonly sourceThreads: ReadonlyMap<string, string>;
  /** Threads of archived mails that a message belongs to by its subject, by the message's position. */
  readonly bySubject: readonly { readonly position: number; readonly threadId: string }[];
  /** Positions of messages that belong together by their subject. */
  readonly pairs: readonly (readonly [number, number])[];
}

export interface Conversations {
  /** Thread of each message, in their order. */
  readonly threads: readonly string[];
  /** Threads that are now part of another one, which is the value. */
  readonly moved: ReadonlyMap<string, string>;
  /** Threads by keys of ids, by which later messages are found; only those that are new. */
  readonly found: ReadonlyMap<string, string>;
}

/**
 * Finds conversations: messages belong together when one refers to the other, or both to a third, whether that
 * exists or not. Since belonging together only ever grows, the order in which messages come makes no difference. A
 * conversation is named after the key of one of its ids, or after the thread its source knows it by. It keeps its name
 * while it grows: giving thousands of mails another one for each that is added would take the square of their number.
 */
export function findConversations(
  messages: readonly LinkedMessage[],
  known: KnownConversations,
): Conversations {
  const groups = new Groups();
  const sourceThreads = new Map(known.sourceThreads);
  for (const [key, thread] of known.threads) {
    if (isImportThread(thread)) groups.join(key, keyOf(thread));
    else if (!sourceThreads.has(key)) sourceThreads.set(key, thread);
  }
  const currentThreads = new Set([...known.threads.values()].filter(isImportThread));
  for (const { own, references, currentThread } of messages) {
    groups.add(own);
    for (const reference of references) groups.join(own, reference);
    if (currentThread === null) continue;
    if (isImportThread(currentThread)) {
      groups.join(own, keyOf(currentThread));
      currentThreads.add(currentThread);
    } else sourceThreads.set(own, currentThread);
  }
  for (const [one, other] of known.pairs) groups.join(messages[one]!.own, messages[other]!.own);
  const hints: [string, string][] = [...sourceThreads];
  for (const { position, threadId } of known.bySubject) {
    const { own } = messages[position]!;
    if (isImportThread(threadId)) {
      groups.join(own, keyOf(threadId));
      currentThreads.add(threadId);
    } else hints.push([own, threadId]);
  }

  const names = namesOf(groups, [...currentThreads].map(keyOf), hints);
  const name = (key: string): string => names.get(groups.of(key)) as string;
  const threads = messages.map(({ own, references, currentThread }) => {
    if (currentThread !== null) return isImportThread(currentThread) ? name(own) : currentThread;
    const nearest = references.find((key) => sourceThreads.has(key));
    return nearest === undefined ? name(own) : (sourceThreads.get(nearest) as string);
  });
  const moved = new Map<string, string>();
  for (const thread of currentThreads) {
    const target = name(keyOf(thread));
    if (target !== thread) moved.set(thread, target);
  }
  return { threads, moved, found: newThreads(messages, threads, known, name) };
}

function newThreads(
  messages: readonly LinkedMessage[],
  threads: readonly string[],
  known: KnownConversations,
  name: (key: string) => string,
): Map<string, string> {
  const found = new Map<string, string>();
  for (const { references } of messages) {
    for (const key of references) {
      const before = known.threads.get(key);
      if (before === undefined || isImportThread(before))
        found.set(key, known.sourceThreads.get(key) ?? name(key));
    }
  }
  messages.forEach(({ own }, position) => found.set(own, threads[position] as string));
  for (const [key, thread] of found) if (known.threads.get(key) === thread) found.delete(key);
  return found;
}

/**
 * Names of groups. A group has the name of its source's thread, the first in order when there are several; else the name
 * it has, the smallest when several groups have become one; else its smallest key.
 */
function namesOf(
  groups: Groups,
  given: readonly string[],
  hints: readonly (readonly [string, string])[],
): Map<string, string> {
  const named = smallestOf(
    groups,
    given.map((key) => [key, key]),
  );
  const smallest = smallestOf(
    groups,
    groups.keys().map((key) => [key, key]),
  );
  const names = new Map([...smallest, ...named].map(([group, key]) => [group, PREFIX + key]));
  for (const [group, thread] of smallestOf(groups, hints)) names.set(group, thread);
  return names;
}

/** The smallest of the values that keys of a group have, by group. */
function smallestOf(
  groups: Groups,
  values: readonly (readonly [key: string, value: string])[],
): Map<string, string> {
  const smallest = new Map<string, string>();
  for (const [key, value] of values) {
    const group = groups.of(key);
    const before = smallest.get(group);
    if (before === undefined || value < before) smallest.set(group, value);
  }
  return smallest;
}

const keyOf = (importThread: string): string => importThread.slice(PREFIX.length);

/** Disjoint sets of keys. Nothing here recurses: a conversation may be a chain of any length. */
class Groups {
  private readonly parents = new Map<string, string>();

  /** Adds a key as a separate group, unless it is in one. */
  add(key: string): void {
    if (!this.parents.has(key)) this.parents.set(key, key);
  }

  /** The key that represents the group of a key. */
  of(key: string): string {
    let root = key;
    for (;;) {
      const parent = this.parents.get(root);
      if (parent === undefined || parent === root) break;
      root = parent;
    }
    for (let at = key; at !== root;) {
      const next = this.parents.get(at) as string;
      this.parents.set(at, root);
      at = next;
    }
    return root;
  }

  join(one: string, other: string): void {
    this.add(one);
    this.add(other);
    const [first, second] = [this.of(one), this.of(other)];
    if (first !== second) this.parents.set(second, first);
  }

  keys(): string[] {
    return [...this.parents.keys()];
  }
}
