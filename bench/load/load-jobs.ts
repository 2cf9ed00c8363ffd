import { upload } from '../../test/support/imports';
import { completed, freshMbox, type LoadAccount, type LoadWorld } from './load-world';

const JOB_MS = 900_000;
const IMPORTED_AT_ONCE = 4_000;
const IMPORTED_BYTES = 8 * 1024;

/** What the jobs of one kind got done. */
export interface Throughput {
  readonly name: string;
  jobs: number;
  items: number;
}

/**
 * Four jobs at once until the signal, each in an account of its own, each begun again when it has ended: mail is
 * archived, marked, scanned for personal data and imported. At the signal what runs is cancelled.
 */
export async function keepWorking(world: LoadWorld, signal: AbortSignal): Promise<Throughput[]> {
  const [archived, marked, , imported] = world.accounts as [
    LoadAccount,
    LoadAccount,
    LoadAccount,
    LoadAccount,
  ];
  let marks = 0;
  return Promise.all([
    again('archive', archived, signal, () =>
      // The mails that are there already are fetched again, so that there is no end of work.
      start(archived, `/api/archive/${archived.accountId}/archive`, {
        messageIds: archived.messageIds,
        differential: false,
      }),
    ),
    again('bulk', marked, signal, () => {
      marks += 1;
      return start(marked, `/api/mailbox/${marked.accountId}/messages/bulk`, {
        action: marks % 2 === 0 ? 'mark_unread' : 'mark_read',
        messageIds: marked.messageIds,
      });
    }),
    again('scan for personal data', world.scanned, signal, () =>
      start(world.scanned, `/api/privacy/${world.scanned.accountId}/pii/scan`),
    ),
    again('mbox import', imported, signal, async () => {
      const file = freshMbox(IMPORTED_AT_ONCE, IMPORTED_BYTES);
      const { status, body, bytes } = await upload(imported.user, imported.accountId, file);
      if (status !== 202) throw new Error(`the upload answered ${status}: ${bytes.toString()}`);
      return body.jobId as string;
    }),
  ]);
}

async function start({ user }: LoadAccount, path: string, body?: unknown): Promise<string> {
  const answer = await user.api.post(path, body);
  if (answer.status !== 202) throw new Error(`${path} answered ${answer.status}: ${answer.bytes.toString()}`);
  return answer.body.jobId as string;
}

async function again(
  name: string,
  { user }: LoadAccount,
  signal: AbortSignal,
  begin: () => Promise<string>,
): Promise<Throughput> {
  const throughput: Throughput = { name, jobs: 0, items: 0 };
  while (!signal.aborted) {
    const jobId = await begin();
    const cancel = (): void => void user.api.delete(`/api/jobs/${jobId}`).catch(() => undefined);
    if (signal.aborted) cancel();
    signal.addEventListener('abort', cancel, { once: true });
    const job = await completed(user, jobId, JOB_MS);
    signal.removeEventListener('abort', cancel);
    throughput.items += job.processed as number;
    throughput.jobs += 1;
  }
  return throughput;
}
