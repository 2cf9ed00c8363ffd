import { createServer, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { closeConnectionsOnShutdown } from './connections';

const REQUEST = 'GET / HTTP/1.1\r\nHost: localhost\r\n\r\n';

describe('closeConnectionsOnShutdown', () => {
  let server: Server;
  const clients: Socket[] = [];
  const answers: ServerResponse[] = [];

  beforeEach(async () => {
    server = createServer((_request, response) => {
      answers.push(response);
      response.write('begun, ');
    });
    server.keepAliveTimeout = 75_000;
    closeConnectionsOnShutdown(server);
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
  });

  afterEach(() => {
    for (const client of clients.splice(0)) client.destroy();
    answers.length = 0;
    server.closeAllConnections();
  });

  const open = async (): Promise<Socket> => {
    const accepted = once(server, 'connection');
    const client = connect((server.address() as AddressInfo).port, '127.0.0.1');
    clients.push(client);
    await accepted;
    return client;
  };

  it('should not wait for connections on which nothing was sent', async () => {
    const client = await open();
    const ended = once(client.resume(), 'end');
    const closed = new Promise((resolve) => server.close(resolve));
    expect(await Promise.all([closed, ended])).toEqual([undefined, []]);
  });

  it('should let responses finish, and then close their connections', async () => {
    const client = await open();
    client.write(REQUEST);
    await once(client, 'data');
    let isClosed = false;
    const closed = new Promise<void>((resolve) => server.close(() => resolve()));
    void closed.then(() => (isClosed = true));
    await delay(50);
    expect(isClosed).toBe(false);
    const rest = once(client, 'data');
    answers[0]!.end('and done');
    expect(String(await rest)).toContain('and done');
    await closed;
  });

  it('should wait for a request that has begun to arrive', async () => {
    const client = await open();
    client.write(REQUEST.slice(0, 20));
    await delay(50);
    const closed = new Promise<void>((resolve) => server.close(() => resolve()));
    client.write(REQUEST.slice(20));
    const [first] = await once(client, 'data');
    expect(String(first)).toContain('200 OK');
    answers[0]!.end();
    await closed;
  });
});
