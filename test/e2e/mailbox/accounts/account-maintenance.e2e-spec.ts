import { AccountMaintenance } from '../../../../src/mailbox/accounts/account-maintenance';
import { startTestApp, TestApp } from '../../../support/app';
import { waitFor } from '../../../support/wait';

describe('Maintenance of accounts', () => {
  let app: TestApp;

  beforeAll(async () => {
    app = await startTestApp({ sandbox: { messages: 1 } });
  });

  afterAll(() => app?.close());

  it('should not be delayed for other users by the accounts of one user', async () => {
    const [many, one] = [await app.user(), await app.user()];
    const theirs: string[] = [];
    for (let n = 0; n < 5; n += 1) theirs.push(await many.connect(`many${n}-0@sandbox.mailroom.test`));
    const other = await one.connect('one-0@sandbox.mailroom.test');
    const begun: string[] = [];
    let release: () => void = () => undefined;
    const released = new Promise<void>((resolve) => (release = resolve));
    const performed = app.app.get(AccountMaintenance).performDue({
      name: 'spec',
      everySeconds: 3_600,
      perform: async ({ id }) => {
        begun.push(id);
        if (id !== other) await released;
      },
    });
    await waitFor('the account of the other user', async () => begun.includes(other));
    await waitFor('their share', async () => begun.length === 4);
    release();
    expect(await performed).toBe(6);
    expect([...begun].sort()).toEqual([...theirs, other].sort());
  });
});
