import { OAuth2Client } from 'google-auth-library';
import { gmail_v1 } from 'googleapis/build/src/apis/gmail';
import { SandboxServer, startSandbox } from './sandbox-server';
import { signIn } from './sign-in';

async function clientFor(sandbox: SandboxServer, email?: string, scope?: string): Promise<gmail_v1.Gmail> {
  const { accessToken, refreshToken } = await signIn(sandbox, email, scope);
  const auth = new OAuth2Client({
    clientId: sandbox.clientId,
    clientSecret: sandbox.clientSecret,
    endpoints: { oauth2TokenUrl: sandbox.tokenUrl, oauth2RevokeUrl: sandbox.revokeUrl },
  });
  auth.setCredentials({
    access_token: accessToken,
    refresh_token: refreshToken,
    expiry_date: Date.now() + 3_500_000,
  });
  return new gmail_v1.Gmail({ auth, rootUrl: `${sandbox.url}/`, retry: false, fetchImplementation: fetch });
}

interface ApiErrorBody {
  message: string;
  errors: { reason?: string }[];
}

const ME = { userId: 'me' };
const failure = async (
  call: Promise<unknown>,
): Promise<{ status: number; message: string; reason?: string }> => {
  const error: unknown = await call.then(
    () => new Error('expected the call to fail'),
    (thrown: unknown) => thrown,
  );
  const { response } = error as { response?: { status: number; data: { error: ApiErrorBody } } };
  if (response === undefined) throw error;
  const { message, errors } = response.data.error;
  return { status: response.status, message, reason: errors[0]?.reason };
};

