import { randomBytes } from 'node:crypto';
import { parseHeaderBlock } from '../mime/header-fields';
import { splitMultipart } from '../mime/mime-tree';
import { ApiError } from './api-error';
import { parseTarget, serialize, type ApiAnswer, type ApiRequest } from './api-message';

const MAX_PARTS = 100;
const STATUS_TEXT: Record<number, string> = {
  200: 'OK',
  204: 'No Content',
  400: 'Bad Request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  409: 'Conflict',
  429: 'Too Many Requests',
  500: 'Internal Server Error',
  503: 'Service Unavailable',
};

export interface BatchPart {
  readonly contentId: string | undefined;
  readonly request: ApiRequest;
}

/** The boundary of a multipart content type; throws 400 when there is none. */
export function boundaryOf(contentType: string | undefined): string {
  const match = /^multipart\/[a-z]+\s*;(?:.*;)?\s*boundary=(?:"([^"]+)"|([^;\s]+))/i.exec(contentType ?? '');
  const boundary = match?.[1] ?? match?.[2];
  if (boundary === undefined)
    throw new ApiError(400, 'badRequest', 'Failed to parse batch request, error: Missing boundary.');
  return boundary;
}

/** The requests in a batch body. Outer headers but Content-* apply to each; a part may override them. */
export function parseBatch(outer: ApiRequest): BatchPart[] {
  const { body } = outer;
  const ranges = splitMultipart(body, 0, body.length, boundaryOf(outer.headers['content-type']));
  if (ranges.length === 0)
    throw new ApiError(400, 'badRequest', 'Failed to parse batch request, error: 0 items.');
  if (ranges.length > MAX_PARTS) {
    throw new ApiError(
      400,
      'badRequest',
      `The batch request contains too many calls: ${ranges.length} exceeds ${MAX_PARTS}.`,
    );
  }
  const inherited = Object.fromEntries(
    Object.entries(outer.headers).filter(([name]) => !name.startsWith('content-')),
  );
  return ranges.map(({ start, end }) => parsePart(body, start, end, inherited));
}

function parsePart(body: Buffer, start: number, end: number, inherited: ApiRequest['headers']): BatchPart {
  const part = parseHeaderBlock(body, start, end);
  const newline = body.indexOf(10, part.bodyStart);
  const lineEnd = newline < 0 || newline >= end ? end : newline + 1;
  const line = /^([A-Z]+) (\S+)(?: HTTP\/\d(?:\.\d)?)?$/.exec(
    body.toString('utf8', part.bodyStart, lineEnd).trim(),
  );
  if (line === null)
    throw new ApiError(400, 'badRequest', 'Failed to parse batch request, error: Invalid request line.');
  const inner = parseHeaderBlock(body, lineEnd, end);
  const headers: Record<string, string | undefined> = { ...inherited };
  for (const field of inner.fields) headers[field.name.toLowerCase()] = field.value;
  return {
    contentId: part.fields.find((field) => field.name.toLowerCase() === 'content-id')?.value,
    request: {
      method: line[1] as string,
      ...parseTarget(line[2] as string),
      headers,
      body: body.subarray(inner.bodyStart, end),
    },
  };
}

/** The multipart answer; each part is found again by `response-` before its Content-ID. */
export function batchAnswer(parts: readonly BatchPart[], answers: readonly ApiAnswer[]): ApiAnswer {
  const boundary = `batch_${randomBytes(18).toString('base64url')}`;
  const chunks: Buffer[] = [];
  parts.forEach((part, at) => {
    const answer = answers[at] as ApiAnswer;
    const { body, contentType } = serialize(answer);
    const id = part.contentId === undefined ? [] : [`Content-ID: ${responseId(part.contentId)}`];
    const head = [
      `--${boundary}`,
      'Content-Type: application/http',
      ...id,
      '',
      `HTTP/1.1 ${answer.status} ${STATUS_TEXT[answer.status] ?? 'Unknown'}`,
      ...Object.entries(answer.headers ?? {}).map(([name, value]) => `${name}: ${value}`),
      ...(contentType === undefined ? [] : [`Content-Type: ${contentType}`]),
      `Content-Length: ${body.length}`,
      '',
      '',
    ];
    chunks.push(Buffer.from(head.join('\r\n')), body, Buffer.from('\r\n'));
  });
  chunks.push(Buffer.from(`--${boundary}--\r\n`));
  return {
    status: 200,
    headers: { 'Content-Type': `multipart/mixed; boundary=${boundary}` },
    bytes: Buffer.concat(chunks),
  };
}

function responseId(contentId: string): string {
  return contentId.startsWith('<') ? `<response-${contentId.slice(1)}` : `response-${contentId}`;
}
