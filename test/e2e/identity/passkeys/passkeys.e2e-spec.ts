import type { ApiAnswer } from '../../../support/api-client';
import { startTestApp, TestApp } from '../../../support/app';
import { Authenticator } from '../../../support/passkeys/authenticator';
import type { TestUser } from '../../../support/test-user';

const ORIGIN = 'https://mail.example.org';
const PASSKEYS = '/api/auth/passkeys';
const UNKNOWN = '01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d';

const outcome = ({ status, body }: ApiAnswer): [number, string | undefined] => [status, body?.code];

describe('passkeys', () => {
  let test: TestApp;

  beforeAll(async () => {
    test = await startTestApp({ env: { APP_URL: ORIGIN } });
    await test.user('admin');
  });
  afterAll(() => test.close());

  const begin = (user: TestUser, password = user.password): Promise<ApiAnswer> =>
    user.api.post(`${PASSKEYS}/options`, { password });
  const add = async (user: TestUser, device: Authenticator, name = 'Phone'): Promise<ApiAnswer> =>
    user.api.post(PASSKEYS, { name, credential: device.create((await begin(user)).body) });
  const askToSignIn = async (): Promise<any> =>
    (await test.anonymous.post(`${PASSKEYS}/sign-in/options`)).body;
  const signInWith = (credential: object): Promise<ApiAnswer> =>
    test.anonymous.post(`${PASSKEYS}/sign-in`, { credential });
  const signIn = async (device: Authenticator): Promise<ApiAnswer> =>
    signInWith(device.get(await askToSignIn()));
  const withPasskey = async (
    name: string,
  ): Promise<{ user: TestUser; device: Authenticator; id: string }> => {
    const user = await test.user(name);
    const device = new Authenticator(ORIGIN);
    const { body } = await add(user, device);
    return { user, device, id: body.id as string };
  };
  const acts = async (user: TestUser, like: string): Promise<{ action: string; details: any }[]> =>
    test.dataSource.query(
      'SELECT action, details FROM audit_entries WHERE user_id = $1 AND action LIKE $2 ORDER BY sequence',
      [user.id, like],
    );

  it('should be announced where browsers offer them', async () => {
    expect((await test.anonymous.get('/api/auth/config')).body.passkeys).toBe(true);
  });

  it('should be added with the password, and sign in without it', async () => {
    const user = await test.user('anna');
    const device = new Authenticator(ORIGIN);
    const options = await begin(user);
    expect([options.status, options.body]).toEqual([
      200,
      expect.objectContaining({
        rp: { name: 'Mailroom', id: 'mail.example.org' },
        user: expect.objectContaining({ name: user.email }),
        excludeCredentials: [],
        authenticatorSelection: expect.objectContaining({
          residentKey: 'required',
          userVerification: 'required',
        }),
      }),
    ]);
    const added = await user.api.post(PASSKEYS, { name: ' Phone ', credential: device.create(options.body) });
    expect([added.status, added.body]).toEqual([
      201,
      {
        id: expect.any(String),
        name: 'Phone',
        is_synced: true,
        last_used_at: null,
        created_at: expect.any(String),
      },
    ]);

    const signedIn = await signIn(device);
    expect([signedIn.status, signedIn.body.user.id]).toEqual([200, user.id]);
    const me = await user.api.get('/api/auth/me');
    expect(me.status).toBe(200);
    const [listed] = (await user.api.get(PASSKEYS)).body;
    expect(listed).toEqual({ ...added.body, last_used_at: expect.any(String) });
    expect(await acts(user, 'passkey.%')).toEqual([expect.objectContaining({ action: 'passkey.added' })]);
    expect((await acts(user, 'session.opened')).at(-1)?.details).toEqual({ method: 'passkey' });
  });

  it('should name the passkeys that a device may have already', async () => {
    const { user } = await withPasskey('known');
    const { body } = await begin(user);
    expect(body.excludeCredentials).toEqual([
      { id: expect.any(String), type: 'public-key', transports: ['internal', 'hybrid'] },
    ]);
  });

  it('should sign in users with one-time codes without a code', async () => {
    const { user, device } = await withPasskey('coded');
    await test.dataSource.query('UPDATE users SET totp_enabled = true WHERE id = $1', [user.id]);
    expect((await signIn(device)).status).toBe(200);
  });

  it('should need the right password to be added', async () => {
    const user = await test.user('guessed');
    expect(outcome(await begin(user, 'wrong password'))).toEqual([403, 'password-invalid']);
    expect((await user.api.post(`${PASSKEYS}/options`, {})).body.errors[0].field).toBe('password');
  });

  it('should need a challenge of the same session, once', async () => {
    const user = await test.user('challenged');
    const { body: options } = await begin(user);
    const other = await test.user('challenger');
    const credential = new Authenticator(ORIGIN).create(options);
    const stolen = await other.api.post(PASSKEYS, { name: 'Stolen', credential });
    expect(outcome(stolen)).toEqual([400, 'passkey-invalid']);
    expect(outcome(await user.api.post(PASSKEYS, { name: 'Late', credential }))).toEqual([
      400,
      'passkey-invalid',
    ]);
    const madeUp = new Authenticator(ORIGIN).create({
      ...options,
      challenge: 'bWFkZSB1cCBieSBhbiBhdHRhY2tlcg',
    });
    expect(outcome(await user.api.post(PASSKEYS, { name: 'Made up', credential: madeUp }))).toEqual([
      400,
      'passkey-invalid',
    ]);
    const ofSignIn = new Authenticator(ORIGIN).create({ ...options, ...(await askToSignIn()) });
    expect((await user.api.post(PASSKEYS, { name: 'Other', credential: ofSignIn })).status).toBe(400);
    expect((await user.api.get(PASSKEYS)).body).toEqual([]);
  });

  it('should need the page of this installation, and a person at the device', async () => {
    const user = await test.user('phished');
    expect(outcome(await add(user, new Authenticator('https://mail.example.com')))).toEqual([
      400,
      'passkey-invalid',
    ]);
    const absent = new Authenticator(ORIGIN);
    absent.verifies = false;
    expect(outcome(await add(user, absent))).toEqual([400, 'passkey-invalid']);
  });

  it.each<[string, (device: Authenticator) => Promise<object>]>([
    ['an unknown passkey', async () => new Authenticator(ORIGIN).get(await askToSignIn())],
    [
      'a challenge that was used',
      async (device) => {
        const credential = device.get(await askToSignIn());
        await signInWith(credential);
        return credential;
      },
    ],
    [
      'a challenge of an attacker',
      async (device) => device.get({ challenge: 'bWFkZSB1cCBieSBhbiBhdHRhY2tlcg', rpId: 'mail.example.org' }),
    ],
    [
      'another page',
      async (device) => {
        Object.assign(device, { origin: 'https://mail.example.com' });
        return device.get(await askToSignIn());
      },
    ],
    [
      'a device that did not check its user',
      async (device) => {
        device.verifies = false;
        return device.get(await askToSignIn());
      },
    ],
    [
      'a wrong signature',
      async (device) => {
        const signed = device.get(await askToSignIn()) as { response: object };
        const other = device.get(await askToSignIn()) as { response: { signature: string } };
        return { ...signed, response: { ...signed.response, signature: other.response.signature } };
      },
    ],
    [
      'the passkey of another user',
      async (device) => {
        const signed = device.get(await askToSignIn()) as { response: object };
        const userHandle = Buffer.from(UNKNOWN).toString('base64url');
        return { ...signed, response: { ...signed.response, userHandle } };
      },
    ],
  ])('should refuse %s', async (_name, credentialOf) => {
    const { device } = await withPasskey(`refused-${Math.random().toString(36).slice(2)}`);
    expect(outcome(await signInWith(await credentialOf(device)))).toEqual([401, 'passkey-refused']);
  });

  it('should refuse a device whose counter goes back, which may have been copied', async () => {
    const { user, device } = await withPasskey('counted');
    device.counter = 7;
    expect((await signIn(device)).status).toBe(200);
    device.counter = 6;
    expect(outcome(await signIn(device))).toEqual([401, 'passkey-refused']);
    expect((await acts(user, 'session.refused')).at(-1)?.details).toEqual({
      method: 'passkey',
      code: 'passkey-refused',
    });
    device.counter = 8;
    expect((await signIn(device)).status).toBe(200);
  });

  it('should refuse users who are not active', async () => {
    const { user, device } = await withPasskey('left');
    await test.dataSource.query('UPDATE users SET is_active = false WHERE id = $1', [user.id]);
    expect(outcome(await signIn(device))).toEqual([401, 'passkey-refused']);
  });

  it('should be renamed and deleted by its owner only', async () => {
    const { user, device, id } = await withPasskey('owner');
    const other = await test.user('stranger');
    expect(outcome(await other.api.patch(`${PASSKEYS}/${id}`, { name: 'Mine' }))).toEqual([
      404,
      'passkey-not-found',
    ]);
    expect(outcome(await other.api.delete(`${PASSKEYS}/${id}`))).toEqual([404, 'passkey-not-found']);
    const renamed = await user.api.patch(`${PASSKEYS}/${id}`, { name: 'Key on my desk' });
    expect([renamed.status, renamed.body.name]).toEqual([200, 'Key on my desk']);
    expect((await user.api.patch(`${PASSKEYS}/${id}`, { name: '' })).body.errors[0].field).toBe('name');
    expect((await user.api.delete(`${PASSKEYS}/${id}`)).status).toBe(204);
    expect(outcome(await user.api.delete(`${PASSKEYS}/${id}`))).toEqual([404, 'passkey-not-found']);
    expect(outcome(await signIn(device))).toEqual([401, 'passkey-refused']);
    expect((await acts(user, 'passkey.deleted')).length).toBe(1);
  });

  it('should be 20 at most', async () => {
    const { user } = await withPasskey('collector');
    await test.dataSource.query(
      `INSERT INTO passkeys (id, user_id, name, credential_id, public_key, counter, is_synced)
       SELECT gen_random_uuid(), $1, 'Key ' || n, decode(md5(n::text), 'hex'), '\\x00', 0, false FROM generate_series(1, 18) n`,
      [user.id],
    );
    const options = await Promise.all([begin(user), begin(user)]);
    const added = await Promise.all(
      options.map(({ body }) =>
        user.api.post(PASSKEYS, { name: 'Last', credential: new Authenticator(ORIGIN).create(body) }),
      ),
    );
    expect(added.map(({ status }) => status).sort()).toEqual([201, 409]);
    expect(outcome(await begin(user))).toEqual([409, 'passkey-limit']);
  });

  it('should refuse users who sign in elsewhere', async () => {
    const user = await test.user('elsewhere');
    await test.dataSource.query('UPDATE users SET password_hash = NULL WHERE id = $1', [user.id]);
    expect(outcome(await begin(user))).toEqual([409, 'no-local-password']);
  });

  it('should name the field of a credential that is none', async () => {
    const user = await test.user('clumsy');
    const credential = new Authenticator(ORIGIN).create((await begin(user)).body) as { response: object };
    const bad = { ...credential, response: { ...credential.response, clientDataJSON: 'not base64!' } };
    const { status, body } = await user.api.post(PASSKEYS, { name: 'Bad', credential: bad });
    expect([status, body.errors[0].field]).toEqual([400, 'credential.response.clientDataJSON']);
    expect((await signInWith({ id: 'x' })).status).toBe(400);
  });

  it('should need a token, except to sign in', async () => {
    const answers = await Promise.all([
      test.anonymous.get(PASSKEYS),
      test.anonymous.post(`${PASSKEYS}/options`, { password: 'x' }),
      test.anonymous.patch(`${PASSKEYS}/${UNKNOWN}`, { name: 'x' }),
      test.anonymous.delete(`${PASSKEYS}/${UNKNOWN}`),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([401, 401, 401, 401]);
  });
});

describe('passkeys at an address without HTTPS', () => {
  let test: TestApp;

  beforeAll(async () => {
    test = await startTestApp({ env: { APP_URL: 'http://192.0.2.7:3000' } });
  });
  afterAll(() => test.close());

  it('should say that they are not available, and why', async () => {
    const user = await test.user('admin');
    expect((await test.anonymous.get('/api/auth/config')).body.passkeys).toBe(false);
    const answers = [
      await user.api.post(`${PASSKEYS}/options`, { password: user.password }),
      await test.anonymous.post(`${PASSKEYS}/sign-in/options`),
    ];
    expect(answers.map(outcome)).toEqual([
      [409, 'passkeys-unavailable'],
      [409, 'passkeys-unavailable'],
    ]);
    expect((await user.api.get(PASSKEYS)).body).toEqual([]);
  });
});