describe('the sandbox with the googleapis client', () => {
  let sandbox: SandboxServer;
  let gmail: gmail_v1.Gmail;

  beforeAll(async () => {
    sandbox = await startSandbox({ messages: 600, seed: 7 });
    gmail = await clientFor(sandbox);
  });
  afterAll(() => sandbox.close());

  it('should return the profile with exact totals', async () => {
    const { data } = await gmail.users.getProfile(ME);
    expect(data).toMatchObject({ emailAddress: 'demo@sandbox.mailroom.test', messagesTotal: 600 });
    expect(data.threadsTotal).toBeLessThan(600);
    expect(data.historyId).toMatch(/^\d+$/);
  });

  it('should page through every message once, newest first', async () => {
    const ids: string[] = [];
    let pageToken: string | undefined;
    do {
      const { data } = await gmail.users.messages.list({
        ...ME,
        maxResults: 250,
        includeSpamTrash: true,
        pageToken,
      });
      ids.push(...(data.messages ?? []).map((message) => message.id as string));
      pageToken = data.nextPageToken ?? undefined;
    } while (pageToken);
    expect(ids).toEqual(sandbox.mailbox().ids());
    const dates = ids.map((id) => sandbox.mailbox().internalDate(id).getTime());
    expect(dates).toEqual([...dates].sort((a, b) => b - a));
  });

  it('should leave spam and trash out unless asked for', async () => {
    const listed = async (params: object): Promise<number> =>
      (await gmail.users.messages.list({ ...ME, maxResults: 500, ...params })).data.messages?.length ?? 0;
    const hidden = sandbox
      .mailbox()
      .ids()
      .filter((id) =>
        sandbox
          .mailbox()
          .labels(id)
          .some((label) => label === 'SPAM' || label === 'TRASH'),
      ).length;
    const spam = await listed({ q: 'in:spam' });
    const trash = await listed({ labelIds: ['TRASH'] });
    expect(spam).toBeGreaterThan(0);
    expect(trash).toBeGreaterThan(0);
    expect(spam + trash).toBe(hidden);
  });

  it('should return each format of a message from the same bytes', async () => {
    const id = sandbox.mailbox().ids()[3] as string;
    const get = async (params: object): Promise<gmail_v1.Schema$Message> =>
      (await gmail.users.messages.get({ ...ME, id, ...params })).data;
    const raw = await get({ format: 'raw' });
    const bytes = Buffer.from(raw.raw as string, 'base64url');
    expect(bytes.equals(sandbox.mailbox().raw(id))).toBe(true);
    expect(raw.sizeEstimate).toBe(bytes.length);
    const metadata = await get({ format: 'metadata', metadataHeaders: ['From', 'subject'] });
    expect(metadata.payload?.headers?.map((header) => header.name)).toEqual(['From', 'Subject']);
    expect(metadata.payload?.parts).toBeUndefined();
    const minimal = await get({ format: 'minimal' });
    expect(minimal.payload).toBeUndefined();
    expect(minimal.internalDate).toBe(String(sandbox.mailbox().internalDate(id).getTime()));
    expect((await get({ fields: 'id,payload(headers/name)' })).payload).toEqual({
      headers: expect.arrayContaining([{ name: 'From' }]),
    });
    expect(await get({ format: 'raw', fields: 'id,sizeEstimate' })).toEqual({
      id,
      sizeEstimate: bytes.length,
    });
  });

  it('should return attachments by an id that changes from get to get', async () => {
    const { data: list } = await gmail.users.messages.list({ ...ME, q: 'filename:pdf', maxResults: 1 });
    const id = list.messages?.[0]?.id as string;
    const attachmentOf = async (): Promise<gmail_v1.Schema$MessagePart> => {
      const { data } = await gmail.users.messages.get({ ...ME, id });
      return data.payload?.parts?.find((part) => part.filename) as gmail_v1.Schema$MessagePart;
    };
    const part = await attachmentOf();
    expect(part).toMatchObject({
      partId: '1',
      mimeType: 'application/pdf',
      filename: expect.stringMatching(/\.pdf$/),
    });
    expect((await attachmentOf()).body?.attachmentId).not.toBe(part.body?.attachmentId);
    const { data } = await gmail.users.messages.attachments.get({
      ...ME,
      messageId: id,
      id: part.body?.attachmentId as string,
    });
    const bytes = Buffer.from(data.data as string, 'base64url');
    expect(bytes.toString('latin1', 0, 5)).toBe('%PDF-');
    expect(bytes.length).toBe(part.body?.size);
  });

  it('should change labels in bulk, skip unknown ids silently and record only real changes', async () => {
    const box = sandbox.mailbox();
    const unread = box
      .ids()
      .filter((id) => box.labels(id).includes('UNREAD'))
      .slice(0, 5);
    const read = box
      .ids()
      .filter((id) => !box.labels(id).includes('UNREAD'))
      .slice(0, 5);
    const startHistoryId = box.historyId;
    const { status } = await gmail.users.messages.batchModify({
      ...ME,
      requestBody: { ids: [...unread, ...read, '00000000000000aa'], removeLabelIds: ['UNREAD'] },
    });
    expect(status).toBe(204);
    const { data } = await gmail.users.history.list({ ...ME, startHistoryId });
    expect(data.history?.map((record) => record.labelsRemoved?.[0]?.message?.id)).toEqual(unread);
    expect(data.history?.every((record) => record.labelsRemoved?.[0]?.labelIds?.[0] === 'UNREAD')).toBe(true);
    expect(data.historyId).toBe(box.historyId);
  });

  it.each([
    [{ ids: Array.from({ length: 1001 }, (_, at) => String(at)), addLabelIds: ['STARRED'] }, /exceed 1000/],
    [{ ids: [], addLabelIds: ['STARRED'] }, /^No message ids specified$/],
    [{ ids: ['a'], addLabelIds: ['Label_99'] }, /^Invalid label: Label_99$/],
    [{ ids: ['a'], addLabelIds: ['SENT'] }, /^Invalid label: SENT$/],
    [{ ids: ['a'], addLabelIds: ['INBOX'], removeLabelIds: ['INBOX'] }, /same label/],
    [{ ids: ['a'] }, /^No label add or removes specified$/],
  ])('should refuse the bulk change %#', async (requestBody, message) => {
    expect(await failure(gmail.users.messages.batchModify({ ...ME, requestBody }))).toEqual({
      status: 400,
      reason: 'invalidArgument',
      message: expect.stringMatching(message),
    });
  });

  it('should trash, untrash and delete permanently', async () => {
    const box = sandbox.mailbox();
    const id = box.ids().find((candidate) => box.labels(candidate).includes('INBOX')) as string;
    const startHistoryId = box.historyId;
    await gmail.users.messages.trash({ ...ME, id });
    expect(box.labels(id)).toContain('TRASH');
    await gmail.users.messages.untrash({ ...ME, id });
    expect(box.labels(id)).not.toContain('TRASH');
    await gmail.users.messages.delete({ ...ME, id });
    const { data } = await gmail.users.history.list({ ...ME, startHistoryId, maxResults: 2 });
    expect(data.history?.[0]?.labelsAdded?.[0]?.labelIds).toEqual(['TRASH']);
    const rest = await gmail.users.history.list({
      ...ME,
      startHistoryId,
      pageToken: data.nextPageToken as string,
    });
    expect(rest.data.history?.[0]?.messagesDeleted?.[0]?.message?.id).toBe(id);
    expect(await failure(gmail.users.messages.get({ ...ME, id }))).toMatchObject({
      status: 404,
      reason: 'notFound',
    });
  });

  it('should answer 404 to a cursor that has expired', async () => {
    const other = sandbox.mailbox('history-5@sandbox.mailroom.test');
    const old = other.historyId;
    other.expireHistory();
    const client = await clientFor(sandbox, other.email);
    expect(await failure(client.users.history.list({ ...ME, startHistoryId: old }))).toMatchObject({
      status: 404,
    });
    const { data } = await client.users.history.list({ ...ME, startHistoryId: other.historyId });
    expect(data).toEqual({ historyId: other.historyId });
  });

  it('should create, count, rename and delete labels', async () => {
    const { data: label } = await gmail.users.labels.create({ ...ME, requestBody: { name: 'Projects/Été' } });
    expect(
      await failure(gmail.users.labels.create({ ...ME, requestBody: { name: 'projects/été' } })),
    ).toMatchObject({
      status: 409,
      message: 'Label name exists or conflicts',
    });
    expect(await failure(gmail.users.labels.create({ ...ME, requestBody: { name: 'Inbox' } }))).toMatchObject(
      {
        status: 400,
        message: 'Invalid label name',
      },
    );
    const ids = sandbox.mailbox().ids().slice(0, 7);
    await gmail.users.messages.batchModify({
      ...ME,
      requestBody: { ids, addLabelIds: [label.id as string] },
    });
    const counted = await gmail.users.labels.get({ ...ME, id: label.id as string });
    expect(counted.data).toMatchObject({ name: 'Projects/Été', type: 'user', messagesTotal: 7 });
    const found = await gmail.users.messages.list({ ...ME, q: 'label:projects-été in:anywhere' });
    expect(found.data.messages).toHaveLength(7);
    await gmail.users.labels.patch({ ...ME, id: label.id as string, requestBody: { name: 'Done' } });
    await gmail.users.labels.delete({ ...ME, id: label.id as string });
    expect(sandbox.mailbox().labels(ids[0] as string)).not.toContain(label.id);
    expect(await failure(gmail.users.labels.delete({ ...ME, id: 'INBOX' }))).toMatchObject({
      status: 400,
      message: 'Invalid delete request',
    });
  });

  it('should thread an imported reply with the message it answers', async () => {
    const box = sandbox.mailbox();
    const parent = box.insert('Message-ID: <start@example.org>\r\nSubject: Plan\r\n\r\nText\r\n');
    const media = {
      mimeType: 'message/rfc822',
      body: 'Message-ID: <next@example.org>\r\nIn-Reply-To: <start@example.org>\r\nSubject: RE: plan\r\nDate: Mon, 3 Feb 2025 10:00:00 +0100\r\n\r\nYes\r\n',
    };
    const { data } = await gmail.users.messages.import(
      { ...ME, requestBody: { labelIds: ['INBOX'] }, media },
      { rootUrl: `${sandbox.url}/` },
    );
    expect(data.threadId).toBe(parent);
    expect(box.raw(data.id as string).toString()).toBe(media.body);
    expect(box.internalDate(data.id as string).toISOString()).toBe('2025-02-03T09:00:00.000Z');
    const thread = await gmail.users.threads.get({ ...ME, id: parent, format: 'minimal' });
    expect(thread.data.messages?.map((message) => message.id)).toEqual([data.id, parent]);
  });

  it('should list each thread once, at its newest message', async () => {
    const ids: string[] = [];
    let pageToken: string | undefined;
    do {
      const { data } = await gmail.users.threads.list({
        ...ME,
        maxResults: 100,
        includeSpamTrash: true,
        pageToken,
      });
      ids.push(...(data.threads ?? []).map((thread) => thread.id as string));
      pageToken = data.nextPageToken ?? undefined;
    } while (pageToken);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.length).toBe((await gmail.users.getProfile(ME)).data.threadsTotal);
  });

  it('should limit calls to the granted scopes', async () => {
    const modify = 'https://www.googleapis.com/auth/gmail.modify';
    const client = await clientFor(sandbox, undefined, modify);
    const id = sandbox.mailbox().ids()[0] as string;
    expect(await failure(client.users.messages.delete({ ...ME, id }))).toMatchObject({
      status: 403,
      reason: 'insufficientPermissions',
    });
    expect(
      (await client.users.messages.modify({ ...ME, id, requestBody: { addLabelIds: ['STARRED'] } })).status,
    ).toBe(200);
  });

  it('should keep mailboxes of different addresses separate', async () => {
    const client = await clientFor(sandbox, 'tiny-50@sandbox.mailroom.test');
    const { data } = await client.users.getProfile(ME);
    expect(data).toMatchObject({ emailAddress: 'tiny-50@sandbox.mailroom.test', messagesTotal: 50 });
    const foreign = sandbox.mailbox().ids()[0] as string;
    expect(await failure(client.users.messages.get({ ...ME, id: foreign }))).toMatchObject({ status: 404 });
  });
});
