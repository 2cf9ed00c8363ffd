import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { KillableService } from '../../../support/killable-service';
import { JOURNAL_ENV, letter } from '../../../support/journal/journal-fixture';
import { HAS_POSTFIX, PostfixServer } from '../../../support/journal/postfix-server';
import { CERTIFICATE } from '../../../support/object-store/self-signed';
import { freePort } from '../../../support/service-process';
import type { TestUser } from '../../../support/test-user';
import { waitFor } from '../../../support/wait';

const describeWithPostfix = HAS_POSTFIX ? describe : describe.skip;

interface Mailbox {
  readonly accountId: string;
  readonly address: string;
}

/** The recipe of docs/journal.md, with a real Postfix. */
describeWithPostfix('Mail copied by Postfix', () => {
  let service: KillableService;
  let user: TestUser;
  let directory: string;
  let everything: Mailbox;
  let ofBob: Mailbox;
  let postfix: PostfixServer;

  beforeAll(async () => {
    directory = mkdtempSync(join(tmpdir(), 'mailroom-journal-'));
    const [certificate, key] = ['cert', 'key'].map((name) => join(directory, `${name}.pem`)) as [
      string,
      string,
    ];
    writeFileSync(certificate, CERTIFICATE.cert);
    writeFileSync(key, CERTIFICATE.key);
    const port = await freePort();
    service = await KillableService.start({
      environment: {
        ...JOURNAL_ENV,
        SMTP_JOURNAL_PORT: String(port),
        SMTP_JOURNAL_TLS_CERT: certificate,
        SMTP_JOURNAL_TLS_KEY: key,
        SMTP_JOURNAL_REQUIRE_TLS: 'true',
      },
    });
    user = await service.user();
    everything = await connect('everything');
    ofBob = await connect('bob');
    postfix = await PostfixServer.start((folder) => {
      writeFileSync(join(folder, 'journal_in'), `bob@example.com ${ofBob.address}\n`);
      writeFileSync(join(folder, 'transport'), `archive.test journal:[localhost]:${port}\n`);
      return {
        main: [
          `always_bcc = ${everything.address}`,
          `recipient_bcc_maps = texthash:${join(folder, 'journal_in')}`,
          `transport_maps = texthash:${join(folder, 'transport')}`,
        ],
        master: [
          'journal unix - - n - - smtp',
          '    -o soft_bounce=yes',
          '    -o smtp_tls_security_level=verify',
          '    -o smtp_tls_loglevel=1',
          // No name server knows localhost.
          '    -o smtp_host_lookup=native',
          `    -o smtp_tls_CAfile=${certificate}`,
        ],
      };
    });
  });

  afterAll(async () => {
    await postfix?.stop();
    await service?.close();
    rmSync(directory, { recursive: true, force: true });
  });

  const connect = async (name: string): Promise<Mailbox> => {
    const accountId = await user.connect(`${name}-0@sandbox.mailroom.test`);
    const { status, body } = await user.api.put(`/api/journal/${accountId}`);
    expect(status).toBe(200);
    return { accountId, address: body.address as string };
  };
  const submit = (subject: string, to = 'carol@example.net'): Promise<void> =>
    postfix.submit({ from: 'alice@example.com', to }, letter(subject));
  const subjectsIn = async ({ accountId }: Mailbox, word: string): Promise<string[]> => {
    const { body } = await user.api.get(`/api/archive/${accountId}/mails?limit=100&q=${word}`);
    return (body.mails as { subject: string }[]).map(({ subject }) => subject).toSorted();
  };
  /** Waits until Postfix has delivered as many copies. Its queue alone can look empty while it moves a message in it. */
  const isDelivered = async (mailbox: Mailbox, word: string, count: number): Promise<void> => {
    await waitFor(`${count} mails about ${word}`, async () => {
      const subjects = await subjectsIn(mailbox, word);
      return subjects.length >= count;
    });
    await waitFor('the queue of Postfix to be empty', () => postfix.queue().length === 0);
  };

  it('should be all mail by always_bcc, and mail to one address by recipient_bcc_maps', async () => {
    await submit('Ordinary');
    await submit('Ordinary too', 'bob@example.com');
    await isDelivered(everything, 'ordinary', 2);
    await isDelivered(ofBob, 'ordinary', 1);
    expect(await subjectsIn(everything, 'ordinary')).toEqual(['Ordinary', 'Ordinary too']);
    expect(await subjectsIn(ofBob, 'ordinary')).toEqual(['Ordinary too']);
    expect(postfix.log).toMatch(/Verified TLS connection established to localhost\[127\.0\.0\.1\]/);
    const { body } = await user.api.get(`/api/archive/${ofBob.accountId}/mails`);
    const mail = await user.api.get(`/api/archive/${ofBob.accountId}/mails/${body.mails[0].id}`);
    expect(mail.body.envelope).toMatchObject({ kind: 'message', sender: 'alice@example.com' });
  });

  it('should wait at Postfix while Mailroom is stopped or killed, and come once', async () => {
    await service.kill();
    await submit('Delayed 0');
    await waitFor('a first attempt to fail', () =>
      postfix.queue().some(({ recipients }) => recipients.some(({ delay_reason: why }) => why !== undefined)),
    );
    await service.begin();
    await isDelivered(everything, 'delayed', 1);
    const numbers = Array.from({ length: 40 }, (_, index) => index + 1);
    const submitted = Promise.all(numbers.map((number) => submit(`Delayed ${number}`)));
    await waitFor('some to be archived', async () => {
      const rows = await service.query(`SELECT 1 FROM archived_mails WHERE subject LIKE 'Delayed%'`);
      return rows.length > 4;
    });
    await service.kill();
    await submitted;
    await service.begin();
    await isDelivered(everything, 'delayed', 41);
    expect(await subjectsIn(everything, 'delayed')).toEqual(
      [0, ...numbers].map((number) => `Delayed ${number}`).toSorted(),
    );
  });

  it('should wait at Postfix when it is refused, for a while or for good', async () => {
    await service.query('UPDATE users SET storage_quota_bytes = 1');
    await submit('Refused by the quota');
    const reasonOf = (pattern: RegExp): Promise<true> =>
      waitFor(`a refusal that says ${pattern.source}`, () =>
        postfix
          .queue()
          .some(({ recipients }) => recipients.some(({ delay_reason: why }) => pattern.test(why ?? ''))),
      );
    await reasonOf(/452 4\.2\.2/);
    await service.query('UPDATE users SET storage_quota_bytes = 5368709120');
    await isDelivered(everything, 'refused', 1);
    // A key that was never given: as if the address was ended while mail to it was in the queue.
    const swap = `UPDATE journal_addresses SET lookup_key = reverse(lookup_key) WHERE account_id = $1`;
    await service.query(swap, [everything.accountId]);
    await submit('Refused for good');
    await reasonOf(/550 5\.1\.1/);
    await service.query(swap, [everything.accountId]);
    await isDelivered(everything, 'refused', 2);
    expect(await subjectsIn(everything, 'refused')).toEqual(['Refused by the quota', 'Refused for good']);
    expect(postfix.log).not.toMatch(/status=bounced/);
  });
});
