import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { type Entries, tarOf, zipOf } from '../../../support/archive/built-archives';
import { inMbox, upload } from '../../../support/imports';
import { KillableService } from '../../../support/killable-service';
import type { TestUser } from '../../../support/test-user';
import { waitFor } from '../../../support/wait';

const MESSAGES = 1_200;

/** Imports of archives whose process is killed in the middle of a file, and between files. */
describe('An interrupted import of an archive', () => {
  let service: KillableService;
  let user: TestUser;

  beforeAll(async () => {
    service = await KillableService.start();
    user = await service.user();
  });

  afterAll(() => service?.close());

  const mail = (name: string, number: number): string =>
    `From: a@example.com\nSubject: ${name} ${number}\nMessage-ID: <${name}-${number}@example.com>\n` +
    `Date: Tue, 19 Mar 2019 09:13:51 +0000\n\n${`line of ${number}\n`.repeat(500)}`;
  const numbers = Array.from({ length: MESSAGES }, (_, number) => number);
  /** One file of each message, with files that are no mail and some that cannot be read in between. */
  const files = (name: string): Entries =>
    Object.fromEntries(
      numbers.flatMap((number): [string, string][] => [
        [`${name}/${number % 7}/${number}.eml`, mail(name, number)],
        ...(number % 100 === 0 ? [[`${name}/${number}.pdf`, '%PDF-1.7'] as [string, string]] : []),
        ...(number % 300 === 0 ? [[`${name}/${number}.rar`, 'Rar!\x1a\x07'] as [string, string]] : []),
      ]),
    );
  const mailbox = (name: string): Entries => ({
    'Takeout/Mail/All mail.mbox': numbers.map((number) => inMbox(mail(name, number))).join(''),
    ...Object.fromEntries(numbers.slice(0, 12).map((number) => [`Takeout/Drive/${number}.pdf`, '%PDF-1.7'])),
    ...Object.fromEntries(
      numbers.slice(0, 4).map((number) => [`Takeout/Drive/${number}.rar`, 'Rar!\x1a\x07']),
    ),
  });

  it.each<[string, (name: string) => Promise<Buffer>]>([
    ['zip-of-eml', (name) => zipOf(files(name))],
    ['tgz-of-eml', async (name) => gzipSync(await tarOf(files(name)), { level: 1 })],
    ['mbox-in-zip', (name) => zipOf(mailbox(name))],
    ['mbox-in-tgz', async (name) => gzipSync(await tarOf(mailbox(name)), { level: 1 })],
    [
      'zip-in-tgz',
      async (name) => gzipSync(await tarOf({ 'part.zip': await zipOf(files(name)) }), { level: 1 }),
    ],
  ])(
    'should continue after a kill, with every item counted once (%s)',
    async (name, build) => {
      const accountId = await user.connect(`${name}-0@sandbox.mailroom.test`);
      const started = await upload(user, accountId, await build(name));
      expect(started.status).toBe(202);
      const jobId = started.body.jobId as string;
      await waitFor('the job to be midway', async () => {
        const { body } = await user.api.get(`/api/jobs/${jobId}`);
        if (body.completed_at) throw new Error(`too late: ${JSON.stringify(body)}`);
        return body.processed > 0 ? true : undefined;
      });
      await service.kill();
      await service.begin();
      const job = await user.jobEnd(jobId, 90_000);
      expect(job).toMatchObject({
        status: 'completed',
        total: MESSAGES + 16,
        processed: MESSAGES + 12,
        failed: 4,
        progress: 100,
        result: {
          items: MESSAGES + 16,
          imported: MESSAGES,
          duplicates: 0,
          failed: 4,
          leftOut: { notMail: 12 },
        },
      });
      expect(job.result.failures).toHaveLength(4);
      const listed = await user.api.get(`/api/archive/${accountId}/mails?limit=1`);
      expect(listed.body.total).toBe(MESSAGES);
      expect(readdirSync(join(service.dataDir, 'uploads'))).toEqual([]);
    },
    120_000,
  );

  it('should stop when it is cancelled, and leave no copy of a part behind', async () => {
    // A user may connect five mailboxes.
    const other = await service.user('other');
    const accountId = await other.connect('cancelled-0@sandbox.mailroom.test');
    const bytes = gzipSync(await tarOf({ 'part.zip': await zipOf(files('cancelled')) }), { level: 1 });
    const { body } = await upload(other, accountId, bytes);
    await waitFor('the job to be midway', async () => {
      const { body: job } = await other.api.get(`/api/jobs/${body.jobId}`);
      return job.processed > 0 ? true : undefined;
    });
    expect(readdirSync(join(service.dataDir, 'uploads')).some((file) => /\.spool\d$/.test(file))).toBe(true);
    expect((await other.api.delete(`/api/jobs/${body.jobId}`)).status).toBe(204);
    const job = await other.jobEnd(body.jobId as string);
    expect(job.status).toBe('cancelled');
    await waitFor(
      'the sweep to remove the files',
      async () => (readdirSync(join(service.dataDir, 'uploads')).length === 0 ? true : undefined),
      80_000,
    );
  }, 120_000);
});
