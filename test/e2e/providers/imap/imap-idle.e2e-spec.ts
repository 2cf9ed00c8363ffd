import { ImapFlow } from 'imapflow';
import { ProviderFailure } from '../../../../src/providers/gateway/provider-call';
import { idle, type IdleOptions } from '../../../../src/providers/imap/sync/imap-idle';
import { TestImapServer } from '../../../support/imap/imap-server';
import { plainMail } from '../../../support/imap/plain-mail';
import { ScriptedImapServer } from '../../../support/imap/scripted-imap-server';
import { rejection } from '../../../support/provider-fixture';
import { waitFor } from '../../../support/wait';

const RESTART_MS = 200;
const SILENCE_MS = 600;

type ListeningServer = Pick<TestImapServer, 'host' | 'port'>;

describe('IDLE', () => {
  let client: ImapFlow;
  let seen: { ready: number; changes: number };
  let over: AbortController;

  const connect = async (
    { host, port }: ListeningServer,
    { user, pass }: Pick<TestImapServer, 'user' | 'pass'> = { user: 'any', pass: 'any' },
  ): Promise<void> => {
    client = new ImapFlow({
      host,
      port,
      secure: false,
      doSTARTTLS: false,
      auth: { user, pass },
      logger: false,
      disableAutoIdle: true,
      socketTimeout: SILENCE_MS,
    });
    client.on('error', () => undefined);
    await client.connect();
  };

  const listen = (options: Partial<IdleOptions> = {}): Promise<void> =>
    idle(client, {
      signal: over.signal,
      restartMs: RESTART_MS,
      onReady: () => (seen.ready += 1),
      onChange: () => (seen.changes += 1),
      ...options,
    });

  beforeEach(() => {
    seen = { ready: 0, changes: 0 };
    over = new AbortController();
  });
  afterEach(() => client.close());

  describe('on a working server', () => {
    let server: TestImapServer;

    beforeAll(async () => {
      server = await TestImapServer.start();
    });
    afterAll(() => server?.stop());
    beforeEach(async () => {
      await connect(server, server);
      await client.mailboxOpen('INBOX');
    });

    it('should restart before the server times out, and miss nothing', async () => {
      const begun = jest.spyOn(client as unknown as { exec: () => unknown }, 'exec');
      const listening = listen();
      await waitFor('some restarts', () => begun.mock.calls.length >= 4);
      expect(seen).toEqual({ ready: 1, changes: 0 });
      await server.append('INBOX', [plainMail(1)]);
      await waitFor('the change', () => seen.changes > 0);
      await waitFor('one more', () => begun.mock.calls.length >= 6);
      over.abort();
      await listening;
      expect(client.usable).toBe(false);
    });

    it('should end when the server is stopped', async () => {
      const listening = listen({ restartMs: 60_000 });
      await waitFor('the watch to begin', () => seen.ready === 1);
      await server.halt();
      await listening;
      await server.run();
    });
  });

  describe('on a faulty server', () => {
    let server: ScriptedImapServer;

    beforeEach(async () => {
      server = await ScriptedImapServer.start(new Map());
      await connect(server);
    });
    afterEach(() => server.stop());

    it('should end when the server no longer responds', async () => {
      server.misbehave = (line, socket) => {
        if (line.endsWith(' IDLE')) return socket.write('+ idling\r\n');
        return line === 'DONE';
      };
      const startedAt = Date.now();
      await listen();
      expect(seen.ready).toBe(1);
      expect(server.said.at(-1)).toBe('DONE');
      expect(Date.now() - startedAt).toBeLessThan(RESTART_MS + 4 * SILENCE_MS);
    });

    it('should report that the server refuses it', async () => {
      server.misbehave = (line, socket, tag) => {
        if (!line.endsWith(' IDLE')) return undefined;
        return socket.write(`${tag} NO not today\r\n`);
      };
      expect(await rejection(listen())).toBeInstanceOf(ProviderFailure);
      expect(seen).toEqual({ ready: 0, changes: 0 });
    });

    it('should end when the server has dropped the changes to report', async () => {
      let tagOfIdle = '';
      server.misbehave = (line, socket, tag) => {
        if (line === 'DONE') return socket.write(`${tagOfIdle} OK done\r\n`);
        if (!line.endsWith(' IDLE')) return undefined;
        tagOfIdle = tag;
        return socket.write('+ idling\r\n* OK [NOTIFICATIONOVERFLOW] too many\r\n');
      };
      await listen({ restartMs: 60_000 });
      expect(server.said.filter((line) => line.endsWith(' IDLE'))).toHaveLength(1);
    });
  });
});
