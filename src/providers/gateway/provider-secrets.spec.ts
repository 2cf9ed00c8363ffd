import { ProviderUnavailable, ReauthRequired } from '../port/mail-provider.errors';
import type { ProviderAccount } from '../port/mailbox-provider.port';
import {
  OAuthCredentials,
  ProviderCredentials,
  RefreshedTokens,
  TokenEndpoint,
} from '../port/provider-credentials.port';
import { ProviderFailure } from './provider-call';
import { ProviderSecrets } from './provider-secrets';
import type { RefusedLogins } from './refused-logins';
import type { RedisLock } from '../../platform/redis/redis-lock';

const account: ProviderAccount = { id: 'a', userId: 'u', email: 'a@b.test', provider: 'gmail' };
const later = () => new Date(Date.now() + 3_600_000);
const past = () => new Date(Date.now() - 1_000);

class Stored extends ProviderCredentials {
  reauth = 0;
  loads = 0;

  constructor(public credentials: OAuthCredentials) {
    super();
  }

  async load(): Promise<OAuthCredentials> {
    this.loads++;
    return this.credentials;
  }

  async save(_id: string, credentials: OAuthCredentials, replacing?: OAuthCredentials): Promise<boolean> {
    if (this.holdsAnother(replacing)) return false;
    this.credentials = credentials;
    return true;
  }

  async markReauthRequired(_id: string, refused?: OAuthCredentials): Promise<boolean> {
    if (this.holdsAnother(refused)) return false;
    this.reauth++;
    return true;
  }

  private holdsAnother(expected?: OAuthCredentials): boolean {
    return expected !== undefined && expected.refreshToken !== this.credentials.refreshToken;
  }

  async setPausedUntil(): Promise<void> {}
}

class Endpoint extends TokenEndpoint {
  calls = 0;

  constructor(private readonly answer: (call: number) => Promise<RefreshedTokens>) {
    super();
  }

  refresh(): Promise<RefreshedTokens> {
    this.calls++;
    return this.answer(this.calls);
  }
}

const unlocked = { run: (_key: unknown, work: () => Promise<unknown>) => work() } as unknown as RedisLock;

/** Logins concern passwords only; test/e2e/providers/gateway/refused-logins.e2e-spec.ts has those. */
const secretsOf = (stored: Stored, endpoint: Endpoint): ProviderSecrets =>
  new ProviderSecrets(stored, endpoint, unlocked, {} as RefusedLogins);

describe('ProviderSecrets', () => {
  it('should return a fresh token without asking twice', async () => {
    const stored = new Stored({ accessToken: 't1', refreshToken: 'r1', expiresAt: later() });
    const endpoint = new Endpoint(async () => ({ accessToken: 't2', expiresAt: later() }));
    const tokens = secretsOf(stored, endpoint);
    await expect(Promise.all([tokens.getCurrent(account), tokens.getCurrent(account)])).resolves.toEqual([
      't1',
      't1',
    ]);
    await tokens.getCurrent(account);
    expect(stored.loads).toBe(1);
    expect(endpoint.calls).toBe(0);
  });

  it.each([
    ['keeps the refresh token when none comes', undefined, 'r1'],
    ['takes over a rotated refresh token', 'r2', 'r2'],
  ])('%s', async (_name, answered, kept) => {
    const stored = new Stored({ accessToken: 't1', refreshToken: 'r1', expiresAt: past() });
    const endpoint = new Endpoint(async () => ({
      accessToken: 't2',
      refreshToken: answered,
      expiresAt: later(),
    }));
    const tokens = secretsOf(stored, endpoint);
    await expect(Promise.all([1, 2, 3].map(() => tokens.getCurrent(account)))).resolves.toEqual([
      't2',
      't2',
      't2',
    ]);
    expect(endpoint.calls).toBe(1);
    expect(stored.credentials).toMatchObject({ accessToken: 't2', refreshToken: kept });
  });

  it('should use a token that another process has refreshed in the meantime', async () => {
    const stored = new Stored({ accessToken: 't1', refreshToken: 'r1', expiresAt: later() });
    const endpoint = new Endpoint(async () => ({ accessToken: 't3', expiresAt: later() }));
    const tokens = secretsOf(stored, endpoint);
    await tokens.getCurrent(account);
    stored.credentials = { accessToken: 't2', refreshToken: 'r1', expiresAt: later() };
    await expect(tokens.renew(account, 't1')).resolves.toBe('t2');
    expect(endpoint.calls).toBe(0);
  });

  it('should never overwrite a new grant while refreshing the old one', async () => {
    const stored = new Stored({ accessToken: 't1', refreshToken: 'r1', expiresAt: past() });
    const anew = { accessToken: 'n1', refreshToken: 'n', expiresAt: later() };
    const endpoint = new Endpoint(async () => {
      stored.credentials = anew;
      return { accessToken: 't2', expiresAt: later() };
    });
    await expect(secretsOf(stored, endpoint).getCurrent(account)).resolves.toBe('n1');
    expect(stored.credentials).toBe(anew);
  });

  it('should mark a revoked grant, unless it has been replaced in the meantime', async () => {
    const stored = new Stored({ accessToken: 't1', refreshToken: 'r1', expiresAt: past() });
    const dead = new Endpoint(() => Promise.reject(new ReauthRequired()));
    await expect(secretsOf(stored, dead).getCurrent(account)).rejects.toBeInstanceOf(ReauthRequired);
    expect(stored.reauth).toBe(1);

    const replaced = new Endpoint(() => {
      stored.credentials = { accessToken: 'n1', refreshToken: 'n', expiresAt: later() };
      return Promise.reject(new ReauthRequired());
    });
    await expect(secretsOf(stored, replaced).getCurrent(account)).resolves.toBe('n1');
    expect(stored.reauth).toBe(1);
  });

  it('should retry after an error of the endpoint', async () => {
    const stored = new Stored({ accessToken: 't1', refreshToken: 'r1', expiresAt: past() });
    const endpoint = new Endpoint((call) =>
      call === 1
        ? Promise.reject(
            new ProviderFailure({ kind: 'unavailable', reason: 'x', error: new ProviderUnavailable() }),
          )
        : Promise.resolve({ accessToken: 't2', expiresAt: later() }),
    );
    const tokens = secretsOf(stored, endpoint);
    await expect(tokens.getCurrent(account)).rejects.toBeInstanceOf(ProviderFailure);
    await expect(tokens.getCurrent(account)).resolves.toBe('t2');
    expect(stored.reauth).toBe(0);
  });

  it('should let a caller stop waiting without ending the refresh that others wait for', async () => {
    const stored = new Stored({ accessToken: 't1', refreshToken: 'r1', expiresAt: past() });
    let answer: (tokens: RefreshedTokens) => void = () => undefined;
    const endpoint = new Endpoint(() => new Promise((resolve) => (answer = resolve)));
    const tokens = secretsOf(stored, endpoint);
    const controller = new AbortController();
    const patient = tokens.getCurrent(account);
    const cancelled = tokens.getCurrent(account, { signal: controller.signal });
    const late = tokens.getCurrent(account, { deadline: Date.now() + 30 });
    setTimeout(() => controller.abort(new Error('cancelled')), 10);
    await expect(cancelled).rejects.toThrow('cancelled');
    await expect(late).rejects.toBeInstanceOf(ProviderUnavailable);
    answer({ accessToken: 't2', expiresAt: later() });
    await expect(patient).resolves.toBe('t2');
    expect(endpoint.calls).toBe(1);
  });
});
