import { Secret, TOTP } from 'otpauth';
import { TwoFactorAttempts } from '../../../../src/identity/two-factor/reauthentication';
import { PasswordHasher } from '../../../../src/identity/users/password-hasher';
import { UsersService } from '../../../../src/identity/users/users.service';
import { ApiAnswer, ApiClient } from '../../../support/api-client';
import { startTestApp, TestApp } from '../../../support/app';
import type { TestUser } from '../../../support/test-user';

const NEXT = 'staple of a correct horse';

const fields = ({ status, body }: ApiAnswer): unknown => [
  status,
  body?.code,
  (body?.errors as { field: string }[] | undefined)?.map(({ field }) => field),
];

describe('a change of the password', () => {
  let test: TestApp;

  beforeAll(async () => {
    test = await startTestApp({ sandbox: { messages: 1 } });
    await test.user('admin');
  });
  afterAll(() => test.close());

  const login = (user: TestUser, password = user.password): Promise<ApiAnswer> =>
    test.anonymous.post('/api/auth/login', { email: user.email, password });
  const change = (user: TestUser, body: object): Promise<ApiAnswer> =>
    user.api.post('/api/auth/password', { current: user.password, next: NEXT, ...body });
  const audited = (user: TestUser): Promise<unknown[]> =>
    test.dataSource.query(
      `SELECT action, outcome, details FROM audit_entries WHERE user_id = $1 AND action LIKE 'password.%'
       ORDER BY sequence`,
      [user.id],
    );

  it('should replace it, and end the other sessions', async () => {
    const user = await test.user('changing');
    const other = new ApiClient(test.url, (await login(user)).body.access_token as string);
    expect((await other.get('/api/auth/me')).status).toBe(200);
    const { status, bytes } = await change(user, {});
    expect([status, bytes.length]).toEqual([204, 0]);
    expect((await other.get('/api/auth/me')).status).toBe(401);
    expect((await user.api.get('/api/auth/me')).body.user.has_password).toBe(true);
    expect((await login(user)).body.code).toBe('invalid-credentials');
    expect((await login(user, NEXT)).status).toBe(200);
    expect(await audited(user)).toEqual([{ action: 'password.changed', outcome: 'success', details: {} }]);
  });

  it.each([
    ['no fields', { current: undefined, next: undefined }, ['current', 'next']],
    ['7 characters', { next: '1234567' }, ['next']],
    ['129 characters', { next: 'x'.repeat(129) }, ['next']],
    ['a number', { next: 12345678 }, ['next']],
    ['no current password', { current: '' }, ['current']],
    ['a code that is none', { totp_code: 5 }, ['totp_code']],
    ['the same password', { current: 'caf\u00e9 au lait', next: 'cafe\u0301 au lait' }, ['next']],
  ])('should be refused with the invalid field: %s', async (_case, body, wrong) => {
    const user = await test.user('wrong');
    expect(fields(await change(user, body))).toEqual([400, 'validation-failed', wrong]);
    expect((await login(user)).status).toBe(200);
  });

  it('should require the current one, count wrong ones, and record them', async () => {
    const user = await test.user('guessed');
    const other = new ApiClient(test.url, (await login(user)).body.access_token as string);
    for (let failed = 0; failed < 9; failed += 1) await test.app.get(TwoFactorAttempts).begin(user.id);
    expect(fields(await change(user, { current: 'a guess' }))).toEqual([
      403,
      'password-invalid',
      ['current'],
    ]);
    const refused = await change(user, {});
    expect([refused.status, refused.body.code]).toEqual([429, 'too-many-requests']);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await login(user)).status).toBe(200);
    expect((await other.get('/api/auth/me')).status).toBe(200);
    expect(await audited(user)).toEqual([
      { action: 'password.change-refused', outcome: 'failure', details: { code: 'password-invalid' } },
    ]);
  });

  it('should require a code when two-factor authentication is on', async () => {
    const user = await test.user('codes');
    const { secret } = (await user.api.post('/api/auth/2fa/setup', { password: user.password })).body;
    const totp = new TOTP({ secret: Secret.fromBase32(secret as string) });
    const enabled = await user.api.post('/api/auth/2fa/enable', { totp_code: totp.generate() });
    const [recovery] = enabled.body.recovery_codes as string[];
    expect(fields(await change(user, {}))).toEqual([403, 'totp-invalid', ['totp_code']]);
    expect(fields(await change(user, { totp_code: 'AAAA-AAAA' }))).toEqual([
      403,
      'totp-invalid',
      ['totp_code'],
    ]);
    expect((await change(user, { totp_code: recovery })).status).toBe(204);
  });

  it('should be available only to users who have one', async () => {
    const user = await test.user('without');
    await test.dataSource.query('UPDATE users SET password_hash = NULL WHERE id = $1', [user.id]);
    const { status, body } = await change(user, {});
    expect([status, body.code]).toEqual([409, 'no-local-password']);
    expect((await user.api.get('/api/auth/me')).body.user.has_password).toBe(false);
  });

  it('should have no effect when the password was replaced in the meantime', async () => {
    const user = await test.user('meanwhile');
    const hasher = test.app.get(PasswordHasher);
    const hash = await hasher.hash('an operator’s choice', user.id);
    const spy = jest.spyOn(hasher, 'hash').mockImplementationOnce(async () => {
      // Ends this session too, which has passed the guards.
      await test.app.get(UsersService).setPasswordHash(user.id, hash);
      return 'never stored';
    });
    const answer = await change(user, {});
    spy.mockRestore();
    expect(fields(answer)).toEqual([403, 'password-invalid', ['current']]);
    expect((await login(user, 'an operator’s choice')).status).toBe(200);
  });
});
