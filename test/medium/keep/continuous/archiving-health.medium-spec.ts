import { ArchivingHealthService } from '../../../../src/keep/continuous/health/archiving-health.service';
import { ContinuousArchivingModule } from '../../../../src/keep/continuous/continuous-archiving.module';
import { startFeature, type Feature, type FeatureUser } from '../../../support/medium/feature';
import { KeptMailbox } from '../../../support/archiving/kept-mailbox';
import { WebhookReceiver } from '../../../support/webhooks/receiver';

const HOUR_MS = 3_600_000;

describe('The state of continuous archiving', () => {
  let app: Feature;
  let user: FeatureUser;
  let receiver: WebhookReceiver;
  let box: KeptMailbox;
  let mailboxes = 0;

  beforeAll(async () => {
    receiver = await WebhookReceiver.start();
    // Gauges follow the newest application of the process.
    app = await startFeature({ modules: [ContinuousArchivingModule] });
  });
  afterAll(async () => {
    await app?.close();
    await receiver?.close();
  });

  beforeEach(async () => {
    app.provider.reset();
    user = await app.user();
    box = await KeptMailbox.connect(app, user, `health${(mailboxes += 1)}-2@sandbox.mailroom.test`);
    await box.keep();
    await box.lookUntilDone();
  });

  const judge = (hoursFromNow = 0): Promise<number> =>
    app.get(ArchivingHealthService).judgeAll(new Date(Date.now() + hoursFromNow * HOUR_MS));

  const events = (): Promise<any[]> =>
    app.dataSource.query(
      `SELECT type, data FROM events WHERE user_id = $1 AND type LIKE 'archiving.%' ORDER BY created_at, id`,
      [user.id],
    );

  it('should detect that syncs have stopped', async () => {
    // No chore runs: the table alone says so.
    await judge(24);
    await judge(48.5);
    expect(await events()).toEqual([
      {
        type: 'archiving.unhealthy',
        data: expect.objectContaining({ state: 'behind', reason: 'backlog', pending: 0 }),
      },
    ]);
  });

  it('should ignore accounts that their owner has paused, switched off or disconnected', async () => {
    await box.choose({ notifyAfterHours: 1 });
    await box.choose({ paused: true });
    await judge(24);
    await judge(48);
    await box.choose({ paused: false });
    expect((await user.api.patch(`/api/auth/mailbox/${box.accountId}/toggle`)).status).toBe(200);
    await judge(24);
    await judge(48);
    expect(await box.status()).toMatchObject({ state: 'paused' });
    expect(await events()).toEqual([]);
  });

  it('should never notify owners who switched notifications off', async () => {
    await box.choose({ notifyAfterHours: null });
    await judge(24);
    await judge(500);
    expect(await events()).toEqual([]);
    const [row] = await box.query(
      'SELECT unhealthy_since AS since FROM archiving_settings WHERE account_id = $1',
    );
    expect(row.since).not.toBeNull();
  });
});
