import { randomInt } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { TestApp } from '../../../support/app';
import { KeptMailbox, message } from '../../../support/archiving/kept-mailbox';
import { KillableService } from '../../../support/killable-service';
import { waitFor } from '../../../support/wait';

const MESSAGES = 1_500;
const KILLS = 10;
const EMAIL = `killed-${MESSAGES}@sandbox.mailroom.test`;

/** The service is killed at any instant of comparing and copying, while mail arrives, moves and goes. */
describe('Continuous archiving of a service that is killed', () => {
  let service: KillableService;
  let box: KeptMailbox;

  beforeAll(async () => {
    const crons = join(__dirname, '../../../support/cluster/crons-on-signal.cjs');
    service = await KillableService.start({
      sandbox: { latencyMs: 15 },
      environment: { NODE_OPTIONS: `--require ${crons}` },
    });
    const user = await service.user('keeper');
    const accountId = await user.connect(EMAIL);
    const { sandbox, dataDir } = service;
    const rest = {
      dataSource: { query: (sql: string, values: unknown[]) => service.query(sql, values) },
      archiveDir: join(dataDir, 'archive'),
      sandbox,
    };
    box = new KeptMailbox(rest as unknown as TestApp, user, accountId, sandbox.mailbox(EMAIL));
  });
  afterAll(() => service?.close());

  /** Tests do not wait for the leases of dead processes, nor for the minute of a chore. */
  async function hurry(): Promise<void> {
    await service.query(
      `UPDATE ledger_messages SET lease_until = NULL WHERE lease_until IS NOT NULL AND class <> 'archived'`,
    );
    await service.query(
      `UPDATE ledger_messages SET due_at = now() WHERE class = 'failed' AND due_at > now()`,
    );
    await service.query('UPDATE account_chores SET due_at = now(), lease_until = NULL, lease_token = NULL');
    await service.query('UPDATE jobs SET lost_attempts = 0 WHERE completed_at IS NULL');
    service.strike();
  }

  /** What people do with their mail. */
  function useMailbox(round: number): void {
    const ids = box.mailbox.ids();
    const first = randomInt(ids.length - 20);
    const drafts = ids.filter((id) => box.mailbox.labels(id).includes('DRAFT'));
    for (let n = 0; n < 5; n += 1) {
      box.mailbox.insert(message(`round-${round}-${n}`), { labelIds: ['INBOX'] });
      if (!drafts.includes(ids[first + n]!)) box.mailbox.remove(ids[first + n]!);
    }
    const moved = ids.filter((_, at) => at % 97 === round).filter((id) => box.mailbox.ids().includes(id));
    box.mailbox.changeLabels(moved, { add: ['TRASH'], remove: ['INBOX'] });
    if (round % 4 === 3) box.mailbox.expireHistory();
  }

  it('should lose and duplicate nothing, and have exact totals', async () => {
    for (let n = 0; n < 3; n += 1) box.mailbox.insert(message(`draft-${n}`), { labelIds: ['DRAFT'] });
    await box.choose({ mode: 'keep', exclusions: ['drafts'] });
    const copied: number[] = [];
    for (let round = 0; round < KILLS; round += 1) {
      await hurry();
      await sleep(randomInt(300, 8_000));
      useMailbox(round);
      await service.kill();
      const [row] = await service.query<{ count: number }>(
        'SELECT count(*)::int AS count FROM archived_mails',
      );
      copied.push(row!.count);
      await service.begin();
    }
    // It got somewhere between the kills.
    expect(copied.at(-1)).toBeGreaterThan(copied[0]!);
    await waitFor(
      'everything to be copied',
      async () => {
        await hurry();
        await sleep(2_000);
        const { exact, pending, jobId } = await box.status();
        return exact && pending === 0 && jobId === null;
      },
      240_000,
      2_000,
    );
    // A last look: what was changed with the last kill.
    await hurry();
    await waitFor('the last sync', async () => (await box.problems()).length === 0, 90_000, 1_000);
    const classes = Object.values(await box.classes());
    expect(new Set(classes)).toEqual(new Set(['archived', 'excluded:drafts']));
    const rows = await box.rows();
    const hashes = [...rows.values()].map(({ storage_key: key }) => key as string);
    expect(new Set(hashes).size).toBe(rows.size);
    await service.stop();
    await filesLeft();
  }, 600_000);

  /** A file for each row, and none besides, once the removals of the dead are done. */
  async function filesLeft(): Promise<void> {
    await service.begin();
    await waitFor('files to be deleted', async () => {
      return (await service.query('SELECT 1 FROM file_deletions LIMIT 1')).length === 0;
    });
    const keys = [...(await box.rows()).values()].map(({ storage_key: key }) => key as string).toSorted();
    expect(await box.files()).toEqual(keys);
  }
});
