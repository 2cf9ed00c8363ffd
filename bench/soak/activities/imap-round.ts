import { expectStatus, type SoakAccount, type SoakWorld } from '../soak-world';
import { PER_ROUND, roundOfMail } from './new-mail';

const JOB_PATIENCE_MS = 300_000;

/** Mail of another server is imported, folder by folder. */
export async function importFromImap(world: SoakWorld, account: SoakAccount, number: number): Promise<void> {
  const { imap } = world;
  const folder = `Round ${number}`;
  const messages = roundOfMail(`imap${number}`).map(({ raw, date }) => ({
    raw: Buffer.from(raw),
    receivedAt: new Date(date),
  }));
  await imap.append(folder, messages);
  const { host, port, user, pass } = imap;
  const started = await expectStatus(
    202,
    account.user.api.post(`/api/import/${account.accountId}/imap`, {
      ...{ host, port, secure: false, user, pass, folder },
    }),
  );
  const job = await account.user.jobEnd(started.body.jobId as string, JOB_PATIENCE_MS);
  if (job.status !== 'completed' || job.result?.imported !== PER_ROUND)
    throw new Error(`${job.status}, ${job.result?.imported} of ${PER_ROUND}: ${job.error}`);
}
