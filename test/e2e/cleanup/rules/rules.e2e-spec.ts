import { v7 } from 'uuid';
import { OPERATORS_OF } from '../../../../src/cleanup/rules/rule';
import type { RuleCondition, RuleField } from '../../../../src/cleanup/rules/rule';
import { RULE_TEMPLATES } from '../../../../src/cleanup/rules/rule-templates';
import { startTestApp, TestApp } from '../../../support/app';
import { condition } from '../../../support/rules/meaning';
import type { TestUser } from '../../../support/test-user';

describe('Rules', () => {
  let sut: TestApp;
  let user: TestUser;
  let stranger: TestUser;
  let accountId: string;
  let path: string;

  const body = {
    name: 'Old news',
    description: 'Nobody reads them',
    conditions: [condition('from', 'contains', 'news'), condition('older_than', 'equals', '30d')],
    action: { type: 'trash' },
    schedule: 'daily',
    is_active: false,
  };

  beforeAll(async () => {
    sut = await startTestApp({ sandbox: { messages: 1 } });
    [user, stranger] = [await sut.user('owner'), await sut.user('stranger')];
    accountId = await user.connect('rules-20@sandbox.mailroom.test');
    path = `/api/rules/${accountId}`;
  });

  afterAll(() => sut?.close());

  beforeEach(async () => {
    await sut.dataSource.query('DELETE FROM rules');
    sut.sandbox.stats.reset();
  });

  async function create(fields: object = {}): Promise<any> {
    const { status, body: rule, bytes } = await user.api.post(path, { ...body, ...fields });
    if (status !== 201) throw new Error(`create answered ${status}: ${bytes.toString()}`);
    return rule;
  }

  const fieldsOf = (answer: { body: any }): string[] =>
    (answer.body.errors as { field: string }[]).map(({ field }) => field);

  describe('records', () => {
    it('should be created as requested', async () => {
      const { status, body: rule } = await user.api.post(path, body);
      expect(status).toBe(201);
      expect(rule).toEqual({
        id: expect.any(String),
        mailbox_account_id: accountId,
        ...body,
        last_run_at: null,
        last_run_count: null,
        created_at: expect.stringMatching(/^\d{4}-.*\.\d{3}Z$/),
        updated_at: expect.stringMatching(/^\d{4}-.*\.\d{3}Z$/),
      });
      expect(sut.sandbox.stats.totalCalls).toBe(0);
    });

    it('should be active, without schedule and description, by default', async () => {
      const { name, conditions, action } = body;
      const { body: rule } = await user.api.post(path, { name, conditions, action });
      expect(rule).toMatchObject({ description: '', schedule: null, is_active: true });
    });

    it('should be listed newest first, only those of the account', async () => {
      const other = await user.connect('rules2-1@sandbox.mailroom.test');
      await user.api.post(`/api/rules/${other}`, body);
      const ids: string[] = [];
      for (const name of ['a', 'b', 'c']) ids.unshift((await create({ name })).id as string);
      const { status, body: rules } = await user.api.get(path);
      expect(status).toBe(200);
      expect(rules.map(({ id }: { id: string }) => id)).toEqual(ids);
    });

    it('should keep fields that an update omits', async () => {
      const rule = await create();
      const { status, body: updated } = await user.api.put(`${path}/${rule.id}`, { name: 'Other' });
      expect(status).toBe(200);
      expect(updated).toEqual({ ...rule, name: 'Other', updated_at: updated.updated_at });
      expect(updated.updated_at > rule.updated_at).toBe(true);
      expect((await user.api.get(path)).body).toEqual([updated]);
    });

    it('should change every field', async () => {
      const rule = await create();
      const changes = {
        name: 'New',
        description: 'Changed',
        conditions: [condition('size_gt', 'gt', 5)],
        action: { type: 'mark_read' },
        schedule: 'weekly',
        is_active: true,
      };
      const { body: updated } = await user.api.put(`${path}/${rule.id}`, changes);
      expect(updated).toMatchObject(changes);
    });

    it('should clear the schedule with null, and the description with an empty text', async () => {
      const rule = await create();
      const { status, body: updated } = await user.api.put(`${path}/${rule.id}`, {
        description: '',
        schedule: null,
      });
      expect(status).toBe(200);
      expect(updated).toMatchObject({ description: '', schedule: null, name: body.name });
      const refused = await user.api.put(`${path}/${rule.id}`, { description: null });
      expect([refused.status, refused.body.errors[0].field]).toEqual([400, 'description']);
    });

    it('should refuse an update without a known field', async () => {
      const rule = await create();
      for (const nothing of [{}, { colour: 'red' }]) {
        const answer = await user.api.put(`${path}/${rule.id}`, nothing);
        expect(answer).toMatchObject({ status: 400, body: { code: 'no-fields' } });
      }
    });

    it('should be toggled on and off', async () => {
      const rule = await create();
      const on = await user.api.patch(`${path}/${rule.id}/toggle`);
      expect(on).toMatchObject({
        status: 200,
        body: { ...rule, is_active: true, updated_at: expect.any(String) },
      });
      const off = await user.api.patch(`${path}/${rule.id}/toggle`);
      expect(off.body.is_active).toBe(false);
    });

    it('should be deleted once', async () => {
      const rule = await create();
      expect((await user.api.delete(`${path}/${rule.id}`)).status).toBe(204);
      expect(await user.api.delete(`${path}/${rule.id}`)).toMatchObject({
        status: 404,
        body: { code: 'rule-not-found' },
      });
      expect((await user.api.get(path)).body).toEqual([]);
    });

    it('should be limited to 200, however many are created at once', async () => {
      await sut.dataSource.query(
        `INSERT INTO rules (id, user_id, mailbox_account_id, name, conditions, action)
         SELECT gen_random_uuid(), $1, $2, 'Rule ' || n, '[]', '{"type":"trash"}' FROM generate_series(1, 197) n`,
        [user.id, accountId],
      );
      const answers = await Promise.all(Array.from({ length: 8 }, () => user.api.post(path, body)));
      expect(answers.map(({ status }) => status).sort()).toEqual([201, 201, 201, 409, 409, 409, 409, 409]);
      expect(answers.find(({ status }) => status === 409)!.body.code).toBe('rule-limit');
      const templated = await user.api.post(`${path}/from-template`, { templateId: RULE_TEMPLATES[0]!.id });
      expect(templated).toMatchObject({ status: 409, body: { code: 'rule-limit' } });
    });
  });

  describe('ownership', () => {
    const routes = (base: string, ruleId: string): [string, string, unknown][] => [
      ['PUT', `${base}/${ruleId}`, { name: 'Mine' }],
      ['PATCH', `${base}/${ruleId}/toggle`, undefined],
      ['DELETE', `${base}/${ruleId}`, undefined],
    ];

    it('should answer 404 to unknown rules and to rules of another account', async () => {
      const other = await user.connect('rules2-1@sandbox.mailroom.test');
      const rule = await create();
      for (const [base, id] of [
        [path, v7()],
        [`/api/rules/${other}`, rule.id as string],
      ] as const) {
        for (const [method, route, sent] of routes(base, id)) {
          const response = await user.api.fetch(method, route, { body: sent });
          expect([method, response.status]).toEqual([method, 404]);
          expect(await response.json()).toMatchObject({ code: 'rule-not-found' });
        }
      }
      expect((await user.api.get(path)).body).toEqual([rule]);
    });

    it('should answer 403 for the account of another user, with any body', async () => {
      const rule = await create();
      const all: [string, string, unknown][] = [
        ['GET', path, undefined],
        ['POST', path, { nonsense: true }],
        ['POST', `${path}/preview`, {}],
        ['POST', `${path}/from-template`, {}],
        ...routes(path, rule.id as string),
      ];
      for (const [method, route, sent] of all) {
        const response = await stranger.api.fetch(method, route, { body: sent });
        expect([method, route, response.status]).toEqual([method, route, 403]);
        expect(await response.json()).toMatchObject({ code: 'account-not-owned' });
      }
      expect((await user.api.get(path)).body).toEqual([rule]);
    });

    it('should answer 400 to a malformed id, before anything else', async () => {
      expect((await user.api.put(`${path}/42`, {})).status).toBe(400);
      expect((await user.api.get('/api/rules/42')).status).toBe(400);
    });

    it('should check the body before the rule', async () => {
      const answer = await user.api.put(`${path}/${v7()}`, { name: '' });
      expect(answer.status).toBe(400);
      expect(fieldsOf(answer)).toEqual(['name']);
    });
  });

  describe('validation', () => {
    const value = (field: RuleField): RuleCondition['value'] =>
      field.startsWith('size')
        ? 1_000
        : field.endsWith('_than')
          ? '1d'
          : field === 'has_attachment' || 'INBOX';
    const fields = Object.keys(OPERATORS_OF) as RuleField[];

    it.each(fields)('should accept only the operators of %s', async (field) => {
      for (const operator of [
        'contains',
        'not_contains',
        'equals',
        'not_equals',
        'is_true',
        'gt',
        'lt',
      ] as const) {
        const answer = await user.api.post(path, {
          ...body,
          conditions: [condition(field, operator, value(field))],
        });
        const right = OPERATORS_OF[field].includes(operator);
        expect([operator, answer.status]).toEqual([operator, right ? 201 : 400]);
        if (!right) expect(fieldsOf(answer)).toEqual(['conditions.0.operator']);
      }
    });

    it.each<[string, object, string]>([
      ['an empty value', { conditions: [condition('from', 'contains', ' ')] }, 'conditions.0.value'],
      ['only quotes', { conditions: [condition('from', 'contains', '""')] }, 'conditions.0.value'],
      ['a size as text', { conditions: [condition('size_gt', 'gt', '5')] }, 'conditions.0.value'],
      ['a size of zero', { conditions: [condition('size_gt', 'gt', 0)] }, 'conditions.0.value'],
      [
        'an age without unit',
        { conditions: [condition('older_than', 'equals', '30')] },
        'conditions.0.value',
      ],
      ['an age as a number', { conditions: [condition('older_than', 'equals', 30)] }, 'conditions.0.value'],
      [
        'is_true as text',
        { conditions: [condition('has_attachment', 'is_true', 'false')] },
        'conditions.0.value',
      ],
      [
        'a line break',
        { conditions: [condition('subject', 'contains', 'a\nin:trash')] },
        'conditions.0.value',
      ],
      ['no conditions', { conditions: [] }, 'conditions'],
      [
        'too long a query',
        { conditions: Array(5).fill(condition('to', 'equals', 'x'.repeat(500))) },
        'conditions',
      ],
      ['an unknown label', { conditions: [condition('label', 'equals', 'Nowhere')] }, 'conditions.0.value'],
      ['an unknown action', { action: { type: 'forward' } }, 'action.type'],
      ['no label for label', { action: { type: 'label' } }, 'action.labelId'],
      ['an unknown label for label', { action: { type: 'label', labelId: 'Label_99' } }, 'action.labelId'],
      ['a label by name', { action: { type: 'unlabel', labelId: 'Work' } }, 'action.labelId'],
      ['trash by another name', { action: { type: 'label', labelId: 'TRASH' } }, 'action.labelId'],
      ['an unknown schedule', { schedule: 'yearly' }, 'schedule'],
      ['no name', { name: '' }, 'name'],
    ])('should refuse %s, on creation and on update', async (_what, wrong, field) => {
      const rule = await create();
      for (const answer of [
        await user.api.post(path, { ...body, ...wrong }),
        await user.api.put(`${path}/${rule.id}`, wrong),
      ]) {
        expect(answer).toMatchObject({ status: 400, body: { code: 'validation-failed' } });
        expect(fieldsOf(answer)).toEqual([field]);
      }
      expect((await user.api.get(path)).body).toEqual([rule]);
    });

    it('should ask the mailbox once for its own labels, and never for system labels', async () => {
      await create({
        conditions: [condition('label', 'equals', 'Receipts'), condition('label', 'not_equals', 'Label_1')],
        action: { type: 'label', labelId: 'Label_2' },
      });
      expect(sut.sandbox.stats.calls).toEqual({ 'labels.list': 1 });
      await create({
        conditions: [condition('label', 'equals', 'INBOX')],
        action: { type: 'label', labelId: 'STARRED' },
      });
      expect(sut.sandbox.stats.totalCalls).toBe(1);
    });
  });

  describe('a mailbox that is switched off', () => {
    it('should keep its rules, and refuse only requests that need the mailbox', async () => {
      const rule = await create();
      await user.api.patch(`/api/auth/mailbox/${accountId}/toggle`);
      try {
        expect((await user.api.get(path)).body).toHaveLength(1);
        expect((await user.api.patch(`${path}/${rule.id}/toggle`)).status).toBe(200);
        expect((await user.api.put(`${path}/${rule.id}`, body)).status).toBe(200);
        expect((await user.api.post(path, body)).status).toBe(201);
        const templated = await user.api.post(`${path}/from-template`, {
          templateId: 'trash-old-promotions',
        });
        expect(templated.status).toBe(201);
        const live = [
          await user.api.post(path, { ...body, action: { type: 'label', labelId: 'Label_1' } }),
          await user.api.put(`${path}/${rule.id}`, { conditions: [condition('label', 'equals', 'Work')] }),
          await user.api.post(`${path}/preview`, { conditions: body.conditions }),
        ];
        for (const answer of live)
          expect(answer).toMatchObject({ status: 409, body: { code: 'mailbox-disconnected' } });
        expect((await user.api.delete(`${path}/${rule.id}`)).status).toBe(204);
      } finally {
        await user.api.patch(`/api/auth/mailbox/${accountId}/toggle`);
      }
    });
  });

  describe('templates', () => {
    it('should be listed for every user', async () => {
      const { status, body: templates } = await stranger.api.get('/api/rules/templates');
      expect(status).toBe(200);
      expect(templates).toEqual(RULE_TEMPLATES);
      expect((await sut.anonymous.get('/api/rules/templates')).status).toBe(401);
    });

    it('should become rules unchanged', async () => {
      for (const { id, description, dto } of RULE_TEMPLATES) {
        const { status, body: rule } = await user.api.post(`${path}/from-template`, { templateId: id });
        expect(status).toBe(201);
        expect(rule).toMatchObject({ ...dto, description, is_active: true, last_run_at: null });
      }
      expect((await user.api.get(path)).body).toHaveLength(RULE_TEMPLATES.length);
      expect(sut.sandbox.stats.totalCalls).toBe(0);
    });

    it('should be previewed and created over the ordinary routes as well', async () => {
      for (const { dto } of RULE_TEMPLATES) {
        expect((await user.api.post(path, dto)).status).toBe(201);
        const answer = await user.api.post(`${path}/preview`, { conditions: dto.conditions });
        expect(answer.status).toBe(200);
      }
    });

    it.each<[unknown, number]>([
      [{ templateId: 'no-such-template' }, 404],
      [{ templateId: '' }, 400],
      [{ templateId: 5 }, 400],
      [{}, 400],
    ])('should answer %j with %i', async (sent, status) => {
      expect((await user.api.post(`${path}/from-template`, sent)).status).toBe(status);
    });
  });
});
