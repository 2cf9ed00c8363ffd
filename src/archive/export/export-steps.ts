import { mapInOrder } from '../../platform/concurrency/map-in-order';
import type { MailContent, ReadMail, UnreadMail } from './exported-mail';

/** Parts that are made while another one is written. */
const PARTS_AHEAD = 2;

/** A step of an export: writing a part made of several mails, or a single mail. */
export type ExportStep<P> = { readonly part: P } | { readonly single: UnreadMail };

/**
 * The steps of an export in the order of its mails. Mails that have been read are turned into parts while earlier ones
 * are written.
 * @param make is called in the order of the mails
 */
export async function* exportSteps<P>(
  batches: AsyncIterable<readonly MailContent[]>,
  make: (mails: readonly ReadMail[]) => Promise<P>,
): AsyncGenerator<ExportStep<P>, void, undefined> {
  const stepsOf = (batch: readonly MailContent[]): Promise<ExportStep<P>[]> =>
    Promise.all(
      runsOf(batch).map(async (run) => (Array.isArray(run) ? { part: await make(run) } : { single: run })),
    );
  for await (const steps of mapInOrder(batches, stepsOf, PARTS_AHEAD)) yield* steps;
}

/** Groups neighbouring mails that have been read; each other mail stays by itself. */
function runsOf(batch: readonly MailContent[]): (ReadMail[] | UnreadMail)[] {
  const runs: (ReadMail[] | UnreadMail)[] = [];
  for (const { mail, content } of batch) {
    const last = runs.at(-1);
    if (!Buffer.isBuffer(content)) runs.push({ mail, content });
    else if (Array.isArray(last)) last.push({ mail, content });
    else runs.push([{ mail, content }]);
  }
  return runs;
}
