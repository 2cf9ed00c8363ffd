import { randomBytes } from 'node:crypto';
import { AccountNotOwned } from '../../../../src/platform/access/access.errors';
import { SecretBox } from '../../../../src/platform/crypto/secret-box';
import type { Transaction } from '../../../../src/platform/database/transactions';
import type { AppConfig } from '../../../../src/platform/config/app-config';
import { MailboxDisconnected } from '../../../../src/providers/port/mail-provider.errors';
import {
  OAuthCredentials,
  PasswordCredentials,
  ProviderCredentials,
} from '../../../../src/providers/port/provider-credentials.port';
import { AnotherMailbox } from '../../../../src/mailbox/accounts/mailbox-accounts.errors';
import { MailboxAccountsService } from '../../../../src/mailbox/accounts/mailbox-accounts.service';
import { startTestApp, TestApp } from '../../../support/app';
import { rejection } from '../../../support/provider-fixture';
import type { TestUser } from '../../../support/test-user';

const PASSWORD = 'app-password-9f3k';

describe('accounts with a password', () => {
  let test: TestApp;
  let user: TestUser;
  let credentials: ProviderCredentials;
  let mailboxes = 0;
  let email: string;

  beforeAll(async () => {
    test = await startTestApp({ sandbox: { messages: 1 } });
    user = await test.user();
    credentials = test.app.get(ProviderCredentials);
    await test.dataSource.query('UPDATE users SET max_mailbox_accounts = 50');
  });

  afterAll(() => test?.close());

  beforeEach(() => {
    email = `password${(mailboxes += 1)}@imap.test`;
  });

  const connect = (
    options: {
      address?: string;
      password?: string;
      owner?: TestUser;
      accountId?: string;
      also?: (accountId: string, transaction: Transaction) => Promise<void>;
    } = {},
  ): Promise<string> => {
    const { address = email, password = PASSWORD, owner = user, accountId, also } = options;
    const mailbox = { email: address, credentials: { kind: 'password', password }, scopes: [] } as const;
    return test.app.get(MailboxAccountsService).connect(owner.id, 'imap', mailbox, also, accountId);
  };

  const load = async (id: string): Promise<PasswordCredentials> =>
    (await credentials.load(id)) as PasswordCredentials;

  async function accountOf(id: string): Promise<{ status: string; provider: string; email: string }> {
    const { body, bytes } = await user.api.get('/api/auth/me');
    expect(bytes.toString()).not.toContain(PASSWORD);
    return (body.mailboxAccounts as { id: string; status: string; provider: string; email: string }[]).find(
      (account) => account.id === id,
    )!;
  }

  const countOf = async (address: string): Promise<number> =>
    (
      await test.dataSource.query('SELECT count(*)::int AS count FROM mailbox_accounts WHERE email = $1', [
        address,
      ])
    )[0].count;

  it('should keep the password sealed with the account', async () => {
    const id = await connect();
    expect(await accountOf(id)).toMatchObject({ status: 'connected', provider: 'imap', email });
    expect(await load(id)).toEqual({
      kind: 'password',
      password: PASSWORD,
      version: expect.stringMatching(/^[\w-]{43}$/),
    });
    const [row] = await test.dataSource.query('SELECT * FROM mailbox_accounts WHERE id = $1', [id]);
    expect(JSON.stringify(row)).not.toContain(PASSWORD);
    const box = test.app.get(SecretBox);
    expect(box.open(row.sealed_credentials, id)).toEqual({ kind: 'password', password: PASSWORD });
    expect(() => box.open(row.sealed_credentials, user.id)).toThrow();
  });

  it('should require the password again when the key that sealed it is lost, until the key is back', async () => {
    const id = await connect();
    const store = async (sealed: string): Promise<void> => {
      await test.dataSource.query('UPDATE mailbox_accounts SET sealed_credentials = $2 WHERE id = $1', [
        id,
        sealed,
      ]);
    };
    const [row] = await test.dataSource.query(
      'SELECT sealed_credentials FROM mailbox_accounts WHERE id = $1',
      [id],
    );
    const lost = new SecretBox({ secrets: { encryptionKey: randomBytes(32) } } as unknown as AppConfig);
    await store(lost.seal({ kind: 'password', password: PASSWORD }, id));
    expect((await accountOf(id)).status).toBe('needs_reauth');
    const { status, body } = await user.api.get(`/api/mailbox/${id}/labels`);
    expect({ status, code: body.code }).toEqual({ status: 409, code: 'mailbox-reauth-required' });

    await store(row.sealed_credentials);
    expect((await accountOf(id)).status).toBe('connected');
    await store(lost.seal({ kind: 'password', password: PASSWORD }, id));
    expect(await connect()).toBe(id);
    expect((await accountOf(id)).status).toBe('connected');
  });

  it('should distinguish each connection from the last, whatever the password', async () => {
    const id = await connect();
    const old = await load(id);
    expect(await connect()).toBe(id);
    const anew = await load(id);
    expect(anew.password).toBe(old.password);
    expect(anew.version).not.toBe(old.version);
    expect(await credentials.markReauthRequired(id, old)).toBe(false);
    expect((await accountOf(id)).status).toBe('connected');
    expect(await credentials.markReauthRequired(id, anew)).toBe(true);
    expect((await accountOf(id)).status).toBe('needs_reauth');
    expect(await connect({ password: 'another' })).toBe(id);
    expect((await accountOf(id)).status).toBe('connected');
    expect((await load(id)).password).toBe('another');
  });

  it('should be stored together with their data, or not at all', async () => {
    const write = async (accountId: string, transaction: Transaction): Promise<void> => {
      await transaction.manager.query(
        `INSERT INTO imap_accounts (account_id, host, port, security, username)
         VALUES ($1, 'imap.test', 993, 'tls', 'me')`,
        [accountId],
      );
    };
    const failing = async (accountId: string, transaction: Transaction): Promise<void> => {
      await write(accountId, transaction);
      throw new Error('no room');
    };
    await expect(connect({ also: failing })).rejects.toThrow('no room');
    expect(await countOf(email)).toBe(0);

    const id = await connect({ also: write });
    const servers = await test.dataSource.query('SELECT host FROM imap_accounts WHERE account_id = $1', [id]);
    expect(servers).toEqual([{ host: 'imap.test' }]);

    const before = await load(id);
    await expect(connect({ password: 'another', also: failing })).rejects.toThrow();
    expect(await load(id)).toEqual(before);
  });

  it('should be reconnected by their id, for the same mailbox only', async () => {
    const id = await connect();
    expect(await connect({ accountId: id, password: 'another' })).toBe(id);
    expect((await load(id)).password).toBe('another');

    const elsewhere = await rejection(connect({ accountId: id, address: `other-${email}` }));
    expect(elsewhere).toBeInstanceOf(AnotherMailbox);
    expect(elsewhere).toMatchObject({ status: 400, errors: [{ field: 'email' }] });
    const gmail = await user.connect('password-1@sandbox.mailroom.test');
    expect(
      await rejection(connect({ accountId: gmail, address: 'password-1@sandbox.mailroom.test' })),
    ).toBeInstanceOf(AnotherMailbox);

    const stranger = await test.user();
    const foreign = await rejection(connect({ accountId: id, owner: stranger }));
    expect(foreign).toBeInstanceOf(AccountNotOwned);
    expect(await rejection(connect({ accountId: user.id }))).toBeInstanceOf(AccountNotOwned);
    expect(await countOf(email)).toBe(1);
    expect(await countOf(`other-${email}`)).toBe(0);
    expect((await load(id)).password).toBe('another');
  });

  it('should have nothing to revoke at a provider', async () => {
    const id = await connect();
    const calls = test.sandbox.stats.calls['oauth.revoke'] ?? 0;
    expect((await user.api.delete(`/api/auth/mailbox/${id}`)).status).toBe(204);
    expect(test.sandbox.stats.calls['oauth.revoke'] ?? 0).toBe(calls);
    const [row] = await test.dataSource.query(
      'SELECT sealed_credentials FROM mailbox_accounts WHERE id = $1',
      [id],
    );
    expect(row).toEqual({ sealed_credentials: null });
    expect(await rejection(load(id))).toBeInstanceOf(MailboxDisconnected);
  });

  it('should not change tokens stored before there were passwords', async () => {
    const id = await user.connect('before-1@sandbox.mailroom.test');
    const { accessToken, refreshToken, expiresAt } = (await credentials.load(id)) as OAuthCredentials;
    const old = { accessToken, refreshToken, expiresAt: expiresAt.toISOString() };
    await test.dataSource.query('UPDATE mailbox_accounts SET sealed_credentials = $2 WHERE id = $1', [
      id,
      test.app.get(SecretBox).seal(old, id),
    ]);
    expect(await credentials.load(id)).toEqual({ accessToken, refreshToken, expiresAt });
    expect((await user.api.get(`/api/mailbox/${id}/profile`)).status).toBe(200);
    const renewed = { accessToken: 'renewed', refreshToken, expiresAt };
    expect(await credentials.save(id, renewed, { accessToken, refreshToken, expiresAt })).toBe(true);
    expect(await credentials.load(id)).toEqual({ kind: 'oauth', ...renewed });
    expect(await credentials.markReauthRequired(id, renewed)).toBe(true);
  });
});
