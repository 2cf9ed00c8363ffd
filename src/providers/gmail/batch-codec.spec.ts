import { BatchMalformed, decodeBatch, encodeBatch } from './batch-codec';

const crlf = (lines: readonly string[]) => lines.join('\r\n');

describe('encodeBatch', () => {
  it('should write one application/http part per call', () => {
    const { contentType, body } = encodeBatch(
      [
        { id: 'm0', method: 'GET', path: '/gmail/v1/users/me/messages/1?format=full' },
        { id: 'm1', method: 'GET', path: '/gmail/v1/users/me/messages/2' },
      ],
      'B',
    );
    expect(contentType).toBe('multipart/mixed; boundary=B');
    expect(body).toBe(
      crlf([
        '--B',
        'Content-Type: application/http',
        'Content-ID: <m0>',
        '',
        'GET /gmail/v1/users/me/messages/1?format=full HTTP/1.1',
        'Accept: application/json',
        '',
        '',
        '--B',
        'Content-Type: application/http',
        'Content-ID: <m1>',
        '',
        'GET /gmail/v1/users/me/messages/2 HTTP/1.1',
        'Accept: application/json',
        '',
        '',
        '--B--',
        '',
      ]),
    );
  });
});

describe('decodeBatch', () => {
  const part = (id: string, status: string, body: string) => [
    '--batch_x',
    'Content-Type: application/http',
    `Content-ID: <response-${id}>`,
    '',
    `HTTP/1.1 ${status}`,
    'Content-Type: application/json; charset=UTF-8',
    'Retry-After: 7',
    '',
    body,
  ];

  it('should read statuses, headers and bodies in any order', () => {
    const text = crlf([
      ...part('m1', '429 Too Many Requests', '{"error":{}}'),
      ...part('m0', '200 OK', '{"id":"1"}'),
      '--batch_x--',
      '',
    ]);
    expect(decodeBatch('multipart/mixed; boundary=batch_x', text)).toEqual([
      {
        id: 'm1',
        status: 429,
        headers: { 'content-type': 'application/json; charset=UTF-8', 'retry-after': '7' },
        body: '{"error":{}}',
      },
      { id: 'm0', status: 200, headers: expect.any(Object), body: '{"id":"1"}' },
    ]);
  });

  it('should accept a quoted boundary, bare line feeds, a preamble and empty bodies', () => {
    const text = [
      'preamble',
      '--a b',
      'content-id: response-ignored <response-m0>',
      '',
      'HTTP/2 204',
      '',
      '',
      '--a b--',
      'epilogue',
    ].join('\n');
    expect(decodeBatch('Multipart/Mixed; charset=utf-8; boundary="a b"', text)).toEqual([
      { id: 'm0', status: 204, headers: {}, body: '' },
    ]);
  });

  it('should ignore the boundary inside a body', () => {
    const body = '{"snippet":"--batch_x and --batch_x--"}';
    const text = crlf([...part('m0', '200 OK', body), '--batch_x--', '']);
    expect(decodeBatch('multipart/mixed; boundary=batch_x', text)[0]!.body).toBe(body);
  });

  it('should keep blank lines within a body', () => {
    const body = '{\r\n\r\n  "id": "1"\r\n}\r\n';
    const text = crlf([...part('m0', '200 OK', body), '--batch_x--', '']);
    expect(JSON.parse(decodeBatch('multipart/mixed; boundary=batch_x', text)[0]!.body)).toEqual({ id: '1' });
  });

  it.each([
    ['no multipart', 'application/json', '{}'],
    ['no boundary', 'multipart/mixed', '--x--'],
    ['cut short', 'multipart/mixed; boundary=batch_x', crlf(part('m0', '200 OK', '{"id"'))],
    ['empty', 'multipart/mixed; boundary=batch_x', ''],
    [
      'no status',
      'multipart/mixed; boundary=b',
      crlf(['--b', 'Content-ID: <response-m0>', '', 'hello', '--b--']),
    ],
    ['no id', 'multipart/mixed; boundary=b', crlf(['--b', 'X: y', '', 'HTTP/1.1 200 OK', '', '{}', '--b--'])],
  ])('refuses: %s', (_name, contentType, text) => {
    expect(() => decodeBatch(contentType, text)).toThrow(BatchMalformed);
  });

  it('should take linear time on a large answer', () => {
    const parts = Array.from({ length: 2_000 }, (_, index) =>
      part(`m${index}`, '200 OK', `{"x":"${'-'.repeat(5_000)}"}`),
    );
    const since = performance.now();
    expect(
      decodeBatch('multipart/mixed; boundary=batch_x', crlf([...parts.flat(), '--batch_x--'])),
    ).toHaveLength(2_000);
    expect(performance.now() - since).toBeLessThan(1_500);
  });
});
