import { plainToInstance } from 'class-transformer';
import { validateSync } from 'class-validator';
import type { Request, Response } from 'express';
import libmime from 'libmime';
import { validateHeaderValue } from 'node:http';
import { Writable } from 'node:stream';
import { allowForExamples, anyText, anyUtf16, fc, holds, mixtureOf } from '../../../test/support/properties';
import { pageFrom } from '../database/page-from';
import { DomainError } from './domain-error';
import { safeFilename, setDownloadHeaders } from './downloads';
import { MAX_PAGE_SIZE, offsetOf, PageQuery } from '../validation/page.dto';
import { sendDownload } from './ranged-downloads';

allowForExamples();

describe('Content-Disposition', () => {
  const filename = fc.oneof(
    anyText(),
    anyUtf16(),
    mixtureOf(['"', '\\', ';', '=', "'", '%', '%0d%0a', '\r\nSet-Cookie: a=b', "utf-8''", 'filename*=', ',', '(', ')', 'é', '😀', '€', '.pdf', ' '], 15), // prettier-ignore
  );

  it('should be one header that names the file, for every parser', () => {
    holds(
      600,
      fc.property(filename, fc.oneof(filename, fc.constant('image/png')), (name, mimeType) => {
        const headers = new Map<string, string>();
        const response = {
          setHeader: (header: string, value: unknown) => headers.set(header.toLowerCase(), String(value)),
        };
        setDownloadHeaders(response as unknown as Response, { filename: name, mimeType });
        for (const [header, value] of headers) {
          expect(value).toMatch(/^[\x20-\x7e]*$/);
          validateHeaderValue(header, value);
        }
        const disposition = headers.get('content-disposition') as string;
        const safe = safeFilename(name);
        const read = libmime.parseHeaderValue(disposition);
        expect([read.value, libmime.decodeWords(read.params['filename'] as string)]).toEqual([
          'attachment',
          safe,
        ]);
        expect(Object.keys(read.params)).toEqual(['filename']);
        expect(headers.get('content-type')).toMatch(/^[a-z0-9!#$&^_.+-]+\/[a-z0-9!#$&^_.+-]+$/);
      }),
    );
  });
});

describe('ranges', () => {
  /** A response that gathers the service's answer. */
  class Answer extends Writable {
    statusCode = 200;
    readonly headers = new Map<string, string>();
    readonly chunks: Buffer[] = [];
    override _write(chunk: Buffer, _encoding: string, done: () => void): void {
      this.chunks.push(chunk);
      done();
    }
    setHeader(name: string, value: unknown): void {
      this.headers.set(name.toLowerCase(), String(value));
    }
    setTimeout(): void {}
    status(code: number): this {
      this.statusCode = code;
      return this;
    }
  }

  async function ask(
    file: Buffer,
    header: string,
    method = 'GET',
  ): Promise<{ status: number; body: Buffer; headers: Map<string, string> }> {
    const answer = new Answer();
    const request = { method, get: (name: string) => (name === 'range' ? header : undefined) };
    const opened: [number, number][] = [];
    try {
      await sendDownload(request as unknown as Request, answer as unknown as Response, {
        filename: 'x', mimeType: 'text/plain', size: file.length, etag: 'e',
        open: (start, end) => {
          opened.push([start, end]);
          return (async function* () { yield file.subarray(start, end + 1); })();
        },
      }); // prettier-ignore
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      return { status: error.status, body: Buffer.alloc(0), headers: new Map() };
    }
    expect(opened.length).toBeLessThanOrEqual(1);
    return { status: answer.statusCode, body: Buffer.concat(answer.chunks), headers: answer.headers };
  }

  const file = fc.uint8Array({ maxLength: 50 }).map((bytes) => Buffer.from(bytes));

  it('should be the requested bytes, as RFC 9110 counts them', async () => {
    await holds(
      300,
      fc.asyncProperty(file, fc.option(fc.nat(60)), fc.option(fc.nat(60)), async (bytes, first, last) => {
        const { status, body, headers } = await ask(bytes, `bytes=${first ?? ''}-${last ?? ''}`);
        const isSuffix = first === null;
        const start = isSuffix ? Math.max(0, bytes.length - (last ?? 0)) : first;
        const end = isSuffix || last === null ? bytes.length - 1 : Math.min(last, bytes.length - 1);
        const isMalformed =
          (first === null && last === null) || (first !== null && last !== null && last < first);
        if (isMalformed || status !== 206) {
          // Malformed ranges are ignored; a range outside of the file cannot be satisfied.
          expect([200, 416]).toContain(status);
          if (status === 200) expect(body).toEqual(bytes);
          if (!isMalformed && bytes.length > 0 && start < bytes.length && end >= start)
            throw new Error('refused');
          return;
        }
        expect(body).toEqual(bytes.subarray(start, end + 1));
        expect(headers.get('content-range')).toBe(`bytes ${start}-${end}/${bytes.length}`);
        expect(headers.get('content-length')).toBe(String(body.length));
      }),
    );
  });

  it('should be answered in full, in part or with 416, whatever is requested', async () => {
    await holds(
      400,
      fc.asyncProperty(
        file,
        mixtureOf(
          [
            'bytes',
            '=',
            '-',
            ',',
            '0',
            '9',
            '99999999999999999999',
            ' ',
            'x',
            '0-0',
            '1-',
            '-1',
            '0-0,',
            'e5',
            '0x1',
          ],
          12,
        ),
        fc.constantFrom('GET', 'HEAD'),
        async (bytes, header, method) => {
          const { status, body } = await ask(bytes, `bytes=${header}`, method);
          expect([200, 206, 416]).toContain(status);
          if (status === 200 && method === 'GET') expect(body).toEqual(bytes);
          if (method === 'HEAD') expect(body).toHaveLength(0);
          if (status === 206) expect(bytes.includes(body)).toBe(true);
        },
      ),
    );
  });

  it('should not cost more when there are thousands of them', async () => {
    const header = `bytes=${Array.from({ length: 5_000 }, (_, at) => `${at}-${at}`).join(',')}`;
    expect((await ask(Buffer.alloc(10_000, 'x'), header)).status).toBe(206);
    expect((await ask(Buffer.alloc(10_000, 'x'), header.replaceAll('-', '0-'))).status).not.toBe(500);
  });
});

describe('pages', () => {
  it('should together be the list, each row once, from whichever end they are read', () => {
    holds(
      300,
      fc.property(
        fc.nat(400),
        fc.integer({ min: 1, max: MAX_PAGE_SIZE }),
        fc.boolean(),
        (total, limit, isCounted) => {
          const rows = Array.from({ length: total }, (_, row) => row);
          const read: number[] = [];
          for (let page = 1; page <= Math.ceil(total / limit) + 2; page++) {
            const from = pageFrom({ limit, offset: offsetOf({ page, limit }) }, isCounted ? total : null);
            const slice = (from.isReversed ? rows.toReversed() : rows).slice(
              from.offset,
              from.offset + from.limit,
            );
            read.push(...(from.isReversed ? slice.reverse() : slice));
          }
          expect(read).toEqual(rows);
        },
      ),
    );
  });

  it('should be requested by numbers in bounds, or be refused', () => {
    const number = fc.oneof(
      fc.integer().map(String), fc.double().map(String), anyUtf16(6), fc.constantFrom('', ' 5 ', '1e3', '0x10', '-0', '٣', 'NaN', '1,5', 'null'),
      fc.array(fc.constantFrom('1', '2'), { maxLength: 3 }), fc.constant({ 1: '2' }),
    ); // prettier-ignore
    holds(
      500,
      fc.property(
        fc.option(number, { nil: undefined }),
        fc.option(number, { nil: undefined }),
        (page, limit) => {
          const query = plainToInstance(PageQuery, {
            ...(page === undefined ? {} : { page }),
            ...(limit === undefined ? {} : { limit }),
          });
          if (validateSync(query).length > 0) return;
          expect(Number.isInteger(query.page) && query.page >= 1).toBe(true);
          expect(Number.isInteger(query.limit) && query.limit >= 1 && query.limit <= MAX_PAGE_SIZE).toBe(
            true,
          );
          expect(offsetOf(query)).toBeLessThanOrEqual(Number.MAX_SAFE_INTEGER);
        },
      ),
    );
  });
});
