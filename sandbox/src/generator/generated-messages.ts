import { factsOf, type MessageFacts } from '../mime/message-facts';
import { compose } from './compose';
import type { Draft } from './draft';
import { initialLabels } from './initial-labels';
import { KINDS, layOut, threadWindow, type Kind, type Layout } from './layout';
import { bytesOf, lengthOf, renderMessage } from './mime-writer';
import { Random, seedOf } from './random';

/** Odd, so that multiplying by it permutes the 32-bit numbers. */
const SPREAD = 0x9e3779b1;
const UNSPREAD = inverseOf(SPREAD);
/** Real ids begin with a millisecond timestamp; this one lies in 2018, before any id given out while running. */
const ID_PREFIX = '16';

export interface GeneratedMailbox {
  readonly email: string;
  readonly seed: number;
  readonly count: number;
  /** Epoch milliseconds of the newest message's day end. */
  readonly endMs: number;
  /** Mean raw size wanted, in bytes; undefined for the natural sizes. */
  readonly averageBytes?: number | undefined;
}

/**
 * The generated part of a mailbox. Only the layout is kept (some 25 bytes a message); everything else is computed
 * from (seed, index) when asked for, and is the same on every start.
 */
export class GeneratedMessages {
  readonly count: number;
  private readonly layout: Layout;
  private readonly idHigh: string;
  private readonly salt: number;
  private readonly me: { name: string; address: string };

  constructor(private readonly options: GeneratedMailbox) {
    this.count = options.count;
    this.layout = layOut(options.seed, options.count, options.endMs);
    this.idHigh =
      ID_PREFIX + seedOf(options.seed, options.email, 'id').toString(16).padStart(8, '0').slice(0, 6);
    this.salt = seedOf(options.seed, options.email, 'salt');
    this.me = { name: 'Camille Demo', address: options.email };
  }

  /** 16 lower-case hex digits, a permutation of the index: no table needed either way. */
  idOf(index: number): string {
    const low = (Math.imul(index, SPREAD) ^ this.salt) >>> 0;
    return this.idHigh + low.toString(16).padStart(8, '0');
  }

  indexOf(id: string): number | undefined {
    if (!/^[0-9a-f]{16}$/.test(id) || !id.startsWith(this.idHigh)) return undefined;
    const low = Number.parseInt(id.slice(8), 16);
    const index = Math.imul(low ^ this.salt, UNSPREAD) >>> 0;
    return index < this.count ? index : undefined;
  }

  /** The index a generated Message-ID was made for. */
  indexOfMessageId(messageId: string): number | undefined {
    return this.indexOf(messageId.slice(0, 16));
  }

  dateOf(index: number): number {
    return this.layout.date[index] as number;
  }

  headOf(index: number): number {
    return this.layout.head[index] as number;
  }

  kindOf(index: number): Kind {
    return KINDS[this.layout.kind[index] as number] as Kind;
  }

  /** The generated messages of the thread that begins at `head`, oldest first. */
  threadMembers(head: number): number[] {
    const members: number[] = [];
    for (let index = head; index < threadWindow(head, this.count); index++)
      if (this.headOf(index) === head) members.push(index);
    return members;
  }

  initialLabels(index: number): string[] {
    const month = new Date(this.dateOf(index)).getUTCMonth();
    return initialLabels(
      this.options.seed,
      index,
      this.kindOf(index),
      this.layout.fromMe[index] === 1,
      index / this.count,
      month,
    );
  }

  raw(index: number): Buffer {
    const draft = this.draft(index);
    const raw = bytesOf(renderMessage(draft.headers(), draft.body()));
    return draft.finish?.(raw) ?? raw;
  }

  /** The raw message's length, without making its attachments. */
  sizeOf(index: number): number {
    const draft = this.draft(index);
    return draft.finish === undefined
      ? lengthOf(renderMessage(draft.headers(), draft.body()))
      : this.raw(index).length;
  }

  factsOf(index: number): MessageFacts {
    return this.draft(index).facts ?? factsOf(this.raw(index));
  }

  private messageIdOf(index: number): string {
    return `${this.idOf(index)}.${seedOf(this.options.seed, 'message-id', index).toString(36)}@mail.sandbox.example`;
  }

  private draft(index: number): Draft {
    const { seed } = this.options;
    const ancestors: string[] = [];
    for (let at = this.layout.parent[index] as number; at >= 0; at = this.layout.parent[at] as number) {
      ancestors.unshift(this.messageIdOf(at));
    }
    return compose({
      index,
      kind: this.kindOf(index),
      ordinal: this.layout.ordinal[index] as number,
      date: this.dateOf(index),
      me: this.me,
      fromMe: this.layout.fromMe[index] === 1,
      threadSeed: seedOf(seed, 'thread', this.headOf(index)),
      messageId: this.messageIdOf(index),
      ancestors,
      fill: this.fillOf(index),
      random: (purpose) => new Random(seedOf(seed, purpose, index)),
    });
  }

  /** Many small messages and a few big ones around the wanted mean; 2,000 is what a message has without filling. */
  private fillOf(index: number): number {
    const { averageBytes, seed } = this.options;
    if (averageBytes === undefined) return 0;
    const random = new Random(seedOf(seed, 'size', index));
    const shape = random.next();
    const share =
      shape < 0.6
        ? 0.1 + random.next() * 0.6
        : shape < 0.92
          ? 0.5 + random.next() * 1.5
          : 3 + random.next() * 3;
    return Math.max(0, Math.round(share * averageBytes) - 2000);
  }
}

/** The multiplicative inverse modulo 2^32, by Newton's iteration. */
function inverseOf(odd: number): number {
  let inverse = odd;
  for (let round = 0; round < 5; round++) inverse = Math.imul(inverse, 2 - Math.imul(odd, inverse));
  return inverse;
}
