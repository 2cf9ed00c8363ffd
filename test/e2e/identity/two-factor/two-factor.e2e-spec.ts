import { Command } from 'commander';
import { Secret, TOTP } from 'otpauth';
import { PasswordHasher } from '../../../../src/identity/users/password-hasher';
import { LoginAttempts } from '../../../../src/identity/auth/sign-in.service';
import { TwoFactorAttempts } from '../../../../src/identity/two-factor/reauthentication';
import { addUserCommands } from '../../../../src/operations/cli/user-commands';
import { loadConfig } from '../../../../src/platform/config/load-config';
import { UsersService } from '../../../../src/identity/users/users.service';
import { ApiAnswer, ApiClient } from '../../../support/api-client';
import { startTestApp, TestApp } from '../../../support/app';
import type { TestUser } from '../../../support/test-user';

const STEP_MS = 30_000;

/** What an authenticator app shows, `steps` away from now. */
const codeOf = (secret: string, steps = 0): string =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: Date.now() + steps * STEP_MS });

/** A code of no step near by. */
const wrongCodeOf = (secret: string): string => {
  const near = [-2, -1, 0, 1, 2].map((steps) => codeOf(secret, steps));
  return ['000000', '111111', '222222', '333333', '444444', '555555'].find((code) => !near.includes(code))!;
};

const outcome = ({ status, body }: ApiAnswer): [number, string | undefined] => [status, body?.code];

interface Protected {
  readonly user: TestUser;
  readonly secret: string;
  readonly recoveryCodes: string[];
}

