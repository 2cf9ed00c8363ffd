import { encodeSseComment, encodeSseId, encodeSseMessage, encodeSseRetry } from './sse-message';

describe('server-sent events', () => {
  it('should write event, id and data, whatever the data holds', () => {
    const text = encodeSseMessage({ event: 'job', id: 'scan_pii-1.2', data: { error: 'a\nb\r\ndata: x' } });
    expect(text).toBe('event: job\nid: scan_pii-1.2\ndata: {"error":"a\\nb\\r\\ndata: x"}\n\n');
  });

  it('should leave out an id that is not given', () => {
    expect(encodeSseMessage({ event: 'account', data: 1 })).toBe('event: account\ndata: 1\n\n');
  });

  it('should write comments and the time to reconnect', () => {
    expect(encodeSseComment('heartbeat')).toBe(': heartbeat\n\n');
    expect(encodeSseRetry(2_000)).toBe('retry: 2000\n\n');
    expect(encodeSseId('a')).toBe('id: a\n\n');
  });
});
