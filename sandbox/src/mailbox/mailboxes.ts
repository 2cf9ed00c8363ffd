import { seedOf } from '../generator/random';
import { Mailbox } from './mailbox';

export interface MailboxDefaults {
  readonly email: string;
  readonly seed: number;
  readonly messages: number;
  readonly averageBytes: number | undefined;
  readonly rawCacheBytes: number | undefined;
  /** Epoch milliseconds at which generated mail ends. */
  readonly endMs: number;
}

const MAX_MESSAGES = 200_000;

/**
 * The mailboxes by address, made on first use. `name-<count>@…` has that many messages, any other address as
 * many as the default one; the content of each address differs.
 */
export class Mailboxes {
  private readonly byEmail = new Map<string, Mailbox>();

  constructor(private readonly defaults: MailboxDefaults) {}

  get(email: string = this.defaults.email): Mailbox {
    const key = email.toLowerCase();
    const known = this.byEmail.get(key);
    if (known !== undefined) return known;
    const { seed, averageBytes, rawCacheBytes, endMs } = this.defaults;
    const isDefault = key === this.defaults.email.toLowerCase();
    const content = {
      email: key,
      seed: isDefault ? seed : seedOf(seed, key),
      count: isDefault ? this.defaults.messages : countFor(key, this.defaults.messages),
      endMs,
      averageBytes,
    };
    const mailbox = new Mailbox(content, rawCacheBytes);
    this.byEmail.set(key, mailbox);
    return mailbox;
  }
}

function countFor(email: string, fallback: number): number {
  const suffix = /-(\d{1,6})@/.exec(email)?.[1];
  return suffix === undefined ? fallback : Math.min(MAX_MESSAGES, Number(suffix));
}
