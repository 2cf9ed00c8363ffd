import type { Mailroom } from '../src/index';
import { json, problem, ScriptedService } from './scripted-service';

const REFRESH = 'POST /api/auth/refresh';
const ME = 'GET /api/auth/me';
const LOGOUT = 'POST /api/auth/logout';

const me = json({ user: {} });
const refused = problem(401, 'unauthorized');

/** The locks of a browser with several tabs. */
class FakeLocks {
  private readonly tails = new Map<string, Promise<unknown>>();

  async request<T>(
    name: string,
    { ifAvailable }: { ifAvailable?: boolean },
    held: (lock: unknown) => Promise<T>,
  ): Promise<T> {
    const before = this.tails.get(name);
    if (ifAvailable && before) return held(null);
    const work = (before ?? Promise.resolve()).then(() => held({ name }));
    this.tails.set(name, work);
    return work.finally(() => {
      if (this.tails.get(name) === work) this.tails.delete(name);
    });
  }
}

describe('a session in cookies', () => {
  let service: ScriptedService;

  beforeEach(() => {
    service = new ScriptedService();
  });

  afterEach(() => void Reflect.deleteProperty(globalThis, 'navigator'));

  const tab = (): Mailroom => service.client({ credentials: { cookies: true } });
  const withLocks = (): void => {
    Object.defineProperty(globalThis, 'navigator', {
      configurable: true,
      value: { locks: new FakeLocks() },
    });
  };

  it('should send no token, and leave the cookies to the browser', async () => {
    service.on(ME, me);
    await tab().auth.me();
    expect(service.of(ME)[0]!.headers.get('authorization')).toBeNull();
  });

  it('should be renewed once for all calls of a tab that are refused', async () => {
    service.on(ME, refused, refused, me).on(REFRESH, json({}));
    const mailroom = tab();
    await Promise.all([mailroom.auth.me(), mailroom.auth.me()]);
    expect(service.of(REFRESH)).toHaveLength(1);
    expect(await service.of(REFRESH)[0]!.json()).toEqual({});
  });

  it('should be renewed by one of several tabs', async () => {
    withLocks();
    service.on(ME, refused, refused, refused, me).on(REFRESH, json({}));
    await Promise.all([tab(), tab(), tab()].map((mailroom) => mailroom.auth.me()));
    expect(service.of(REFRESH)).toHaveLength(1);
  });

  it('should wait until the cookies of a faster tab have arrived', async () => {
    const inProgress = problem(409, 'refresh-in-progress');
    service.on(ME, refused, me).on(REFRESH, inProgress, inProgress, json({}));
    await tab().auth.me();
    expect(service.of(ME)).toHaveLength(2);
    expect(service.of(REFRESH)).toHaveLength(3);
  });

  it('should end when it cannot be renewed', async () => {
    service.on(ME, refused).on(REFRESH, problem(401, 'invalid-refresh-token'));
    await expect(tab().auth.me()).rejects.toMatchObject({ status: 401, code: 'invalid-refresh-token' });
    expect(service.of(REFRESH)).toHaveLength(1);
  });

  it('should be renewed neither for other refusals nor for public calls', async () => {
    service.on(ME, problem(403, 'foreign-origin')).on('POST /api/auth/login', refused);
    await expect(tab().auth.me()).rejects.toMatchObject({ status: 403 });
    await expect(tab().auth.login({ body: { email: 'a@example.org', password: 'x' } })).rejects.toMatchObject(
      { status: 401 },
    );
    expect(service.of(REFRESH)).toHaveLength(0);
  });

  it('should end with the sign-out, once', async () => {
    service.on(LOGOUT, new Response(null, { status: 204 }));
    await tab().signOut();
    expect(service.of(LOGOUT)).toHaveLength(1);
  });
});

describe('urlOf', () => {
  const mailroom = new ScriptedService().client();

  it('should return the address of an operation, with everything encoded', () => {
    expect(
      mailroom.urlOf('mailbox.downloadAttachment', { accountId: 'a/b', messageId: 'm 1', partId: '2' }),
    ).toBe('https://mail.test/api/mailbox/a%2Fb/messages/m%201/attachments/2');
    expect(mailroom.urlOf('archive.listMails', { accountId: 'a', q: 'x & y', page: 2 })).toBe(
      'https://mail.test/api/archive/a/mails?q=x+%26+y&page=2',
    );
  });

  it('should refuse values that do not fit into an address', () => {
    const args = { accountId: 'a', mailId: 'm', archivePassphrase: 'secret' };
    expect(() => mailroom.urlOf('archive.downloadEml', args)).toThrow(TypeError);
    expect(() => mailroom.urlOf('archive.downloadEml', { accountId: 'a' } as typeof args)).toThrow(TypeError);
  });
});
