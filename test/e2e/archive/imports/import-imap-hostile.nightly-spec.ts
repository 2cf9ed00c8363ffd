import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { MemoryReservation } from '../../../../src/archive/mails/archiving/message-budget';
import { MessageBudget } from '../../../../src/archive/mails/archiving/message-budget';
import { StorageQuotaExceeded } from '../../../../src/archive/mails/archive.errors';
import { EgressGuard } from '../../../../src/platform/egress/egress-guard';
import { HostResolver } from '../../../../src/platform/egress/host-resolver';
import type { JobContext } from '../../../../src/platform/jobs/job-definition';
import { JobInterrupted } from '../../../../src/platform/jobs/jobs.errors';
import type { AppConfig } from '../../../../src/platform/config/app-config';
import { ImportedFolder } from '../../../../src/archive/imports/imap/imported-folder';
import { Arrivals } from '../../../../src/platform/arrivals/arrivals';
import { ImapLogin } from '../../../../src/providers/imap/login/imap-login';
import { OneTimeLimits } from '../../../../src/providers/imap/one-time/one-time-limits';
import { OneTimeSessions } from '../../../../src/providers/imap/one-time/one-time-sessions';
import { ImportImapRun } from '../../../../src/archive/imports/imap/import-imap.run';
import type { SavedPosition } from '../../../../src/archive/imports/imap/imap-position';
import type {
  ImportedMessage,
  ImportBatchOptions,
  ImportBatchResult,
  ImportWriter,
} from '../../../../src/archive/imports/import-writer';
import {
  asksForBytes,
  ScriptedImapServer,
  ScriptedMessage,
} from '../../../support/imap/scripted-imap-server';

const MIB = 1024 * 1024;
const LIMITS: OneTimeLimits = {
  connectMs: 2_000,
  greetingMs: 300,
  openMs: 1_500,
  silenceMs: 700,
  answerMs: 2_000,
  pace: { graceMs: 1_000, bytesPerSecond: 16_000 },
};

/** Keeps imported messages in memory; the memory bound is the real one. */
class RememberedImports implements Pick<ImportWriter, 'reserve' | 'importBatch' | 'readClock'> {
  readonly memory = new MessageBudget();
  readonly messages = new Map<string, Buffer>();
  readonly batches: number[] = [];
  mostHeld = 0;
  fail: (() => Error | undefined) | undefined;

  async reserve(userId: string, bytes: number, signal: AbortSignal): Promise<MemoryReservation> {
    const held = this.memory.open(userId, signal);
    await held.reserve('batch', bytes);
    return held;
  }
  async importBatch(
    _owner: unknown,
    messages: readonly ImportedMessage[],
    _job: unknown,
    { room }: ImportBatchOptions = {},
  ): Promise<ImportBatchResult> {
    expect(room).toBeDefined();
    await new Promise((resolve) => setTimeout(resolve, 5));
    this.mostHeld = Math.max(this.mostHeld, this.memory.inUse);
    const error = this.fail?.();
    if (error) throw error;
    this.batches.push(messages.length);
    for (const { name, raw } of messages) {
      expect(this.messages.has(name)).toBe(false);
      this.messages.set(name, raw);
    }
    const bytes = messages.reduce((sum, { raw }) => sum + raw.length, 0);
    return { imported: messages.length, bytes, duplicates: 0, sameIdDifferent: 0 };
  }
  async readClock(): Promise<string> {
    return 'now';
  }
}

class Job {
  readonly failures: string[] = [];
  readonly checkpoints: SavedPosition[] = [];
  readonly abortion = new AbortController();
  total = 0;
  processed = 0;
  readonly context = {
    signal: this.abortion.signal,
    logger: { log: () => undefined, warn: () => undefined, error: () => undefined },
    savedCheckpoint: () => undefined,
    setTotal: (total: number) => (this.total = total),
    progress: ({ processed = 0 }) => (this.processed += processed),
    fail: (item: string, code: string, reason = code) => this.failures.push(`${item}: ${reason}`),
    throwIfCancelled: () => this.abortion.signal.throwIfAborted(),
    checkpoint: async (state: SavedPosition) => {
      this.abortion.signal.throwIfAborted();
      this.checkpoints.push(state);
    },
  } as unknown as JobContext;
}

