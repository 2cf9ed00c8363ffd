import { ExpressAdapter } from '@nestjs/platform-express';
import type { Request, Response } from 'express';

const JSON_TYPE = 'application/json; charset=utf-8';

/** Answers of these statuses have no body (RFC 9110 §15). */
const BODILESS = new Set([204, 205, 304]);

/** Express, which writes JSON answers at once: what `response.json` asks of each is the same for nearly all of them. */
export class JsonAnswersAdapter extends ExpressAdapter {
  override reply(response: Response, body: unknown, statusCode?: number): unknown {
    const status = statusCode ?? response.statusCode;
    const isUsual = isPlainJson(body) && !BODILESS.has(status) && isPlainAnswer(response);
    if (!isUsual) return super.reply(response, body, statusCode);
    response.statusCode = status;
    const text = JSON.stringify(body);
    response.setHeader('Content-Type', JSON_TYPE);
    const bytes = Buffer.byteLength(text);
    response.setHeader('Content-Length', bytes);
    // An equal number of bytes and characters means ASCII, the same in both encodings. For UTF-8, Node reserves three
    // bytes each.
    return response.end(text, bytes === text.length ? 'latin1' : 'utf8');
  }
}

/** Whether a body is an array or an object literal of a handler: no stream, no error, no instance of a class. */
function isPlainJson(body: unknown): boolean {
  return Array.isArray(body) || (typeof body === 'object' && body !== null && isPlainObject(body));
}

function isPlainObject(body: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(body);
  return prototype === Object.prototype || prototype === null;
}

/** A whole body in answer to a request without conditions, and of no other media type. */
function isPlainAnswer(response: Response): boolean {
  const { method, headers } = response.req as Request;
  return (
    method !== 'HEAD' &&
    headers['if-none-match'] === undefined &&
    headers['if-modified-since'] === undefined &&
    !response.hasHeader('Content-Type')
  );
}
