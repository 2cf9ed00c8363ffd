import { createHash } from 'node:crypto';

/** Headers that a message is threaded by. */
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

/** Most ids read at the two ends of References: the oldest name the conversation, the newest the mails that are answered. */
const OLDEST = 8;
const NEWEST = 24;

/** Ids of messages by which a message is threaded, as keys of their account. */
export interface MessageReferences {
  /** Key of the message itself; made from its headers when it has no Message-ID. */
  readonly own: string;
  /** Messages that it refers to, the nearest first, without itself; 33 at most. */
  readonly references: readonly string[];
  /** Message-IDs with angle brackets by their keys, the message's own among them when it has one. */
  readonly ids: ReadonlyMap<string, string>;
}

/**
 * Reads the ids that a message refers to. There may be thousands; ids may be folded, without brackets, repeated, cut off or
 * the message's own. Other text is passed over.
 */
export function messageReferences(accountId: string, message: ThreadedMessage): MessageReferences {
  const ids = new Map<string, string>();
  const keyed = (id: string): string => {
    const key = referenceKey(accountId, id);
    ids.set(key, id);
    return key;
  };
  const [ownId] = messageIds(message.messageId ?? '');
  const own = ownId === undefined ? referenceKey(accountId, removeId(message)) : keyed(ownId);
  const references = messageIds(message.references ?? '');
  const kept =
    references.length <= OLDEST + NEWEST
      ? references
      : [...references.slice(0, OLDEST), ...references.slice(-NEWEST)];
  // RFC 5322 §3.6.4: References ends with the id of the answered mail; In-Reply-To counts where it does not.
  const [answered] = messageIds(message.inReplyTo ?? '');
  const nearestFirst = kept.reverse();
  if (answered !== undefined && !nearestFirst.includes(answered)) nearestFirst.push(answered);
  const keys = new Set(nearestFirst.filter((id) => id !== ownId).map(keyed));
  return { own, references: [...keys], ids };
}

/**
 * The message ids in a header, in order, each once, as `<id>` without blanks. Without any brackets, words with an @
 * are taken for ids. Linear in the length of the header.
 */
export function messageIds(header: string): string[] {
  const found = new Set<string>();
  let open = -1;
  for (let pos = 0; pos < header.length; pos += 1) {
    const char = header[pos];
    if (char === '<') open = pos;
    else if (char === '>' && open >= 0) {
      const id = header.slice(open + 1, pos).replace(/[\s\0]+/g, '');
      if (id !== '') found.add(`<${id}>`);
      open = -1;
    }
  }
  if (found.size === 0 && !header.includes('<')) {
    for (const word of header.split(/[\s\0,;]+/)) if (/.@./.test(word)) found.add(`<${word}>`);
  }
  return [...found];
}

/**
 * The key of an id, 16 hex digits. It depends on the account, so that a sender cannot choose an id by its key, and the keys
 * of different accounts are unrelated.
 */
export function referenceKey(accountId: string, id: string): string {
  return createHash('sha256').update(`${accountId}\0${id}`).digest('hex').slice(0, 16);
}

const removeId = ({ date, sender, recipient, subject }: ThreadedMessage): string =>
  JSON.stringify([date.getTime(), sender, recipient, subject]);
