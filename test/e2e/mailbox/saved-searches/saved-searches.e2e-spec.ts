import { newId } from '../../../../src/platform/crypto/ids';
import type { ApiAnswer } from '../../../support/api-client';
import { startTestApp, TestApp } from '../../../support/app';
import type { TestUser } from '../../../support/test-user';

const PATH = '/api/saved-searches';
const UNKNOWN = '01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d';
const ICONS = [
  'folder',
  'star',
  'mail',
  'attachment',
  'invoice',
  'alert',
  'archive',
  'calendar',
  'work',
  'shopping',
];

describe('Saved searches', () => {
  let sut: TestApp;
  let user: TestUser;
  let stranger: TestUser;

  beforeAll(async () => {
    sut = await startTestApp({ sandbox: { messages: 1 } });
    user = await sut.user();
    stranger = await sut.user('stranger');
  });

  afterAll(() => sut?.close());

  beforeEach(() => sut.dataSource.query('DELETE FROM saved_searches'));

  async function save(name: string, fields: object = {}, owner = user): Promise<string> {
    const { status, body } = await owner.api.post(PATH, { name, query: `subject:${name}`, ...fields });
    expect(status).toBe(201);
    return body.id as string;
  }

  const names = async (owner = user): Promise<string[]> =>
    (await owner.api.get<{ name: string }[]>(PATH)).body.map(({ name }) => name);

  const order = async (): Promise<[string, number][]> =>
    (await user.api.get<{ name: string; sort_order: number }[]>(PATH)).body.map((search) => [
      search.name,
      search.sort_order,
    ]);

  const wrongFields = ({ status, body }: ApiAnswer): unknown => [
    status,
    body.code,
    body.errors.map(({ field }: { field: string }) => field),
  ];

  describe('saving', () => {
    it('should return the whole record', async () => {
      const before = Date.now();
      const { status, body } = await user.api.post(PATH, {
        name: '  Bills \u{1F4B6} ',
        query: 'from:(billing OR invoices) -label:"paid up"',
        icon: 'invoice',
        color: '#3B82F6',
        sort_order: 7,
        user_id: UNKNOWN,
      });
      expect(status).toBe(201);
      expect(body).toEqual({
        id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7/),
        user_id: user.id,
        name: 'Bills \u{1F4B6}',
        query: 'from:(billing OR invoices) -label:"paid up"',
        icon: 'invoice',
        color: '#3B82F6',
        scope: 'mailbox',
        sort_order: 0,
        created_at: body.updated_at,
        updated_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      });
      expect(Math.abs(Date.parse(body.created_at as string) - before)).toBeLessThan(10_000);
      expect((await user.api.get(PATH)).body).toEqual([body]);
    });

    it.each<[object, string | null, string | null]>([
      [{}, null, null],
      [{ icon: null, color: null }, null, null],
      ...ICONS.map((icon): [object, string, null] => [{ icon }, icon, null]),
      ...['#abc', '#A1b2C3', '#a1b2c3d4'].map((color): [object, null, string] => [{ color }, null, color]),
    ])('should accept %j', async (fields, icon, color) => {
      const { status, body } = await user.api.post(PATH, { name: 'x', query: 'y', ...fields });
      expect([status, body.icon, body.color]).toEqual([201, icon, color]);
    });

    it('should accept names and queries of the maximum length', async () => {
      const long = { name: '\u{1F600}'.repeat(255), query: 'é'.repeat(2_000) };
      const { status, body } = await user.api.post(PATH, long);
      expect([status, body.name, body.query]).toEqual([201, long.name, long.query]);
    });
  });

  describe('the validation of a search', () => {
    const WRONG: [string, object, string][] = [
      ['an empty name', { name: '' }, 'name'],
      ['a blank name', { name: ' \u3000 ' }, 'name'],
      ['no name', { name: null }, 'name'],
      ['a name that is not text', { name: 5 }, 'name'],
      ['a name with control characters', { name: 'a\0b' }, 'name'],
      ['half a character', { name: '\ud800' }, 'name'],
      ['a name that is too long', { name: 'x'.repeat(256) }, 'name'],
      ['a name the database would count longer', { name: '\u2764\uFE0F'.repeat(200) }, 'name'],
      ['an empty query', { query: '' }, 'query'],
      ['a blank query', { query: '   ' }, 'query'],
      ['no query', { query: null }, 'query'],
      ['a query of several', { query: ['a'] }, 'query'],
      ['a query with a line break', { query: 'a\nb' }, 'query'],
      ['a query that is too long', { query: 'x'.repeat(2_001) }, 'query'],
      ['an unknown icon', { icon: 'rocket' }, 'icon'],
      ['an icon in other letters', { icon: 'Star' }, 'icon'],
      ['an empty icon', { icon: '' }, 'icon'],
      ['a colour by name', { color: 'red' }, 'color'],
      ['a colour of four digits', { color: '#abcd' }, 'color'],
      ['a colour that is none', { color: '#ggg' }, 'color'],
      ['more than a colour', { color: '#abc;background:url(x)' }, 'color'],
      ['a colour that is a number', { color: 123 }, 'color'],
    ];

    it.each(WRONG)('should refuse %s', async (_what, fields, field) => {
      const id = await save('kept');
      const created = await user.api.post(PATH, { name: 'a', query: 'b', ...fields });
      expect(wrongFields(created)).toEqual([400, 'validation-failed', [field]]);
      const updated = await user.api.put(`${PATH}/${id}`, fields);
      expect(wrongFields(updated)).toEqual([400, 'validation-failed', [field]]);
      expect(await names()).toEqual(['kept']);
    });

    it.each([null, 1.5, '1', 2_147_483_648, -2_147_483_649])(
      'should refuse the position %j',
      async (place) => {
        const id = await save('kept');
        const answer = await user.api.put(`${PATH}/${id}`, { sort_order: place });
        expect(wrongFields(answer)).toEqual([400, 'validation-failed', ['sort_order']]);
      },
    );

    it('should name every missing field', async () => {
      expect(wrongFields(await user.api.post(PATH, {}))).toEqual([
        400,
        'validation-failed',
        ['name', 'query'],
      ]);
    });
  });

  describe('the scope', () => {
    it('should be the mailbox unless it is the archive', async () => {
      await save('live');
      await save('kept', { scope: 'archive', query: 'q=invoice&has_attachments=true' });
      const listed = async (query: string): Promise<[string, string][]> =>
        (await user.api.get<{ name: string; scope: string }[]>(PATH + query)).body.map((search) => [
          search.name,
          search.scope,
        ]);
      expect(await listed('')).toEqual([
        ['live', 'mailbox'],
        ['kept', 'archive'],
      ]);
      expect(await listed('?scope=archive')).toEqual([['kept', 'archive']]);
      expect(await listed('?scope=mailbox')).toEqual([['live', 'mailbox']]);
    });

    it('should be changeable, and refuse other values', async () => {
      const id = await save('one');
      expect((await user.api.put(`${PATH}/${id}`, { scope: 'archive' })).body.scope).toBe('archive');
      expect((await user.api.put(`${PATH}/${id}`, { name: 'two' })).body.scope).toBe('archive');
      const answers = [
        await user.api.put(`${PATH}/${id}`, { scope: 'trash' }),
        await user.api.post(PATH, { name: 'x', query: 'x', scope: '' }),
        await user.api.get(`${PATH}?scope=all`),
      ];
      for (const answer of answers)
        expect(wrongFields(answer)).toEqual([400, 'validation-failed', ['scope']]);
    });
  });

  describe('changing', () => {
    it('should change the given fields and keep the rest', async () => {
      const id = await save('before', { icon: 'star', color: '#abc' });
      const [before] = (await user.api.get(PATH)).body;
      const { status, body } = await user.api.put(`${PATH}/${id}`, { name: ' after ', sort_order: -3 });
      expect(status).toBe(200);
      expect(body).toEqual({ ...before, name: 'after', sort_order: -3, updated_at: body.updated_at });
      expect(Date.parse(body.updated_at as string)).toBeGreaterThan(Date.parse(before.updated_at as string));
      expect((await user.api.get(PATH)).body).toEqual([body]);
    });

    it('should clear icon and colour, each by null', async () => {
      const id = await save('x', { icon: 'star', color: '#abc' });
      const clear = async (fields: object): Promise<unknown> => {
        const { body } = await user.api.put(`${PATH}/${id}`, fields);
        return [body.icon, body.color];
      };
      expect(await clear({ icon: null })).toEqual([null, '#abc']);
      expect(await clear({ color: null })).toEqual([null, null]);
      expect(await clear({ icon: 'mail', color: '#fff' })).toEqual(['mail', '#fff']);
      expect(await clear({ query: 'is:unread' })).toEqual(['mail', '#fff']);
    });

    it.each([{}, { unknown: 1 }])('should refuse %j', async (body) => {
      const answer = await user.api.put(`${PATH}/${await save('x')}`, body);
      expect([answer.status, answer.body.code]).toEqual([400, 'no-fields']);
    });
  });

  it('should delete', async () => {
    const id = await save('gone');
    await save('kept');
    const { status, body } = await user.api.delete(`${PATH}/${id}`);
    expect([status, body]).toEqual([200, { ok: true }]);
    expect(await names()).toEqual(['kept']);
    expect((await user.api.delete(`${PATH}/${id}`)).status).toBe(404);
  });

  describe('order', () => {
    let ids: Record<string, string>;

    beforeEach(async () => {
      ids = {};
      for (const name of ['a', 'b', 'c', 'd', 'e']) ids[name] = await save(name);
    });

    const reorder = (...wanted: string[]): Promise<ApiAnswer> =>
      user.api.put(`${PATH}/reorder`, { ids: wanted.map((name) => ids[name] ?? name) });

    it('should be by position, then oldest first', async () => {
      expect(await names()).toEqual(['a', 'b', 'c', 'd', 'e']);
      await user.api.put(`${PATH}/${ids['c']}`, { sort_order: -1 });
      await user.api.put(`${PATH}/${ids['a']}`, { sort_order: 9 });
      expect(await names()).toEqual(['c', 'b', 'd', 'e', 'a']);
    });

    it('should be as requested', async () => {
      const { status, body } = await reorder('e', 'a', 'd', 'b', 'c');
      expect([status, body]).toEqual([200, { ok: true }]);
      expect(await order()).toEqual([
        ['e', 0],
        ['a', 1],
        ['d', 2],
        ['b', 3],
        ['c', 4],
      ]);
      expect((await reorder('e', 'a', 'd', 'b', 'c')).status).toBe(200);
    });

    it('should keep the order of unnamed searches, after the named ones', async () => {
      await reorder('c', 'b', 'e', 'd', 'a');
      expect((await reorder(ids['a']!.toUpperCase(), 'd')).status).toBe(200);
      expect(await names()).toEqual(['a', 'd', 'c', 'b', 'e']);
    });

    it('should update only what moves', async () => {
      await reorder('a', 'b', 'c', 'd', 'e');
      const before = (await user.api.get(PATH)).body as { name: string; updated_at: string }[];
      await reorder('a', 'b', 'c', 'e', 'd');
      const after = (await user.api.get(PATH)).body as typeof before;
      const stamp = (list: typeof before, name: string): string =>
        list.find((search) => search.name === name)!.updated_at;
      const touched = ['a', 'b', 'c', 'd', 'e'].filter((name) => stamp(before, name) !== stamp(after, name));
      expect(touched).toEqual(['d', 'e']);
    });

    it.each<[string, (id: Record<string, string>) => unknown]>([
      ['nothing', () => ({})],
      ['no list', () => ({ ids: 'a' })],
      ['an empty list', () => ({ ids: [] })],
      ['something else than ids', () => ({ ids: ['reorder'] })],
      ['numbers', () => ({ ids: [1] })],
      ['an id twice', ({ a }) => ({ ids: [a, a] })],
      ['an id in two spellings', ({ a }) => ({ ids: [a, a!.toUpperCase()] })],
      ['too many', () => ({ ids: Array.from({ length: 501 }, newId) })],
    ])('should refuse %s', async (_what, body) => {
      expect(wrongFields(await user.api.put(`${PATH}/reorder`, body(ids)))).toEqual([
        400,
        'validation-failed',
        ['ids'],
      ]);
    });

    it('should not change when an id is unknown or another user’s', async () => {
      const foreign = await save('foreign', {}, stranger);
      for (const other of [UNKNOWN, foreign]) {
        const { status, body } = await reorder('e', other, 'a');
        expect([status, body.code]).toEqual([404, 'saved-search-not-found']);
      }
      expect(await order()).toEqual(['a', 'b', 'c', 'd', 'e'].map((name) => [name, 0]));
      expect((await stranger.api.put(`${PATH}/reorder`, { ids: [ids['a']] })).status).toBe(404);
    });

    it('should be consistent when several requests reorder at once', async () => {
      const wanted = [
        ['e', 'd', 'c', 'b', 'a'],
        ['a', 'b', 'c', 'd', 'e'],
        ['c', 'a', 'e', 'b', 'd'],
        ['b', 'e', 'd', 'a', 'c'],
      ];
      for (let round = 0; round < 10; round++) {
        const answers = await Promise.all(wanted.map((list) => reorder(...list)));
        expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
        const places = await order();
        expect(places.map(([, place]) => place)).toEqual([0, 1, 2, 3, 4]);
        expect(wanted).toContainEqual(places.map(([name]) => name));
      }
    });
  });

  describe('of another user', () => {
    it('should neither be seen nor changed', async () => {
      const id = await save('private');
      await save('own', {}, stranger);
      expect(await names(stranger)).toEqual(['own']);
      for (const target of [id, UNKNOWN]) {
        for (const answer of [
          await stranger.api.put(`${PATH}/${target}`, { name: 'mine' }),
          await stranger.api.delete(`${PATH}/${target}`),
        ]) {
          expect([answer.status, answer.body.code]).toEqual([404, 'saved-search-not-found']);
        }
      }
      expect(await names()).toEqual(['private']);
    });

    it('should require a token and a valid id', async () => {
      expect((await sut.anonymous.get(PATH)).status).toBe(401);
      for (const answer of [
        await user.api.put(`${PATH}/nonsense`, { name: 'a' }),
        await user.api.delete(`${PATH}/nonsense`),
      ]) {
        expect(wrongFields(answer)).toEqual([400, 'validation-failed', ['searchId']]);
      }
      for (const answer of [
        await user.api.get(`${PATH}/reorder`),
        await user.api.delete(`${PATH}/reorder`),
      ]) {
        expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'PUT']);
      }
    });
  });

  it('should be limited to 500, even when they are created concurrently', async () => {
    await sut.dataSource.query(
      `INSERT INTO saved_searches (id, user_id, name, query)
       SELECT gen_random_uuid(), $1, 'filler ' || number, 'x' FROM generate_series(1, 495) number`,
      [user.id],
    );
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => user.api.post(PATH, { name: 'new', query: 'x' })),
    );
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(5);
    const refused = answers.filter(({ status }) => status !== 201);
    expect(new Set(refused.map(({ status, body }) => `${status} ${body.code}`))).toEqual(
      new Set(['409 saved-search-limit']),
    );
    const all = (await user.api.get<{ id: string }[]>(PATH)).body;
    expect(all).toHaveLength(500);
    const reversed = all.map(({ id }) => id).reverse();
    expect((await user.api.put(`${PATH}/reorder`, { ids: reversed })).status).toBe(200);
    expect((await user.api.get<{ id: string }[]>(PATH)).body.map(({ id }) => id)).toEqual(reversed);
    await user.api.delete(`${PATH}/${reversed[0]}`);
    expect((await user.api.post(PATH, { name: 'room again', query: 'x' })).status).toBe(201);
  });
});
