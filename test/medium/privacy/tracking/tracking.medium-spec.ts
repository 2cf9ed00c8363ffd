import type { SandboxMailbox } from '../../../../sandbox/src/sandbox-server';
import { NewslettersModule } from '../../../../src/cleanup/newsletters/newsletters.module';
import { ArchiveEncryptionModule } from '../../../../src/privacy/encrypt/archive-encryption.module';
import { TrackingModule } from '../../../../src/privacy/tracking/tracking.module';
import { ArchiveFixture } from '../../../support/archive/archive-fixture';
import { encryptByHand, setUpPassphrase } from '../../../support/encryption/encrypted-mail';
import { startFeature, type Feature, type FeatureUser } from '../../../support/medium/feature';
import { htmlMail, LINK, PIXEL } from '../../../support/tracking/html-mail';

const SPACER = '<img src="https://cdn.shop.example/spacer.gif" width="1" height="1">';

describe('Tracking', () => {
  let sut: Feature;
  let user: FeatureUser;
  let boxes = 0;

  beforeAll(async () => {
    // Mailboxes are indexed by a scan for newsletters, and an archived mail is encrypted.
    sut = await startFeature({ modules: [TrackingModule, NewslettersModule, ArchiveEncryptionModule] });
    user = await sut.user();
  });

  afterAll(() => sut?.close());

  interface Box {
    readonly id: string;
    readonly path: string;
    readonly mailbox: SandboxMailbox;
    /** Ids of the messages put in, oldest first. */
    readonly ids: readonly string[];
  }

  /** A mailbox with these messages, a minute apart, all of it indexed. */
  async function connect(...messages: readonly Buffer[]): Promise<Box> {
    const email = `tracking${(boxes += 1)}-0@sandbox.mailroom.test`;
    const id = await user.connect(email);
    const mailbox = sut.mailbox(email);
    const first = Date.now() - messages.length * 60_000;
    const ids = messages.map((raw, at) =>
      mailbox.insert(raw, { labelIds: ['INBOX'], internalDate: new Date(first + at * 60_000) }),
    );
    const indexing = await user.api.post(`/api/unsubscribe/${id}/scan`);
    expect((await user.jobEnd(indexing.body.jobId as string)).result).toMatchObject({
      scanned: messages.length,
      complete: true,
    });
    sut.provider.resetCalls();
    return { id, path: `/api/privacy/${id}/tracking`, mailbox, ids };
  }

  /** Reads tolerate an index of 2 s; after this the next one asks the mailbox. */
  const outdated = ({ id }: Box): Promise<unknown> =>
    sut.query(
      `UPDATE mailbox_index_states SET synced_at = synced_at - interval '1 minute' WHERE account_id = $1`,
      [id],
    );

  async function scan({ path }: Box, body?: object): Promise<any> {
    const answer = await user.api.post(`${path}/scan`, body);
    expect([answer.status, answer.body]).toEqual([
      202,
      { jobId: expect.stringMatching(/^scan_tracking-\d+$/), message: 'Tracking scan started' },
    ]);
    return user.jobEnd(answer.body.jobId as string);
  }

  const items = async ({ path }: Box): Promise<any> => (await user.api.get(path)).body;
  /** Calls for a message or a part of one. */
  const reads = ({ mailbox }: Box): number => sut.providerCalls(mailbox.email)['messages.get'] ?? 0;

  it('should report only trackers, message by message and in total', async () => {
    const box = await connect(
      htmlMail(`${PIXEL}${LINK}`, { subject: 'Both' }),
      htmlMail(SPACER, { subject: 'Neither' }),
      htmlMail(`${LINK}<img src="https://a.example/o?id=1" style="display:none">`, { subject: 'Others' }),
    );
    const job = await scan(box);
    expect(job).toMatchObject({ status: 'completed', total: 3, processed: 3, failed: 0, progress: 100 });
    expect(job.result).toMatchObject({
      scanned: 3,
      tracked: 2,
      trackers: 4,
      unchanged: 0,
      fromArchive: 0,
      fetched: 3,
      removed: 0,
      failed: 0,
    });
    const list = await items(box);
    expect(list).toEqual({
      items: [
        {
          id: expect.stringMatching(/^[0-9a-f-]{36}$/),
          mailbox_message_id: box.ids[2],
          subject: 'Others',
          sender: 'Shop <news@shop.example>',
          date: box.mailbox.internalDate(box.ids[2]!).toISOString(),
          trackers: [
            { type: 'pixel', domain: 'a.example', url: 'https://a.example/o?id=1' },
            { type: 'utm', domain: 'shop.example', params: ['utm_source', 'utm_medium'] },
          ],
          tracker_count: 2,
          scanned_at: expect.stringMatching(/Z$/),
        },
        expect.objectContaining({
          subject: 'Both',
          tracker_count: 2,
          trackers: [
            {
              type: 'pixel',
              domain: 'shop.us1.list-manage.com',
              url: 'https://shop.us1.list-manage.com/track/open.php?u=1&id=2',
            },
            expect.objectContaining({ type: 'utm' }),
          ],
        }),
      ],
      total: 2,
      page: 1,
      limit: 50,
    });
    expect((await user.api.get(`${box.path}/stats`)).body).toEqual({
      trackedMessages: 2,
      totalTrackers: 4,
      topDomains: [
        { domain: 'shop.example', count: 2 },
        { domain: 'a.example', count: 1 },
        { domain: 'shop.us1.list-manage.com', count: 1 },
      ],
    });
  });

  it('should read each message once, and none again', async () => {
    const box = await connect(htmlMail(PIXEL), htmlMail(LINK));
    await scan(box);
    expect(reads(box)).toBe(2);
    const before = (await items(box)).items;
    sut.provider.resetCalls();
    const again = await scan(box);
    expect(reads(box)).toBe(0);
    expect(again.result).toMatchObject({ scanned: 2, unchanged: 2, fetched: 0, tracked: 2, trackers: 2 });
    const after = (await items(box)).items;
    expect(after.map(({ id }: any) => id)).toEqual(before.map(({ id }: any) => id));
    expect(after[0].scanned_at > before[0].scanned_at).toBe(true);
  });

  it('should read a message again when the rules have changed, and replace its findings', async () => {
    const box = await connect(htmlMail(PIXEL));
    await scan(box);
    await sut.query(
      `UPDATE tracking_scans SET rules_version = 0, trackers = '[]', tracker_count = 0 WHERE account_id = $1`,
      [box.id],
    );
    sut.provider.resetCalls();
    await scan(box);
    expect(reads(box)).toBe(1);
    expect((await items(box)).total).toBe(1);
  });

  it('should scan the requested number of the newest messages, without spam and trash', async () => {
    const box = await connect(
      htmlMail(PIXEL, { subject: 'Old' }),
      htmlMail(PIXEL, { subject: 'New' }),
      htmlMail(PIXEL),
    );
    box.mailbox.changeLabels(box.ids[2]!, { add: ['SPAM'], remove: ['INBOX'] });
    await outdated(box);
    const job = await scan(box, { maxMessages: 1 });
    expect(job).toMatchObject({ total: 1, processed: 1 });
    expect((await items(box)).items.map(({ subject }: any) => subject)).toEqual(['New']);
    expect(reads(box)).toBe(1);
  });

  it('should delete findings of deleted messages, and keep earlier findings of others', async () => {
    const box = await connect(
      htmlMail(PIXEL, { subject: 'Kept' }),
      htmlMail(PIXEL, { subject: 'Gone' }),
      htmlMail(PIXEL),
    );
    await scan(box);
    box.mailbox.remove(box.ids[1]!);
    await outdated(box);
    expect((await scan(box, { maxMessages: 1 })).result).toMatchObject({ removed: 1, scanned: 1 });
    expect((await items(box)).items.map(({ subject }: any) => subject)).toEqual(['News', 'Kept']);
  });

  it('should read archived messages from the archive, and encrypted ones from the provider', async () => {
    const box = await connect(
      htmlMail(PIXEL, { subject: 'Archived' }),
      htmlMail(PIXEL, { subject: 'Encrypted' }),
    );
    const fixture = new ArchiveFixture(sut, user, box.id, box.mailbox);
    await fixture.archive({ messageIds: [...box.ids] });
    await setUpPassphrase(user);
    await encryptByHand(fixture, (await fixture.rows()).get(box.ids[1]!)!.id);
    sut.provider.resetCalls();
    const job = await scan(box, { maxMessages: 2 });
    expect(job.result).toMatchObject({ scanned: 2, tracked: 2, fromArchive: 1, fetched: 1 });
    expect(reads(box)).toBe(1);
    expect((await items(box)).total).toBe(2);
  });

  it('should read the message of the mailbox when the file of the archive is missing', async () => {
    const box = await connect(htmlMail(PIXEL));
    const fixture = new ArchiveFixture(sut, user, box.id, box.mailbox);
    await fixture.archive({ messageIds: [...box.ids] });
    await sut.query(`UPDATE archived_mails SET storage_key = storage_key || '.gone' WHERE account_id = $1`, [
      box.id,
    ]);
    sut.provider.resetCalls();
    expect((await scan(box, { maxMessages: 1 })).result).toMatchObject({ tracked: 1, fetched: 1 });
  });
});
