import { UsageRecorder } from '../../../../src/providers/gateway/usage-recorder';
import {
  CallOptions,
  MailboxProvider,
  ProviderAccount,
} from '../../../../src/providers/port/mailbox-provider.port';
import {
  LabelExists,
  LabelNotFound,
  LabelProtected,
  PartNotFound,
} from '../../../../src/providers/port/mail-provider.errors';
import { SandboxServer, startSandbox } from '../../../../sandbox/src/sandbox-server';
import {
  collect,
  connectAccount,
  freshEmail,
  ProviderProcess,
  RecordingCredentials,
  recordConnections,
} from '../../../support/provider-fixture';

const interactive: CallOptions = { priority: 'interactive' };
const background: CallOptions = { priority: 'background' };

describe('Gmail operations: calls, units, results', () => {
  const credentials = new RecordingCredentials();
  const connections = recordConnections();
  let sandbox: SandboxServer;
  let server: ProviderProcess;
  let account: ProviderAccount;
  let mailbox: MailboxProvider;

  beforeAll(async () => {
    sandbox = await startSandbox({ messages: 50 });
    server = await ProviderProcess.start(sandbox, credentials);
  });

  afterAll(async () => {
    await server?.stop();
    await sandbox?.close();
    connections.restore();
  });

  beforeEach(async () => {
    sandbox.clearFaults();
    account = await connectAccount(sandbox, credentials, freshEmail(1_200));
    mailbox = server.mailbox(account);
    sandbox.stats.reset();
  });

  describe('calls and units of each operation', () => {
    it('should read the profile with one call', async () => {
      const profile = await mailbox.getProfile(interactive);
      expect(profile).toMatchObject({ emailAddress: account.email, messagesTotal: 1_200 });
      expect(profile.historyId).toMatch(/^\d+$/);
      expect(sandbox.stats).toMatchObject({ totalCalls: 1, totalUnits: 1 });
    });

    it('should list 500 ids with one call, and page', async () => {
      const first = await mailbox.listMessages({ maxResults: 500 }, interactive);
      expect(first.messages).toHaveLength(500);
      expect(sandbox.stats).toMatchObject({ calls: { 'messages.list': 1 }, totalUnits: 5 });
      const second = await mailbox.listMessages(
        { maxResults: 500, pageToken: first.nextPageToken },
        interactive,
      );
      const ids = new Set([...first.messages, ...second.messages].map((message) => message.id));
      expect(ids.size).toBe(500 + second.messages.length);
    });

    it('should read metadata of 100 messages in batches: 100 gets, far fewer requests, in order, unknown ids left out', async () => {
      const ids = sandbox.mailbox(account.email).ids().slice(0, 100);
      const asked = [...ids.slice(0, 60), 'ffffffffffffffff', ...ids.slice(60)];
      const found = await collect(mailbox.fetchMetadata(asked, interactive));
      expect(found.map((message) => message.id)).toEqual(ids);
      expect(sandbox.stats.calls).toMatchObject({ 'messages.get': 101 });
      expect(sandbox.stats.totalUnits).toBe(505);
      expect(sandbox.stats.httpRequests).toBeLessThanOrEqual(14);
      const sample = found[0]!;
      expect(sample.labelIds).toEqual(sandbox.mailbox(account.email).labels(sample.id));
      expect(sample.internalDate).toEqual(sandbox.mailbox(account.email).internalDate(sample.id));
      expect(sample.from).toContain('@');
    });

    it('should change 1,000 messages with one call of 50 units', async () => {
      const ids = sandbox.mailbox(account.email).ids().slice(0, 1_000);
      await mailbox.modify(ids, { add: ['STARRED', 'UNREAD'], remove: ['UNREAD'] }, background);
      expect(sandbox.stats).toMatchObject({ calls: { 'messages.batchModify': 1 }, totalUnits: 50 });
      expect(sandbox.mailbox(account.email).labels(ids[999]!)).toEqual(
        expect.arrayContaining(['STARRED', 'UNREAD']),
      );
    });

    it('should trash 1,000 messages with one call', async () => {
      const ids = sandbox.mailbox(account.email).ids().slice(0, 1_000);
      await mailbox.trash(ids, background);
      expect(sandbox.stats).toMatchObject({ totalCalls: 1, totalUnits: 50 });
      const labels = sandbox.mailbox(account.email).labels(ids[0]!);
      expect(labels).toContain('TRASH');
      expect(labels).not.toContain('INBOX');
    });

    it('should delete permanently with one call', async () => {
      const ids = sandbox.mailbox(account.email).ids().slice(0, 1_000);
      await mailbox.delete(ids, background);
      expect(sandbox.stats).toMatchObject({ calls: { 'messages.batchDelete': 1 }, totalUnits: 50 });
      expect(sandbox.mailbox(account.email).ids()).toHaveLength(200);
    });

    it('should fetch a raw message byte for byte with one call', async () => {
      const id = sandbox.mailbox(account.email).ids()[7]!;
      const raw = await mailbox.fetchRaw(id, background);
      expect(raw.bytes.equals(sandbox.mailbox(account.email).raw(id))).toBe(true);
      expect(raw).toMatchObject({ id, threadId: sandbox.mailbox(account.email).threadId(id) });
      expect(raw.internalDate).toEqual(sandbox.mailbox(account.email).internalDate(id));
      expect(sandbox.stats).toMatchObject({ calls: { 'messages.get': 1 }, totalUnits: 5 });
    });

    it('should read changes since a cursor with one call per page', async () => {
      const { historyId } = await mailbox.getProfile(interactive);
      const box = sandbox.mailbox(account.email);
      // Adding a label a message has already is no change.
      const [first, second, third] = box
        .ids()
        .filter((id) => !box.labels(id).some((label) => label === 'STARRED' || label === 'TRASH'));
      sandbox.mailbox(account.email).changeLabels(first!, { add: ['STARRED'] });
      sandbox.mailbox(account.email).changeLabels(second!, { add: ['TRASH'], remove: ['INBOX'] });
      sandbox.mailbox(account.email).remove(third!);
      const added = sandbox.mailbox(account.email).insert('Subject: new\r\n\r\nbody');
      sandbox.stats.reset();
      const page = await mailbox.listChanges(historyId, undefined, interactive);
      expect(sandbox.stats).toMatchObject({ calls: { 'history.list': 1 }, totalUnits: 2 });
      expect(page.nextPageToken).toBeUndefined();
      expect(BigInt(page.cursor)).toBeGreaterThan(BigInt(historyId));
      expect(page.changes).toEqual(
        expect.arrayContaining([
          expect.objectContaining({
            kind: 'labels',
            message: expect.objectContaining({ id: first }),
            labelsAdded: ['STARRED'],
          }),
          expect.objectContaining({ kind: 'labels', labelsAdded: ['TRASH'] }),
          expect.objectContaining({ kind: 'deleted', message: expect.objectContaining({ id: third }) }),
          expect.objectContaining({ kind: 'added', message: expect.objectContaining({ id: added }) }),
        ]),
      );
      expect((await mailbox.listChanges(page.cursor, undefined, interactive)).changes).toEqual([]);
    });

    it('should count labels with one list and one batched get each', async () => {
      const labels = await mailbox.listLabels({ ...interactive, withCounts: true });
      expect(sandbox.stats.calls).toMatchObject({ 'labels.list': 1, 'labels.get': labels.length });
      expect(sandbox.stats.totalUnits).toBe(1 + labels.length);
      const inbox = labels.find((label) => label.id === 'INBOX')!;
      expect(inbox.type).toBe('system');
      expect(inbox.messagesTotal).toBeGreaterThan(0);
      sandbox.stats.reset();
      await mailbox.listLabels(interactive);
      expect(sandbox.stats).toMatchObject({ calls: { 'labels.list': 1 }, totalCalls: 1 });
    });

    it('should record units and calls by account, endpoint and minute', async () => {
      await server.insertAccount(account);
      await mailbox.getProfile(interactive);
      await mailbox.listMessages({ maxResults: 1 }, interactive);
      await mailbox.listMessages({ maxResults: 1 }, interactive);
      await server.get(UsageRecorder).flush();
      await mailbox.listMessages({ maxResults: 1 }, interactive);
      await server.get(UsageRecorder).flush();
      const rows = await server.dataSource.query(
        `SELECT endpoint, sum(units)::int AS units, sum(calls)::int AS calls
         FROM provider_usage WHERE account_id = $1 GROUP BY endpoint ORDER BY endpoint`,
        [account.id],
      );
      expect(rows).toEqual([
        { endpoint: 'messages.list', units: 15, calls: 3 },
        { endpoint: 'profile.get', units: 1, calls: 1 },
      ]);
    });
  });

  describe('labels and parts', () => {
    it('should create and delete labels, with an error for each refusal', async () => {
      const label = await mailbox.createLabel('Invoices/2026', interactive);
      expect(label).toMatchObject({ name: 'Invoices/2026', type: 'user' });
      await expect(mailbox.createLabel('Invoices/2026', interactive)).rejects.toBeInstanceOf(LabelExists);
      await expect(mailbox.createLabel('INBOX', interactive)).rejects.toMatchObject({
        code: expect.stringMatching(/label-exists|provider-rejected/),
      });
      await mailbox.deleteLabel(label.id, interactive);
      await expect(mailbox.deleteLabel(label.id, interactive)).rejects.toBeInstanceOf(LabelNotFound);
      await expect(mailbox.deleteLabel('INBOX', interactive)).rejects.toBeInstanceOf(LabelProtected);
    });

    it('should not mistake the label of its own lost call for another program’s', async () => {
      sandbox.fault({ endpoint: 'labels.create', afterApplying: true, answer: { kind: 'unavailable' } });
      await expect(mailbox.createLabel('Once', interactive)).resolves.toMatchObject({ name: 'Once' });
      const labels = await mailbox.listLabels(interactive);
      expect(labels.filter((label) => label.name === 'Once')).toHaveLength(1);
    });

    it('should name parts, and download them decoded', async () => {
      const pdf = Buffer.from('%PDF-1.7 payload \u0000\u0001', 'latin1');
      const raw = [
        'Subject: =?utf-8?Q?Re=C3=A7u?=',
        'From: =?iso-8859-1?Q?Andr=E9?= <andre@shop.test>',
        'MIME-Version: 1.0',
        'Content-Type: multipart/mixed; boundary=b',
        '',
        '--b',
        'Content-Type: text/plain',
        '',
        'fish & chips <3',
        '--b',
        'Content-Type: image/png; name=logo.png',
        'Content-ID: <logo>',
        'Content-Disposition: inline; filename=logo.png',
        'Content-Transfer-Encoding: base64',
        '',
        'iVBORw0KGgo=',
        '--b',
        'Content-Type: application/pdf; name=bill.pdf',
        'Content-Disposition: attachment; filename=bill.pdf',
        'Content-Transfer-Encoding: base64',
        '',
        pdf.toString('base64'),
        '--b--',
        '',
      ].join('\r\n');
      const id = sandbox.mailbox(account.email).insert(raw, { labelIds: ['INBOX'] });
      const [message] = await collect(mailbox.fetchMetadata([id], interactive));
      expect(message).toMatchObject({
        subject: 'Reçu',
        from: 'André <andre@shop.test>',
        snippet: expect.stringContaining('fish & chips <3'),
        hasAttachments: true,
      });
      expect(message!.parts.map(({ filename, isInline }) => ({ filename, isInline }))).toEqual([
        { filename: 'logo.png', isInline: true },
        { filename: 'bill.pdf', isInline: false },
      ]);
      const part = message!.parts[1]!;
      expect(part.sizeBytes).toBe(pdf.length);
      const downloaded = await mailbox.downloadPart(id, part.partId, interactive);
      expect(downloaded).toMatchObject({ filename: 'bill.pdf', mimeType: 'application/pdf' });
      expect(downloaded.bytes.equals(pdf)).toBe(true);
      await expect(mailbox.downloadPart(id, '77', interactive)).rejects.toBeInstanceOf(PartNotFound);
      const full = await mailbox.fetchFull(id, interactive);
      expect(full).toMatchObject({ id, payload: { mimeType: 'multipart/mixed' } });
    });
  });

  it('should have called no other host', () => {
    const allowed = [
      sandbox.url,
      process.env.MAILROOM_TEST_DATABASE_URL!,
      process.env.MAILROOM_TEST_REDIS_URL!,
    ].map((url) => new URL(url).port);
    expect(connections.ports).toContain(allowed[0]);
    for (const port of connections.ports) expect(allowed).toContain(port);
  });
});
