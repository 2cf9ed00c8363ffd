import { Webhook } from 'standardwebhooks';
import {
  readBlocks,
  readEmbed,
  readGeneric,
  readPush,
  type Received,
} from '../../../test/support/webhooks/contract-receiver';
import type { WebhookEvent } from '../../platform/events/events';
import { newWebhookSecret } from './webhook-target';
import type { WebhookType } from './webhook.entity';
import { type DeliveredEvent, webhookRequest, type WebhookTarget } from './webhook-formats';

const job = (status: string, error: string | null = null): Record<string, unknown> => ({
  jobId: 'archive_mails-42',
  type: 'archive_mails',
  status,
  accountId: '01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d',
  total: 1_500,
  processed: 1_500,
  failed: 0,
  error,
});

const DATA: Readonly<Record<WebhookEvent, Record<string, unknown>>> = {
  'job.completed': job('completed'),
  'job.failed': job('failed', 'The storage quota is exceeded.'),
  'rule.executed': {
    ruleId: '01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4e',
    name: 'Ads',
    accountId: '01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d',
    action: 'trash',
    matched: 3,
    jobId: 'run_rule-7',
  },
  'quota.warning': { usedBytes: 4_500_000_000, quotaBytes: 5_000_000_000, percent: 90 },
  'integrity.failed': {
    accountId: '01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d',
    checked: 100,
    missing: 1,
    altered: 0,
    mailIds: ['01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4f'],
  },
  'archiving.unhealthy': {
    accountId: '01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d',
    state: 'behind',
    reason: 'provider',
    since: '2026-05-03T09:30:00.000Z',
    pending: 12,
  },
  'archiving.recovered': {
    accountId: '01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d',
    since: '2026-05-03T09:30:00.000Z',
  },
};

const event = (type: WebhookEvent, data: Record<string, unknown> = {}): DeliveredEvent => ({
  id: '01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b50',
  type,
  occurredAt: new Date('2026-05-04T09:30:00.123Z'),
  data: { ...DATA[type], ...data },
});

const target = (type: WebhookType): WebhookTarget => ({
  type,
  url: 'https://receiver.example/topic',
  secret: type === 'generic' ? newWebhookSecret() : null,
});

/** The request as a server sees it. */
function received(told: DeliveredEvent, to: WebhookTarget, attemptedAt = new Date()): Received {
  const { headers, body } = webhookRequest(told, to, attemptedAt);
  const names = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]);
  return { method: 'POST', path: '/', headers: Object.fromEntries(names), body };
}

