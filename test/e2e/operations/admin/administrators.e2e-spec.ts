import { Command } from 'commander';
import { addUserCommands } from '../../../../src/operations/cli/user-commands';
import { loadConfig } from '../../../../src/platform/config/load-config';
import { UserDeletionsCron } from '../../../../src/operations/user-deletion/user-deletions.cron';
import { LastActiveAdmin } from '../../../../src/identity/users/users.errors';
import { UsersService } from '../../../../src/identity/users/users.service';
import { startTestApp, TestApp } from '../../../support/app';
import { waitFor } from '../../../support/wait';

const PASSWORD = 'correct horse battery';

describe('administrators', () => {
  let test: TestApp;

  beforeAll(async () => {
    test = await startTestApp({ sandbox: { messages: 5 }, env: { ADMIN_EMAIL: 'Boss@users.test' } });
  });
  afterAll(() => test.close());

  const register = async (email: string): Promise<{ id: string; email: string; role: string }> => {
    const { status, body } = await test.anonymous.post('/api/auth/register', { email, password: PASSWORD });
    expect(status).toBe(201);
    return body.user;
  };

  it('should be exactly one when the first ten users register at the same time', async () => {
    const users = await Promise.all(Array.from({ length: 10 }, (_, i) => register(`racer-${i}@users.test`)));
    expect(users.filter(({ role }) => role === 'admin')).toHaveLength(1);
  });

  it('should have to approve users named by ADMIN_EMAIL while registration is open', async () => {
    const boss = await register('boss@users.test');
    expect(boss.role).toBe('user');
    expect((await register('clerk@users.test')).role).toBe('user');
    const [{ id: adminId }] = await test.dataSource.query(`SELECT id FROM users WHERE role = 'admin'`);
    const admin = await test.user('granting');
    await test.app.get(UsersService).update(admin.id, { role: 'admin' });
    const { body } = await admin.api.get('/api/admin/users?limit=50');
    const waiting = body.users.filter((user: { awaits_admin_role: boolean }) => user.awaits_admin_role);
    expect(waiting.map(({ email }: { email: string }) => email)).toEqual(['boss@users.test']);
    const granted = await admin.api.patch(`/api/admin/users/${boss.id}`, { role: 'admin' });
    expect(granted.body).toMatchObject({ role: 'admin', awaits_admin_role: false });
    await test.app.get(UsersService).update(admin.id, { role: 'user' });
    expect(adminId).not.toBe(boss.id);
    const acts = await test.dataSource.query(
      `SELECT action, actor_id = user_id AS own FROM audit_entries WHERE user_id = $1 AND action = 'admin-role.requested'`,
      [boss.id],
    );
    expect(acts).toEqual([{ action: 'admin-role.requested', own: true }]);
  });

  it('should not deactivate the last active one, even two at a time', async () => {
    const users = test.app.get(UsersService);
    const admins: { id: string }[] = await test.dataSource.query(`SELECT id FROM users WHERE role = 'admin'`);
    expect(admins).toHaveLength(2);
    const outcomes = await Promise.allSettled([
      users.update(admins[0]!.id, { role: 'user' }),
      users.update(admins[1]!.id, { isActive: false }),
    ]);
    const refused = outcomes.filter((outcome) => outcome.status === 'rejected');
    expect(refused).toHaveLength(1);
    expect(refused[0]?.reason).toBeInstanceOf(LastActiveAdmin);
    expect(refused[0]?.reason).toMatchObject({ status: 409, code: 'last-active-admin' });
    const [{ count }] = await test.dataSource.query(
      `SELECT count(*)::int AS count FROM users WHERE role = 'admin' AND is_active`,
    );
    expect(count).toBe(1);
  });

  describe('at the command line', () => {
    const run = async (
      args: string[],
      password?: string,
      env: Record<string, string> = {},
    ): Promise<string> => {
      const lines: string[] = [];
      const program = new Command().exitOverride().configureOutput({ writeErr: () => undefined });
      addUserCommands(program, () => loadConfig({ ...test.env, ...env }), {
        print: (line) => lines.push(line),
        choosePassword: async () => ({ password: password ?? 'generated-password', generated: !password }),
      });
      await program.parseAsync(args, { from: 'user' });
      return lines.join('\n');
    };
    const login = async (email: string, password: string): Promise<number> =>
      (await test.anonymous.post('/api/auth/login', { email, password })).status;

    it('should create users who can sign in', async () => {
      const plain = await run(['user:create', '--email', 'Cli@users.test', '--name', 'Cli'], PASSWORD);
      expect(plain).toBe('Created cli@users.test (user).');
      expect(await login('cli@users.test', PASSWORD)).toBe(200);
      const admin = await run(['user:create', '--email', 'cli-admin@users.test', '--admin']);
      expect(admin).toBe('Created cli-admin@users.test (admin). Password: generated-password');
      expect(await login('cli-admin@users.test', 'generated-password')).toBe(200);
    });

    it('should get a one-line error', async () => {
      await expect(run(['user:create', '--email', 'cli@users.test'])).rejects.toThrow(
        'There is already a user with this e-mail address.',
      );
      await expect(run(['user:create', '--email', 'nonsense'])).rejects.toThrow(/^email: /);
      await expect(run(['user:create', '--email', 'short@users.test'], '1234567')).rejects.toThrow(
        /^password: /,
      );
      await expect(run(['user:create'])).rejects.toThrow(/--email/);
      await expect(run(['user:promote', 'missing@users.test'])).rejects.toThrow('No such user.');
      await expect(
        run(['user:promote', 'cli@users.test'], undefined, { JWT_SECRET: 'short' }),
      ).rejects.toThrow(/^Configuration is invalid: check JWT_SECRET/);
    });

    it('should lock users out and leave their deletion to the service', async () => {
      const user = await register('leaving@users.test');
      expect(await run(['user:delete', 'Leaving@users.test'])).toContain('leaving@users.test is locked out');
      expect(await login(user.email, PASSWORD)).toBe(401);
      await expect(run(['user:promote', user.email])).rejects.toThrow('is being deleted');
      await expect(run(['user:reset-password', user.email], PASSWORD)).rejects.toThrow('is being deleted');
      await expect(run(['user:delete', 'missing@users.test'])).rejects.toThrow('No such user.');
      await test.app.get(UserDeletionsCron).resumeDeletions();
      await waitFor('the user to be gone', async () => {
        const rows: unknown[] = await test.dataSource.query('SELECT 1 FROM users WHERE id = $1', [user.id]);
        return rows.length === 0;
      });
    });

    it('should promote users, even while the service runs', async () => {
      const user = await test.user('promoted');
      expect((await user.api.get('/api/auth/me')).body.user.role).toBe('user');
      expect(await run(['user:promote', user.email.toUpperCase()])).toBe(
        `${user.email} is an administrator.`,
      );
      expect((await user.api.get('/api/auth/me')).body.user.role).toBe('admin');
    });

    describe('when ADMIN_EMAIL names users after they registered', () => {
      let starts = 0;
      /** A command starts the services that look at `ADMIN_EMAIL`. */
      const start = (email: string, env: Record<string, string> = {}): Promise<string> =>
        run(['user:create', '--email', `start-${++starts}@users.test`], PASSWORD, {
          ADMIN_EMAIL: email,
          ...env,
        });
      const stateOf = async (userId: string): Promise<unknown> => {
        const [user] = await test.dataSource.query(
          'SELECT role, admin_role_requested_at IS NOT NULL AS waits FROM users WHERE id = $1',
          [userId],
        );
        return user;
      };

      it('should have to approve them while registration is open, even when it is closed later', async () => {
        const user = await test.user('named');
        await start(user.email);
        expect(await stateOf(user.id)).toEqual({ role: 'user', waits: true });
        await start(user.email, { ALLOW_REGISTRATION: 'false' });
        expect(await stateOf(user.id)).toEqual({ role: 'user', waits: true });
        await start('nobody@users.test');
        expect(await stateOf(user.id)).toEqual({ role: 'user', waits: false });
      });

      it('should have to approve them when registration is closed, since they may have registered before', async () => {
        const user = await test.user('named-closed');
        await start(user.email, { ALLOW_REGISTRATION: 'false' });
        expect(await stateOf(user.id)).toEqual({ role: 'user', waits: true });
      });

      it('should never include a user whom an administrator has refused', async () => {
        const user = await test.user('refused');
        await start(user.email);
        await test.app.get(UsersService).update(user.id, { role: 'user' });
        expect(await stateOf(user.id)).toEqual({ role: 'user', waits: false });
        await start(user.email, { ALLOW_REGISTRATION: 'false' });
        expect(await stateOf(user.id)).toEqual({ role: 'user', waits: true });
      });

      it('should include users whom an administrator has added', async () => {
        await run(['user:create', '--email', 'added@users.test'], PASSWORD);
        await start('added@users.test');
        const [{ id }] = await test.dataSource.query(`SELECT id FROM users WHERE email = 'added@users.test'`);
        expect(await stateOf(id as string)).toEqual({ role: 'admin', waits: false });
      });

      it('should include the user who registered first while there is no administrator', async () => {
        const [first, second] = [await test.user('first-named'), await test.user('second-named')];
        const admins = await test.dataSource.query(
          `UPDATE users SET role = 'user' WHERE role = 'admin' RETURNING id`,
        );
        try {
          await start(`${second.email},${first.email}`);
          expect(await stateOf(first.id)).toEqual({ role: 'admin', waits: false });
          expect(await stateOf(second.id)).toEqual({ role: 'user', waits: true });
        } finally {
          const ids = (admins[0] as { id: string }[]).map(({ id }) => id);
          await test.dataSource.query(`UPDATE users SET role = 'admin' WHERE id = ANY($1)`, [ids]);
        }
      });
    });

    it('should reset a password, ending every session and the lock of failed sign-ins', async () => {
      const user = await test.user('reset');
      expect((await user.api.get('/api/auth/me')).status).toBe(200);
      await Promise.all(Array.from({ length: 10 }, () => login(user.email, 'a guess')));
      expect(await login(user.email, user.password)).toBe(429);
      await run(['user:reset-password', user.email], 'a new password');
      expect((await user.api.get('/api/auth/me')).status).toBe(401);
      expect(await login(user.email, user.password)).toBe(401);
      expect(await login(user.email, 'a new password')).toBe(200);
    });
  });
});

describe('closed registration', () => {
  it('should refuse new users and be announced in the configuration', async () => {
    const test = await startTestApp({ sandbox: { messages: 5 }, env: { ALLOW_REGISTRATION: 'false' } });
    try {
      const { status, body } = await test.anonymous.post('/api/auth/register', {
        email: 'late@users.test',
        password: PASSWORD,
      });
      expect([status, body.code]).toEqual([403, 'registration-closed']);
      expect((await test.anonymous.get('/api/auth/config')).body.allowRegistration).toBe(false);
    } finally {
      await test.close();
    }
  });
});

describe('secure cookies', () => {
  it('should be set where the application is served over https', async () => {
    const test = await startTestApp({
      sandbox: { messages: 5 },
      env: { APP_URL: 'https://mail.users.test' },
    });
    try {
      const { headers } = await test.anonymous.post('/api/auth/register', {
        email: 'secure@users.test',
        password: PASSWORD,
      });
      const cookies = headers.getSetCookie();
      expect(cookies).toHaveLength(2);
      for (const line of cookies) expect(line).toContain('; Secure');
    } finally {
      await test.close();
    }
  });
});
