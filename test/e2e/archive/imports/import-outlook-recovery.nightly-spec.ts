import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PstWriter } from '../../../support/archive/outlook/pst-writer';
import { upload } from '../../../support/imports';
import { KillableService } from '../../../support/killable-service';
import type { TestUser } from '../../../support/test-user';
import { waitFor } from '../../../support/wait';

const FOLDERS = 10;
const LETTERS = 200;
const ALL = FOLDERS * LETTERS;

function dataFile(): Buffer {
  const folder = mkdtempSync(join(tmpdir(), 'made-pst-'));
  const path = join(folder, 'made.pst');
  const writer = new PstWriter(path, 'unicode');
  for (let number = 0; number < FOLDERS; number += 1) {
    const letters = Array.from({ length: LETTERS }, (_, index) => {
      const id = number * LETTERS + index;
      const headers = `From: a@example.com\r\nSubject: Letter ${id}\r\nMessage-ID: <${id}@made.example>\r\n\r\n`;
      return { subject: `Letter ${id}`, headers, body: 'Text', html: Buffer.alloc(20_000, `<p>${id}</p>`) };
    });
    writer.addFolder({ name: `Folder ${number}`, letters });
  }
  writer.end();
  const bytes = readFileSync(path);
  rmSync(folder, { recursive: true });
  return bytes;
}

describe('An interrupted import of a data file of Outlook', () => {
  let service: KillableService;
  let user: TestUser;

  beforeAll(async () => {
    service = await KillableService.start();
    user = await service.user();
  });

  afterAll(() => service?.close());

  it('should continue after a kill, with every item imported and counted once', async () => {
    const accountId = await user.connect('outlook-0@sandbox.mailroom.test');
    const file = dataFile();
    const started = await upload(user, accountId, file);
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
      total: ALL,
      processed: ALL,
      result: { items: ALL, imported: ALL, duplicates: 0, failed: 0, formats: { pst: ALL } },
    });
    const listed = await user.api.get(`/api/archive/${accountId}/mails?limit=1`);
    expect(listed.body.total).toBe(ALL);
    const again = await upload(user, accountId, file);
    const { result } = await user.jobEnd(again.body.jobId as string, 90_000);
    expect(result).toMatchObject({ imported: 0, duplicates: ALL });
  }, 120_000);
});