/** Markdown as the platform renders it. */
const shown = (text: string): string => text.replace(/\\([\\*_~`|[\]()<>#])/g, '$1').replaceAll('\u200b', '');

const TYPES = Object.keys(DATA) as WebhookEvent[];

const HOSTILE =
  '@everyone @here <!channel> <@U12345> <@&99> ```\n*bold* `code` [a](https://b.example) & more';

describe('A generic request', () => {
  it.each(TYPES)('should contain %s, signed as documented', (type) => {
    const to = target('generic');
    expect(readGeneric(received(event(type), to), to.secret!)).toEqual({
      id: '01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b50',
      event: type,
      timestamp: '2026-05-04T09:30:00.123Z',
      data: DATA[type],
    });
  });

  it('should have the same body in every attempt, and the time of each', () => {
    const to = target('generic');
    const [first, second] = [60_000, 0].map((ago) =>
      received(event('job.failed'), to, new Date(Date.now() - ago)),
    );
    expect(second!.body.equals(first!.body)).toBe(true);
    expect(second!.headers['x-webhook-signature']).toBe(first!.headers['x-webhook-signature']);
    expect(Number(second!.headers['webhook-timestamp']) - Number(first!.headers['webhook-timestamp'])).toBe(
      60,
    );
    for (const request of [first!, second!]) readGeneric(request, to.secret!);
  });

  it('should be signed over the bytes of text in any script', () => {
    const to = target('generic');
    const told = event('rule.executed', { name: 'Счета 請求書 🧾 "quoted" \u2028' });
    expect(readGeneric(received(told, to), to.secret!).data.name).toBe('Счета 請求書 🧾 "quoted" \u2028');
  });

  it('should fail verification with another byte, id, time or secret', () => {
    const to = target('generic');
    const request = received(event('job.completed'), to);
    const altered = Buffer.from(request.body);
    altered[altered.length - 3] = altered[altered.length - 3]! ^ 1;
    const verify = ({ headers, body }: Received, secret = to.secret!): unknown =>
      new Webhook(secret).verify(body.toString('utf8'), headers as Record<string, string>);
    expect(() => verify(request)).not.toThrow();
    expect(() => readGeneric({ ...request, body: altered }, to.secret!)).toThrow('fits the bytes');
    expect(() => verify({ ...request, body: altered })).toThrow();
    for (const header of ['webhook-id', 'webhook-timestamp']) {
      const headers = { ...request.headers, [header]: `${request.headers[header]}1` };
      expect(() => verify({ ...request, headers })).toThrow();
    }
    expect(() => verify(request, newWebhookSecret())).toThrow();
  });

  it('should not be created without a secret', () => {
    expect(() =>
      webhookRequest(event('job.failed'), { ...target('generic'), secret: null }, new Date()),
    ).toThrow();
  });
});

describe('Every request', () => {
  it.each(['generic', 'embedchat', 'blockchat', 'pushnotify'] as const)(
    'should go to the address: %s',
    (type) => {
      const { url, headers } = webhookRequest(event('job.failed'), target(type), new Date());
      expect([url, headers['User-Agent']]).toEqual(['https://receiver.example/topic', 'Mailroom']);
    },
  );
});

describe('An embedchat request', () => {
  it.each([
    ['job.completed', 'green', 'Archiving completed', '1,500 messages were processed.'],
    [
      'job.failed',
      'red',
      'Archiving failed',
      'The storage quota is exceeded. 1,500 messages were processed before.',
    ],
    ['rule.executed', 'green', 'Rule "Ads" was executed', '3 messages matched. Action: move to trash.'],
    ['quota.warning', 'red', 'Storage is 90 % full', '4.5 GB of 5 GB are used.'],
    ['integrity.failed', 'red', 'Archived mail is damaged', '1 file is missing; 100 files were checked.'],
    [
      'archiving.unhealthy',
      'red',
      'Archiving is behind',
      'The mail provider has not been reached since 3 May, 09:30 UTC. 12 messages wait to be copied.',
    ],
    [
      'archiving.recovered',
      'green',
      'Archiving is up to date again',
      'It had been behind, or had stopped, since 3 May, 09:30 UTC.',
    ],
  ] as const)('should contain %s in %s', (type, colour, title, text) => {
    const message = readEmbed(received(event(type), target('embedchat')));
    expect(message).toEqual({ colour, title: expect.any(String), text: expect.any(String) });
    expect([shown(message.title), shown(message.text)]).toEqual([title, text]);
  });

  it('should show hostile text literally', () => {
    const told = event('job.failed', { error: HOSTILE, processed: 0 });
    const { text } = readEmbed(received(told, target('embedchat')));
    expect(shown(text)).toBe(HOSTILE.replaceAll('\n', ' '));
    expect(text).not.toMatch(/(?<!\\)[*`[\]()<>]/);
  });

  it.each(['x', '*', '🧾'])(
    'should cut a text of %s that is too long between two characters',
    (character) => {
      const told = event('job.failed', { error: character.repeat(9_000), processed: 0 });
      const { text } = readEmbed(received(told, target('embedchat')));
      expect(text.length).toBeGreaterThan(1_990);
      expect(shown(text)).toMatch(new RegExp(`^[${character}]+…$`, 'u'));
      const named = event('rule.executed', { name: character.repeat(255) });
      expect(readEmbed(received(named, target('embedchat'))).title).not.toMatch(/\\…$/);
    },
  );
});

describe('A blockchat request', () => {
  it.each(TYPES)('should contain %s in bold over a code block, and in one line', (type) => {
    const inChat = readBlocks(received(event(type), target('blockchat')));
    const embed = readEmbed(received(event(type), target('embedchat')));
    expect(inChat).toEqual({
      title: shown(embed.title),
      text: shown(embed.text),
      summary: `${shown(embed.title)}: ${shown(embed.text)}`,
    });
  });

  it('should keep hostile text from mentioning users or leaving its block', () => {
    const told = event('job.failed', { error: HOSTILE, processed: 0 });
    const { text, summary } = readBlocks(received(told, target('blockchat')));
    expect(shown(text)).toBe(HOSTILE.replaceAll('\n', ' '));
    expect(summary).not.toMatch(/[`*]/);
    const named = event('rule.executed', { name: HOSTILE });
    expect(readBlocks(received(named, target('blockchat'))).title).toContain('& more');
  });

  it.each(['x', '<', '`', '🧾'])('should cut a text of %s that is too long', (character) => {
    const told = event('job.failed', { error: character.repeat(9_000), processed: 0 });
    const { text, summary } = readBlocks(received(told, target('blockchat')));
    for (const cut of [text, summary]) expect(cut.endsWith('…')).toBe(true);
    const named = event('rule.executed', { name: character.repeat(255) });
    readBlocks(received(named, target('blockchat')));
  });
});

describe('A pushnotify request', () => {
  it.each([
    ['job.completed', 3, 'white_check_mark'],
    ['job.failed', 4, 'x'],
    ['rule.executed', 3, 'gear'],
    ['quota.warning', 3, 'warning'],
    ['integrity.failed', 4, 'rotating_light'],
    ['archiving.unhealthy', 4, 'hourglass'],
    ['archiving.recovered', 3, 'white_check_mark'],
  ] as const)('should contain %s with priority %d', (type, priority, tag) => {
    const { title, text, ...rest } = readPush(received(event(type), target('pushnotify')));
    const embed = readEmbed(received(event(type), target('embedchat')));
    expect(rest).toEqual({ priority, tags: [tag, type] });
    expect([title, text]).toEqual([shown(embed.title), shown(embed.text)]);
  });

  it.each(['Rechnungen für März', '請求書'.repeat(30), '=?UTF-8?B?eA==?= not encoded'])(
    'should carry the title of the rule %s',
    (name) => {
      const { title } = readPush(received(event('rule.executed', { name }), target('pushnotify')));
      expect(title).toBe(`Rule "${name}" was executed`);
    },
  );

  it('should cut a text that is too long between two characters', () => {
    const told = event('job.failed', { error: '🧾'.repeat(5_000), processed: 0 });
    const { text } = readPush(received(told, target('pushnotify')));
    expect(text).toBe(`${'🧾'.repeat(1_023)}…`);
  });
});
