import express from 'express';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import type { SseConnection } from './sse-connection';
import { SseStreams, StreamRevocation } from './sse-streams';

const HEARTBEAT_MS = 20;
/** More than the buffers of both ends of a connection hold. */
const MUCH = 'x'.repeat(32 * 1024 * 1024);

describe('SseStreams', () => {
  const user = { id: 'user' };
  const revocation: StreamRevocation<typeof user> = {
    onRevoked: () => () => undefined,
    isRevoked: async () => false,
  };
  const clients: Socket[] = [];
  let server: Server;
  let streams: SseStreams<typeof user>;
  /** Data of the first event of each stream. */
  let first: string;
  let closings: number;
  let connection: SseConnection;

  beforeEach(async () => {
    closings = 0;
    streams = new SseStreams(revocation, { heartbeatMs: HEARTBEAT_MS });
    const app = express();
    app.get('/', (_request, response) =>
      streams.serve(user, response, (opened) => {
        connection = opened;
        return {
          listen: async () => () => undefined,
          begin: async () => () => opened.send({ event: 'job', id: '1', data: first }),
          catchUp: async () => undefined,
          close: () => void (closings += 1),
        };
      }),
    );
    server = createServer(app).listen(0, '127.0.0.1');
    await once(server, 'listening');
  });

  afterEach(() => {
    for (const client of clients.splice(0)) client.destroy();
    server.closeAllConnections();
    server.close();
  });

  const open = async (): Promise<Socket> => {
    const client = connect((server.address() as AddressInfo).port, '127.0.0.1');
    clients.push(client);
    client.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n');
    await once(client, 'readable');
    return client;
  };

  const beats = (count: number): Promise<void> =>
    new Promise((resolve) => setTimeout(resolve, count * HEARTBEAT_MS));

  it('should cut a stream that is not read after eight heartbeats, and free its slot', async () => {
    first = MUCH;
    await open();
    await beats(4);
    expect([connection.congested, connection.closed, closings]).toEqual([true, false, 0]);
    while (!connection.closed) await beats(1);
    await beats(1);
    expect(closings).toBe(1);
  });

  it('should cut a stream whose end is not read', async () => {
    first = MUCH;
    await open();
    await beats(1);
    connection.end();
    await beats(2);
    expect([connection.closed, closings]).toEqual([true, 0]);
    while (closings === 0) await beats(1);
    expect(closings).toBe(1);
  });

  it('should keep a stream that is read, however little is sent', async () => {
    first = 'little';
    const client = await open();
    let text = '';
    client.on('data', (chunk: Buffer) => (text += chunk.toString()));
    while (text.split(': heartbeat').length <= 16) await beats(1);
    expect([connection.closed, closings]).toEqual([false, 0]);
  });
});
