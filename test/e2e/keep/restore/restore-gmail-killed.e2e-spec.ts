import { DataSource } from 'typeorm';
import type { SandboxFaultAnswer } from '../../../../sandbox/src/sandbox-server';
import { KillableService } from '../../../support/killable-service';
import { DATE, mail } from '../../../support/restore/restore-fixture';
import { StatementGate } from '../../../support/statement-gate';
import type { TestUser } from '../../../support/test-user';

jest.setTimeout(90_000);

/** Mails that the search for a Message-ID does not find again: the row says that they may have been added. */
const UNSEARCHABLE: readonly [string, Buffer, SandboxFaultAnswer | null][] = [
  ['without a Message-ID', mail({ 'Message-ID': null }), null],
  ['without a Message-ID, which the provider adds', mail({ 'Message-ID': null }), { kind: 'addMessageId' }],
  [
    'with a Message-ID that the provider states otherwise',
    mail({ 'Message-ID': '<one\ttwo@restore.test>' }),
    null,
  ],
];

describe('A restore to Gmail whose process is killed after the insertion, before its row is updated', () => {
  let service: KillableService;
  let tables: DataSource;
  let gate: StatementGate;
  let user: TestUser;
  let mailboxes = 0;

  beforeAll(async () => {
    service = await KillableService.start();
    tables = await new DataSource({ type: 'postgres', url: service.databaseUrl }).initialize();
    gate = new StatementGate(tables);
    user = await service.user('gmail');
    await tables.query('UPDATE users SET max_mailbox_accounts = 50');
  });
  afterAll(async () => {
    await gate?.open({ drop: true });
    await tables?.destroy();
    await service?.close();
  });

  it.each(UNSEARCHABLE)('should add a mail once: %s', async (_, raw, answer) => {
    const from = `from${(mailboxes += 1)}-0@sandbox.mailroom.test`;
    const to = `to${mailboxes}-0@sandbox.mailroom.test`;
    const [accountId, target] = [await user.connect(from), await user.connect(to)];
    const [source, destination] = [service.sandbox.mailbox(from), service.sandbox.mailbox(to)];
    const messageIds = [source.insert(raw, { labelIds: ['INBOX'], internalDate: DATE })];
    const archived = await user.api.post(`/api/archive/${accountId}/archive`, { messageIds });
    expect(await user.jobEnd(archived.body.jobId as string, 60_000)).toMatchObject({ processed: 1 });
    const path = `/api/restore/${accountId}`;
    const planned = await user.api.post(path, { select: { all: true }, target: { accountId: target } });
    await user.jobEnd(planned.body.jobId as string, 60_000);
    const restorePath = `${path}/${planned.body.restoreId as string}`;

    if (answer) service.sandbox.fault({ endpoint: 'messages.insert', email: to, answer });
    await gate.close(
      'restore_items',
      'UPDATE',
      `OLD.state = 'inserting' AND NEW.state IN ('arrived', 'done')`,
    );
    const { body } = await user.api.post(`${restorePath}/start`);
    await gate.reached();
    await service.kill();
    expect(destination.ids()).toHaveLength(1);
    await gate.open({ drop: true });
    service.sandbox.stats.reset();
    await service.begin();
    const job = await user.jobEnd(body.jobId as string, 90_000);
    expect(job).toMatchObject({ status: 'completed', processed: 1, failed: 0 });
    expect(destination.ids()).toHaveLength(1);
    const { counts } = (await user.api.get(restorePath)).body;
    expect(counts).toMatchObject({ inserted: 1, alreadyThere: 0, waiting: 0, failed: 0 });
    // Its header, and the message: once to find it, once to compare it.
    expect(service.sandbox.stats.calls).toMatchObject({ 'history.list': 1, 'messages.get': 3 });
    expect(service.sandbox.stats.calls['messages.insert']).toBeUndefined();
  });
});
