import { Dovecot, type DovecotOptions } from './dovecot';

/** The number of servers of a worker that wait for the next test: each is half a dozen processes. */
const MAX_FREE = 4;

/** Servers that no test uses, by their options; the one that has waited longest is the first. */
const free = new Map<string, Dovecot>();

/** A server with these options that another test of the worker has finished with, and that has no mail. */
export function takeDovecot(options: DovecotOptions): Dovecot | undefined {
  const key = JSON.stringify(options);
  const dovecot = free.get(key);
  free.delete(key);
  dovecot?.hold(true);
  return dovecot;
}

/** Takes a server back, and forgets everything of its users. */
export async function returnDovecot(options: DovecotOptions, dovecot: Dovecot): Promise<void> {
  const key = JSON.stringify(options);
  if (dovecot.isRunning) await dovecot.forgetUsers();
  if (!dovecot.isRunning || free.has(key)) return dovecot.end();
  // The worker ends while it waits, and ends it.
  dovecot.hold(false);
  free.set(key, dovecot);
  const [longest] = free;
  if (!longest || free.size <= MAX_FREE) return;
  free.delete(longest[0]);
  await longest[1].end();
}
