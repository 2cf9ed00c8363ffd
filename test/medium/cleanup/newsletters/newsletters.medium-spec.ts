import type { SandboxMailbox } from '../../../../sandbox/src/sandbox-server';
import { NewslettersModule } from '../../../../src/cleanup/newsletters/newsletters.module';
import { BulkModule } from '../../../../src/mailbox/bulk/bulk.module';
import { startFeature, type Feature, type FeatureUser } from '../../../support/medium/feature';
import {
  CountedNewsletters,
  countNewsletters,
  shownMessages,
} from '../../../support/newsletters/count-newsletters';
import { expectScanned } from '../../../support/newsletters/expect-scanned';
import { insertNewsletter as insert } from '../../../support/newsletters/insert-newsletter';

const MESSAGES = 2_600;
const FIELDS = [
  'count',
  'email',
  'lastDate',
  'oneClick',
  'sender',
  'totalSizeBytes',
  'unsubscribeMailto',
  'unsubscribeUrl',
];

describe('Newsletters', () => {
  let sut: Feature;
  let user: FeatureUser;
  let boxes = 0;

  beforeAll(async () => {
    // Newsletters are deleted by bulk operations.
    sut = await startFeature({ modules: [NewslettersModule, BulkModule] });
    user = await sut.user();
  });

  afterAll(() => sut?.close());

  interface Connected {
    readonly id: string;
    readonly path: string;
    readonly mailbox: SandboxMailbox;
  }

  async function connect(messages: number): Promise<Connected> {
    const email = `letters${(boxes += 1)}-${messages}@sandbox.mailroom.test`;
    const id = await user.connect(email);
    sut.provider.resetCalls();
    return { id, path: `/api/unsubscribe/${id}`, mailbox: sut.mailbox(email) };
  }

  async function list(path: string): Promise<any[]> {
    const { status, body } = await user.api.get(`${path}/newsletters`);
    expect(status).toBe(200);
    return body;
  }

  const of = (path: string, address: string): string => `${path}/newsletters/${encodeURIComponent(address)}`;

  async function messages(path: string, address: string): Promise<any> {
    const { status, body } = await user.api.get(`${of(path, address)}/messages`);
    expect(status).toBe(200);
    return body;
  }

  describe('a mailbox', () => {
    let path: string;
    let mailbox: SandboxMailbox;
    let expected: Map<string, CountedNewsletters>;

    beforeAll(async () => {
      ({ path, mailbox } = await connect(400));
      expected = countNewsletters(mailbox);
    });

    it('should have exactly the newsletters that an independent count finds', async () => {
      const found = await list(path);
      expect(expected.size).toBeGreaterThan(10);
      expect(
        new Map(
          found.map(({ email, count, totalSizeBytes, lastDate }) => [
            email,
            { count, totalSizeBytes, lastDate },
          ]),
        ),
      ).toEqual(
        new Map(
          [...expected].map(([email, { ids, bytes, lastDate }]) => [
            email,
            { count: ids.length, totalSizeBytes: bytes, lastDate },
          ]),
        ),
      );
      for (const newsletter of found) {
        expect(Object.keys(newsletter).sort()).toEqual(FIELDS);
        expect(newsletter.sender).toMatch(/^.+ <[^<>]+>$/);
        expect(newsletter.sender).toContain(`<${newsletter.email}>`);
      }
      const counts = found.map(({ count }) => count as number);
      expect(counts).toEqual([...counts].sort((a, b) => b - a));
    });

    it('should read every message once, and then make at most three calls to the provider', async () => {
      const shown = shownMessages(mailbox);
      await list(path);
      expect(sut.provider.calls.fetchMetadata).toBe(shown.length);
      const [first] = [...expected.keys()] as [string];
      for (const route of [`${path}/newsletters`, `${of(path, first)}/messages`]) {
        sut.provider.resetCalls();
        await Promise.all([1, 2, 3].map(() => user.api.get(route)));
        expect(sut.provider.calls.fetchMetadata).toBeUndefined();
        sut.provider.resetCalls();
        await user.api.get(route);
        expect(sut.provider.totalCalls).toBeLessThanOrEqual(3);
      }
    });

    it('should name the messages of each sender, newest first', async () => {
      for (const [email, { ids }] of expected) {
        const { messageIds, count, starredCount, importantCount } = await messages(path, email);
        expect({ email, messageIds }).toEqual({ email, messageIds: ids });
        const having = (label: string): number =>
          ids.filter((id) => mailbox.labels(id).includes(label)).length;
        expect([count, starredCount, importantCount]).toEqual([
          ids.length,
          having('STARRED'),
          having('IMPORTANT'),
        ]);
      }
    });
  });

  it('should be found by a scan that reads every message once, and nothing the second time', async () => {
    const { path, mailbox } = await connect(MESSAGES);
    const scan = async (): Promise<any> => {
      const { status, body } = await user.api.post(`${path}/scan`);
      expect([status, body]).toEqual([
        202,
        { jobId: expect.stringMatching(/^scan_unsubscribe-\d+$/), message: 'Newsletter scan started' },
      ]);
      return user.jobEnd(body.jobId as string);
    };
    await expectScanned(user, path, mailbox, await scan());
    expect(sut.provider.calls.fetchMetadata).toBe(shownMessages(mailbox).length);
    sut.provider.resetCalls();
    await expectScanned(user, path, mailbox, await scan());
    expect(sut.provider.calls.fetchMetadata).toBeUndefined();
  });

  describe('one address', () => {
    let path: string;
    let mailbox: SandboxMailbox;

    beforeEach(async () => {
      ({ path, mailbox } = await connect(0));
    });

    it('should be matched exactly, in any case', async () => {
      const own = [
        insert(mailbox, 'News <news@x.test>', { daysAgo: 1 }),
        insert(mailbox, 'NEWS <News@X.Test>', { daysAgo: 2 }),
        insert(mailbox, 'news@x.test', { daysAgo: 3 }),
      ];
      insert(mailbox, 'xnews@x.test');
      insert(mailbox, 'news@x.test.evil');
      insert(mailbox, 'more.news@x.test');
      insert(mailbox, '"news@x.test" <other@y.test>');
      insert(mailbox, 'other@y.test (news@x.test)');
      for (const address of ['news@x.test', 'NEWS@x.TEST']) {
        expect((await messages(path, address)).messageIds).toEqual(own);
      }
      const found = await list(path);
      expect(found.find(({ email }) => email === 'news@x.test')).toMatchObject({
        sender: 'News <news@x.test>',
        count: 3,
      });
      expect(found.map(({ email }) => email as string).sort()).toEqual(
        ['more.news@x.test', 'news@x.test', 'news@x.test.evil', 'other@y.test', 'xnews@x.test'].sort(),
      );
    });

    it('should count only messages with a List-Unsubscribe header, and not spam, trash or one’s own', async () => {
      const newsletter = insert(mailbox, 'shop@x.test');
      const order = insert(mailbox, 'shop@x.test', { lines: ['X-Order: 1'] });
      insert(mailbox, 'shop@x.test', { labelIds: ['SPAM'] });
      insert(mailbox, 'shop@x.test', { labelIds: ['TRASH'] });
      insert(mailbox, mailbox.email, { labelIds: ['SENT'] });
      insert(mailbox, mailbox.email);
      expect((await messages(path, 'shop@x.test')).messageIds).toEqual([newsletter]);
      expect((await messages(path, mailbox.email)).messageIds).toEqual([]);
      expect((await list(path)).map(({ email, count }) => [email, count])).toEqual([['shop@x.test', 1]]);
      const { body } = await user.api.post(`${of(path, 'shop@x.test')}/delete`, { permanent: true });
      await user.jobEnd(body.jobId as string);
      expect(mailbox.ids()).toContain(order);
      expect(mailbox.ids()).not.toContain(newsletter);
    });

    it('should return the unsubscribe address of the newest message, in every form', async () => {
      insert(mailbox, 'a@x.test', { daysAgo: 9 });
      insert(mailbox, 'a@x.test', {
        lines: [
          'List-Unsubscribe: (leave) <mailto:out@x.test?subject=bye&cc=y@z.test>,',
          '\t<https://x.test/u?a=1,2>',
          'list-unsubscribe-post: List-Unsubscribe=One-Click',
        ],
      });
      insert(mailbox, 'b@x.test', { lines: ['List-Unsubscribe: <javascript:alert(1)>'] });
      insert(mailbox, 'c@x.test', {
        lines: ['List-Unsubscribe: <mailto:out@x.test>', 'List-Unsubscribe: <https://x.test/two>'],
      });
      const found = await list(path);
      expect(found).toHaveLength(3);
      expect(found.find(({ email }) => email === 'c@x.test')).toMatchObject({
        unsubscribeUrl: 'https://x.test/two',
        unsubscribeMailto: 'mailto:out@x.test',
      });
      expect(found[0]).toMatchObject({
        email: 'a@x.test',
        unsubscribeUrl: 'https://x.test/u?a=1,2',
        unsubscribeMailto: 'mailto:out@x.test?subject=bye',
        oneClick: true,
      });
      expect(found.find(({ email }) => email === 'b@x.test')).toMatchObject({
        unsubscribeUrl: null,
        unsubscribeMailto: null,
        oneClick: false,
      });
    });
  });

  describe('deleting', () => {
    let id: string;
    let path: string;
    let mailbox: SandboxMailbox;
    let ids: string[];
    let other: string;

    beforeEach(async () => {
      ({ id, path, mailbox } = await connect(0));
      ids = Array.from({ length: 12 }, (_, day) =>
        insert(mailbox, 'Shop <news@x.test>', { daysAgo: day + 1 }),
      );
      mailbox.changeLabels(ids.slice(0, 3), { add: ['STARRED'] });
      mailbox.changeLabels(ids.slice(2, 4), { add: ['IMPORTANT'] });
      other = insert(mailbox, 'xnews@x.test');
    });

    const counts = { starredCount: 3, importantCount: 2 };

    it('should move them to the trash, from where they can be restored', async () => {
      const { status, body } = await user.api.post(`${of(path, 'News@x.test')}/delete`, {});
      expect(status).toBe(202);
      expect(body).toEqual({ jobId: expect.stringMatching(/^bulk_operation-\d+$/), count: 12, ...counts });
      const job = await user.jobEnd(body.jobId as string);
      expect(job).toMatchObject({ status: 'completed', total: 12, processed: 12, failed: 0 });
      expect(job.result).toMatchObject({ action: 'trash', changed: 12, notFound: 0, refused: 0, ...counts });
      expect(ids.filter((each) => mailbox.labels(each).includes('TRASH'))).toEqual(ids);
      expect(mailbox.labels(other)).not.toContain('TRASH');
      expect((await messages(path, 'news@x.test')).count).toBe(0);
      expect((await list(path)).map(({ email }) => email)).toEqual(['xnews@x.test']);

      mailbox.changeLabels(ids, { remove: ['TRASH'] });
      // Changes made elsewhere are seen within seconds: this is as two seconds later.
      await sut.query(
        `UPDATE mailbox_index_states SET synced_at = synced_at - interval '1 minute' WHERE account_id = $1`,
        [id],
      );
      expect(await messages(path, 'news@x.test')).toMatchObject({ count: 12, messageIds: ids });
    });

    it('should leave out starred or important messages when asked to', async () => {
      expect(await messages(path, 'news@x.test')).toMatchObject({ count: 12, ...counts, unmarkedCount: 8 });
      const { status, body } = await user.api.post(`${of(path, 'news@x.test')}/delete`, {
        leaveOut: ['starred', 'important'],
      });
      expect({ status, ...body }).toMatchObject({
        status: 202,
        count: 8,
        starredCount: 0,
        importantCount: 0,
      });
      await user.jobEnd(body.jobId as string);
      const stayed = ids.filter((each) => !mailbox.labels(each).includes('TRASH'));
      expect(stayed).toEqual(ids.slice(0, 4));

      const { body: starred } = await user.api.post(`${of(path, 'news@x.test')}/delete`, {
        permanent: true,
        leaveOut: ['starred'],
      });
      expect(starred).toMatchObject({ count: 1, starredCount: 0, importantCount: 1 });
      await user.jobEnd(starred.jobId as string);
      expect(
        ids.filter((each) => mailbox.ids().includes(each) && !mailbox.labels(each).includes('TRASH')),
      ).toEqual(ids.slice(0, 3));
    });

    it('should delete them permanently when asked to', async () => {
      const { body } = await user.api.post(`${of(path, 'news@x.test')}/delete`, { permanent: true });
      expect(body).toMatchObject({ count: 12, ...counts });
      const job = await user.jobEnd(body.jobId as string);
      expect(job.result).toMatchObject({ action: 'delete', changed: 12, ...counts });
      expect(mailbox.ids()).toEqual([other]);
      expect(sut.provider.calls.delete).toBe(1);
    });

    it('should find nothing left the second time', async () => {
      const first = await user.api.post(`${of(path, 'news@x.test')}/delete`, {});
      await user.jobEnd(first.body.jobId as string);
      const again = await user.api.post(`${of(path, 'news@x.test')}/delete`, {});
      expect(again.body).toMatchObject({ jobId: null, count: 0 });
    });
  });
});
