import type { Socket } from 'node:net';
import { STATUS_CODES } from 'node:http';
import { newId } from '../database/ids';
import { toProblem } from './problems/to-problem';
import { DomainError } from './domain-error';

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
