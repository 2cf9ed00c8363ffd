import { ApiAnswer } from '../../../support/api-client';
import { startTestApp, TestApp } from '../../../support/app';

const BROWSERS = { language: null, timezone: null, theme: null, density: null };

const fields = ({ status, body }: ApiAnswer): unknown => [
  status,
  body?.code,
  (body?.errors as { field: string }[] | undefined)?.map(({ field }) => field),
];

describe('profile and display preferences', () => {
  let test: TestApp;

  beforeAll(async () => {
    test = await startTestApp({ sandbox: { messages: 1 } });
    await test.user('admin');
  });
  afterAll(() => test.close());

  describe('display preferences', () => {
    it('should follow the browser until they are set, each separately', async () => {
      const [user, stranger] = [await test.user('choosing'), await test.user('stranger')];
      const change = (body: object): Promise<ApiAnswer> => user.api.patch('/api/auth/preferences', body);
      expect((await user.api.get('/api/auth/preferences')).body).toEqual(BROWSERS);
      const french = { language: 'fr', timezone: 'Europe/Paris' };
      expect((await change(french)).body).toEqual({ ...BROWSERS, ...french });
      const all = { ...french, theme: 'dark', density: 'compact' };
      expect((await change({ theme: 'dark', density: 'compact' })).body).toEqual(all);
      expect((await change({ language: null })).body).toEqual({ ...all, language: null });
      expect((await user.api.get('/api/auth/preferences')).body).toEqual({ ...all, language: null });
      expect((await user.api.get('/api/auth/me')).body.preferences).toEqual({ ...all, language: null });
      expect((await stranger.api.get('/api/auth/preferences')).body).toEqual(BROWSERS);
      expect((await stranger.api.get('/api/auth/me')).body.preferences).toEqual(BROWSERS);
    });

    it('should not overwrite one another when they change at the same time', async () => {
      const user = await test.user('parallel');
      const changes = [
        { language: 'fr' },
        { timezone: 'Asia/Tokyo' },
        { theme: 'light' },
        { density: 'comfortable' },
      ];
      const answers = await Promise.all(changes.map((body) => user.api.patch('/api/auth/preferences', body)));
      expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
      expect((await user.api.get('/api/auth/preferences')).body).toEqual(Object.assign({}, ...changes));
    });

    it.each([
      ['a language without texts', { language: 'de' }, ['language']],
      ['an offset', { timezone: '+02:00' }, ['timezone']],
      ['a zone that is none', { timezone: 'Europe/Atlantis' }, ['timezone']],
      ['a theme that is none', { theme: 'sepia' }, ['theme']],
      ['a density that is none', { density: 3 }, ['density']],
    ])('should be refused with the invalid field: %s', async (_case, body, wrong) => {
      const user = await test.user('wrong');
      expect(fields(await user.api.patch('/api/auth/preferences', body))).toEqual([
        400,
        'validation-failed',
        wrong,
      ]);
      expect((await user.api.get('/api/auth/preferences')).body).toEqual(BROWSERS);
    });

    it('should require a field and a session', async () => {
      const user = await test.user('nothing');
      expect((await user.api.patch('/api/auth/preferences', { colour: 'red' })).body.code).toBe('no-fields');
      expect((await test.anonymous.get('/api/auth/preferences')).status).toBe(401);
      expect((await test.anonymous.patch('/api/auth/preferences', { theme: 'dark' })).status).toBe(401);
    });
  });

  describe('the name', () => {
    it('should be changeable by the user', async () => {
      const user = await test.user('naming');
      const { status, body } = await user.api.patch('/api/auth/me', { name: ' Ada ' });
      expect([status, body.id, body.name]).toEqual([200, user.id, 'Ada']);
      // Fields of administrators are none here.
      const more = await user.api.patch('/api/auth/me', { name: null, role: 'admin', is_active: false });
      expect([more.body.name, more.body.role, more.body.is_active]).toEqual([null, 'user', true]);
      expect((await user.api.get('/api/auth/me')).body.user.name).toBeNull();
      const acts = await test.dataSource.query(
        `SELECT details FROM audit_entries WHERE user_id = $1 AND action = 'user.changed'`,
        [user.id],
      );
      expect(acts).toEqual(Array(2).fill({ details: { changed: ['name'] } }));
    });

    it.each([
      ['is empty', ''],
      ['has control characters', 'a\u0000b'],
      ['has 201 characters', 'x'.repeat(201)],
    ])('should be refused when it %s', async (_case, name) => {
      const user = await test.user('misnamed');
      expect(fields(await user.api.patch('/api/auth/me', { name }))).toEqual([
        400,
        'validation-failed',
        ['name'],
      ]);
    });

    it('should require a field and a session', async () => {
      const user = await test.user('nameless');
      expect((await user.api.patch('/api/auth/me', { email: 'x@users.test' })).body.code).toBe('no-fields');
      expect((await test.anonymous.patch('/api/auth/me', { name: 'Ada' })).status).toBe(401);
    });
  });
});
