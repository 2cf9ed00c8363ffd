import { startTestApp, TestApp } from '../../../support/app';
import { ArchiveFixture } from '../../../support/archive/archive-fixture';
import { asksForBytes, ScriptedImapServer } from '../../../support/imap/scripted-imap-server';
import { waitFor } from '../../../support/wait';

const MIB = 1024 * 1024;

describe('A user whose IMAP server trickles', () => {
  let app: TestApp;
  let server: ScriptedImapServer;
  let trickle: NodeJS.Timeout | undefined;

  beforeAll(async () => {
    const raw = Buffer.from('Subject: endless\r\n\r\nx\r\n');
    [app, server] = await Promise.all([
      startTestApp({ sandbox: { messages: 1 } }),
      ScriptedImapServer.start(new Map([[1, { raw, size: 140 * MIB }]])),
    ]);
  });

  afterAll(async () => {
    clearInterval(trickle);
    await server?.stop();
    await app?.close();
  });

  it('should not keep other users from archiving and reading, and be disconnected when the job is cancelled', async () => {
    server.misbehave = (line, socket) => {
      if (!asksForBytes(line, 1)) return undefined;
      socket.write('* 1 FETCH (UID 1 BODY[]<0> {4194304}\r\n');
      trickle = setInterval(() => socket.write('x'), 50);
      return true;
    };
    const attacker = await app.user();
    const accountId = await attacker.connect('attacker-0@sandbox.mailroom.test');
    const { host, port } = server;
    const login = { host, port, user: 'u', pass: 'p', secure: false };
    const { status, body } = await attacker.api.post(`/api/import/${accountId}/imap`, login);
    expect(status).toBe(202);
    await waitFor('the server to trickle', () => trickle !== undefined);

    const victim = await ArchiveFixture.connect(app, await app.user(), 'victim-0@sandbox.mailroom.test');
    const large = `Subject: large\r\n\r\n${`${'x'.repeat(76)}\r\n`.repeat((13 * MIB) / 78)}`;
    const ids = await victim.insertAndArchive(Buffer.from('Subject: small\r\n\r\nx\r\n'), Buffer.from(large));
    for (const id of ids) expect((await victim.user.api.get(`${victim.path}/mails/${id}`)).status).toBe(200);
    expect([(await attacker.api.get(`/api/jobs/${body.jobId}`)).body.status, server.open]).toEqual([
      'active',
      1,
    ]);

    expect((await attacker.api.delete(`/api/jobs/${body.jobId}`)).status).toBe(204);
    expect((await attacker.jobEnd(body.jobId as string)).status).toBe('cancelled');
    await waitFor('the connection to be closed', () => server.open === 0);
  }, 60_000);
});
