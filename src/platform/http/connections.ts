import type { NextFunction, Request, Response } from 'express';
import { STATUS_CODES } from 'node:http';
import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { newId } from '../crypto/ids';
import { DomainError } from './domain-error';
import { toProblem } from './problem.response';
import { setTimeout } from '../concurrency/timers';

const STATUSES: Readonly<Record<string, number>> = {
  HPE_HEADER_OVERFLOW: 431,
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 413,
  ERR_HTTP_REQUEST_TIMEOUT: 408,
};

/** Answers what Node's HTTP parser refuses before there is a request with a problem document, too. */
export function answerClientError(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const status = STATUSES[error.code ?? ''] ?? 400;
  const reason = STATUS_CODES[status] ?? 'Bad Request';
  const refused = new DomainError({
    code: 'malformed-request',
    status,
    detail: 'This is not a valid HTTP request.',
  });
  const body = JSON.stringify({ ...toProblem(refused, '/'), requestId: newId() });
  socket.end(
    `HTTP/1.1 ${status} ${reason}\r\nConnection: close\r\nContent-Type: application/problem+json; charset=utf-8\r\n` +
      `Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  );
}

/**
 * Has a server, once it closes, keep no connection for a request that could not be served any more: those on which
 * nothing was ever sent (browsers open them in advance), and those whose answer was under way. By itself Node
 * closes only those that are idle just then, and waits for the others until they time out.
 */
export function closeConnectionsOnShutdown(server: Server): void {
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
    // A socket on which a request has begun to arrive stays open until its answer.
    for (const socket of unused) if (socket.bytesRead === 0) socket.destroy();
    return server;
  };
}

/** A client has so long to notice that its request has been answered before all of it was sent. */
const LINGER_MS = 10_000;

/**
 * Reads and drops the rest of a body for a while after its request was refused (no token, too large), and then closes the
 * connection: closed at once, it would take the answer with it.
 */
export function drainUnreadBody(request: Request, response: Response, next: NextFunction): void {
  response.once('finish', () => {
    if (request.complete || request.destroyed) return;
    const timer = setTimeout(() => request.socket.destroy(), LINGER_MS).unref();
    for (const event of ['end', 'close']) request.once(event, () => clearTimeout(timer));
    request.resume();
  });
  next();
}
