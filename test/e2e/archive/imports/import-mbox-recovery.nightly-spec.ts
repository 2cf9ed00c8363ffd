import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { inMbox, upload } from '../../../support/imports';
import { KillableService } from '../../../support/killable-service';
import type { TestUser } from '../../../support/test-user';
import { waitFor } from '../../../support/wait';

const MESSAGES = 1_500;
const REPEATED = 50;
/** Number of pairs that share a Message-ID: one in ten messages. */
const SAME_ID = MESSAGES / 10;

/** An import whose process is killed in the middle, and one that is cancelled there. */
describe('An interrupted mbox import', () => {
  let service: KillableService;
  let user: TestUser;

  beforeAll(async () => {
    service = await KillableService.start();
    user = await service.user();
  });

  afterAll(() => service?.close());

  /** Every 30th message is there twice, far apart; every 500th is empty. */
  const mbox = (name: string): Buffer => {
    const idOf = (number: number): number => (number % 10 === 1 ? number - 1 : number);
    const message = (number: number): string =>
      inMbox(
        `From: a@example.com\nSubject: ${name} ${number}\nMessage-ID: <${name}-${idOf(number)}@example.com>\n` +
          `Date: Tue, 19 Mar 2019 09:13:51 +0000\n\n${`line of ${number}\n`.repeat(500)}`,
      );
    const all = Array.from({ length: MESSAGES }, (_, number) => message(number));
    const again = Array.from({ length: REPEATED }, (_, number) => message(number * 30));
    const empty = inMbox('').repeat(6);
    return Buffer.from([...all, ...again].join('') + empty);
  };

  const isMidway = (jobId: string): Promise<void> =>
    waitFor('the job to be midway', async () => {
      const { body } = await user.api.get(`/api/jobs/${jobId}`);
      if (body.completed_at) throw new Error(`too late: ${JSON.stringify(body)}`);
      return body.processed > 0 ? true : undefined;
    }).then(() => undefined);

  const emlFiles = (accountId: string): number => {
    const root = join(service.dataDir, 'archive', user.id, accountId);
    if (!existsSync(root)) return 0;
    return readdirSync(root, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
      .length;
  };

  it.each([
    ['plain', (bytes: Buffer) => bytes],
    ['gzip', (bytes: Buffer) => gzipSync(bytes, { level: 1 })],
  ])(
    'should continue after a kill, with every message imported and counted once (%s)',
    async (name, encode) => {
      const accountId = await user.connect(`${name}-0@sandbox.mailroom.test`);
      const started = await upload(user, accountId, encode(mbox(name)));
      expect(started.status).toBe(202);
      const jobId = started.body.jobId as string;
      await isMidway(jobId);
      await service.kill();
      await service.begin();
      const job = await user.jobEnd(jobId, 90_000);
      expect(job).toMatchObject({
        status: 'completed',
        total: MESSAGES + REPEATED + 6,
        processed: MESSAGES + REPEATED,
        failed: 6,
        progress: 100,
        result: {
          imported: MESSAGES,
          duplicates: REPEATED,
          sameIdDifferent: SAME_ID,
          failed: 6,
          separators: MESSAGES + REPEATED + 6,
          fromLinesInText: 0,
        },
      });
      expect(job.result.failures).toHaveLength(6);
      const listed = await user.api.get(`/api/archive/${accountId}/mails?limit=1`);
      expect(listed.body.total).toBe(MESSAGES);
      const again = await upload(user, accountId, encode(mbox(name)));
      expect((await user.jobEnd(again.body.jobId as string, 90_000)).result).toMatchObject({
        imported: 0,
        duplicates: MESSAGES + REPEATED,
        sameIdDifferent: 0,
      });
      await waitFor(
        'the files of the killed batch to go',
        async () => emlFiles(accountId) === MESSAGES || undefined,
      );
      expect(readdirSync(join(service.dataDir, 'uploads'))).toEqual([]);
    },
    120_000,
  );

  it('should stop between batches when it is cancelled, and remove the file', async () => {
    const accountId = await user.connect('cancelled-0@sandbox.mailroom.test');
    const { body } = await upload(user, accountId, mbox('cancelled'));
    await isMidway(body.jobId as string);
    expect((await user.api.delete(`/api/jobs/${body.jobId}`)).status).toBe(204);
    const job = await user.jobEnd(body.jobId as string);
    expect(job.status).toBe('cancelled');
    expect(job.processed).toBeLessThan(MESSAGES);
    const listed = await user.api.get(`/api/archive/${accountId}/mails?limit=1`);
    expect(listed.body.total).toBe(job.processed);
    await waitFor(
      'the files of the last batch to go',
      async () => emlFiles(accountId) === job.processed || undefined,
    );
    await waitFor(
      'the sweep to remove the file',
      async () => (readdirSync(join(service.dataDir, 'uploads')).length === 0 ? true : undefined),
      80_000,
    );
  }, 120_000);
});
