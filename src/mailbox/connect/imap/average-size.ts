import type { ImapFlow } from 'imapflow';

/** Messages whose sizes are asked for, spread over the whole folder. */
const SAMPLE = 500;

/** Returns the average size of the messages of a folder in bytes, by a sample; null when it is empty. */
export async function averageSize(
  client: Pick<ImapFlow, 'mailboxOpen' | 'fetchAll'>,
  path: string,
): Promise<number | null> {
  const { exists } = await client.mailboxOpen(path, { readOnly: true });
  if (exists === 0) return null;
  const step = Math.max(1, exists / SAMPLE);
  const numbers: number[] = [];
  for (let at = 1; at <= exists; at += step) numbers.push(Math.floor(at));
  const found = await client.fetchAll(numbers.join(','), { uid: true, size: true });
  const sizes = found.flatMap(({ size }) => (size === undefined ? [] : [size]));
  return sizes.length === 0 ? null : sizes.reduce((sum, size) => sum + size, 0) / sizes.length;
}
