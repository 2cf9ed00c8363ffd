import { readFileSync } from 'node:fs';
import { DataSource } from 'typeorm';
import { sha256 } from '../../../support/archive/archive-fixture';
import { TestImapServer } from '../../../support/imap/imap-server';
import { fingerprintOf } from '../../../support/imap/test-certificate';
import { KillableService } from '../../../support/killable-service';
import { mail } from '../../../support/restore/restore-fixture';
import { StatementGate } from '../../../support/statement-gate';
import type { TestUser } from '../../../support/test-user';

jest.setTimeout(180_000);

describe('A restore to a connected IMAP mailbox whose process is killed', () => {
  let service: KillableService;
  let server: TestImapServer;
  let tables: DataSource;
  let gate: StatementGate;
  let user: TestUser;
  let accountId: string;
  let restorePath: string;
  // Mails of one conversation follow each other. One without a Message-ID is found again by its bytes alone.
  const References = '<first@restore.test>';
  const raws = [
    mail({ 'Message-ID': References }),
    mail({ 'Message-ID': null, References }),
    mail({ References }),
  ];

  beforeAll(async () => {
    [service, server] = await Promise.all([KillableService.start(), TestImapServer.start()]);
    tables = await new DataSource({ type: 'postgres', url: service.databaseUrl }).initialize();
    gate = new StatementGate(tables);
    await server.append(
      'INBOX',
      raws.map((raw, minutes) => ({ raw, receivedAt: new Date(Date.UTC(2024, 8, 8, 18, minutes)) })),
    );
    user = await service.user('imap');
    const connected = await user.api.post('/api/auth/mailbox/imap', {
      email: server.user,
      password: server.pass,
      host: 'localhost',
      port: server.tlsPort,
      security: 'tls',
      certificateSha256: fingerprintOf(readFileSync(server.certificatePath, 'utf8')),
    });
    expect(connected.status).toBe(201);
    accountId = connected.body.id as string;
    const { body } = await user.api.post(`/api/archive/${accountId}/archive`, { query: 'in:inbox' });
    expect(await user.jobEnd(body.jobId as string, 60_000)).toMatchObject({ processed: 3, failed: 0 });
  });
  afterAll(async () => {
    await gate?.open({ drop: true });
    await tables?.destroy();
    await service?.close();
    await server?.stop();
  });
  beforeEach(async () => {
    await server.session(async (client) => {
      await client.mailboxOpen('INBOX');
      await client.messageDelete('1:*');
    });
    const path = `/api/restore/${accountId}`;
    const { body } = await user.api.post(path, { select: { all: true }, target: { accountId } });
    await user.jobEnd(body.jobId as string, 60_000);
    restorePath = `${path}/${body.restoreId as string}`;
  });

  const appended = (): Promise<number> =>
    server.session(async (client) => (await client.status('INBOX', { messages: true })).messages ?? 0);
  const hashes = (): Promise<string[]> =>
    server.session(async (client) => {
      await client.mailboxOpen('INBOX', { readOnly: true });
      const found: string[] = [];
      for await (const { source } of client.fetch('1:*', { source: true })) found.push(sha256(source!));
      return found.sort();
    });

  it.each([1, 2])(
    'should append nothing twice when it is killed after the APPEND of mail %i, before its row is updated',
    async (number) => {
      await tables.query(
        `CREATE OR REPLACE FUNCTION is_mail(restore uuid, number int) RETURNS boolean LANGUAGE sql AS
           $$ SELECT count(*) = number - 1 FROM restore_items WHERE restore_id = restore AND state IN ('arrived', 'done') $$`,
      );
      await gate.close(
        'restore_items',
        'UPDATE',
        `OLD.state = 'inserting' AND NEW.state IN ('arrived', 'done') AND is_mail(NEW.restore_id, ${number})`,
      );
      const started = await user.api.post(`${restorePath}/start`);
      await gate.reached();
      await service.kill();
      expect(await appended()).toBe(number);
      await gate.open({ drop: true });
      await service.begin();
      const job = await user.jobEnd(started.body.jobId as string, 90_000);
      expect(job).toMatchObject({ status: 'completed', processed: 3, failed: 0 });
      expect(await hashes()).toEqual(raws.map(sha256).sort());
      const { counts } = (await user.api.get(restorePath)).body;
      expect(counts).toMatchObject({ inserted: 3, alreadyThere: 0, waiting: 0, failed: 0 });
    },
  );
});
