import type { Mailroom, Session } from '../src/index';
import { json, problem, ScriptedService } from './scripted-service';

const LOGIN = 'POST /api/auth/login';
const REFRESH = 'POST /api/auth/refresh';
const ME = 'GET /api/auth/me';
const USER = { email: 'ada@example.org', password: 'correct horse battery' };

const session = (name: string, expiresIn = 900): Response =>
  json({
    access_token: `access-${name}`,
    token_type: 'Bearer',
    expires_in: expiresIn,
    refresh_token: `refresh-${name}`,
  });

describe('a session', () => {
  let service: ScriptedService;
  let sessions: Session[];

  beforeEach(() => {
    service = new ScriptedService().on(ME, json({ user: {} }));
    sessions = [];
  });

  const signedIn = (credentials: object = USER): Mailroom =>
    service.client({
      credentials: credentials as typeof USER,
      onSession: (opened) => void sessions.push(opened),
    });

  it('should start with the first call, once for all concurrent calls', async () => {
    service.on(LOGIN, session('1'));
    const mailroom = signedIn();
    await Promise.all(Array.from({ length: 5 }, () => mailroom.auth.me()));
    expect(service.of(LOGIN)).toHaveLength(1);
    expect(await service.of(LOGIN)[0]!.json()).toEqual(USER);
    expect(service.of(ME).map(({ headers }) => headers.get('authorization'))).toEqual(
      Array.from({ length: 5 }, () => 'Bearer access-1'),
    );
    expect(sessions).toHaveLength(1);
  });

  it('should get one new token for all refused calls, and repeat them', async () => {
    service.on(LOGIN, session('1')).on(REFRESH, session('2'));
    const mailroom = signedIn();
    await mailroom.auth.me();
    service.on(
      ME,
      problem(401, 'unauthorized'),
      problem(401, 'unauthorized'),
      problem(401, 'unauthorized'),
      json({ user: {} }),
    );
    await Promise.all([mailroom.auth.me(), mailroom.auth.me(), mailroom.auth.me()]);
    expect(service.of(REFRESH)).toHaveLength(1);
    expect(await service.of(REFRESH)[0]!.json()).toEqual({ refresh_token: 'refresh-1' });
    expect(sessions.map(({ refresh_token: token }) => token)).toEqual(['refresh-1', 'refresh-2']);
  });

  it('should get the next token before the last one expires', async () => {
    service.on(LOGIN, session('1', 20)).on(REFRESH, session('2'));
    const mailroom = signedIn();
    await mailroom.auth.me();
    await mailroom.auth.me();
    expect(service.of(ME).map(({ headers }) => headers.get('authorization'))).toEqual([
      'Bearer access-1',
      'Bearer access-2',
    ]);
  });

  it('should start again with the password when it has ended', async () => {
    service.on(LOGIN, session('1', 0), session('3')).on(REFRESH, problem(401, 'invalid-refresh-token'));
    const mailroom = signedIn();
    await mailroom.auth.me();
    await mailroom.auth.me();
    expect([service.of(LOGIN).length, service.of(REFRESH).length]).toEqual([2, 1]);
  });

  it('should continue from a refresh token, and fail when that is no longer valid', async () => {
    service.on(REFRESH, session('2', 0), problem(401, 'invalid-refresh-token'));
    const mailroom = signedIn({ refreshToken: 'kept' });
    await mailroom.auth.me();
    expect(await service.of(REFRESH)[0]!.json()).toEqual({ refresh_token: 'kept' });
    await expect(mailroom.auth.me()).rejects.toMatchObject({ code: 'invalid-refresh-token' });
    await expect(mailroom.auth.me()).rejects.toThrow('The session is over');
  });

  it('should use a refresh token again when it is unknown whether it was received', async () => {
    service.on(REFRESH, () => Promise.reject(new TypeError('fetch failed')), session('2'));
    const mailroom = signedIn({ refreshToken: 'kept' });
    await mailroom.auth.me();
    expect(await service.of(REFRESH)[1]!.json()).toEqual({ refresh_token: 'kept' });
  });

  it('should request a one-time code, and again when it is wrong', async () => {
    const codes = ['111111', '222222'];
    const asked: number[] = [];
    const totpCode = (attempt: number): string => {
      asked.push(attempt);
      return codes[attempt - 1]!;
    };
    service.on(LOGIN, problem(401, 'totp-required'), problem(401, 'totp-invalid'), session('1'));
    await signedIn({ ...USER, totpCode }).auth.me();
    expect(asked).toEqual([1, 2]);
    expect(await service.of(LOGIN)[2]!.json()).toEqual({ ...USER, totp_code: '222222' });
    service.on(LOGIN, problem(401, 'totp-required'));
    await expect(signedIn().auth.me()).rejects.toMatchObject({ code: 'totp-required' });
    await expect(signedIn({ ...USER, totpCode: () => '0' }).auth.me()).rejects.toMatchObject({ status: 401 });
    expect(service.of(LOGIN)).toHaveLength(3 + 1 + 4);
  });

  it('should not mistake another refusal for an expired token', async () => {
    service.on(LOGIN, session('1')).on('POST /api/auth/2fa/disable', problem(401, 'invalid-credentials'));
    const disabling = signedIn().twoFactor.disable({ body: { password: 'x', totp_code: '1' } });
    await expect(disabling).rejects.toMatchObject({ code: 'invalid-credentials' });
    expect(service.of(REFRESH)).toHaveLength(0);
  });

  it('should end quietly when there is none any more', async () => {
    await signedIn().signOut();
    expect(service.requests).toEqual([]);
    const unauthorized = problem(401, 'unauthorized');
    service.on(REFRESH, session('1'), problem(401, 'invalid-refresh-token'));
    service.on('POST /api/auth/logout', unauthorized);
    const mailroom = signedIn({ refreshToken: 'kept' });
    await mailroom.auth.me();
    await mailroom.signOut();
    expect(service.of(REFRESH)).toHaveLength(2);
  });

  it('should end, and start again with the next call', async () => {
    service.on(LOGIN, session('1')).on('POST /api/auth/logout', new Response(null, { status: 204 }));
    const mailroom = signedIn();
    await mailroom.auth.me();
    await mailroom.signOut();
    await mailroom.auth.me();
    expect(service.of(LOGIN)).toHaveLength(2);
  });

  it('should let others keep waiting when one is aborted', async () => {
    let answer: (response: Response) => void = () => undefined;
    service.on(LOGIN, () => new Promise((resolve) => (answer = resolve)));
    const mailroom = signedIn();
    const abortion = new AbortController();
    const [aborted, other] = [mailroom.auth.me({}, { signal: abortion.signal }), mailroom.auth.me()];
    abortion.abort(new Error('enough'));
    await expect(aborted).rejects.toThrow('enough');
    answer(session('1'));
    await other;
    expect(service.of(LOGIN)).toHaveLength(1);
  });
});

describe('a token from elsewhere', () => {
  it('should be requested again when it is refused', async () => {
    const service = new ScriptedService().on(ME, problem(401, 'unauthorized'), json({ user: {} }));
    const tokens = ['a', 'b', 'b'];
    await service.client({ credentials: { accessToken: () => tokens.shift()! } }).auth.me();
    expect(service.of(ME).map(({ headers }) => headers.get('authorization'))).toEqual([
      'Bearer a',
      'Bearer b',
    ]);
    service.on(ME, problem(401, 'unauthorized'));
    await expect(service.client({ credentials: { accessToken: 'a' } }).auth.me()).rejects.toMatchObject({
      status: 401,
    });
  });
});
