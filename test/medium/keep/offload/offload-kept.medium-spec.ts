import { ContinuousArchivingModule } from '../../../../src/keep/continuous/continuous-archiving.module';
import { OffloadModule } from '../../../../src/keep/offload/offload.module';
import { startFeature, type Feature, type FeatureUser } from '../../../support/medium/feature';
import { KeptMailbox } from '../../../support/archiving/kept-mailbox';
import { OffloadBox } from '../../../support/offload/offload-box';

describe('Offload of a mailbox with continuous archiving', () => {
  let sut: Feature;
  let user: FeatureUser;

  beforeAll(async () => {
    sut = await startFeature({ modules: [OffloadModule, ContinuousArchivingModule] });
    user = await sut.user();
  });

  afterAll(() => sut?.close());

  it('should plan without fetching messages, and know where each is afterwards', async () => {
    const box = await OffloadBox.filled(sut, user, 6);
    const kept = new KeptMailbox(sut, user, box.accountId, box.mailbox);
    await kept.keep();
    await kept.lookUntilDone();
    box.mailbox.changeLabels(box.ids[0]!, { add: ['STARRED'] });
    const gets = box.calls('messages.get');
    const plan = await box.plan({ mode: 'fast' });
    expect(plan).toMatchObject({ offloadable: 5, blockedBy: { starred: 1 } });
    const jobId = await box.start(plan);
    expect((await user.jobEnd(jobId)).result).toMatchObject({ trashed: 5, blocked: 1 });
    expect(box.calls('messages.get')).toBe(gets);

    const presence = async (): Promise<unknown[]> => {
      const rows = await box.rows();
      return box.ids.map((id) => rows.get(id).presence);
    };
    await kept.lookUntilDone();
    expect(await presence()).toEqual([null, ...Array.from({ length: 5 }, () => 'trash')]);
    box.mailbox.remove(box.ids[1]!);
    const undone = await user.api.post(`/api/jobs/${jobId}/undo`);
    await user.jobEnd(undone.body.jobId as string);
    await kept.lookUntilDone();
    expect(await presence()).toEqual([null, 'gone', ...Array.from({ length: 4 }, () => 'mailbox')]);
    const ledger: any[] = await sut.query(
      `SELECT class, count(*)::int AS count FROM ledger_messages WHERE account_id = $1 GROUP BY class`,
      [box.accountId],
    );
    expect(ledger).toEqual([{ class: 'archived', count: 5 }]);
  });
});
