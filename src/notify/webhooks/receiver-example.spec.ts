import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { newWebhookSecret } from './webhook-target';
import { webhookRequest } from './webhook-formats';

const PAGE = join(__dirname, '../../../docs/webhooks.md');

type Check = (secret: string, body: Buffer, signature: string | undefined) => boolean;

/** The page's code as a receiver would paste it. */
function example(): Check {
  const [, code] = /```js\n([\s\S]*?)```/.exec(readFileSync(PAGE, 'utf8'))!;
  // eslint-disable-next-line @typescript-eslint/no-implied-eval
  return new Function('require', `${code}\nreturn isFromMailroom;`)(require) as Check;
}

describe('The example of docs/webhooks.md', () => {
  it('should accept requests that the service signs, and no others', () => {
    const isFromMailroom = example();
    const secret = newWebhookSecret();
    const { headers, body } = webhookRequest(
      {
        id: '01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d',
        type: 'job.failed',
        occurredAt: new Date(),
        data: { jobId: 'x-1', error: 'Schlüssel "weg" 🔑' },
      },
      { type: 'generic', url: 'https://example.org', secret },
      new Date(),
    );
    const signature = headers['X-Webhook-Signature']!;
    expect(isFromMailroom(secret, body, signature)).toBe(true);
    expect(isFromMailroom(secret, Buffer.concat([body, Buffer.from(' ')]), signature)).toBe(false);
    expect(isFromMailroom(newWebhookSecret(), body, signature)).toBe(false);
    for (const other of [undefined, '', signature.slice(2), 'no hex', signature.replace(/^../, 'zz')]) {
      expect(isFromMailroom(secret, body, other)).toBe(false);
    }
  });
});
