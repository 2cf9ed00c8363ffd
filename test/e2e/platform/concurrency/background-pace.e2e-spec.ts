import { BackgroundPace } from '../../../../src/platform/concurrency/background-pace';
import { startTestApp, TestApp } from '../../../support/app';
import { ArchiveFixture } from '../../../support/archive/archive-fixture';
import type { TestUser } from '../../../support/test-user';

const MESSAGES = 10;

describe('Jobs while people use the service', () => {
  let app: TestApp;
  let user: TestUser;
  let turn: jest.SpyInstance<Promise<void> | undefined>;

  beforeAll(async () => {
    app = await startTestApp();
    user = await app.user();
  });

  afterAll(() => app?.close());

  beforeEach(() => {
    turn = jest.spyOn(app.app.get(BackgroundPace), 'waitForTurn');
  });

  afterEach(() => turn.mockRestore());

  const waits = (): number => turn.mock.results.filter(({ value }) => value !== undefined).length;

  it('should wait for their turn at each step while the event loop is late, and complete', async () => {
    const sut = await ArchiveFixture.connect(app, user, `paced-${MESSAGES}@sandbox.mailroom.test`);
    const busy = setInterval(() => {
      for (let request = 0; request < 5; request++) app.app.get(BackgroundPace).recordRequest();
      const end = performance.now() + 20;
      while (performance.now() < end);
    }, 100);
    try {
      const job = await sut.archive({ messageIds: sut.mailbox.ids() });
      expect(job).toMatchObject({ status: 'completed', processed: MESSAGES, failed: 0 });
      // A call of the provider for each message, at least.
      expect(waits()).toBeGreaterThanOrEqual(MESSAGES);
    } finally {
      clearInterval(busy);
    }
    expect((await sut.rows()).size).toBe(MESSAGES);
  });

  it('should not make requests wait', async () => {
    const accountId = await user.connect('reading-5@sandbox.mailroom.test');
    turn.mockClear();
    for (const path of [
      `/api/mailbox/${accountId}/messages`,
      `/api/archive/${accountId}/mails`,
      '/api/auth/me',
    ])
      expect((await user.api.get(path)).status).toBe(200);
    expect(waits()).toBe(0);
  });
});
