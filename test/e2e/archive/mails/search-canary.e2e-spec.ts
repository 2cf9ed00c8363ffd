import { SearchCanary } from '../../../../src/archive/mails/index-checks/search-canary';
import { SearchCanaryRepository } from '../../../../src/archive/mails/index-checks/search-canary.repository';
import { startTestApp, TestApp } from '../../../support/app';
import { ArchiveFixture } from '../../../support/archive/archive-fixture';
import { eml } from '../../../support/archive/eml';

describe('Search of the readiness probe', () => {
  let app: TestApp;
  let archive: ArchiveFixture;

  beforeAll(async () => {
    // The gauge of a process follows its newest application.
    app = await startTestApp({ own: true, sandbox: { messages: 1 } });
    const user = await app.user();
    archive = await ArchiveFixture.connect(app, user, 'canary-0@sandbox.mailroom.test');
  });
  beforeEach(forget);
  afterEach(() => jest.restoreAllMocks());
  afterAll(() => app?.close());

  /** Lets the next probe ask once more. */
  function forget(): void {
    (app.get(SearchCanary) as any).askedAt = -Infinity;
  }
  const ask = async (): Promise<[number, unknown]> => {
    const { status, body } = await app.anonymous.get('/health/ready');
    return [status, body];
  };
  /** A probe does not wait long for a new answer; this one is made once it is there. */
  const probe = async (): Promise<[number, unknown]> => {
    await ask();
    await (app.get(SearchCanary) as any).asking;
    return ask();
  };

  it('should not know without a mail', async () => {
    await app.dataSource.query('DELETE FROM archived_mails');
    expect(await probe()).toEqual([200, { status: 'ok', search: 'unknown' }]);
  });

  it('should find a mail that is there', async () => {
    await archive.insertAndArchive(eml('From: <ada@example.com>', 'Subject: Lake', '', 'rowing'));
    expect(await probe()).toEqual([200, { status: 'ok', search: 'ok' }]);
    const metrics = (await app.anonymous.get('/metrics')).bytes.toString();
    expect(metrics).toMatch(/^mailroom_archive_search_works 1$/m);
  });

  it('should say that the index is gone, and stay ready', async () => {
    const rename = (from: string, to: string): Promise<unknown> =>
      app.dataSource.query(`ALTER INDEX ${from} RENAME TO ${to}`);
    await rename('archived_mail_words_search_idx', 'archived_mail_words_lost_idx');
    try {
      expect(await probe()).toEqual([200, { status: 'ok', search: 'degraded' }]);
      const metrics = (await app.anonymous.get('/metrics')).bytes.toString();
      expect(metrics).toMatch(/^mailroom_archive_search_works 0$/m);
    } finally {
      await rename('archived_mail_words_lost_idx', 'archived_mail_words_search_idx');
    }
    forget();
    expect(await probe()).toEqual([200, { status: 'ok', search: 'ok' }]);
  });

  it('should say that the index does not find a mail by its words', async () => {
    const canary = app.get(SearchCanaryRepository);
    const { findKnown } = canary;
    jest.spyOn(canary, 'findKnown').mockImplementation(async (transaction) => {
      const known = await findKnown.call(canary, transaction);
      return known && { ...known, query: `'nowhere'` };
    });
    expect(await probe()).toEqual([200, { status: 'ok', search: 'degraded' }]);
  });

  it('should ask once a minute, however many probes come', async () => {
    const isFound = jest.spyOn(app.get(SearchCanaryRepository), 'isFound');
    await Promise.all([probe(), probe(), probe()]);
    await probe();
    expect(isFound).toHaveBeenCalledTimes(1);
  });

  it('should not wait for a database that is slow', async () => {
    const canary = app.get(SearchCanaryRepository);
    let answer: (() => void) | undefined;
    jest.spyOn(canary, 'isUsable').mockImplementation(
      () =>
        new Promise((resolve) => {
          answer = () => resolve(true);
        }),
    );
    expect(await ask()).toEqual([200, { status: 'ok', search: 'ok' }]);
    answer?.();
    await (app.get(SearchCanary) as any).asking;
  });

  it('should not know when the database fails it', async () => {
    jest.spyOn(app.get(SearchCanaryRepository), 'findKnown').mockRejectedValue(new Error('canceled'));
    forget();
    expect(await probe()).toEqual([200, { status: 'ok', search: 'unknown' }]);
  });
});
