import { AccessRevocation } from '../../../../src/platform/access/access-revocation.port';
import { UsersService } from '../../../../src/identity/users/users.service';
import { ApiClient } from '../../../support/api-client';
import { startTestApp, TestApp } from '../../../support/app';
import { EventStream } from '../../../support/event-stream';
import type { TestUser } from '../../../support/test-user';

const STREAMS_PER_USER = 20;

describe('event streams and their sessions', () => {
  let test: TestApp;

  beforeAll(async () => {
    test = await startTestApp({ sandbox: { messages: 5 } });
    await test.user('administrator');
  });
  afterAll(() => test.close());

  const secondSession = async (user: TestUser): Promise<ApiClient> => {
    const { email, password } = user;
    const { body } = await test.anonymous.post('/api/auth/login', { email, password });
    return new ApiClient(test.url, body.access_token as string);
  };
  const open = (api: ApiClient): Promise<EventStream> => EventStream.open(api, '/api/jobs/events');

  it('should end with the session, without affecting the user’s other sessions', async () => {
    const user = await test.user();
    const other = await open(await secondSession(user));
    const own = await open(user.api);
    expect((await user.api.post('/api/auth/logout')).status).toBe(204);
    await own.until('its end', () => own.ended, 2_000);
    expect(other.ended).toBe(false);
    other.close();
  });

  it.each([
    ['is deactivated', (id: string) => test.app.get(UsersService).update(id, { isActive: false })],
    ['has a new password', (id: string) => test.app.get(UsersService).setPasswordHash(id, 'unusable')],
  ])('should end in every session when the user %s', async (_name, change) => {
    const [user, bystander] = [await test.user(), await test.user()];
    const streams = [await open(user.api), await open(await secondSession(user))];
    const foreign = await open(bystander.api);
    await change(user.id);
    for (const stream of streams) await stream.until('its end', () => stream.ended, 2_000);
    expect(foreign.ended).toBe(false);
    foreign.close();
  });

  it('should end when the session does while the stream is being opened', async () => {
    const user = await test.user();
    const revocation = test.app.get(AccessRevocation);
    const isRevoked = revocation.isRevoked.bind(revocation);
    // The news are out before anybody listens.
    jest.spyOn(revocation, 'onRevoked').mockImplementationOnce(() => () => undefined);
    jest.spyOn(revocation, 'isRevoked').mockImplementationOnce(async (caller) => {
      await test.app.get(UsersService).update(user.id, { isActive: false });
      return isRevoked(caller);
    });
    const stream = await open(user.api).finally(() => jest.restoreAllMocks());
    await stream.until('its end', () => stream.ended, 2_000);
  });

  it('should answer HEAD with the headers only', async () => {
    const { api } = await test.user();
    const response = await api.fetch('HEAD', '/api/jobs/events', { signal: AbortSignal.timeout(2_000) });
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toContain('text/event-stream');
    expect(await response.text()).toBe('');
  });

  it('should be refused to a user who has too many of them', async () => {
    const user = await test.user();
    const streams = await Promise.all(Array.from({ length: STREAMS_PER_USER }, () => open(user.api)));
    expect(streams.map(({ status }) => status)).toEqual(Array(STREAMS_PER_USER).fill(200));
    const refused = await user.api.get('/api/jobs/events');
    expect([refused.status, refused.body.code]).toEqual([429, 'too-many-streams']);
    const other = await open((await test.user()).api);
    expect(other.status).toBe(200);
    streams[0]!.close();
    const again = await other.until('room', () => streams[0]!.ended).then(() => open(user.api));
    expect(again.status).toBe(200);
    for (const stream of [...streams, other, again]) stream.close();
  });
});
