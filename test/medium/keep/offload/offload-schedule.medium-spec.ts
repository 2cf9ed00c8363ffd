import { OffloadCron } from '../../../../src/keep/offload/offload.cron';
import { OffloadModule } from '../../../../src/keep/offload/offload.module';
import { OffloadSchedulesService } from '../../../../src/keep/offload/schedule/offload-schedules.service';
import { startFeature, type Feature, type FeatureUser } from '../../../support/medium/feature';
import { OffloadBox } from '../../../support/offload/offload-box';

describe('Nightly offload', () => {
  let sut: Feature;
  let user: FeatureUser;
  let nights = 0;

  beforeAll(async () => {
    sut = await startFeature({ modules: [OffloadModule] });
    user = await sut.user();
  });

  afterAll(() => sut?.close());

  const put = (box: OffloadBox, body: object): Promise<any> =>
    user.api.put(`${box.offloadPath}/schedule`, {
      select: { query: 'from:shop@letters.test' },
      mode: 'fast',
      graceDays: 30,
      maxPerNight: 3,
      isActive: true,
      ...body,
    });

  /** Runs a night twice, as two processes would. @returns the newest plan, planned and, if it is, carried out */
  async function night(box: OffloadBox): Promise<any> {
    const schedules = sut.get(OffloadSchedulesService);
    const name = `2003-01-${String((nights += 1)).padStart(2, '0')}`;
    const started = await Promise.all([schedules.startNight(name), schedules.startNight(name)]);
    expect(started[0] + started[1]).toBe(1);
    const plan = async (): Promise<any> =>
      (await user.api.get(`${box.offloadPath}/plans?limit=1`)).body.items[0];
    await user.jobEnd((await plan()).planJobId as string);
    const { jobId } = await plan();
    if (jobId !== null) await user.jobEnd(jobId as string);
    return plan();
  }

  it('should move old mail automatically, and ask the user when it is more than usual', async () => {
    const box = await OffloadBox.filled(sut, user, 4);
    const young = box.mailbox.insert('From: shop@letters.test\r\nSubject: Young\r\n\r\nYoung\r\n', {
      labelIds: ['INBOX'],
    });
    await box.archive({ messageIds: [young] });
    expect((await put(box, {})).body).toMatchObject({ maxPerNight: 3, isActive: true });
    const large = await night(box);
    expect(large).toMatchObject({ status: 'ready', isScheduled: true, offloadable: 4, jobId: null });
    expect(box.trashed()).toEqual([]);

    box.mailbox.changeLabels(box.ids[0]!, { add: ['STARRED'] });
    const small = await night(box);
    expect(small).toMatchObject({ status: 'done', isScheduled: true, trashed: 3, blockedBy: { starred: 1 } });
    expect(box.trashed()).toEqual(box.ids.slice(1));
    expect(box.mailbox.labels(young)).toEqual(['INBOX']);

    expect((await put(box, { isActive: false })).status).toBe(200);
    expect(await sut.get(OffloadSchedulesService).startNight('2003-02-01')).toBe(0);
    expect((await user.api.get(`${box.offloadPath}/schedule`)).body).toMatchObject({ isActive: false });
  });

  it('should end plans that were stopped and never continued, and delete unconfirmed plans', async () => {
    const box = await OffloadBox.filled(sut, user, 2);
    const cron = sut.get(OffloadCron);
    const { plan } = await box.offload();
    // Its job was lost some days ago, after the first message, and does not come back.
    await sut.query('DELETE FROM offload_receipts WHERE plan_id = $1', [plan.id]);
    await sut.query(
      `UPDATE offload_items SET state = 'ready', trashed_at = NULL WHERE plan_id = $1 AND position = 1`,
      [plan.id],
    );
    await sut.query(
      `UPDATE offload_plans SET status = 'running', expires_at = now() - interval '3 days', ended_at = NULL WHERE id = $1`,
      [plan.id],
    );
    await sut.query(
      `UPDATE jobs SET completed_at = now() - interval '3 days' WHERE type || '-' || number = $1`,
      [plan.jobId],
    );
    const unused = await box.plan();
    await sut.query(`UPDATE offload_plans SET expires_at = now() - interval '8 days' WHERE id = $1`, [
      unused.id,
    ]);
    expect(await box.shown(plan.id as string)).toMatchObject({ status: 'expired' });
    await cron.endExpired();
    await cron.endExpired();
    expect(await box.shown(plan.id as string)).toMatchObject({ status: 'done' });
    const { receipt } = await box.receipt(plan.id as string);
    expect(JSON.parse(receipt.statement as string)).toMatchObject({
      counts: { selected: 2, trashed: 1, blocked: 0, left: 1 },
      items: { count: 1 },
    });
    expect((await user.api.get(`${box.offloadPath}/plans/${unused.id}`)).status).toBe(404);
  });
});
