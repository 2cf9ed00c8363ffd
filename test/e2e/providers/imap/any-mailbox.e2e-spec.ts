import { ImapSyncTimings } from '../../../../src/providers/imap/sync/imap-sync-timings';
import { startTestApp, type TestApp } from '../../../support/app';
import { allPeers } from '../../../support/peers/all-peers';
import type { PeerMessage } from '../../../support/peers/mailbox-peer';
import type { TestUser } from '../../../support/test-user';

const DAY_MS = 86_400_000;
const NOW = Date.now();
/** As large as attachments must be to be listed. */
const ATTACHED = Buffer.from('A report, byte for byte.\r\n\0\xff'.repeat(50_000), 'latin1');

/** The `number`th newest message. */
function message(
  number: number,
  headers: string,
  body: string,
  flags: Partial<PeerMessage> = {},
): PeerMessage {
  const receivedAt = new Date(Math.floor(NOW / 1_000) * 1_000 - (number + 0.5) * DAY_MS);
  const raw = Buffer.from(
    `Message-ID: <${number}@any.test>\r\nDate: ${receivedAt.toUTCString()}\r\nTo: alice@imap.test\r\n${headers}\r\n${body}\r\n`,
    'utf8',
  );
  return { raw, receivedAt, ...flags };
}

const LETTERS = Array.from({ length: 8 }, (_, index) =>
  message(
    index + 1,
    `From: Ada <ada@friends.test>\r\nSubject: Letter ${index + 1}\r\n`,
    `Dear Alice ${index}`,
    {
      isSeen: index % 2 === 0,
      isStarred: index === 0,
    },
  ),
);
const PAPERS = Array.from({ length: 5 }, (_, index) =>
  message(
    index + 20,
    `From: The Paper <news@paper.test>\r\nSubject: Paper ${index + 1}\r\n` +
      'List-Unsubscribe: <https://paper.test/leave?u=1>\r\nList-Unsubscribe-Post: List-Unsubscribe=One-Click\r\n' +
      'MIME-Version: 1.0\r\nContent-Type: text/html; charset=utf-8\r\n',
    `<p>Read all about it</p><img src="https://track.paper.test/open?id=${index}" width="1" height="1">`,
  ),
);
const REPORT = message(
  30,
  'From: Bob <bob@work.test>\r\nSubject: Report\r\nMIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary=b\r\n',
  '--b\r\nContent-Type: text/plain\r\n\r\nSee the report.\r\n--b\r\nContent-Type: application/pdf; name=report.pdf\r\n' +
    'Content-Disposition: attachment; filename=report.pdf\r\nContent-Transfer-Encoding: base64\r\n\r\n' +
    `${ATTACHED.toString('base64').replace(/.{76}/g, '$&\r\n')}\r\n--b--`,
  { isSeen: true },
);
const MESSAGES = [...LETTERS, ...PAPERS, REPORT];
const subjectsOf = (prefix: string, ...numbers: readonly number[]): string[] =>
  numbers.map((number) => `${prefix} ${number}`);

