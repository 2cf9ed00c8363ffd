import { startTestApp, TestApp } from '../../../support/app';
import { exchangeReport, journalled, letter, startJournal } from '../../../support/journal/journal-fixture';
import { SmtpClient } from '../../../support/journal/smtp-client';
import type { TestUser } from '../../../support/test-user';

describe('The address for copied mail', () => {
  let app: TestApp;
  let user: TestUser;
  let port: number;

  beforeAll(async () => {
    ({ app, user, port } = await startJournal());
  });

  afterAll(() => app?.close());

  const codeFor = async (address: string): Promise<number> => {
    const client = await SmtpClient.open(port);
    const { code } = await client.envelope('alice@example.com', [address]);
    client.destroy();
    return code;
  };

  it('should be given once, shown again, and not be readable in the database', async () => {
    const { archive, path, address } = await journalled(app, user);
    expect(address).toMatch(/^journal-[a-z2-9]{32}@archive\.test$/);
    const { body } = await user.api.put(path);
    expect(body.address).toBe(address);
    expect((await user.api.get(path)).body).toEqual(body);
    const [row] = await app.dataSource.query('SELECT * FROM journal_addresses WHERE account_id = $1', [
      archive.accountId,
    ]);
    expect(JSON.stringify(row)).not.toContain(address.slice(8, 40));
    const [{ entries }] = await app.dataSource.query(
      `SELECT count(*)::int AS entries FROM audit_entries WHERE action = 'journal.switched-on' AND account_id = $1`,
      [archive.accountId],
    );
    expect(entries).toBe(1);
  });

  it('should be replaced when the key that sealed it is lost', async () => {
    const { archive, path, address } = await journalled(app, user);
    const [other] = await app.dataSource.query(
      'SELECT sealed_secret FROM journal_addresses WHERE account_id <> $1 LIMIT 1',
      [archive.accountId],
    );
    // Sealed for another row, it cannot be opened any more than with another key.
    await app.dataSource.query('UPDATE journal_addresses SET sealed_secret = $2 WHERE account_id = $1', [
      archive.accountId,
      other.sealed_secret,
    ]);
    expect((await user.api.get(path)).body).toMatchObject({ available: true, address: null });
    const { body } = await user.api.put(path);
    expect(body.address).not.toBe(address);
    expect(await codeFor(body.address as string)).toBe(250);
  });

  it('should expect copies by default, and keep another choice until it is changed', async () => {
    const { archive, path, address } = await journalled(app, user);
    expect((await user.api.get(path)).body.format).toBe('copies');
    const changed = await user.api.put(path, { format: 'exchange-reports' });
    expect(changed).toMatchObject({ status: 200, body: { address, format: 'exchange-reports' } });
    expect((await user.api.put(path)).body.format).toBe('exchange-reports');
    const replaced = await user.api.post(`${path}/replace`, { graceHours: 1 });
    expect(replaced.body.format).toBe('exchange-reports');
    const client = await SmtpClient.open(port);
    // The address before is that of the same account.
    const report = exchangeReport(letter('Inner'), ['Sender: alice@example.com']);
    expect((await client.send('', [address], report)).code).toBe(250);
    client.destroy();
    const { body } = await user.api.get(`${archive.path}/mails`);
    expect(body.mails).toMatchObject([{ subject: 'Inner' }]);
    const entries = await app.dataSource.query(
      `SELECT action, details FROM audit_entries WHERE account_id = $1 AND action LIKE 'journal.%' ORDER BY sequence`,
      [archive.accountId],
    );
    expect(entries).toMatchObject([
      { action: 'journal.switched-on', details: { format: 'copies' } },
      { action: 'journal.format-changed', details: { format: 'exchange-reports' } },
      { action: 'journal.address-replaced' },
    ]);
  });

  it('should be null for an account that takes no copied mail', async () => {
    const accountId = await user.connect('plain-0@sandbox.mailroom.test');
    const { status, body } = await user.api.get(`/api/journal/${accountId}`);
    expect(status).toBe(200);
    expect(body).toMatchObject({ available: true, address: null, received: 0, lastRefusal: null });
    const replaced = await user.api.post(`/api/journal/${accountId}/replace`, {});
    expect(replaced).toMatchObject({ status: 404, body: { code: 'journal-address-not-found' } });
  });

  it('should be replaced at once, or be taken for a while beside the new one', async () => {
    const { path, address } = await journalled(app, user);
    const { status, body } = await user.api.post(`${path}/replace`, { graceHours: 1 });
    expect(status).toBe(200);
    expect(body.address).not.toBe(address);
    expect(body.previousAddressUntil).not.toBeNull();
    expect(await codeFor(address)).toBe(250);
    expect(await codeFor(body.address as string)).toBe(250);
    const again = await user.api.post(`${path}/replace`, { graceHours: 0 });
    expect(again.body.previousAddressUntil).toBeNull();
    expect(await codeFor(address)).toBe(550);
    expect(await codeFor(body.address as string)).toBe(550);
    expect(await codeFor(again.body.address as string)).toBe(250);
    await app.dataSource.query(`UPDATE journal_addresses SET previous_until = now() - interval '1 minute'`);
    expect(await codeFor(body.address as string)).toBe(550);
  });

  it('should name the field that is wrong', async () => {
    const { path } = await journalled(app, user);
    const { status, body } = await user.api.post(`${path}/replace`, { graceHours: 169 });
    expect(status).toBe(400);
    expect(body.errors).toMatchObject([{ field: 'graceHours' }]);
    for (const format of ['reports', 1]) {
      const answer = await user.api.put(path, { format });
      expect(answer).toMatchObject({ status: 400, body: { errors: [{ field: 'format' }] } });
    }
  });

  it('should be turned off, while its mail stays', async () => {
    const { archive, path, address } = await journalled(app, user);
    const client = await SmtpClient.open(port);
    expect((await client.send('alice@example.com', [address], letter('Stays'))).code).toBe(250);
    expect((await user.api.delete(path)).status).toBe(204);
    expect((await user.api.delete(path)).status).toBe(204);
    expect((await client.send('alice@example.com', [address], letter('Too late'))).code).toBe(550);
    client.destroy();
    const { body } = await user.api.get(`${archive.path}/mails`);
    expect(body.total).toBe(1);
    expect((await user.api.get(path)).body.address).toBeNull();
  });

  it('should end with its account', async () => {
    const { archive, address } = await journalled(app, user);
    await user.api.delete(`/api/auth/mailbox/${archive.accountId}?purge=true`);
    expect(await codeFor(address)).toBe(550);
  });

  it('should be its owner’s alone, and of no API key', async () => {
    const { path } = await journalled(app, user);
    const other = await app.user();
    for (const [method, address] of [
      ['get', path],
      ['put', path],
      ['delete', path],
      ['post', `${path}/replace`],
    ] as const) {
      expect((await app.anonymous[method](address)).status).toBe(401);
      expect((await other.api[method](address)).status).toBe(403);
    }
  });
});

describe('Without the listener', () => {
  it('should say that copied mail is not available', async () => {
    const app = await startTestApp({ sandbox: { messages: 1 } });
    try {
      const user = await app.user();
      const accountId = await user.connect('none-0@sandbox.mailroom.test');
      const path = `/api/journal/${accountId}`;
      expect((await user.api.get(path)).body).toMatchObject({ available: false, address: null });
      expect(await user.api.put(path)).toMatchObject({
        status: 409,
        body: { code: 'journal-not-available' },
      });
      expect(await user.api.post(`${path}/replace`, {})).toMatchObject({ status: 409 });
    } finally {
      await app.close();
    }
  });
});
