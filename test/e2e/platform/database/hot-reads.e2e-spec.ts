import { Client } from 'pg';
import { currentRequest } from '../../../../src/platform/http/request-context';
import { startTestApp, TestApp } from '../../../support/app';
import type { TestUser } from '../../../support/test-user';

interface Sent {
  readonly requestId: string;
  readonly name?: string;
  readonly text: string;
}

/** Which statements the requests of this process send. */
function watchStatements(): { readonly sent: Sent[]; stop(): void } {
  const sent: Sent[] = [];
  const prototype = Client.prototype as unknown as {
    query(this: Client, ...parameters: readonly unknown[]): unknown;
  };
  const { query } = prototype;
  const spy = jest.spyOn(prototype, 'query').mockImplementation(function (this: Client, ...parameters) {
    const request = currentRequest();
    if (request) {
      const statement = parameters[0] as string | { readonly name?: string; readonly text: string };
      const { name, text } = typeof statement === 'string' ? { name: undefined, text: statement } : statement;
      sent.push({ requestId: request.requestId, name, text });
    }
    return query.apply(this, parameters);
  });
  return { sent, stop: () => spy.mockRestore() };
}

describe('The most frequent reads of clients', () => {
  let app: TestApp;
  let user: TestUser;
  let accountId: string;
  let jobId: string;

  beforeAll(async () => {
    app = await startTestApp({ own: true, sandbox: { messages: 20 } });
    user = await app.user();
    accountId = await user.connect('reader-20@sandbox.mailroom.test');
    const { body } = await user.api.post(`/api/archive/${accountId}/archive`, { query: 'in:anywhere' });
    jobId = body.jobId as string;
    expect(await user.jobEnd(jobId)).toMatchObject({ status: 'completed' });
    await user.api.post('/api/saved-searches', { name: 'News', query: 'from:news' });
    const rule = {
      name: 'News',
      conditions: [{ field: 'from', operator: 'contains', value: 'news' }],
      action: { type: 'trash' },
    };
    expect((await user.api.post(`/api/rules/${accountId}`, rule)).status).toBe(201);
  });

  afterAll(() => app?.close());

  async function statementsOf(path: string): Promise<readonly Sent[]> {
    expect((await user.api.get(path)).status).toBe(200);
    const { sent, stop } = watchStatements();
    try {
      const { status, headers } = await user.api.get(path);
      expect(status).toBe(200);
      return sent.filter(({ requestId }) => requestId === headers.get('x-request-id'));
    } finally {
      stop();
    }
  }

  it.each([
    ['the user', () => '/api/auth/me'],
    ['saved searches', () => '/api/saved-searches'],
    ['jobs', () => '/api/jobs?limit=20'],
    ['a job by its jobId', () => `/api/jobs/${jobId}`],
    ['notifications', () => '/api/notifications'],
    ['unread notifications', () => '/api/notifications?unread_only=true'],
    ['archived mails', () => `/api/archive/${accountId}/mails?limit=5`],
    ['threads', () => `/api/archive/${accountId}/threads?limit=5`],
    ['rules', () => `/api/rules/${accountId}`],
    ['figures of the archive', () => `/api/dashboard/${accountId}/archive-stats`],
    ['use of the provider', () => `/api/quota/${accountId}`],
  ])('should use one prepared statement: %s', async (_, path) => {
    // The first request may set up the connection, and makes the caches of session and ownership warm for two seconds,
    // which may end before the second one.
    let statements = await statementsOf(path());
    for (let more = 2; more > 0 && statements.length !== 1; more -= 1)
      statements = await statementsOf(path());
    expect(statements).toEqual([
      {
        requestId: expect.any(String),
        name: expect.any(String),
        text: expect.stringMatching(/^(SELECT|\s+SELECT)/),
      },
    ]);
  });
});
