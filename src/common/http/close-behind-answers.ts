import type { Server } from 'node:http';
import type { Socket } from 'node:net';

/**
 * Has a server, once it closes, keep no connection for a request that could not be served any more: those on which
 * nothing was ever sent (browsers open them in advance), and those whose answer was under way. By itself Node
 * closes only those that are idle just then, and waits for the others until they time out.
 */
export function closeBehindAnswers(server: Server): void {
  const unused = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    unused.add(socket);
    socket.once('close', () => unused.delete(socket));
  });
  server.on('request', ({ socket }, response) => {
    unused.delete(socket);
    response.once('close', () => {
      if (!server.listening) setImmediate(() => server.closeIdleConnections());
    });
  });
  const close = server.close.bind(server);
  server.close = (callback) => {
    close(callback);
    // What has begun to arrive is waited for.
    for (const socket of unused) if (socket.bytesRead === 0) socket.destroy();
    return server;
  };
}
