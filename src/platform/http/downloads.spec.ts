import contentDisposition from 'content-disposition';
import type { Response } from 'express';
import { safeContentType, safeFilename, setDownloadHeaders } from './downloads';

describe('safeContentType', () => {
  it.each([
    ['application/pdf', 'application/pdf'],
    ['Image/PNG; name="x.png"', 'image/png'],
    ['message/rfc822', 'message/rfc822'],
    ['application/vnd.oasis.opendocument.text', 'application/vnd.oasis.opendocument.text'],
    ['text/html', 'application/octet-stream'],
    ['TEXT/HTML; charset=utf-8', 'application/octet-stream'],
    ['image/svg+xml', 'application/octet-stream'],
    ['application/xhtml+xml', 'application/octet-stream'],
    ['text/xml', 'application/octet-stream'],
    ['text/javascript', 'application/octet-stream'],
    ['application/x-javascript', 'application/octet-stream'],
    ['text/jscript', 'application/octet-stream'],
    ['multipart/mixed', 'application/octet-stream'],
    ['', 'application/octet-stream'],
    ['pdf', 'application/octet-stream'],
    ['a/b\r\nSet-Cookie: x', 'application/octet-stream'],
  ])('should turn %j into %s', (declared, safe) => {
    expect(safeContentType(declared)).toBe(safe);
  });
});

describe('safeFilename', () => {
  it.each([
    ['rapport été.pdf', 'rapport été.pdf'],
    ['../../etc/passwd', 'passwd'],
    ['C:\\Users\\me\\x.doc', 'x.doc'],
    ['evil\r\nX: y.txt', 'evilX: y.txt'],
    ['invoice\u202Efdp.exe', 'invoicefdp.exe'],
    ['half \ud83d.txt', 'half .txt'],
    ['.bashrc', 'bashrc'],
    ['. .bashrc ', 'bashrc'],
    ['..', 'download'],
    ['', 'download'],
    ['folder/', 'download'],
  ])('should turn %j into %j', (given, safe) => {
    expect(safeFilename(given)).toBe(safe);
  });

  it('should cut a long name and keep its extension', () => {
    const name = safeFilename(`${'é'.repeat(500)}.pdf`);
    expect([...name]).toHaveLength(200);
    expect(name.endsWith('é.pdf')).toBe(true);
  });
});

describe('setDownloadHeaders', () => {
  it('should set how to save the body and forbid everything else', () => {
    const headers = new Map<string, string | number>();
    const response = { setHeader: (name: string, value: string | number) => headers.set(name, value) };
    setDownloadHeaders(response as unknown as Response, {
      filename: 'Rechnung № 7 "final".pdf',
      mimeType: 'application/pdf',
      size: 12,
    });
    expect(Object.fromEntries(headers)).toMatchObject({
      'Content-Type': 'application/pdf',
      'X-Content-Type-Options': 'nosniff',
      'Content-Security-Policy': 'sandbox',
      'Cache-Control': 'private, no-store',
      'Content-Length': 12,
    });
    const disposition = String(headers.get('Content-Disposition'));
    expect(disposition).toContain("filename*=UTF-8''");
    expect(contentDisposition.parse(disposition)).toEqual({
      type: 'attachment',
      parameters: { filename: 'Rechnung № 7 "final".pdf' },
    });
  });
});
