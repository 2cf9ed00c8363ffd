import type { SandboxMailbox } from '../../../sandbox/src/sandbox-server';
import type { ServiceUser } from '../tested-service';
import { countNewsletters, shownMessages } from './count-newsletters';

/** Expects what a scan must say of the mailbox, and the list after it. @param job of the scan, ended */
export async function expectScanned(
  user: ServiceUser,
  path: string,
  mailbox: SandboxMailbox,
  job: any,
): Promise<void> {
  const expected = countNewsletters(mailbox);
  const all = [...expected.values()];
  expect(job).toMatchObject({ status: 'completed', progress: 100, failed: 0 });
  expect(job.result).toMatchObject({
    newsletters: expected.size,
    messages: all.reduce((sum, { ids }) => sum + ids.length, 0),
    totalSizeBytes: all.reduce((sum, { bytes }) => sum + bytes, 0),
    scanned: shownMessages(mailbox).length,
    complete: true,
  });
  const { body } = await user.api.get(`${path}/newsletters`);
  expect(new Map(body.map(({ email, count }: any) => [email, count]))).toEqual(
    new Map([...expected].map(([email, { ids }]) => [email, ids.length])),
  );
}