/** The interface behaves the same for all providers. */
describe.each(allPeers())('A mailbox by %s', (_name, peer) => {
  let app: TestApp;
  let user: TestUser;
  let id: string;

  beforeAll(async () => {
    app = await startTestApp({ sandbox: { messages: 1 } });
    // What a second client does is seen at once.
    app.tune(ImapSyncTimings, { figuresMs: 0 });
    await peer.start(app);
    await peer.receive(MESSAGES);
    user = await app.user();
    id = await peer.connect(user);
  });
  afterAll(async () => {
    await app?.close();
    await peer.stop();
  });

  const post = async (path: string, body?: object, status = 202): Promise<any> => {
    const answer = await user.api.post(path, body);
    if (answer.status !== status)
      throw new Error(`${path} answered ${answer.status}: ${answer.bytes.toString()}`);
    return answer.body;
  };
  const get = async (path: string): Promise<any> => {
    const answer = await user.api.get(path);
    if (answer.status !== 200)
      throw new Error(`${path} answered ${answer.status}: ${answer.bytes.toString()}`);
    return answer.body;
  };
  const done = async (path: string, body?: object): Promise<any> => {
    const { jobId } = await post(path, body);
    const job = await user.jobEnd(jobId as string);
    expect(job).toMatchObject({ status: 'completed', failed: 0 });
    return job;
  };
  /** The metadata of what a search finds, in the order of the list. */
  const list = async (query = ''): Promise<any[]> => {
    const ids: string[] = [];
    let pageToken = '';
    do {
      const page = await get(
        `/api/mailbox/${id}/messages?maxResults=5&q=${encodeURIComponent(query)}${pageToken && `&pageToken=${pageToken}`}`,
      );
      ids.push(...page.messages.map((message: { id: string }) => message.id));
      pageToken = page.nextPageToken ?? '';
    } while (pageToken);
    return ids.length === 0 ? [] : post(`/api/mailbox/${id}/messages/batch`, { ids }, 200);
  };
  const subjects = async (query = ''): Promise<string[]> => (await list(query)).map(({ subject }) => subject);
  const idsOf = async (query: string): Promise<string[]> => (await list(query)).map((message) => message.id);
  const bulk = (action: string, messageIds: readonly string[], more: object = {}): Promise<any> =>
    done(`/api/mailbox/${id}/messages/bulk`, { action, messageIds, ...more });
  const undo = async (job: { id: string }): Promise<any> => done(`/api/jobs/${job.id}/undo`, {});

  describe('reads', () => {
    it('should list all messages, newest first, page by page', async () => {
      expect(await subjects()).toEqual([
        ...subjectsOf('Letter', 1, 2, 3, 4, 5, 6, 7, 8),
        ...subjectsOf('Paper', 1, 2, 3, 4, 5),
        'Report',
      ]);
    });

    it.each([
      ['from:paper.test', subjectsOf('Paper', 1, 2, 3, 4, 5)],
      ['from:ada is:unread', subjectsOf('Letter', 2, 4, 6, 8)],
      ['is:starred', ['Letter 1']],
      ['has:attachment filename:report.pdf', ['Report']],
      ['older_than:28d', ['Report']],
      ['-from:paper.test older_than:6d', [...subjectsOf('Letter', 6, 7, 8), 'Report']],
      ['subject:"letter 3"', ['Letter 3']],
      ['{subject:report from:nobody.test}', ['Report']],
    ])('should find by %s', async (query, found) => {
      expect(await subjects(query)).toEqual(found);
    });

    it.each([
      ['subject:letter -newer_than:2w', 'newer_than:2w'],
      ['-older_than:12h', 'older_than:12h'],
      ['-larger:0.1M', 'larger:0.1M'],
      ['-after:2025/02/31', 'after:2025/02/31'],
      ['-label:Misspelt', 'label:Misspelt'],
      ['-in:misspelt', 'in:misspelt'],
      ['-is:unraed', 'is:unraed'],
      ['-has:atachment', 'has:atachment'],
      ['-from:""', 'from:""'],
      ['"', '"'],
    ])('should refuse %j by name, for every operation on the results', async (query, term) => {
      const refused = { status: 400, body: { code: 'search-term-unsupported' } };
      const asked = [
        user.api.get(`/api/mailbox/${id}/messages?q=${encodeURIComponent(query)}`),
        user.api.post(`/api/mailbox/${id}/selections`, { query, leaveOut: [] }),
      ];
      // Labels are looked up by the job.
      if (!/label|in:/.test(term)) {
        asked.push(
          user.api.post(`/api/archive/${id}/archive`, { query }),
          user.api.post(`/api/offload/${id}/plans`, { select: { query }, mode: 'fast' }),
          user.api.put(`/api/offload/${id}/schedule`, {
            select: { query, olderThanDays: 30 },
            mode: 'fast',
            graceDays: 30,
            maxPerNight: 10,
            isActive: false,
          }),
        );
      }
      for (const answer of await Promise.all(asked)) {
        expect(answer).toMatchObject(refused);
        expect((answer.body as { detail: string }).detail).toContain(term);
      }
    });

    it('should fail a job by name whose query names a deleted label', async () => {
      for (const [path, body] of [
        [`/api/archive/${id}/archive`, { query: 'subject:letter -label:Misspelt' }],
        [`/api/offload/${id}/plans`, { select: { query: '-label:Misspelt' }, mode: 'fast' }],
      ] as const) {
        const { jobId } = await post(path, body);
        const job = await user.jobEnd(jobId as string);
        expect(job).toMatchObject({
          status: 'failed',
          error_code: 'search-term-unsupported',
          processed: 0,
        });
      }
      expect((await get(`/api/archive/${id}/mails?limit=1`)).total).toBe(0);
    });

    it('should show a message: labels, the beginning of its text, its parts and an attachment byte for byte', async () => {
      const [letter] = await list('subject:"letter 2"');
      expect(letter).toMatchObject({
        from: 'Ada <ada@friends.test>',
        snippet: 'Dear Alice 1',
        hasAttachments: false,
      });
      expect([...letter.labelIds].sort()).toEqual(['INBOX', 'UNREAD']);
      const [report] = await idsOf('subject:report');
      const { payload } = await get(`/api/mailbox/${id}/messages/${report}/full`);
      expect(payload.parts.map(({ mimeType }: { mimeType: string }) => mimeType)).toEqual([
        'text/plain',
        'application/pdf',
      ]);
      const { attachments, totalSizeBytes } = await get(`/api/attachments/${id}/live`);
      expect(attachments).toMatchObject([
        { messageId: report, filename: 'report.pdf', mailSubject: 'Report' },
      ]);
      expect(totalSizeBytes).toBe(ATTACHED.length);
      const part = await user.api.get(
        `/api/mailbox/${id}/messages/${report}/attachments/${attachments[0].partId}`,
      );
      expect(part.bytes.equals(ATTACHED)).toBe(true);
    });

    it('should provide figures: dashboard, hours, senders and newsletters', async () => {
      const stats = await get(`/api/dashboard/${id}/stats`);
      expect(stats).toMatchObject({ totalMessages: 14, unreadCount: 9, profile: { messagesTotal: 14 } });
      expect(stats.bySender.map(({ count }: { count: number }) => count)).toEqual([8, 5, 1]);
      const hours = await get(`/api/analytics/${id}/heatmap`);
      expect(hours.reduce((sum: number, { count }: { count: number }) => sum + count, 0)).toBe(14);
      const scores = await get(`/api/analytics/${id}/sender-scores`);
      expect(scores.find(({ sender }: { sender: string }) => sender.includes('paper'))).toMatchObject({
        emailCount: 5,
        unreadCount: 5,
        hasUnsubscribe: true,
      });
      await done(`/api/unsubscribe/${id}/scan`);
      expect(await get(`/api/unsubscribe/${id}/newsletters`)).toMatchObject([
        {
          email: 'news@paper.test',
          count: 5,
          oneClick: true,
          unsubscribeUrl: 'https://paper.test/leave?u=1',
        },
      ]);
    });

    it('should find trackers', async () => {
      await done(`/api/privacy/${id}/tracking/scan`, {});
      expect(await get(`/api/privacy/${id}/tracking/stats`)).toMatchObject({
        trackedMessages: 5,
        totalTrackers: 5,
      });
    });

    it('should archive every byte', async () => {
      await done(`/api/archive/${id}/archive`, { query: 'in:inbox' });
      const { mails, total } = await get(`/api/archive/${id}/mails?limit=100`);
      expect(total).toBe(MESSAGES.length);
      const files = await Promise.all(
        mails.map(async (mail: { id: string }) =>
          (await user.api.get(`/api/archive/${id}/mails/${mail.id}/eml`)).bytes.toString('latin1'),
        ),
      );
      expect(files.sort()).toEqual(MESSAGES.map(({ raw }) => raw.toString('latin1')).sort());
    });

    it('should report the cost', async () => {
      const { usage, topEndpoints } = await get(`/api/quota/${id}`);
      expect(usage.last24h.calls).toBeGreaterThan(0);
      expect(topEndpoints.length).toBeGreaterThan(0);
    });
  });

  describe('changes', () => {
    it('should move messages to the trash and back, visible to another client', async () => {
      const job = await bulk('trash', await idsOf('from:paper.test'));
      expect(await peer.subjects('TRASH')).toEqual(subjectsOf('Paper', 1, 2, 3, 4, 5));
      expect(await subjects('from:paper.test')).toEqual([]);
      await undo(job);
      expect(await peer.subjects('TRASH')).toEqual([]);
      expect(await peer.subjects('INBOX')).toHaveLength(MESSAGES.length);
    });

    it('should mark messages as read, and undo it', async () => {
      const job = await bulk('mark_read', await idsOf('subject:letter'));
      expect(await peer.unread()).toEqual(subjectsOf('Paper', 1, 2, 3, 4, 5));
      await undo(job);
      expect(await peer.unread()).toHaveLength(9);
    });

    it('should create a label, apply it, find its messages, and delete it without deleting them', async () => {
      const label = await post(`/api/mailbox/${id}/labels`, { name: 'Friends/Close' }, 201);
      await bulk('label', await idsOf('subject:letter'), { labelId: label.id });
      expect(await subjects('label:Friends/Close')).toHaveLength(8);
      await bulk('unlabel', await idsOf('subject:"letter 8"'), { labelId: label.id });
      expect(await subjects('label:Friends/Close')).toEqual(subjectsOf('Letter', 1, 2, 3, 4, 5, 6, 7));
      const labels = await get(`/api/mailbox/${id}/labels?counts=true`);
      expect(labels.find((one: { id: string }) => one.id === label.id)).toMatchObject({ messagesTotal: 7 });
      expect((await user.api.delete(`/api/mailbox/${id}/labels/${label.id}`)).status).toBe(204);
      expect(await peer.subjects('INBOX')).toHaveLength(MESSAGES.length);
    });

    it('should move messages out of the inbox to a label, and restore their previous labels', async () => {
      const label = await post(`/api/mailbox/${id}/labels`, { name: 'Moved' }, 201);
      const [letter = '', ...others] = await idsOf('subject:letter');
      await bulk('label', [letter], { labelId: label.id });
      const job = await bulk('move', [letter, ...others], { labelId: label.id });
      expect(job.result).toMatchObject({ changed: 8, alreadyDone: 0 });
      expect(await peer.subjects('INBOX')).toEqual([...subjectsOf('Paper', 1, 2, 3, 4, 5), 'Report']);
      expect(await subjects('label:Moved -in:inbox')).toHaveLength(8);
      expect((await bulk('move', [letter], { labelId: label.id })).result).toMatchObject({ alreadyDone: 1 });
      await undo(job);
      expect(await peer.subjects('INBOX')).toHaveLength(MESSAGES.length);
      expect(await subjects('label:Moved')).toEqual(['Letter 1']);
      const refused = await user.api.post(`/api/mailbox/${id}/messages/bulk`, {
        action: 'move',
        messageIds: [letter],
        labelId: 'INBOX',
      });
      expect(refused).toMatchObject({ status: 400, body: { errors: [{ field: 'labelId' }] } });
      expect((await user.api.delete(`/api/mailbox/${id}/labels/${label.id}`)).status).toBe(204);
    });

    it('should archive messages out of the inbox, and undo it', async () => {
      const job = await bulk('archive', await idsOf('subject:report'));
      expect(await peer.subjects('INBOX')).not.toContain('Report');
      expect(await subjects('subject:report')).toEqual(['Report']);
      await undo(job);
      expect(await peer.subjects('INBOX')).toContain('Report');
    });

    it('should change only the messages selected by a search, not later ones', async () => {
      const chosen = await post(
        `/api/mailbox/${id}/selections`,
        { query: 'from:ada', leaveOut: ['starred', 'important'] },
        201,
      );
      expect(chosen).toMatchObject({ count: 7, leftOutStarredCount: 1 });
      await peer.receive([
        message(0, 'From: Ada <ada@friends.test>\r\nSubject: Letter 0\r\n', 'A late one', { isSeen: true }),
      ]);
      const job = await done(`/api/mailbox/${id}/messages/bulk`, {
        action: 'trash',
        selectionId: chosen.id,
        confirmedCount: 7,
      });
      expect(await peer.subjects('TRASH')).toEqual(subjectsOf('Letter', 2, 3, 4, 5, 6, 7, 8));
      expect(await subjects('from:ada')).toEqual(subjectsOf('Letter', 0, 1));
      await undo(job);
      await peer.remove('Letter 0');
      expect(await subjects('from:ada')).toEqual(subjectsOf('Letter', 1, 2, 3, 4, 5, 6, 7, 8));
    });

    it('should run a rule after previewing it', async () => {
      const conditions = [
        { field: 'from', operator: 'contains', value: 'paper' },
        { field: 'older_than', operator: 'equals', value: '22d' },
      ];
      const { estimatedCount } = await post(`/api/rules/${id}/preview`, { conditions }, 200);
      const rule = await post(
        `/api/rules/${id}`,
        { name: 'Old papers', conditions, action: { type: 'trash' } },
        201,
      );
      const job = await done(`/api/rules/${id}/${rule.id}/run`);
      const gone = await peer.subjects('TRASH');
      expect(gone.length).toBe(estimatedCount);
      expect(gone).toEqual(subjectsOf('Paper', 3, 4, 5));
      await undo(job);
    });

    it('should delete the mail of a newsletter', async () => {
      await done(`/api/unsubscribe/${id}/newsletters/news@paper.test/delete`, {});
      expect(await peer.subjects('TRASH')).toEqual(subjectsOf('Paper', 1, 2, 3, 4, 5));
    });

    it('should permanently delete only the requested messages', async () => {
      await bulk('delete', await idsOf('subject:"letter 8"'));
      expect(await peer.subjects('INBOX')).toEqual([...subjectsOf('Letter', 1, 2, 3, 4, 5, 6, 7), 'Report']);
      expect(await peer.subjects('TRASH')).toEqual(subjectsOf('Paper', 1, 2, 3, 4, 5));
    });
  });
});