describe('two-factor sign-in', () => {
  let test: TestApp;

  beforeAll(async () => {
    test = await startTestApp({ sandbox: { messages: 1 } });
    await test.user('admin');
  });
  afterAll(() => test.close());

  const login = (user: TestUser, totp_code?: string | null, password = user.password): Promise<ApiAnswer> =>
    test.anonymous.post('/api/auth/login', { email: user.email, password, totp_code });
  const setup = (user: TestUser, password = user.password): Promise<ApiAnswer> =>
    user.api.post('/api/auth/2fa/setup', { password });
  const enable = (user: TestUser, totp_code: string): Promise<ApiAnswer> =>
    user.api.post('/api/auth/2fa/enable', { totp_code });
  const disable = (user: TestUser, totp_code: string, password = user.password): Promise<ApiAnswer> =>
    user.api.post('/api/auth/2fa/disable', { password, totp_code });
  const status = async (user: TestUser): Promise<unknown> => (await user.api.get('/api/auth/2fa')).body;
  /** As if the codes shown so far were long ago, so that nobody has to wait for the next. */
  const laterSteps = (user: TestUser): Promise<unknown> =>
    test.dataSource.query('UPDATE two_factors SET last_step = NULL WHERE user_id = $1', [user.id]);
  const failedSignIns = (user: TestUser): Promise<{ details: { code: string } }[]> =>
    test.dataSource.query(
      `SELECT details FROM audit_entries WHERE user_id = $1 AND action = 'session.refused' ORDER BY sequence`,
      [user.id],
    );

  const protectedUser = async (name: string): Promise<Protected> => {
    const user = await test.user(name);
    const { secret } = (await setup(user)).body;
    const enabled = await enable(user, codeOf(secret));
    expect(enabled.status).toBe(200);
    await laterSteps(user);
    return { user, secret, recoveryCodes: enabled.body.recovery_codes };
  };

  describe('with another ENCRYPTION_KEY', () => {
    const unreadable = (user: TestUser): Promise<unknown> =>
      test.dataSource.query(
        `UPDATE two_factors SET sealed_secret = 'v1.' || repeat('A', 80) WHERE user_id = $1`,
        [user.id],
      );

    it('should report that codes cannot be checked, and count none as wrong', async () => {
      const { user, secret, recoveryCodes } = await protectedUser('key-gone');
      await unreadable(user);
      for (let time = 0; time < 12; time += 1)
        expect(outcome(await login(user, codeOf(secret)))).toEqual([409, 'totp-unreadable']);
      expect(outcome(await disable(user, codeOf(secret)))).toEqual([409, 'totp-unreadable']);
      expect(outcome(await login({ ...user, password: 'wrong' } as TestUser, codeOf(secret)))).toEqual([
        401,
        'invalid-credentials',
      ]);
      expect((await login(user, recoveryCodes[0])).status).toBe(200);
    });

    it('should report the same for a secret that is not enabled yet', async () => {
      const user = await test.user('key-gone-early');
      const { secret } = (await setup(user)).body;
      await unreadable(user);
      expect(outcome(await enable(user, codeOf(secret)))).toEqual([409, 'totp-unreadable']);
      expect((await setup(user)).status).toBe(200);
    });
  });

  describe('set-up', () => {
    it('should return a secret that takes effect once a code was entered', async () => {
      const user = await test.user('setup');
      expect(await status(user)).toEqual({ enabled: false, recovery_codes_left: 0 });
      const first = await setup(user);
      expect(first.status).toBe(200);
      expect(first.body).toEqual({
        secret: expect.stringMatching(/^[A-Z2-7]{32}$/),
        otpauth_url: expect.stringContaining(`secret=${first.body.secret}`),
        expires_at: expect.stringMatching(/Z$/),
      });
      expect((await login(user)).status).toBe(200);

      const second = await setup(user);
      expect(second.body.secret).not.toBe(first.body.secret);
      expect(outcome(await enable(user, codeOf(first.body.secret)))).toEqual([403, 'totp-invalid']);

      const spaced = codeOf(second.body.secret).replace(/^(...)/, '$1 ');
      const enabled = await enable(user, spaced);
      expect(enabled.status).toBe(200);
      expect(enabled.body.recovery_codes).toHaveLength(10);
      expect(await status(user)).toEqual({ enabled: true, recovery_codes_left: 10 });
      expect((await user.api.get('/api/auth/me')).body.user.totp_enabled).toBe(true);

      expect(outcome(await setup(user))).toEqual([409, 'totp-already-enabled']);
      expect(outcome(await enable(user, codeOf(second.body.secret, 1)))).toEqual([
        409,
        'totp-already-enabled',
      ]);
      // The code that enabled is used up.
      expect(outcome(await login(user, spaced))).toEqual([401, 'totp-invalid']);
    });

    it('should end the other sessions, which were opened without a code', async () => {
      const user = await test.user('sessions');
      const other = new ApiClient(test.url, (await login(user)).body.access_token as string);
      const { secret } = (await setup(user)).body;
      expect((await other.get('/api/auth/me')).status).toBe(200);
      await enable(user, codeOf(secret));
      expect((await other.get('/api/auth/me')).status).toBe(401);
      expect((await user.api.get('/api/auth/me')).status).toBe(200);
    });

    it('should store neither secret nor recovery codes readably', async () => {
      const { user, secret, recoveryCodes } = await protectedUser('stored');
      const stored = JSON.stringify(
        await test.dataSource.query(
          `SELECT f.sealed_secret, array_agg(c.code_hash) FROM two_factors f JOIN recovery_codes c USING (user_id)
           WHERE f.user_id = $1 GROUP BY 1`,
          [user.id],
        ),
      );
      expect(stored).toMatch(/"v1\.[\w-]+"/);
      for (const text of [
        secret,
        ...recoveryCodes,
        ...recoveryCodes.map((code) => code.replaceAll('-', '')),
      ]) {
        expect(stored.toUpperCase()).not.toContain(text);
      }
    });

    it('should require the password, a recent set-up and well-formed fields', async () => {
      const user = await test.user('refused');
      expect(outcome(await setup(user, 'wrong password'))).toEqual([403, 'password-invalid']);
      expect((await user.api.post('/api/auth/2fa/setup', {})).body.errors[0].field).toBe('password');
      expect(outcome(await enable(user, '123456'))).toEqual([409, 'totp-not-set-up']);
      const { secret } = (await setup(user)).body;
      expect((await user.api.post('/api/auth/2fa/enable', { totp_code: 123456 })).status).toBe(400);
      await test.dataSource.query(
        `UPDATE two_factors SET created_at = now() - interval '16 minutes' WHERE user_id = $1`,
        [user.id],
      );
      expect(outcome(await enable(user, codeOf(secret)))).toEqual([409, 'totp-not-set-up']);
    });

    it('should be refused for users without a password', async () => {
      const user = await test.user('elsewhere');
      await test.dataSource.query('UPDATE users SET password_hash = NULL WHERE id = $1', [user.id]);
      expect(outcome(await setup(user))).toEqual([409, 'no-local-password']);
    });

    it('should stop guessing after ten attempts', async () => {
      const user = await test.user('guesser');
      const { secret } = (await setup(user)).body;
      const guesses = await Promise.all(Array.from({ length: 11 }, () => enable(user, wrongCodeOf(secret))));
      expect(guesses.map(({ status: code }) => code).sort()).toEqual([...Array(10).fill(403), 429]);
      expect(outcome(await enable(user, codeOf(secret)))).toEqual([429, 'too-many-requests']);
    });
  });

  describe('sign-in', () => {
    it('should ask for a code only once the password was right', async () => {
      const { user, secret } = await protectedUser('asked');
      const unknown = await test.anonymous.post('/api/auth/login', {
        email: 'nobody@users.test',
        password: 'wrong password',
        totp_code: '123456',
      });
      const wrong = await login(user, codeOf(secret), 'wrong password');
      expect(outcome(wrong)).toEqual([401, 'invalid-credentials']);
      expect({ ...wrong.body, requestId: null }).toEqual({ ...unknown.body, requestId: null });
      for (const missing of [undefined, null, '']) {
        expect(outcome(await login(user, missing))).toEqual([401, 'totp-required']);
      }
      expect(outcome(await login(user, wrongCodeOf(secret)))).toEqual([401, 'totp-invalid']);
      // The wrong password used nothing up.
      const right = await login(user, codeOf(secret));
      expect([right.status, right.body.user?.totp_enabled]).toEqual([200, true]);
      const refusals = (await failedSignIns(user)).map(({ details }) => details.code);
      expect(refusals).toEqual([
        'invalid-credentials',
        'totp-required',
        'totp-required',
        'totp-required',
        'totp-invalid',
      ]);
      const renewed = await test.anonymous.post('/api/auth/refresh', {
        refresh_token: right.body.refresh_token,
      });
      expect(renewed.status).toBe(200);
    });

    it('should accept a code once, even when sent twice at the same time, and no earlier one after it', async () => {
      const { user, secret } = await protectedUser('replayed');
      const earlier = codeOf(secret, -1);
      const code = codeOf(secret);
      const both = await Promise.all([login(user, code), login(user, code)]);
      expect(both.map(({ status: answer }) => answer).sort()).toEqual([200, 401]);
      expect(outcome(await login(user, code))).toEqual([401, 'totp-invalid']);
      expect(outcome(await login(user, earlier))).toEqual([401, 'totp-invalid']);
      expect((await login(user, codeOf(secret, 1))).status).toBe(200);
    });

    it('should accept a recovery code once, however it is typed', async () => {
      const { user, recoveryCodes } = await protectedUser('recovered');
      const [first, second] = recoveryCodes as [string, string];
      const typed = ` ${first.toLowerCase().replaceAll('-', ' ')} `;
      const both = await Promise.all([login(user, typed), login(user, first)]);
      expect(both.map(({ status: answer }) => answer).sort()).toEqual([200, 401]);
      expect((await login(user, second.replaceAll('-', ''))).status).toBe(200);
      expect(await status(user)).toEqual({ enabled: true, recovery_codes_left: 8 });
      const used = await test.dataSource.query(
        `SELECT outcome, details FROM audit_entries WHERE user_id = $1 AND action = 'recovery-code.used'`,
        [user.id],
      );
      expect(used).toEqual(Array(2).fill({ outcome: 'success', details: {} }));
      const other = await protectedUser('other');
      expect(outcome(await login(other.user, recoveryCodes[2]))).toEqual([401, 'totp-invalid']);
    });

    it('should count wrong codes as failures, which the right password alone does not reset', async () => {
      const { user, secret } = await protectedUser('counted');
      for (let failed = 0; failed < 8; failed += 1) await test.app.get(LoginAttempts).begin(user.email);
      expect(outcome(await login(user, wrongCodeOf(secret)))).toEqual([401, 'totp-invalid']);
      expect(outcome(await login(user))).toEqual([401, 'totp-required']);
      expect(outcome(await login(user, codeOf(secret)))).toEqual([429, 'too-many-requests']);
    });
  });

  describe('when the password was right a moment ago', () => {
    /** Signs in, and lets something happen between the look at the password and the session. */
    const loginWhile = async (user: TestUser, meanwhile: () => Promise<unknown>): Promise<ApiAnswer> => {
      const hasher = test.app.get(PasswordHasher);
      const verify = hasher.verify.bind(hasher);
      const spy = jest.spyOn(hasher, 'verify').mockImplementationOnce(async (...args) => {
        const matches = await verify(...args);
        await meanwhile();
        return matches;
      });
      try {
        return await login(user);
      } finally {
        spy.mockRestore();
      }
    };
    const sessionsOf = async (user: TestUser): Promise<number> =>
      (
        await test.dataSource.query('SELECT 1 FROM sessions WHERE user_id = $1 AND revoked_at IS NULL', [
          user.id,
        ])
      ).length;

    it('should open no session without a code while codes are turned on', async () => {
      const user = await test.user('turning-on');
      const { secret } = (await setup(user)).body;
      const answer = await loginWhile(user, () => enable(user, codeOf(secret)));
      expect(outcome(answer)).toEqual([401, 'invalid-credentials']);
      expect(await sessionsOf(user)).toBe(1);
    });

    it('should open no session with a password that was replaced', async () => {
      const user = await test.user('replacing');
      const users = test.app.get(UsersService);
      const hash = await test.app.get(PasswordHasher).hash('a new password', user.id);
      expect((await loginWhile(user, () => Promise.resolve())).status).toBe(200);
      const answer = await loginWhile(user, () => users.setPasswordHash(user.id, hash));
      expect(outcome(answer)).toEqual([401, 'invalid-credentials']);
      expect(await sessionsOf(user)).toBe(0);
    });
  });

  describe('turning it off', () => {
    it('should require the password and a code', async () => {
      const { user, secret } = await protectedUser('ender');
      expect(outcome(await disable(user, codeOf(secret), 'wrong password'))).toEqual([
        403,
        'password-invalid',
      ]);
      expect(outcome(await disable(user, wrongCodeOf(secret)))).toEqual([403, 'totp-invalid']);
      expect((await user.api.post('/api/auth/2fa/disable', { password: user.password })).status).toBe(400);
      const done = await disable(user, codeOf(secret));
      expect([done.status, done.body]).toEqual([200, { ok: true }]);
      expect(outcome(await disable(user, codeOf(secret, 1)))).toEqual([409, 'totp-not-enabled']);
      expect((await user.api.get('/api/auth/me')).body.user.totp_enabled).toBe(false);
      expect((await login(user)).status).toBe(200);
      const left = await test.dataSource.query('SELECT 1 FROM recovery_codes WHERE user_id = $1', [user.id]);
      expect(left).toEqual([]);
      const acts = await test.dataSource.query(
        `SELECT action FROM audit_entries WHERE user_id = $1 AND action LIKE 'two-factor.%' ORDER BY sequence`,
        [user.id],
      );
      expect(acts).toEqual([{ action: 'two-factor.enabled' }, { action: 'two-factor.disabled' }]);
    });

    it('should accept a recovery code too, and stop guessing after ten attempts', async () => {
      const { user, secret, recoveryCodes } = await protectedUser('lost');
      for (let failed = 0; failed < 9; failed += 1) await test.app.get(TwoFactorAttempts).begin(user.id);
      expect(outcome(await disable(user, wrongCodeOf(secret)))).toEqual([403, 'totp-invalid']);
      expect((await disable(user, recoveryCodes[0]!)).status).toBe(429);
      const patient = await protectedUser('patient');
      expect((await disable(patient.user, patient.recoveryCodes[0]!)).status).toBe(200);
    });
  });

  it('should replace the earlier recovery codes with new ones', async () => {
    const { user, secret, recoveryCodes } = await protectedUser('renewing');
    const proof = { password: user.password, totp_code: codeOf(secret) };
    const renewed = await user.api.post('/api/auth/2fa/recovery-codes', proof);
    expect(renewed.status).toBe(200);
    expect(renewed.body.recovery_codes).toHaveLength(10);
    expect(await status(user)).toEqual({ enabled: true, recovery_codes_left: 10 });
    expect(outcome(await login(user, recoveryCodes[0]))).toEqual([401, 'totp-invalid']);
    expect((await login(user, renewed.body.recovery_codes[0])).status).toBe(200);
    expect(outcome(await user.api.post('/api/auth/2fa/recovery-codes', proof))).toEqual([
      403,
      'totp-invalid',
    ]);
  });

  describe('at the command line', () => {
    const run = async (...args: string[]): Promise<string> => {
      const lines: string[] = [];
      const program = new Command().exitOverride().configureOutput({ writeErr: () => undefined });
      addUserCommands(program, () => loadConfig({ ...test.env }), {
        print: (line) => lines.push(line),
        choosePassword: () => Promise.resolve({ password: 'a new password', generated: false }),
      });
      await program.parseAsync(args, { from: 'user' });
      return lines.join('\n');
    };

    it('should leave the codes on with a new password, and let operators turn them off', async () => {
      const { user } = await protectedUser('operated');
      await run('user:reset-password', user.email);
      expect(outcome(await login(user, undefined, 'a new password'))).toEqual([401, 'totp-required']);
      expect(await run('user:disable-2fa', user.email.toUpperCase())).toBe(
        `${user.email} signs in without one-time codes.`,
      );
      expect((await login(user, undefined, 'a new password')).status).toBe(200);
      expect(await run('user:disable-2fa', user.email)).toBe(`${user.email} has no one-time codes on.`);
      await expect(run('user:disable-2fa', 'nobody@users.test')).rejects.toThrow('No such user.');
    });
  });
});
