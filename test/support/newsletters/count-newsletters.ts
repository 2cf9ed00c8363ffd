import type { SandboxMailbox } from '../../../sandbox/src/sandbox-server';

export interface CountedNewsletters {
  /** Newest first. */
  readonly ids: string[];
  bytes: number;
  readonly lastDate: string;
}

/** Newsletters by address: a reading of the raw messages which shares nothing with the service. */
export function countNewsletters(mailbox: SandboxMailbox): Map<string, CountedNewsletters> {
  const senders = new Map<string, CountedNewsletters>();
  for (const id of mailbox.ids()) {
    const labels = mailbox.labels(id);
    if (['SPAM', 'TRASH', 'SENT', 'DRAFT'].some((label) => labels.includes(label))) continue;
    const raw = mailbox.raw(id);
    const head = raw.toString('utf8').split(/\r?\n\r?\n/, 1)[0]!;
    const field = (name: string): string | undefined =>
      new RegExp(`^${name}:(.*)$`, 'im').exec(head.replace(/\r?\n[ \t]/g, ' '))?.[1];
    const from = field('From')?.trim().toLowerCase() ?? '';
    const email = /<([^<>]+)>$/.exec(from)?.[1] ?? from;
    if (!field('List-Unsubscribe')?.trim() || email === mailbox.email) continue;
    const counted = senders.get(email) ?? {
      ids: [],
      bytes: 0,
      lastDate: mailbox.internalDate(id).toISOString(),
    };
    counted.ids.push(id);
    counted.bytes += raw.length;
    senders.set(email, counted);
  }
  return senders;
}

/** Messages neither in spam nor in trash. */
export function shownMessages(mailbox: SandboxMailbox): string[] {
  return mailbox.ids().filter((id) => !mailbox.labels(id).some((label) => /^(SPAM|TRASH)$/.test(label)));
}
