import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { createServer, IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { AppConfig } from '../../../../src/platform/config/app-config';
import { AccountLimiters } from '../../../../src/providers/gateway/account-limiters';
import type { CallOptions, ProviderAccount } from '../../../../src/providers/port/mailbox-provider.port';
import { SandboxServer, startSandbox } from '../../../../sandbox/src/sandbox-server';
import { ProviderProcess, RecordingCredentials } from '../../../support/provider-fixture';

const MIB = 1024 ** 2;
const background: CallOptions = { priority: 'background' };

type Transfer = 'announced' | 'chunked' | 'gzip';

interface Message {
  readonly sha256: string;
  readonly json: Buffer;
  readonly gzipped: Buffer;
}

function message(mebibytes: number): Message {
  const bytes = randomBytes(mebibytes * MIB + 1);
  const json = Buffer.from(JSON.stringify({ id: 'm1', threadId: 't1', raw: bytes.toString('base64url') }));
  return { sha256: hash(bytes), json, gzipped: gzipSync(json, { level: 1 }) };
}

const hash = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');

describe('memory of large messages in flight', () => {
  const credentials = new RecordingCredentials();
  const messages = new Map<string, Message>();
  let transfer: Transfer = 'announced';
  let sandbox: SandboxServer;
  let provider: Server;
  let server: ProviderProcess;

  const answer = (request: IncomingMessage, response: ServerResponse): void => {
    const found = messages.get(/messages\/(\w+)/.exec(request.url ?? '')?.[1] ?? '')!;
    response.setHeader('content-type', 'application/json');
    if (transfer === 'gzip') response.setHeader('content-encoding', 'gzip');
    if (transfer === 'announced') response.setHeader('content-length', found.json.length);
    if (transfer === 'gzip') response.write(found.gzipped);
    else response.write(found.json);
    response.end();
  };

  beforeAll(async () => {
    messages.set('big', message(9));
    messages.set('huge', message(80));
    provider = createServer(answer);
    await new Promise<void>((resolve) => provider.listen(0, '127.0.0.1', resolve));
    sandbox = await startSandbox({ messages: 1 });
    server = await ProviderProcess.start(sandbox, credentials, {
      GMAIL_ROOT_URL: `http://127.0.0.1:${(provider.address() as AddressInfo).port}`,
    });
  });

  afterAll(async () => {
    await server?.stop();
    await sandbox?.close();
    provider?.closeAllConnections();
    provider?.close();
  });

  function account(): ProviderAccount {
    const id = randomUUID();
    credentials.held.set(id, {
      accessToken: 'token',
      refreshToken: 'refresh',
      expiresAt: new Date(Date.now() + 3_600_000),
    });
    return { id, userId: randomUUID(), email: `${id}@example.test`, provider: 'gmail' };
  }

  /** Fetches everything at once. @returns the most bytes that were reserved at any moment */
  async function fetchAll(ids: readonly string[]): Promise<number> {
    const { bytes } = server.get(AccountLimiters);
    let peak = 0;
    let watching = true;
    const watch = () => {
      peak = Math.max(peak, bytes.inUse);
      if (watching) setImmediate(watch);
    };
    watch();
    const accounts = [account(), account(), account()];
    const arrived = await Promise.all(
      ids.map(async (id, index) => {
        const raw = await server.mailbox(accounts[index % accounts.length]!).fetchRaw(id, background);
        return hash(raw.bytes);
      }),
    );
    watching = false;
    expect(arrived).toEqual(ids.map((id) => messages.get(id)!.sha256));
    expect(bytes.inUse).toBe(0);
    return peak;
  }

  it.each<Transfer>(['announced', 'chunked', 'gzip'])('should stay within the budget (%s)', async (kind) => {
    transfer = kind;
    const peak = await fetchAll(Array<string>(18).fill('big'));
    const budget = server.get(AppConfig).provider.maxBytesInFlight;
    expect(peak).toBeGreaterThan(budget / 2);
    // One message at a time may go beyond, so that those which wait for each other's memory all arrive.
    expect(peak).toBeLessThanOrEqual(budget + (kind === 'announced' ? 0 : 2 * 9 * MIB));
  });

  it.each<Transfer>(['announced', 'chunked'])(
    'should let a message larger than the budget pass (%s)',
    async (kind) => {
      transfer = kind;
      const peak = await fetchAll(['big', 'huge', 'big', 'big', 'huge', 'big']);
      const budget = server.get(AppConfig).provider.maxBytesInFlight;
      expect(peak).toBeLessThanOrEqual(budget + (kind === 'announced' ? 1 : 2) * 81 * MIB);
    },
  );
});
