import type { SandboxMailbox } from '../../../../sandbox/src/sandbox-server';
import { KillableService } from '../../../support/killable-service';
import type { TestUser } from '../../../support/test-user';
import { waitFor } from '../../../support/wait';

const MESSAGES = 2_300;
/** Far longer than the test takes: whoever waits for such an answer never gets it. */
const NEVER_MS = 600_000;

const LATE = 'From: late@shop.test\r\nSubject: Late\r\nMessage-ID: <late@test>\r\n\r\nHello.';

/** Runs in the middle of a batch, which the mailbox has done and the service does not know of, when it is killed. */
describe('Runs of rules in a killed service', () => {
  let service: KillableService;
  let user: TestUser;

  beforeAll(async () => {
    service = await KillableService.start({ sandbox: { messages: 10, latencyMs: 5 } });
    user = await service.user();
  });

  afterAll(() => service?.close());

  interface Run {
    readonly accountId: string;
    readonly mailbox: SandboxMailbox;
    /** What it is about: everything but spam and trash. */
    readonly ids: readonly string[];
    readonly hidden: readonly string[];
    readonly jobId: string;
  }

  async function start(action: string): Promise<Run> {
    const email = `${action.replace('_', '')}-${MESSAGES}@sandbox.mailroom.test`;
    const accountId = await user.connect(email);
    const mailbox = service.sandbox.mailbox(email);
    const isHidden = (id: string): boolean =>
      mailbox.labels(id).some((label) => ['SPAM', 'TRASH'].includes(label));
    const rule = await user.api.post(`/api/rules/${accountId}`, {
      name: action,
      conditions: [{ field: 'newer_than', operator: 'equals', value: '90y' }],
      action: { type: action },
    });
    const { body } = await user.api.post(`/api/rules/${accountId}/${rule.body.id}/run`);
    const all = mailbox.ids();
    return {
      accountId,
      mailbox,
      ids: all.filter((id) => !isHidden(id)),
      hidden: all.filter(isHidden),
      jobId: body.jobId as string,
    };
  }

  it('should continue with the selected messages, doing and counting everything once', async () => {
    const { sandbox } = service;
    const stuck = { kind: 'slow', delayMs: NEVER_MS } as const;
    const lost = (action: string): string => `${action}-${MESSAGES}@sandbox.mailroom.test`;
    sandbox.fault({ endpoint: 'messages.batchModify', email: lost('trash'), skip: 1, answer: stuck });
    sandbox.fault({ endpoint: 'messages.batchDelete', email: lost('delete'), skip: 1, answer: stuck });
    const trash = await start('trash');
    const remove = await start('delete');
    sandbox.fault({
      endpoint: 'messages.get',
      email: lost('archivenas'),
      skip: 500,
      times: 'always',
      answer: stuck,
    });
    const archive = await start('archive_nas');

    const trashed = (): number => trash.ids.filter((id) => trash.mailbox.labels(id).includes('TRASH')).length;
    await waitFor(
      'all of them to be midway',
      async () => {
        const { body } = await user.api.get(`/api/jobs/${archive.jobId}`);
        const deleted = MESSAGES - remove.mailbox.ids().length;
        return body.processed > 0 && trashed() === 2_000 && deleted === 2_000;
      },
      120_000,
    );
    await service.kill();
    sandbox.clearFaults();
    const late = [trash, remove, archive].map(({ mailbox }) => mailbox.insert(LATE));
    await service.begin();

    const finished = async (run: Run): Promise<any> => {
      const job = await user.jobEnd(run.jobId, 90_000);
      const total = run.ids.length;
      expect(job).toMatchObject({ status: 'completed', total, processed: total, failed: 0 });
      expect(job.result).toMatchObject({ found: total, matched: total, changed: total, alreadyDone: 0 });
      return job.result;
    };
    // The late message is found when the search is looked at again, and was not chosen.
    expect(await finished(trash)).toMatchObject({ remaining: 1 });
    expect(trashed()).toBe(trash.ids.length);
    expect(trash.mailbox.labels(late[0]!)).not.toContain('TRASH');
    expect(await finished(remove)).toMatchObject({ remaining: 1 });
    expect(remove.mailbox.ids().sort()).toEqual([...remove.hidden, late[1]].sort());
    await finished(archive);
    const { body } = await user.api.get(`/api/archive/${archive.accountId}/mails?limit=1`);
    expect(body.total).toBe(archive.ids.length);

    const left = await service.query('SELECT count(*)::int AS count FROM rule_matches');
    expect(left).toEqual([{ count: 0 }]);
    const counted = await service.query('SELECT name, last_run_count AS count FROM rules ORDER BY name');
    expect(counted).toEqual([
      { name: 'archive_nas', count: archive.ids.length },
      { name: 'delete', count: remove.ids.length },
      { name: 'trash', count: trash.ids.length },
    ]);
  }, 240_000);
});
