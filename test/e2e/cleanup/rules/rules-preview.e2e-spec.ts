import type { SandboxMailbox } from '../../../../sandbox/src/sandbox-server';
import { startTestApp, TestApp } from '../../../support/app';
import { condition } from '../../../support/rules/meaning';
import type { TestUser } from '../../../support/test-user';

const MAILBOX = 'previews-500@sandbox.mailroom.test';

describe('Rule previews', () => {
  let sut: TestApp;
  let user: TestUser;
  let accountId: string;
  let path: string;
  let mailbox: SandboxMailbox;

  beforeAll(async () => {
    sut = await startTestApp({ sandbox: { messages: 1 } });
    user = await sut.user();
    accountId = await user.connect(MAILBOX);
    path = `/api/rules/${accountId}`;
    mailbox = sut.sandbox.mailbox(MAILBOX);
  });

  afterAll(() => sut?.close());

  async function preview(conditions: readonly object[]): Promise<any> {
    const { status, body: answer, bytes } = await user.api.post(`${path}/preview`, { conditions });
    if (status !== 200) throw new Error(`preview answered ${status}: ${bytes.toString()}`);
    return answer;
  }

  it('should change nothing, and cost a call per 500 messages and two for starred and important ones', async () => {
    const conditions = [condition('older_than', 'equals', '1d')];
    const before = mailbox.historyId;
    sut.sandbox.stats.reset();
    const { estimatedCount } = await preview(conditions);
    expect(sut.sandbox.stats.calls).toEqual({ 'messages.list': Math.ceil(estimatedCount / 500) + 2 });
    expect(mailbox.historyId).toBe(before);
    sut.sandbox.stats.reset();
    await preview([condition('from', 'equals', 'nobody@nowhere.example')]);
    expect(sut.sandbox.stats.calls).toEqual({ 'messages.list': 1 });
  });

  it('should count up to 10,000, and report no less beyond that', async () => {
    const id = await user.connect('many-12000@sandbox.mailroom.test');
    sut.sandbox.stats.reset();
    const { status, body: answer } = await user.api.post(`/api/rules/${id}/preview`, {
      conditions: [condition('label', 'not_equals', 'SPAM')],
    });
    expect(status).toBe(200);
    expect(answer.estimatedCount).toBeGreaterThanOrEqual(10_000);
    expect(sut.sandbox.stats.calls['messages.list']).toBeLessThan(40);
  });

  it('should refuse conditions that a rule could not have', async () => {
    for (const [conditions, field] of [
      [[], 'conditions'],
      [undefined, 'conditions'],
      [[condition('from', 'gt', 'x')], 'conditions.0.operator'],
      [[condition('label', 'equals', 'Label_99')], 'conditions.0.value'],
    ] as const) {
      const answer = await user.api.post(`${path}/preview`, { conditions });
      expect(answer.status).toBe(400);
      expect(answer.body.errors.map((error: { field: string }) => error.field)).toEqual([field]);
    }
  });
});
