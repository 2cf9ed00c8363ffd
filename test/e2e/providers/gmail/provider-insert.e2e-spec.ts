import type { SandboxFaultAnswer, SandboxServer } from '../../../../sandbox/src/sandbox-server';
import { startSandbox } from '../../../../sandbox/src/sandbox-server';
import type {
  CallOptions,
  MailboxProvider,
  ProviderAccount,
} from '../../../../src/providers/port/mailbox-provider.port';
import {
  LabelNotFound,
  OutcomeUnknown,
  ThreadNotFound,
} from '../../../../src/providers/port/mail-provider.errors';
import {
  connectAccount,
  freshEmail,
  ProviderProcess,
  RecordingCredentials,
  rejection,
} from '../../../support/provider-fixture';

const background: CallOptions = { priority: 'background' };
const MESSAGE = Buffer.from(
  'From: a@example.com\r\nDate: Tue, 2 Jan 2018 03:04:05 +0000\r\nMessage-ID: <one@example.com>\r\n' +
    'Subject: caf\xe9\r\n\r\n--\r\nbare\nline\0\r\n',
  'latin1',
);

describe('provider: messages added to a mailbox', () => {
  const credentials = new RecordingCredentials();
  let sandbox: SandboxServer;
  let server: ProviderProcess;
  let account: ProviderAccount;
  let sut: MailboxProvider;

  beforeAll(async () => {
    sandbox = await startSandbox({ messages: 5 });
    server = await ProviderProcess.start(sandbox, credentials);
  });

  afterAll(async () => {
    await server?.stop();
    await sandbox?.close();
  });

  beforeEach(async () => {
    sandbox.clearFaults();
    account = await connectAccount(sandbox, credentials, freshEmail(3));
    sut = server.mailbox(account);
    sandbox.stats.reset();
  });

  const copies = (): number =>
    sandbox
      .mailbox(account.email)
      .ids()
      .filter((id) => sandbox.mailbox(account.email).raw(id).equals(MESSAGE)).length;

  it('should add every byte unchanged, dated by its Date header', async () => {
    const { id, threadId } = await sut.insert({ bytes: MESSAGE, labelIds: ['INBOX', 'STARRED'] }, background);
    const mailbox = sandbox.mailbox(account.email);
    expect(mailbox.raw(id).equals(MESSAGE)).toBe(true);
    expect(mailbox.threadId(id)).toBe(threadId);
    expect(mailbox.labels(id).sort()).toEqual(['INBOX', 'STARRED']);
    expect(mailbox.internalDate(id).toISOString()).toBe('2018-01-02T03:04:05.000Z');
  });

  it('should join a conversation, and report which label or conversation is rejected', async () => {
    const [member] = sandbox.mailbox(account.email).ids();
    const threadId = sandbox.mailbox(account.email).threadId(member!);
    const added = await sut.insert({ bytes: MESSAGE, labelIds: [], threadId }, background);
    expect(added.threadId).toBe(threadId);
    const gone = sut.insert({ bytes: MESSAGE, labelIds: [], threadId: 'ffffffffffff0000' }, background);
    expect(await rejection(gone)).toBeInstanceOf(ThreadNotFound);
    const unknown = sut.insert({ bytes: MESSAGE, labelIds: ['Label_999'] }, background);
    expect(await rejection(unknown)).toBeInstanceOf(LabelNotFound);
    expect(copies()).toBe(1);
  });

  it.each<SandboxFaultAnswer>([{ kind: 'rateLimit429' }, { kind: 'concurrency' }, { kind: 'unauthorized' }])(
    'should retry a refused insertion: $kind',
    async (answer) => {
      sandbox.fault({ endpoint: 'messages.insert', answer });
      await sut.insert({ bytes: MESSAGE, labelIds: [] }, background);
      expect(sandbox.stats.calls['messages.insert']).toBe(2);
      expect(copies()).toBe(1);
    },
  );

  it('should not be sent again once its caller has lost its lease', async () => {
    sandbox.fault({ endpoint: 'messages.insert', answer: { kind: 'rateLimit429' } });
    let asked = 0;
    const fence = (): void => {
      asked += 1;
      if (asked > 1) throw new Error('Another process has it');
    };
    const failure = sut.insert({ bytes: MESSAGE, labelIds: [] }, { ...background, fence });
    await expect(failure).rejects.toThrow('Another process has it');
    expect({ calls: sandbox.stats.calls['messages.insert'], copies: copies() }).toEqual({
      calls: 1,
      copies: 0,
    });
  });

  it.each<[SandboxFaultAnswer, copies: number]>([
    [{ kind: 'reset' }, 1],
    [{ kind: 'cut' }, 1],
    [{ kind: 'backendError' }, 0],
    [{ kind: 'foreign', body: '<html>', status: 502 }, 0],
  ])('should not retry when the answer is lost: %j', async (answer, expected) => {
    // Of a kept connection that breaks without an answer, other calls are sent again.
    await sut.getProfile(background);
    sandbox.fault({ endpoint: 'messages.insert', answer });
    expect(await rejection(sut.insert({ bytes: MESSAGE, labelIds: [] }, background))).toBeInstanceOf(
      OutcomeUnknown,
    );
    expect(sandbox.stats.calls['messages.insert']).toBe(1);
    expect(copies()).toBe(expected);
  });
});
