import { ContinuousArchivingModule } from '../../../../src/keep/continuous/continuous-archiving.module';
import { startFeature, type Feature, type FeatureUser } from '../../../support/medium/feature';
import { KeptMailbox } from '../../../support/archiving/kept-mailbox';
import { StatementGate } from '../../../support/statement-gate';

const DAY = `interval '1 day'`;

describe('The comparison of a ledger with its mailbox', () => {
  let app: Feature;
  let user: FeatureUser;
  let gate: StatementGate;
  let mailboxes = 0;

  beforeAll(async () => {
    app = await startFeature({ modules: [ContinuousArchivingModule] });
    user = await app.user();
    gate = new StatementGate(app.dataSource);
  });
  afterAll(async () => {
    await gate?.open();
    await app?.close();
  });
  beforeEach(() => app.provider.reset());

  const connect = (messages: number): Promise<KeptMailbox> =>
    KeptMailbox.connect(app, user, `reconcile${(mailboxes += 1)}-${messages}@sandbox.mailroom.test`);

  async function kept(messages: number): Promise<KeptMailbox> {
    const box = await connect(messages);
    await box.keep();
    await box.lookUntilDone();
    app.provider.resetCalls();
    return box;
  }

  const openJob = async (box: KeptMailbox): Promise<any> => {
    const { jobId } = await box.status();
    return jobId ? user.jobEnd(jobId as string) : null;
  };

  it('should list all messages, spam and trash included, and fetch none', async () => {
    const box = await connect(700);
    app.provider.resetCalls();
    await box.keep();
    expect(box.calls('messages.get')).toBe(0);
    // Two pages of all, and one or two of each label.
    expect(box.calls('messages.list')).toBeLessThanOrEqual(2 + 2 * 20);
    const ledger = await box.ledger();
    expect([...ledger.keys()].toSorted()).toEqual(box.mailbox.ids().toSorted());
    for (const [id, row] of ledger) {
      expect(row.label_ids.toSorted()).toEqual(box.mailbox.labels(id).toSorted());
    }
    const [{ left }] = await box.query(
      'SELECT count(*)::int AS left FROM mailbox_listings WHERE account_id = $1',
    );
    expect(left).toBe(0);
  });

  it('should be correct about messages that arrive, change and disappear while it lists', async () => {
    const box = await connect(40);
    await gate.close('mailbox_listings', 'INSERT', `NEW.label_id = 'INBOX'`);
    const { jobId } = await box.choose({ mode: 'keep' });
    const running = user.jobEnd(jobId as string);
    await gate.reached();
    const [deleted, changed] = box.mailbox.ids() as [string, string];
    const arrived = box.arrive('while-listing');
    box.mailbox.remove(deleted);
    box.mailbox.changeLabels(changed, { add: ['STARRED'] });
    await gate.open();
    expect(await running).toMatchObject({ status: 'completed', result: { exact: true } });
    const ledger = await box.ledger();
    expect([ledger.has(arrived), ledger.has(deleted)]).toEqual([true, false]);
    expect(ledger.get(changed)?.label_ids).toContain('STARRED');
    await box.lookUntilDone();
    expect(await box.problems()).toEqual([]);
  });

  it('should check messages missing from a listing before it removes them', async () => {
    const box = await kept(8);
    const [stays, goes] = box.mailbox.ids() as [string, string];
    box.mailbox.remove(goes);
    await box.look();
    // The history does not report it.
    await box.query(
      `INSERT INTO ledger_messages (account_id, message_id, class, due_at) VALUES ($1, $2, 'pending', now())`,
      goes,
    );
    await gate.close('mailbox_listings', 'INSERT', `NEW.label_id = ''`);
    const job = box.reconcile();
    await gate.reached();
    await gate.open();
    // The listing misses a message, as when its pages shift.
    await box.query(`DELETE FROM mailbox_listings WHERE account_id = $1 AND message_id = $2`, stays);
    expect(await job).toMatchObject({ status: 'completed', result: { gone: 1, exact: true } });
    expect(await box.problems()).toEqual([]);
    expect((await box.rows()).get(goes).presence).toBe('gone');
  });

  it('should list again before it removes more than it can check', async () => {
    const box = await kept(1_030);
    const [goes, ...stay] = box.mailbox.ids() as [string, ...string[]];
    box.mailbox.remove(goes);
    await box.look();
    await box.query(
      `INSERT INTO ledger_messages (account_id, message_id, class, due_at) VALUES ($1, $2, 'pending', now())`,
      goes,
    );
    const { body: label } = await user.api.post(`/api/mailbox/${box.accountId}/labels`, { name: 'Last' });
    box.mailbox.changeLabels(stay.at(-1)!, { add: [label.id as string] });
    app.provider.resetCalls();
    await gate.close('mailbox_listings', 'INSERT', `NEW.label_id = '${label.id}'`);
    const job = box.reconcile();
    await gate.reached();
    // As if the provider had left most of them out.
    await box.query(
      'DELETE FROM mailbox_listings WHERE account_id = $1 AND message_id = ANY($2)',
      stay.slice(0, 1_010),
    );
    await gate.open();
    expect(await job).toMatchObject({ status: 'completed', result: { gone: 1, exact: true } });
    // The second listing was right: only the message it missed is asked for.
    expect(box.calls('messages.get')).toBe(1);
    expect(await box.problems()).toEqual([]);
    expect([...(await box.ledger()).keys()].toSorted()).toEqual(stay.toSorted());
  });

  it('should remove more than it can check when neither of two listings has them', async () => {
    const many = 1_050;
    const box = await connect(many + 100);
    await box.keep({ mode: 'watch' });
    const ids = box.mailbox.ids();
    const copied = [ids[0], ids[ids.length - 1]] as [string, string];
    await box.archive({ messageIds: copied });
    for (const id of ids.slice(0, many)) box.mailbox.remove(id);
    const arrived = box.arrive('after-many');
    box.mailbox.expireHistory();
    app.provider.resetCalls();
    expect(await box.reconcile()).toMatchObject({
      status: 'completed',
      result: { messages: ids.length - many + 1, gone: many, exact: true },
    });
    expect([box.calls('messages.get'), box.calls('labels.list')]).toEqual([0, 2]);
    expect(await box.problems()).toEqual([]);
    expect([...(await box.ledger()).keys()].toSorted()).toEqual([...ids.slice(many), arrived].toSorted());
    const rows = await box.rows();
    expect(copied.map((id) => rows.get(id).presence)).toEqual(['gone', null]);
    const [{ left }] = await box.query(
      'SELECT count(*)::int AS left FROM mailbox_listings WHERE account_id = $1',
    );
    expect(left).toBe(0);
  });

  it('should start automatically when the history is lost, and fetch nothing twice', async () => {
    const box = await kept(30);
    const [gone, trashed] = box.mailbox.ids() as [string, string];
    box.mailbox.remove(gone);
    box.mailbox.changeLabels(trashed, { add: ['TRASH'], remove: ['INBOX'] });
    const arrived = box.arrive('unseen');
    box.mailbox.expireHistory();
    await box.look();
    expect(await box.status()).toMatchObject({ exact: false, state: 'behind', reason: 'history-lost' });
    expect(await openJob(box)).toMatchObject({ type: 'reconcile_mailbox', status: 'completed' });
    await box.lookUntilDone();
    expect(await box.problems()).toEqual([]);
    expect(await box.status()).toMatchObject({ exact: true, state: 'healthy' });
    expect((await box.rows()).get(gone).presence).toBe('gone');
    expect((await box.rows()).get(trashed).presence).toBe('trash');
    expect((await box.classes())[arrived]).toBe('archived');
    // The new one, and the one that was missing from the listing.
    expect(box.calls('messages.get')).toBe(2);
  });

  it('should start automatically after the configured number of days', async () => {
    const box = await kept(3);
    await box.choose({ reconcileDays: 2 });
    await box.query(
      `UPDATE archiving_settings SET reconciled_at = now() - 2 * ${DAY} + interval '1 hour' WHERE account_id = $1`,
    );
    await box.look();
    expect((await box.status()).jobId).toBeNull();
    await box.query(`UPDATE archiving_settings SET reconciled_at = now() - 2 * ${DAY} WHERE account_id = $1`);
    await box.look();
    expect(await openJob(box)).toMatchObject({ type: 'reconcile_mailbox', status: 'completed' });
    expect(Date.now() - Date.parse((await box.status()).reconciledAt as string)).toBeLessThan(60_000);
  });

  it('should start automatically when the provider’s count shows that something is missing', async () => {
    const box = await kept(6);
    await box.check();
    expect(box.calls('getProfile')).toBe(1);
    expect(await box.status()).toMatchObject({ exact: true });
    // As if a change had been missed.
    const [lost] = box.mailbox.ids();
    await box.query('DELETE FROM ledger_messages WHERE account_id = $1 AND message_id = $2', lost);
    await box.check();
    expect(await box.status()).toMatchObject({ exact: false });
    await box.look();
    expect(await openJob(box)).toMatchObject({ status: 'completed' });
    expect(await box.problems()).toEqual([]);
    await box.check();
    expect(await box.status()).toMatchObject({ exact: true, state: 'healthy' });
  });
});
