import { startTestApp, TestApp } from '../../../support/app';
import { ArchiveFixture, sha256 } from '../../../support/archive/archive-fixture';
import { unzip } from '../../../support/archive/exports';
import { importMbox } from '../../../support/imports';
import { mail } from '../../../support/restore/restore-fixture';
import type { TestUser } from '../../../support/test-user';

describe('Export of a mailbox', () => {
  let sut: TestApp;
  let user: TestUser;
  let source: ArchiveFixture;
  let raws: Buffer[];

  beforeAll(async () => {
    sut = await startTestApp({ sandbox: { messages: 1 } });
    user = await sut.user();
    source = await ArchiveFixture.connect(sut, user, 'mailbox-0@sandbox.mailroom.test');
    const { body: label } = await user.api.post(`/api/mailbox/${source.accountId}/labels`, {
      name: 'Work/2018',
    });
    raws = [
      mail({}, 'From here on\r\n>From there\r\n>>From\r\n\r\nFrom a@b.c Tue Jan  2 03:04:05 2018\r\nend'),
      mail({}, 'caf\xe9\n\nFrom bare lines\n\r\n\r'),
      mail({}, 'x'.repeat(100_000) + '\r\n'),
      mail({}, 'large\r\n'.repeat(200_000)),
    ];
    const labels = [['INBOX', 'UNREAD'], ['SENT', 'STARRED'], [label.id as string], []];
    const messageIds = raws.map((raw, n) => source.mailbox.insert(raw, { labelIds: labels[n]! }));
    expect(await source.archive({ messageIds })).toMatchObject({ processed: 4 });
  });

  afterAll(() => sut?.close());

  async function exported(body: object): Promise<Map<string, Buffer>> {
    const { status, headers, bytes } = await user.api.post(`${source.path}/export-mailbox`, body);
    expect(status).toBe(200);
    expect(headers.get('content-type')).toBe('application/zip');
    return (await unzip(bytes)).entries;
  }

  const listed = (entries: Map<string, Buffer>): any => JSON.parse(entries.get('labels.json')!.toString());

  it('should write a Maildir with every byte, and the labels', async () => {
    const entries = await exported({ select: { all: true }, format: 'maildir' });
    const { mails, missing } = listed(entries);
    expect(missing).toEqual([]);
    const byHash = new Map<string, any>(mails.map((each: any) => [each.sha256, each]));
    const files = raws.map((raw) => {
      const { file, size_bytes: size, intact, labels } = byHash.get(sha256(raw));
      expect({ size, intact }).toEqual({ size: raw.length, intact: true });
      expect(entries.get(file as string)!.equals(raw)).toBe(true);
      return [(file as string).replace(/\d+\.[0-9a-f-]{36}\.mailroom/, '…'), labels];
    });
    expect(files).toEqual([
      ['Maildir/cur/…:2,', ['INBOX', 'UNREAD']],
      ['Maildir/.Sent/cur/…:2,FS', ['SENT', 'STARRED']],
      ['Maildir/.Work.2018/cur/…:2,S', ['Work/2018']],
      ['Maildir/.Archive/cur/…:2,S', []],
    ]);
    for (const part of ['cur', 'new', 'tmp']) expect(entries.has(`Maildir/.Sent/${part}/`)).toBe(true);
  });

  it('should write an mbox from which every byte can be recovered', async () => {
    const entries = await exported({ select: { all: true }, format: 'mbox' });
    expect([...entries.keys()]).toEqual(['mail-0001.mbox', 'labels.json']);
    const file = entries.get('mail-0001.mbox')!;
    const { mails } = listed(entries);
    // Read by the book: mboxrd, and the size where a message ends without a line end.
    let text = file.toString('latin1');
    for (const { size_bytes: size, sha256: hash } of mails) {
      const start = text.indexOf('\n') + 1;
      expect(text.slice(0, start)).toMatch(/^From \S+ \w{3} \w{3} [ \d]\d \d\d:\d\d:\d\d \d{4}\n$/);
      const next = text.slice(start).search(/\n\nFrom \S+ \w{3} \w{3} [ \d]\d \d\d:\d\d:\d\d \d{4}\n/);
      const quoted = next === -1 ? text.slice(start) : text.slice(start, start + next + 2);
      const message = quoted.replace(/^>(>*From )/gm, '$1').slice(0, size as number);
      expect(sha256(Buffer.from(message, 'latin1'))).toBe(hash);
      text = text.slice(start + quoted.length);
    }
    expect(text).toBe('');
    expect(mails.map((each: any) => each.sha256).sort()).toEqual(raws.map(sha256).sort());
  });

  it('should be imported again with the same content', async () => {
    const entries = await exported({ select: { all: true }, format: 'mbox' });
    const again = await user.connect('mailboxagain-0@sandbox.mailroom.test');
    const job = await importMbox(user, again, entries.get('mail-0001.mbox')!);
    expect(job.result).toMatchObject({ imported: 4, failed: 0 });
  });

  it('should refuse invalid requests, and reveal nothing of other users', async () => {
    const post = (body: object): Promise<any> => user.api.post(`${source.path}/export-mailbox`, body);
    const fields = async (body: object): Promise<unknown> => {
      const answer = await post(body);
      return [answer.status, answer.body.errors?.map(({ field }: any) => field)];
    };
    expect(await fields({ select: { all: true }, format: 'pst' })).toEqual([400, ['format']]);
    expect(await fields({ select: {}, format: 'mbox' })).toEqual([400, ['select']]);
    expect(await fields({ format: 'mbox' })).toEqual([400, ['select']]);
    const stranger = await sut.user('stranger');
    const answer = await stranger.api.post(`${source.path}/export-mailbox`, {
      select: { all: true },
      format: 'mbox',
    });
    expect(answer.status).toBe(403);
    expect(listed(await exported({ select: { threadIds: ['none'] }, format: 'maildir' })).mails).toEqual([]);
  });
});
