import { OPERATORS_OF } from '../../../../src/cleanup/rules/rule';
import type { RuleCondition } from '../../../../src/cleanup/rules/rule';
import type { SandboxMailbox } from '../../../../sandbox/src/sandbox-server';
import { RulesModule } from '../../../../src/cleanup/rules/rules.module';
import { startFeature, type Feature, type FeatureUser } from '../../../support/medium/feature';
import {
  condition,
  isVisible,
  JudgedMessage,
  meets,
  messagesOf,
  words,
} from '../../../support/rules/meaning';

const MAILBOX = 'previews-500@sandbox.mailroom.test';

describe('Rule previews', () => {
  let sut: Feature;
  let user: FeatureUser;
  let accountId: string;
  let path: string;
  let mailbox: SandboxMailbox;
  let messages: JudgedMessage[];

  beforeAll(async () => {
    sut = await startFeature({ modules: [RulesModule] });
    user = await sut.user();
    accountId = await user.connect(MAILBOX);
    path = `/api/rules/${accountId}`;
    mailbox = sut.mailbox(MAILBOX);
    messages = messagesOf(mailbox);
  });

  afterAll(() => sut?.close());

  const expected = (conditions: readonly RuleCondition[], all = false): object => {
    const found = messages.filter(
      (message) => (all || isVisible(message)) && conditions.every((one) => meets(message, one)),
    );
    return {
      estimatedCount: found.length,
      starredCount: found.filter(({ labels }) => labels.has('STARRED')).length,
      importantCount: found.filter(({ labels }) => labels.has('IMPORTANT')).length,
    };
  };

  async function preview(conditions: readonly object[]): Promise<any> {
    const { status, body: answer, bytes } = await user.api.post(`${path}/preview`, { conditions });
    if (status !== 200) throw new Error(`preview answered ${status}: ${bytes.toString()}`);
    return answer;
  }

  it('should count the messages that meet the conditions, for every field and operator', async () => {
    // Words that some but not all messages hold, taken from the mailbox itself.
    const common = (field: 'from' | 'to' | 'subject'): string => {
      const counts = new Map<string, number>();
      for (const { facts } of messages)
        for (const word of new Set(words(facts[field]))) counts.set(word, (counts.get(word) ?? 0) + 1);
      const candidates = [...counts].filter(
        ([word, count]) => word.length > 3 && count < messages.length / 2,
      );
      return candidates.sort((a, b) => b[1] - a[1])[0]![0];
    };
    const address = /[\w.+-]+@[\w.-]+/.exec(messages.find(isVisible)!.facts.from)![0];
    const cases: RuleCondition[] = [
      ...(['from', 'to', 'subject'] as const).flatMap((field) =>
        OPERATORS_OF[field].map((operator) => condition(field, operator, common(field))),
      ),
      condition('from', 'equals', address),
      condition('from', 'not_equals', address),
      condition('has_attachment', 'is_true', true),
      condition('has_attachment', 'is_true', false),
      condition('size_gt', 'gt', 20_000),
      condition('size_lt', 'lt', 20_000),
      ...[
        'INBOX',
        'UNREAD',
        'STARRED',
        'IMPORTANT',
        'SENT',
        'CATEGORY_PROMOTIONS',
        'Label_1',
        'Label_3',
        'Label_5',
      ].flatMap((label) => OPERATORS_OF.label.map((operator) => condition('label', operator, label))),
      ...['200d', '8m', '1y'].flatMap((age) => [
        condition('older_than', 'equals', age),
        condition('newer_than', 'equals', age),
      ]),
    ];
    const all = messages.filter(isVisible).length;
    for (const one of cases) {
      const wanted = expected([one]) as { estimatedCount: number };
      expect([one, wanted.estimatedCount]).not.toEqual([one, 0]);
      expect([one, wanted.estimatedCount]).not.toEqual([one, all]);
      expect([one, await preview([one])]).toEqual([one, { query: expect.any(String), ...wanted }]);
    }
  });

  it('should require all conditions to match', async () => {
    const conditions = [
      condition('label', 'equals', 'CATEGORY_PROMOTIONS'),
      condition('label', 'not_equals', 'Label_5'),
      condition('size_lt', 'lt', 50_000),
      condition('older_than', 'equals', '3m'),
    ];
    expect(await preview(conditions)).toEqual({
      query: 'category:promotions -label:Été smaller:50000 older_than:3m',
      ...expected(conditions),
    });
  });

  it.each(['SPAM', 'TRASH'])('should search %s only when asked', async (place) => {
    const asked = [condition('label', 'equals', place)];
    const counted = expected(asked, true) as { estimatedCount: number };
    expect(counted.estimatedCount).toBeGreaterThan(0);
    expect(await preview(asked)).toMatchObject(counted);
    const avoided = [condition('label', 'not_equals', place)];
    expect(await preview(avoided)).toMatchObject(expected(avoided));
    expect(await preview([condition('older_than', 'equals', '1d')])).toMatchObject(
      expected([condition('older_than', 'equals', '1d')]),
    );
  });

  it('should find a label whose name needs quotes', async () => {
    const labels = `/api/mailbox/${accountId}/labels`;
    const { body: label } = await user.api.post(labels, { name: 'My own (best) label' });
    mailbox.changeLabels(mailbox.ids().slice(0, 7), { add: [label.id] });
    const shown = messages.slice(0, 7).filter(isVisible).length;
    for (const named of [label.id as string, 'my own (best) label']) {
      const answer = await preview([condition('label', 'equals', named)]);
      expect(answer).toMatchObject({ query: 'label:"My own (best) label"', estimatedCount: shown });
    }
    await user.api.delete(`${labels}/${label.id}`);
  });

  it.each([
    'x) OR in:anywhere (',
    '" OR is:unread "',
    'a} {b',
    '-in:inbox',
    'from:x',
    'OR',
    'a\\" in:anywhere {',
    '\u201D OR in:anywhere',
    '|z',
  ])('should find nothing more with %j in a value', async (value) => {
    for (const field of ['from', 'to', 'subject'] as const) {
      const answer = await preview([condition(field, 'contains', value)]);
      expect(answer.query).toMatch(new RegExp(`^${field}:\\("[^"\\\\]+"\\)$`));
      expect(answer).toMatchObject(expected([condition(field, 'contains', value)]));
    }
  });

  it('should use the labels from the index where it holds all messages', async () => {
    const email = 'indexed-60@sandbox.mailroom.test';
    const id = await user.connect(email);
    const indexed = sut.mailbox(email);
    await user.api.post(`/api/mailbox/${id}/messages/batch`, { ids: indexed.ids() });
    indexed.changeLabels(indexed.ids(), { remove: ['STARRED', 'IMPORTANT'] });
    const shown = indexed
      .ids()
      .filter((one) => !indexed.labels(one).some((label) => /SPAM|TRASH/.test(label)));
    indexed.changeLabels(shown.slice(0, 3), { add: ['STARRED'] });
    indexed.changeLabels(shown.slice(1, 3), { add: ['IMPORTANT'] });
    await sut.dataSource.query(`UPDATE mailbox_index_states SET synced_at = synced_at - interval '1 minute'`);
    sut.provider.resetCalls();
    const { body: answer } = await user.api.post(`/api/rules/${id}/preview`, {
      conditions: [condition('size_gt', 'gt', 1)],
    });
    expect(answer).toMatchObject({ estimatedCount: shown.length, starredCount: 3, importantCount: 2 });
    expect(sut.provider.calls).toEqual({ listMessages: 1, listChanges: 1 });
  });
});
