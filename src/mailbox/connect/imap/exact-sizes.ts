import type { ImapFlow } from 'imapflow';

/** Messages whose stated size is compared with their bytes, and further ones when one differs. */
const PROBES = 3;
const MORE_PROBES = 6;
/** The largest message that is fetched for the comparison, in bytes. */
const MAX_PROBED = 1024 * 1024;

/**
 * Compares the stated sizes of the newest messages in INBOX with their bytes. One wrong size does not prove that the
 * server estimates: then more messages are compared, and sizes count as estimates when most of them are wrong. An empty
 * INBOX counts as exact.
 */
export async function statesExactSizes(
  client: Pick<ImapFlow, 'mailboxOpen' | 'fetchAll' | 'fetchOne'>,
): Promise<boolean> {
  const { exists } = await client.mailboxOpen('INBOX', { readOnly: true });
  if (exists === 0) return true;
  const newest = `${Math.max(1, exists - PROBES - MORE_PROBES + 1)}:${exists}`;
  const stated = await client.fetchAll(newest, { uid: true, size: true });
  const latest = stated.toSorted((one, other) => other.uid - one.uid);
  const compared = await compare(client, latest.slice(0, PROBES));
  if (compared.every((isRight) => isRight)) return true;
  compared.push(...(await compare(client, latest.slice(PROBES, PROBES + MORE_PROBES))));
  return compared.filter((isRight) => !isRight).length <= compared.length / 2;
}

/** Compares the stated sizes of messages with their bytes. Messages that cannot be compared are left out. */
async function compare(
  client: Pick<ImapFlow, 'fetchOne'>,
  messages: readonly { readonly uid: number; readonly size?: number }[],
): Promise<boolean[]> {
  const compared: boolean[] = [];
  for (const { uid, size } of messages) {
    if (size === undefined || size > MAX_PROBED) continue;
    // One byte more than the stated size is requested, to detect larger messages.
    const query = { uid: true, source: { start: 0, maxLength: size + 1 } };
    const message = await client.fetchOne(String(uid), query, { uid: true });
    if (message && message.source) compared.push(message.source.length === size);
  }
  return compared;
}