describe('Import from an IMAP server that misbehaves', () => {
  let server: ScriptedImapServer;
  let arrivals: Arrivals;
  let dataDir: string;
  let imports: RememberedImports;
  let job: Job;

  const message = (uid: number, body = 'text'): ScriptedMessage => ({
    raw: Buffer.from(`Subject: ${uid}\r\n\r\n${body}\r\n`),
  });
  const serve = async (messages: [number, ScriptedMessage][]): Promise<void> => {
    server = await ScriptedImapServer.start(new Map(messages));
  };
  const serveMany = (count: number): Promise<void> =>
    serve(Array.from({ length: count }, (_, n) => [n + 1, message(n + 1)]));

  beforeEach(() => {
    imports = new RememberedImports();
    job = new Job();
    dataDir = mkdtempSync(join(tmpdir(), 'mailroom-imap-hostile-'));
    arrivals = new Arrivals({ storage: { dataDir } } as AppConfig);
  });
  afterEach(async () => {
    await server.stop();
    rmSync(dataDir, { recursive: true, force: true });
    expect(arrivals.inUse).toBe(0);
    expect(imports.memory.inUse).toBe(0);
  });

  const payload = (folder: string): any => ({
    host: server.host,
    port: server.port,
    secure: false,
    user: 'u',
    folder,
  });
  const sessions = (limits: OneTimeLimits, resolve?: (host: string) => string): OneTimeSessions => {
    const config = { egress: { allowPrivateNetworks: true, dnsServers: [] } } as unknown as AppConfig;
    const resolver = new HostResolver(config);
    if (resolve) jest.spyOn(resolver, 'resolve').mockImplementation(async (host) => [resolve(host)]);
    return new OneTimeSessions(new ImapLogin(new EgressGuard(config, resolver)), limits);
  };
  const run = (limits = new OneTimeLimits(), folder = 'INBOX'): Promise<any> => {
    const owner = { userId: 'user', accountId: 'account' };
    const writer = imports as unknown as ImportWriter;
    const services = { writer, sessions: sessions(limits), arrivals, limits };
    return new ImportImapRun(owner, payload(folder), 'pass', job.context, services).run();
  };
  const open = async (
    changes: { host?: string; resolve?: (host: string) => string } = {},
  ): Promise<ImportedFolder> => {
    const { host = server.host, resolve } = changes;
    const login = { host, port: server.port, secure: false, user: 'u', pass: 'p' };
    const session = await sessions(LIMITS, resolve).open(login, 'user', job.abortion.signal);
    return ImportedFolder.open(session, 'INBOX', LIMITS);
  };

  it('should import everything from a correct server', async () => {
    await serveMany(450);
    expect(await run()).toMatchObject({ imported: 450, failed: 0 });
    expect([job.total, job.processed, job.failures, imports.batches]).toEqual([450, 450, [], [200, 200, 50]]);
    expect(job.checkpoints.at(-1)).toMatchObject({ lastUid: 450, imported: 450 });
    expect([server.connections, server.said.at(-1)]).toEqual([1, expect.stringContaining('LOGOUT')]);
  });

  it.each<[string, (socket: { destroy(): void; write(text: string): void }, tag: string) => void]>([
    ['breaks the connection', (socket) => socket.destroy()],
    [
      'breaks the connection within',
      (socket) => (socket.write('* 1 FETCH (UID 30 BODY[]<0> {50}\r\nSubj'), socket.destroy()),
    ],
    ['answers NO', (socket, tag) => socket.write(`${tag} NO [SERVERBUG] corrupted\r\n`)],
    ['always answers NO', (socket, tag) => socket.write(`${tag} NO internal error\r\n`)],
    ['answers BAD', (socket, tag) => socket.write(`${tag} BAD what\r\n`)],
    ['talks nonsense', (socket) => socket.write(')))) {{{ \x00\x01 "\r\n* FETCH FETCH (((\r\n'.repeat(3))],
  ])(
    'should skip, count and name the message at which it %s, and import the others once',
    async (name, answer) => {
      await serveMany(240);
      server.misbehave = (line, socket, tag) => {
        if (!asksForBytes(line, 30)) return undefined;
        answer(socket, tag);
        if (name === 'talks nonsense') socket.destroy();
        return true;
      };
      expect(await run()).toMatchObject({ imported: 239, duplicates: 0, failed: 1 });
      expect(job.failures).toEqual(['UID 30: the server fails to hand it out']);
      expect([job.total, job.processed, imports.messages.size]).toEqual([240, 239, 239]);
      expect(server.connections).toBe(4);
      expect(imports.batches.at(-1)).toBe(40);
    },
    20_000,
  );

  it('should read a message again that failed once, and omit none', async () => {
    await serveMany(30);
    let failures = 0;
    server.misbehave = (line, socket) => {
      if (!asksForBytes(line, 7) || (failures += 1) > 2) return undefined;
      socket.destroy();
      return true;
    };
    expect(await run()).toMatchObject({ imported: 30, failed: 0 });
    expect(job.failures).toEqual([]);
  });

  it('should skip the message that a server cannot even describe', async () => {
    await serveMany(5);
    server.misbehave = (line, socket) => {
      if (!/RFC822\.SIZE/.test(line) || !/FETCH (1:5|1,|3 )/.test(line)) return undefined;
      socket.destroy();
      return true;
    };
    expect(await run()).toMatchObject({ imported: 4, failed: 1 });
    expect(job.failures).toEqual(['UID 3: the server fails to hand it out']);
  }, 20_000);

  it('should name deleted messages once, even if the connection is lost midway', async () => {
    await serveMany(10);
    let lost = false;
    server.misbehave = (line, socket, tag) => {
      const { messages } = server;
      if (/UID SEARCH/.test(line) && !lost) {
        socket.write(`* ESEARCH (TAG "${tag}") UID ALL 1:10\r\n${tag} OK done\r\n`);
        messages.delete(4);
        return true;
      }
      if (asksForBytes(line, 9) && messages.has(9)) {
        messages.delete(9);
        lost = true;
        socket.destroy();
        return true;
      }
      return undefined;
    };
    expect(await run()).toMatchObject({ imported: 8, failed: 0 });
    expect([job.total, job.processed]).toEqual([8, 8]);
  });

  it('should not accept the beginning of a message as the whole', async () => {
    await serve([
      [1, { raw: Buffer.alloc(9 * MIB, 'x') }],
      [2, message(2)],
    ]);
    server.misbehave = (line) => {
      if (/<8388608\./.test(line)) server.messages.delete(1);
      return undefined;
    };
    expect(await run()).toMatchObject({ imported: 1, failed: 1 });
    expect(job.failures).toEqual(['UID 1: no longer on the server']);
  });

  it('should name a message that is shorter than announced, and not accept it as complete', async () => {
    const parts = 'Content-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\n\r\ntext\r\n--b--\r\n';
    const large = Buffer.alloc(5 * MIB, 'x');
    await serve([
      [1, message(1)],
      [2, { ...message(2, 'cut'), size: 5_000 }],
      // It ends with its boundary: the size was wrong.
      [3, { raw: Buffer.from(parts), size: 5_000 }],
      [4, { raw: large, size: 6 * MIB }],
      [5, message(5)],
    ]);
    expect(await run()).toMatchObject({ imported: 3, failed: 2 });
    expect(job.failures).toEqual([
      'UID 2: the server hands out less of it than it announces',
      'UID 4: the server hands out less of it than it announces',
    ]);
    expect([...imports.messages.keys()]).toEqual(['UID 1', 'UID 3', 'UID 5']);
  });

  it('should request the rest when a piece is shorter than requested', async () => {
    const raw = Buffer.alloc(5 * MIB, 'x');
    await serve([
      [1, { raw }],
      [2, message(2)],
    ]);
    server.misbehave = (line, socket, tag) => {
      const start = Number(/<(\d+)\.\d+>/.exec(line)?.[1] ?? NaN);
      if (Number.isNaN(start) || !asksForBytes(line, 1)) return undefined;
      const piece = raw.subarray(start, start + 3 * MIB);
      socket.write(`* 1 FETCH (UID 1 BODY[]<${start}> {${piece.length}}\r\n`);
      socket.write(piece);
      socket.write(`)\r\n${tag} OK done\r\n`);
      return true;
    };
    expect(await run()).toMatchObject({ imported: 2, failed: 0 });
    expect(imports.messages.get('UID 1')!.equals(raw)).toBe(true);
  });

  it('should import from a server that only estimates sizes', async () => {
    await serve([1, 2, 3].map((uid) => [uid, { ...message(uid), size: 100 }]));
    expect(await run()).toMatchObject({ imported: 3, failed: 0 });
  });

  it.each([']bracket', '1:3'])('should open the folder %s by its levels', async (name) => {
    await serveMany(1);
    const path = `${name}.Old`;
    server.misbehave = (line, socket, tag) => {
      if (/ EXAMINE (?!"?[^ ]*\.Old)/.test(line)) return (socket.write(`${tag} NO no such folder\r\n`), true);
      if (!/ LIST /.test(line)) return undefined;
      socket.write(`* LIST () "." Old.(\r\n* LIST () "." ${path}\r\n${tag} OK done\r\n`);
      return true;
    };
    expect(await run(undefined, `${name}/Old`)).toMatchObject({ imported: 1, failed: 0 });
  });

  it('should read messages of any size, even when the server states a wrong one', async () => {
    const sizes = [4 * MIB, 4 * MIB + 1, 8 * MIB, 8 * MIB + 1, 0, 9 * MIB + 5];
    const raws = sizes.map((size, n) => Buffer.alloc(size, 65 + n));
    const said = [undefined, undefined, undefined, 5 * MIB, undefined, 10];
    await serve(raws.map((raw, n) => [n + 1, { raw, size: said[n] }]));
    expect(await run()).toMatchObject({ imported: 6, failed: 0 });
    raws.forEach((raw, n) => expect(imports.messages.get(`UID ${n + 1}`)!.equals(raw)).toBe(true));
  });

  it('should hold a message of 100 MB once, with memory reserved for it', async () => {
    const raw = Buffer.alloc(100 * MIB, 'x');
    await serve([
      [1, { raw }],
      [2, message(2)],
    ]);
    const before = process.memoryUsage().arrayBuffers;
    let most = 0;
    const watch = setInterval(() => (most = Math.max(most, process.memoryUsage().arrayBuffers - before)), 2);
    expect(await run()).toMatchObject({ imported: 2, failed: 0 });
    clearInterval(watch);
    expect(imports.messages.get('UID 1')!.equals(raw)).toBe(true);
    // All there is for one user; what is in the sockets comes on top.
    expect(imports.mostHeld).toBeGreaterThanOrEqual(24 * MIB);
    expect(most).toBeLessThan(160 * MIB);
  }, 30_000);

  it('should skip messages above 150 MiB, even when the server states a smaller size', async () => {
    const piece = Buffer.alloc(4 * MIB, 'x');
    await serve([
      [1, { raw: piece, size: 151 * MIB }],
      [2, { raw: piece, size: 10 }],
      [3, message(3)],
    ]);
    let asked = 0;
    const third = message(3).raw.toString();
    server.misbehave = (line, socket, tag) => {
      const start = /<(\d+)\.(\d+)>/.exec(line);
      if (!start || !asksForBytes(line, 2)) return undefined;
      asked += 1;
      // Endless.
      const bytes = Number(start[2]);
      socket.write(`* 2 FETCH (UID 2 BODY[]<${start[1]}> {${bytes}}\r\n`);
      socket.write(bytes > piece.length ? Buffer.concat([piece, Buffer.from('x')]) : piece);
      socket.write(
        `)\r\n${line.includes('2:3') || line.includes('2,3') ? `* 3 FETCH (UID 3 BODY[]<0> {${third.length}}\r\n${third})\r\n` : ''}${tag} OK done\r\n`,
      );
      return true;
    };
    expect(await run()).toMatchObject({ imported: 1, failed: 2 });
    expect(job.failures).toEqual(['UID 1: larger than 150 MiB', 'UID 2: larger than 150 MiB']);
    expect(asked).toBeLessThan(45);
  }, 30_000);

  it('should limit its memory even if the server understates the size of large messages', async () => {
    const raw = Buffer.alloc(4 * MIB, 'x');
    await serve(Array.from({ length: 12 }, (_, n) => [n + 1, { raw, size: 100 }]));
    expect(await run()).toMatchObject({ imported: 12, failed: 0 });
    expect(Math.max(...imports.batches)).toBe(1);
  }, 30_000);

  it('should not wait for disk space while it holds some, even if several large messages are said to be small', async () => {
    const raw = Buffer.alloc(5 * MIB, 'x');
    await serve([
      [1, { raw, size: 100 }],
      [2, message(2)],
      [3, { raw, size: 100 }],
      [4, { raw, size: 100 }],
    ]);
    const held: number[] = [];
    const receive = arrivals.receive.bind(arrivals);
    jest.spyOn(arrivals, 'receive').mockImplementation((...call) => {
      held.push(arrivals.inUse);
      return receive(...call);
    });
    expect(await run()).toMatchObject({ imported: 4, failed: 0 });
    expect(held).toEqual([0, 0, 0]);
    expect(imports.messages.get('UID 3')!.equals(raw)).toBe(true);
  }, 30_000);

  it('should end at once when the archive fails, and free messages read ahead', async () => {
    await serveMany(1_000);
    imports.fail = () => (imports.batches.length === 1 ? new StorageQuotaExceeded() : undefined);
    await expect(run()).rejects.toThrow(StorageQuotaExceeded);
    expect(job.processed).toBe(200);
    expect(imports.mostHeld).toBeGreaterThan(0);
  });

  it('should end at once when it is cancelled while the server is silent', async () => {
    await serveMany(1_000);
    server.misbehave = (line) => asksForBytes(line, 500) || undefined;
    const running = run();
    while (imports.batches.length < 2) await new Promise((resolve) => setTimeout(resolve, 10));
    job.abortion.abort(new JobInterrupted('cancelled'));
    await expect(running).rejects.toThrow(JobInterrupted);
    expect(job.processed).toBe(400);
  });

  it('should refuse a server that greets with PREAUTH, and send it no password', async () => {
    await serveMany(1);
    server.greeting = '* PREAUTH welcome\r\n';
    await expect(open()).rejects.toMatchObject({ code: 'imap-tls-failed' });
    expect(server.said.filter((line) => /LOGIN|AUTHENTICATE|EXAMINE/.test(line))).toEqual([]);
  });

  it('should connect to the checked address, even when the name resolves to another by then', async () => {
    await serveMany(1);
    const names: string[] = [];
    const connection = await open({
      host: 'pinned.invalid',
      resolve: (host) => {
        names.push(host);
        return server.host;
      },
    });
    expect(names).toEqual(['pinned.invalid']);
    expect((await connection.listUids(1)).size).toBe(1);
    connection.close();
  });

  it.each<[string, () => void, string]>([
    ['greets', () => (server.greeting = null), 'imap-host-unreachable'],
    [
      'answers a login',
      () => (server.misbehave = (line) => /LOGIN|AUTHENTICATE/.test(line)),
      'imap-connection-lost',
    ],
    [
      'opens the folder',
      () => (server.misbehave = (line) => line.includes('EXAMINE')),
      'imap-connection-lost',
    ],
  ])('should not wait forever for a server that never %s', async (_name, silence, code) => {
    await serveMany(1);
    silence();
    await expect(open()).rejects.toMatchObject({ code });
  });

  it.each<[string, string]>([
    ['nonsense', 'HTTP/1.1 400 Bad Request\r\nServer: x\r\n\r\n'],
    ['an endless line', 'x'.repeat(20 * MIB)],
    ['an endless literal', '* OK {99999999999}\r\n'],
    ['a refusal', '* BYE overloaded\r\n'],
  ])(
    'should report that the server is not an IMAP server when it greets with %s',
    async (_name, greeting) => {
      await serveMany(1);
      server.greeting = greeting;
      await expect(open()).rejects.toMatchObject({ code: expect.stringMatching(/^imap-/) });
    },
  );

  it('should time out on silence within a message, and on trickling responses', async () => {
    await serveMany(2);
    server.misbehave = (line, socket) => {
      if (!asksForBytes(line, 1)) return undefined;
      socket.write('* 1 FETCH (UID 1 BODY[]<0> {5000}\r\nSubject');
      return true;
    };
    const stalled = await open();
    await expect(stalled.readSmall([{ uid: 1, size: 20 }])).rejects.toMatchObject({
      code: 'imap-connection-lost',
    });
    let trickle: NodeJS.Timeout | undefined;
    server.misbehave = (line, socket) => {
      if (!asksForBytes(line, 1)) return undefined;
      socket.write('* 1 FETCH (UID 1 BODY[]<0> {5000}\r\n');
      trickle = setInterval(() => socket.write('x'), 50);
      return true;
    };
    const slow = await open();
    const startedAt = Date.now();
    await expect(slow.readSmall([{ uid: 1, size: 20 }])).rejects.toMatchObject({ code: 'imap-too-slow' });
    expect(Date.now() - startedAt).toBeLessThan(5_000);
    clearInterval(trickle);
  });

  describe('by trickling', () => {
    let trickles: NodeJS.Timeout[];

    beforeEach(() => (trickles = []));
    afterEach(() => {
      for (const trickle of trickles) clearInterval(trickle);
    });

    /** Hands out the bytes of some messages one by one, without end. */
    const trickleAt = (...uids: number[]): void => {
      server.misbehave = (line, socket) => {
        if (!uids.some((uid) => asksForBytes(line, uid))) return undefined;
        socket.write(`* 1 FETCH (UID ${uids[0]} BODY[]<0> {4000000}\r\n`);
        trickles.push(setInterval(() => socket.write('x'), 50));
        return true;
      };
    };

    it.each([
      ['a small message', 20],
      ['a message announced as large', 140 * MIB],
    ])(
      'should skip %s, report why, and import the others',
      async (_what, size) => {
        await serve([
          [1, message(1)],
          [2, { ...message(2), size }],
          [3, message(3)],
        ]);
        trickleAt(2);
        expect(await run(LIMITS)).toMatchObject({ imported: 2, failed: 1 });
        expect(job.failures).toEqual(['UID 2: the server sends less than 16 kB of it a second']);
      },
      30_000,
    );

    it('should fail with a clear error when all messages trickle, without holding memory', async () => {
      await serve([1, 2, 3].map((uid) => [uid, { ...message(uid), size: 140 * MIB }]));
      trickleAt(1, 2, 3);
      await expect(run(LIMITS)).rejects.toMatchObject({
        code: 'imap-too-slow',
        detail: 'The server sends less than 16 kB a second, which is too slow to import from.',
      });
      expect([server.connections, imports.mostHeld]).toEqual([4, 0]);
    }, 30_000);

    it('should end an endless response, whatever the server sends in between', async () => {
      await serveMany(1);
      server.misbehave = (line, socket) => {
        if (!asksForBytes(line, 1)) return undefined;
        trickles.push(setInterval(() => socket.write(`* OK ${'x'.repeat(4_000)}\r\n`), 50));
        return true;
      };
      const connection = await open();
      await expect(connection.readSmall([{ uid: 1, size: 20 }])).rejects.toMatchObject({
        code: 'imap-too-slow',
      });
    }, 30_000);
  });
});
