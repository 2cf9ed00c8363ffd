import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { MailroomEvent, WebhookEvent } from '../../src/platform/events/events';
import type { WebhookData } from '../src/index';

type DataOf<E extends WebhookEvent> = Extract<MailroomEvent, { type: E }>['data'];

/** The names of the fields of data, and whether each may be absent. */
type Fields<D> = {
  readonly [K in keyof D]-?: Record<never, never> extends Pick<D, K> ? 'optional' : 'always';
};

/** Does not compile while a field is missing that the service sends, or one is too much. */
const SENT: { readonly [E in WebhookEvent]: Fields<DataOf<E>> } = {
  'job.completed': {
    jobId: 'always',
    type: 'always',
    status: 'always',
    accountId: 'always',
    total: 'always',
    processed: 'always',
    failed: 'always',
    error: 'always',
    errorCode: 'optional',
    trialRun: 'optional',
  },
  'job.failed': {
    jobId: 'always',
    type: 'always',
    status: 'always',
    accountId: 'always',
    total: 'always',
    processed: 'always',
    failed: 'always',
    error: 'always',
    errorCode: 'optional',
    trialRun: 'optional',
  },
  'rule.executed': {
    ruleId: 'always',
    name: 'always',
    accountId: 'always',
    action: 'always',
    matched: 'always',
    jobId: 'always',
  },
  'quota.warning': { usedBytes: 'always', quotaBytes: 'always', percent: 'always' },
  'integrity.failed': {
    accountId: 'always',
    checked: 'always',
    missing: 'always',
    altered: 'always',
    mailIds: 'always',
  },
  'archiving.unhealthy': {
    accountId: 'always',
    state: 'always',
    reason: 'always',
    since: 'always',
    pending: 'always',
    watchOnly: 'optional',
  },
  'archiving.recovered': { accountId: 'always', since: 'always' },
};

/** Does not compile while `WebhookData` of the SDK has other fields than the service sends, or says otherwise which may be absent. */
const TYPED: { readonly [E in WebhookEvent]: Fields<WebhookData[E]> } = SENT;
const SENT_AS_TYPED: { readonly [E in keyof WebhookData]: Fields<DataOf<E>> } = TYPED;

const DOCUMENT = readFileSync(join(__dirname, '../../docs/webhooks.md'), 'utf8');

/** The fields in the row of an event; "the same" means those of the row above. */
function rowOf(event: string): readonly string[] {
  const rows = DOCUMENT.split('\n').filter((line) => /^\| `\w+\.\w+`/.test(line));
  const index = rows.findIndex((row) => row.includes(`\`${event}\``));
  const data = rows[index]?.split('|')[3] ?? '';
  if (data.trim() === 'the same') return rowOf(/`(\S+)`/.exec(rows[index - 1]!)![1]!);
  return /`([^`]+)`/.exec(data)?.[1]?.split(', ') ?? [];
}

describe('The data of a webhook', () => {
  it.each(Object.entries(SENT_AS_TYPED))('should be what docs/webhooks.md says of %s', (event, fields) => {
    const names = (presence: string): string[] =>
      Object.entries(fields).flatMap(([name, found]) => (found === presence ? [name] : []));
    expect(rowOf(event)).toEqual(names('always'));
    const unexplained = names('optional').filter((name) => !new RegExp(`\`${name}\\b`).test(DOCUMENT));
    expect(unexplained).toEqual([]);
  });
});
