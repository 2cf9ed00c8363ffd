import { randomUUID } from 'node:crypto';
import { startTestApp, TestApp } from '../../../support/app';
import { ArchiveFixture } from '../../../support/archive/archive-fixture';
import { eml } from '../../../support/archive/eml';
import { encryptByHand, PASSPHRASE, setUpPassphrase } from '../../../support/encryption/encrypted-mail';
import { withRealHashes } from '../../../support/quick-hashes';
import type { TestUser } from '../../../support/test-user';
import { nightly } from '../../../support/nightly';

const MIB = 1024 * 1024;
const SETUP = '/api/privacy/encryption/setup';
const VERIFY = '/api/privacy/encryption/verify';

describe('Encryption of archives', () => {
  let app: TestApp;

  beforeAll(async () => {
    app = await startTestApp({ sandbox: { messages: 1 } });
  });

  afterAll(() => app?.close());

  describe('setting up a passphrase', () => {
    it('should require a signed-in user', async () => {
      expect((await app.anonymous.post(SETUP, { passphrase: PASSPHRASE })).status).toBe(401);
      expect((await app.anonymous.post(VERIFY, { passphrase: PASSPHRASE })).status).toBe(401);
    });

    it.each([
      ['missing', {}],
      ['seven characters', { passphrase: '1234567' }],
      ['seven characters with accents typed apart', { passphrase: 'e\u0301'.repeat(7) }],
      ['seven emoji', { passphrase: '\u{1f600}'.repeat(7) }],
      ['too long', { passphrase: 'x'.repeat(1_025) }],
      ['no text', { passphrase: 12345678 }],
      ['null', { passphrase: null }],
    ])('should refuse one that is %s, naming the field', async (_what, body) => {
      const user = await app.user();
      const answer = await user.api.post(SETUP, body);
      expect(answer.status).toBe(400);
      expect(answer.body).toMatchObject({ code: 'validation-failed', errors: [{ field: 'passphrase' }] });
      expect(answer.bytes.toString()).not.toContain('1234567"');
    });

    it('should store only a hash, and be possible once', async () => {
      const user = await app.user();
      const answer = await withRealHashes(app.app, () => user.api.post(SETUP, { passphrase: PASSPHRASE }));
      expect([answer.status, answer.body]).toEqual([200, { ok: true }]);
      const [row] = await app.dataSource.query('SELECT * FROM encryption_passphrases WHERE user_id = $1', [
        user.id,
      ]);
      expect(row.hash).toMatch(/^\$scrypt\$ln=15,r=8,p=3\$/);
      const second = await user.api.post(SETUP, { passphrase: 'another passphrase' });
      expect([second.status, second.body.code]).toEqual([409, 'encryption-already-configured']);
      expect((await user.api.post(VERIFY, { passphrase: PASSPHRASE })).body).toEqual({ valid: true });
    });

    it('should succeed for one of several concurrent requests', async () => {
      const user = await app.user();
      const passphrases = ['passphrase one', 'passphrase two', 'passphrase three'];
      const answers = await withRealHashes(app.app, () =>
        Promise.all(passphrases.map((passphrase) => user.api.post(SETUP, { passphrase }))),
      );
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409]);
      const winner = passphrases[answers.findIndex(({ status }) => status === 200)];
      for (const passphrase of passphrases) {
        const { body } = await user.api.post(VERIFY, { passphrase });
        expect(body).toEqual({ valid: passphrase === winner });
      }
    });
  });

  describe('checking a passphrase', () => {
    it('should answer 409 before one is set up, however often it is tried', async () => {
      const user = await app.user();
      for (let attempt = 0; attempt < 12; attempt += 1) {
        const { status, body } = await user.api.post(VERIFY, { passphrase: PASSPHRASE });
        expect([status, body.code]).toEqual([409, 'encryption-not-configured']);
      }
    });

    it.each([[{}], [{ passphrase: '' }], [{ passphrase: ['a'] }], [{ passphrase: 'x'.repeat(1_025) }]])(
      'should refuse %j',
      async (body) => {
        const answer = await (await app.user()).api.post(VERIFY, body);
        expect([answer.status, answer.body.errors[0].field]).toEqual([400, 'passphrase']);
      },
    );

    it.each([
      ['accents composed, then typed apart', 'caf\u00e9 cr\u00e8me', 'cafe\u0301 cre\u0300me', true],
      [
        'emoji',
        '\u{1f42e}\u{1f434}\u{1f50b}\u{1f4ce} 1234',
        '\u{1f42e}\u{1f434}\u{1f50b}\u{1f4ce} 1234',
        true,
      ],
      ['eight characters beyond the basic plane', '\u{1f600}'.repeat(8), '\u{1f600}'.repeat(8), true],
      ['a space more at the end', 'with spaces ', 'with spaces', false],
      ['a space less at the start', 'with spaces', ' with spaces', false],
      ['spaces only', ' '.repeat(8), ' '.repeat(8), true],
      ['another case', 'Upper Lower', 'upper lower', false],
      ['what only looks alike', 'ﬁve words', 'five words', false],
    ])('should report whether it is right: %s', async (_what, set, given, expected) => {
      const user = await app.user();
      await setUpPassphrase(user, set);
      const { status, body } = await user.api.post(VERIFY, { passphrase: given });
      expect([status, body]).toEqual([200, { valid: expected }]);
    });

    it('should stop after ten wrong ones, for this user and on every route', async () => {
      const sut = await ArchiveFixture.connect(app, await app.user(), 'guess-0@sandbox.mailroom.test');
      await setUpPassphrase(sut.user);
      const [mailId] = await sut.insertAndArchive(eml('Subject: x', '', 'x'));
      await encryptByHand(sut, mailId!);
      const guess = (passphrase: string) => sut.user.api.post(VERIFY, { passphrase });
      for (let attempt = 0; attempt < 9; attempt += 1) await guess(`wrong ${attempt}`);
      // A right one clears the count.
      expect((await guess(PASSPHRASE)).body).toEqual({ valid: true });
      const answers = await Promise.all(Array.from({ length: 13 }, (_, number) => guess(`wrong ${number}`)));
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(10);
      const refused = answers.find(({ status }) => status !== 200)!;
      expect([refused.status, refused.body.code]).toEqual([429, 'too-many-requests']);
      expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
      // Even the right one, and wherever it is asked for.
      expect((await guess(PASSPHRASE)).status).toBe(429);
      const headers = { 'x-archive-passphrase': PASSPHRASE };
      expect((await sut.user.api.get(`${sut.path}/mails/${mailId}/eml`, { headers })).status).toBe(429);
      const decrypt = `/api/privacy/${sut.accountId}/encryption/decrypt-mail`;
      expect((await sut.user.api.post(decrypt, { mailId, passphrase: PASSPHRASE })).status).toBe(429);
      // Other users are not refused.
      const other = await app.user();
      await setUpPassphrase(other);
      expect((await other.api.post(VERIFY, { passphrase: PASSPHRASE })).body).toEqual({ valid: true });
    });

    nightly('should not mistake many right ones at once for guessing', async () => {
      const user = await app.user();
      await setUpPassphrase(user);
      const answers = await Promise.all(
        Array.from({ length: 20 }, () => user.api.post(VERIFY, { passphrase: PASSPHRASE })),
      );
      expect(answers.every(({ body }) => body.valid === true)).toBe(true);
    });
  });

  describe('the status of an archive', () => {
    const statusOf = (fixture: ArchiveFixture) =>
      fixture.user.api.get(`/api/privacy/${fixture.accountId}/encryption/status`);

    it('should count encrypted mails', async () => {
      const sut = await ArchiveFixture.connect(app, await app.user(), 'status-0@sandbox.mailroom.test');
      expect((await statusOf(sut)).body).toEqual({
        total: 0,
        encrypted: 0,
        unencrypted: 0,
        percentage: 0,
        hasEncryptionKey: false,
      });
      await setUpPassphrase(sut.user);
      const ids = await sut.insertAndArchive(...['a', 'b', 'c'].map((text) => eml('Subject: x', '', text)));
      await encryptByHand(sut, ids[0]!);
      const { status, body } = await statusOf(sut);
      expect(status).toBe(200);
      expect(body).toEqual({
        total: 3,
        encrypted: 1,
        unencrypted: 2,
        percentage: 33.33,
        hasEncryptionKey: true,
      });
      const path = `/api/privacy/${sut.accountId}/encryption/status`;
      expect((await app.anonymous.get(path)).status).toBe(401);
      const foreign = await (await app.user()).api.get(path);
      expect([foreign.status, foreign.body.code]).toEqual([403, 'account-not-owned']);
      expect((await sut.user.api.get('/api/privacy/x/encryption/status')).status).toBe(400);
    });
  });

  describe('decrypting a mail', () => {
    let sut: ArchiveFixture;
    let user: TestUser;
    let plainId: string;
    let mailId: string;
    let latinId: string;
    let largeId: string;
    const text = eml('From: a@example.com', 'Subject: Gr\u00fc\u00dfe', '', 'Bonjour \u{1f600}\u0000');
    const latin = Buffer.from('Subject: x\r\n\r\nGr\xfc\xdfe', 'latin1');

    const decrypt = (body: object, fixture = sut) =>
      fixture.user.api.post(`/api/privacy/${fixture.accountId}/encryption/decrypt-mail`, body);

    beforeAll(async () => {
      user = await app.user();
      sut = await ArchiveFixture.connect(app, user, 'decrypt-0@sandbox.mailroom.test');
      const large = Buffer.concat([
        Buffer.from('Subject: large\r\n\r\n'),
        Buffer.alloc(25 * MIB, 'line\r\n'),
      ]);
      const plain = eml('Subject: plain', '', 'x');
      [plainId, mailId, latinId, largeId] = (await sut.insertAndArchive(plain, text, latin, large)) as any;
      for (const id of [mailId, latinId, largeId]) await encryptByHand(sut, id);
      const before = await decrypt({ mailId: randomUUID(), passphrase: PASSPHRASE });
      expect([before.status, before.body.code]).toEqual([409, 'encryption-not-configured']);
      await setUpPassphrase(user);
    });

    it('should return the text, in UTF-8 or else Latin-1', async () => {
      const answer = await decrypt({ mailId, passphrase: PASSPHRASE });
      expect([answer.status, answer.body]).toEqual([200, { content: text.toString() }]);
      expect((await decrypt({ mailId: latinId, passphrase: PASSPHRASE })).body.content).toBe(
        latin.toString('latin1'),
      );
    });

    it('should name missing and malformed parameters first', async () => {
      const fields = async (body: object) => {
        const answer = await decrypt(body);
        expect(answer.status).toBe(400);
        return answer.body.errors.map(({ field }: { field: string }) => field).sort();
      };
      expect(await fields({})).toEqual(expect.arrayContaining(['mailId', 'passphrase']));
      expect(new Set(await fields({ mailId }))).toEqual(new Set(['passphrase']));
      expect(new Set(await fields({ passphrase: PASSPHRASE }))).toEqual(new Set(['mailId']));
      expect(new Set(await fields({ mailId: 'x', passphrase: PASSPHRASE }))).toEqual(new Set(['mailId']));
    });

    it('should check missing, not set up, unknown, not encrypted, wrong, in this order', async () => {
      const other = await ArchiveFixture.connect(app, await app.user(), 'other-0@sandbox.mailroom.test');
      expect((await decrypt({ mailId: 'x', passphrase: 'wrong one' }, other)).status).toBe(400);
      expect((await decrypt({ mailId: randomUUID(), passphrase: 'wrong one' }, other)).status).toBe(409);
      await setUpPassphrase(other.user);
      const foreign = await decrypt({ mailId, passphrase: 'wrong one' }, other);
      expect([foreign.status, foreign.body.code]).toEqual([404, 'mail-not-found']);
      const plain = await decrypt({ mailId: plainId, passphrase: 'wrong one' });
      expect([plain.status, plain.body.code]).toEqual([400, 'mail-not-encrypted']);
      const wrong = await decrypt({ mailId, passphrase: 'wrong one' });
      expect([wrong.status, wrong.body.code]).toEqual([403, 'passphrase-invalid']);
      expect(wrong.bytes.toString()).not.toContain('wrong one');
    });

    it('should refer to the download when the mail is too large for JSON', async () => {
      const { status, body } = await decrypt({ mailId: largeId, passphrase: PASSPHRASE });
      expect([status, body.code]).toEqual([400, 'mail-too-large']);
      expect(body.detail).toContain('/eml');
    });

    it('should be accessible to the owner of the account only', async () => {
      const path = `/api/privacy/${sut.accountId}/encryption/decrypt-mail`;
      const body = { mailId, passphrase: PASSPHRASE };
      expect((await app.anonymous.post(path, body)).status).toBe(401);
      const foreign = await (await app.user()).api.post(path, {});
      expect([foreign.status, foreign.body.code]).toEqual([403, 'account-not-owned']);
      expect((await user.api.post('/api/privacy/x/encryption/decrypt-mail', body)).status).toBe(400);
    });
  });
});
