import { createHmac } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { verifyWebhook, WebhookRejected } from '../src/index';

const SECRET = `whsec_${Buffer.from('a secret of more than a few bytes').toString('base64')}`;
const OTHER = `whsec_${Buffer.from('another secret').toString('base64')}`;
const NOW = Date.UTC(2026, 0, 1);
const EVENT = {
  id: 'e-1',
  event: 'quota.warning',
  timestamp: '2026-01-01T00:00:00.000Z',
  data: { percent: 80, name: 'é' },
};
const BODY = JSON.stringify(EVENT);

const signed = (body = BODY, secret = SECRET, at = NOW): Record<string, string> => ({
  'webhook-id': 'e-1',
  'webhook-timestamp': String(at / 1000),
  'webhook-signature': new Webhook(secret).sign('e-1', new Date(at), body),
  'x-webhook-signature': createHmac('sha256', secret).update(body).digest('hex'),
});

const verify = (headers: Parameters<typeof verifyWebhook>[1], options = {}): Promise<unknown> =>
  verifyWebhook(Buffer.from(BODY), headers, SECRET, { now: NOW, ...options });

const flipped = (text: string): string => (text.startsWith('0') ? `1${text.slice(1)}` : `0${text.slice(1)}`);

describe('verifyWebhook', () => {
  it.each([
    ['the bytes', Buffer.from(BODY)],
    ['a buffer', new Uint8Array(Buffer.from(BODY)).buffer],
    ['the text', BODY],
  ])('should return the event of a signed request, from %s', async (_what, body) => {
    for (const signature of ['standard', 'body'] as const) {
      const event = await verifyWebhook(body, signed(), SECRET, { now: NOW, signature });
      expect(event).toEqual(EVENT);
    }
  });

  it('should accept headers in any form', async () => {
    const headers = signed();
    await verify(new Headers(headers));
    await verify(
      Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toUpperCase(), value])),
    );
    await expect(verify({})).rejects.toMatchObject({ code: 'signature-missing' });
    await expect(verify({ ...headers, 'webhook-id': ['a', 'b'] })).rejects.toMatchObject({
      code: 'signature-missing',
    });
  });

  it('should accept any of several signatures, but none of another version', async () => {
    const headers = signed();
    const own = headers['webhook-signature']!;
    const others = new Webhook(OTHER).sign('e-1', new Date(NOW), BODY);
    await verify({ ...headers, 'webhook-signature': `v1a,AAAA ${others} ${own}` });
    const versions = { ...headers, 'webhook-signature': own.replace('v1,', 'v2,') };
    await expect(verify(versions)).rejects.toMatchObject({ code: 'signature-wrong' });
  });

  it.each([
    ['another secret', signed(BODY, OTHER)],
    ['another body', signed(`${BODY} `)],
    ['another id', { ...signed(), 'webhook-id': 'e-2', 'x-webhook-signature': '0' }],
    [
      'another time',
      { ...signed(), 'webhook-timestamp': String(NOW / 1000 + 1), 'x-webhook-signature': '0' },
    ],
    ['nonsense', { ...signed(), 'webhook-signature': 'v1,%%%', 'x-webhook-signature': 'nonsense' }],
    [
      'a flipped digit',
      {
        ...signed(),
        'webhook-signature': 'v1,AAAA',
        'x-webhook-signature': flipped(signed()['x-webhook-signature']!),
      },
    ],
    ['capitals', { ...signed(), 'webhook-signature': 'V1,', 'x-webhook-signature': `A${'0'.repeat(63)}` }],
    ['a time that is none', { ...signed(), 'webhook-timestamp': 'now', 'x-webhook-signature': '0' }],
  ])('should reject %s', async (_what, headers) => {
    for (const signature of ['standard', 'body']) {
      const verifying = verify(headers, { signature });
      await expect(verifying).rejects.toBeInstanceOf(WebhookRejected);
      await expect(verifying).rejects.toMatchObject({ code: 'signature-wrong' });
    }
  });

  it('should reject timestamps that are too old or ahead, but not a late event with a signature of the body alone', async () => {
    await expect(verify(signed(), { now: NOW + 301_000 })).rejects.toMatchObject({
      code: 'timestamp-too-old',
    });
    await expect(verify(signed(), { now: NOW - 301_000 })).rejects.toMatchObject({ code: 'timestamp-ahead' });
    await expect(verify(signed(), { now: NOW + 301_000, tolerance: 600 })).resolves.toEqual(EVENT);
    await expect(verify(signed(), { now: NOW + 3_600_000, signature: 'body' })).resolves.toEqual(EVENT);
  });
});
