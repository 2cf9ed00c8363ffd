import { KillableService } from '../../../support/killable-service';
import { shownMessages } from '../../../support/newsletters/count-newsletters';
import { waitFor } from '../../../support/wait';

const MESSAGES = 600;
/** Number of messages that a scan reads at a time and ahead of its writes. */
const IN_FLIGHT = 250;

describe('A tracking scan whose process is killed', () => {
  let service: KillableService;

  beforeAll(async () => {
    service = await KillableService.start();
  });

  afterAll(() => service?.close());

  it('should continue where it was, read nothing twice that is already recorded, and find everything', async () => {
    const email = `killed-${MESSAGES}@sandbox.mailroom.test`;
    const { sandbox } = service;
    const user = await service.user();
    const accountId = await user.connect(email);
    const path = `/api/privacy/${accountId}/tracking`;
    await user.jobEnd((await user.api.post(`/api/unsubscribe/${accountId}/scan`)).body.jobId as string);
    const shown = shownMessages(sandbox.mailbox(email)).length;
    sandbox.stats.reset();
    sandbox.fault({ endpoint: 'messages.get', times: 'always', answer: { kind: 'slow', delayMs: 50 } });
    const { body } = await user.api.post(`${path}/scan`, { maxMessages: 5_000 });
    const jobId = body.jobId as string;
    await waitFor('the scan to be midway', async () => {
      const { processed, status } = (await user.api.get(`/api/jobs/${jobId}`)).body;
      return status === 'active' && processed >= 200;
    });
    await service.kill();
    sandbox.clearFaults();
    await service.begin();
    const job = await user.jobEnd(jobId, 90_000);
    expect(job).toMatchObject({ status: 'completed', total: shown, processed: shown, failed: 0 });
    expect(job.result.scanned).toBe(shown);
    const { total } = (await user.api.get(path)).body;
    expect(job.result.tracked).toBe(total);
    expect(total).toBeGreaterThan(shown / 10);
    expect(sandbox.stats.calls['messages.get']).toBeLessThan(shown + IN_FLIGHT);

    sandbox.stats.reset();
    const again = await user.api.post(`${path}/scan`, { maxMessages: 5_000 });
    expect((await user.jobEnd(again.body.jobId as string)).result).toMatchObject({
      scanned: shown,
      unchanged: shown,
      tracked: total,
    });
    expect(sandbox.stats.calls['messages.get']).toBeUndefined();
  }, 200_000);
});
