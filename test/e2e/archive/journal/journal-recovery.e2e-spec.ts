import { freePort } from '../../../support/service-process';
import { KillableService } from '../../../support/killable-service';
import { JOURNAL_ENV, letter } from '../../../support/journal/journal-fixture';
import { SmtpClient } from '../../../support/journal/smtp-client';
import type { TestUser } from '../../../support/test-user';
import { waitFor } from '../../../support/wait';

describe('Copied mail and the end of the process', () => {
  let service: KillableService;
  let user: TestUser;
  let accountId: string;
  let address: string;
  let port: number;

  beforeAll(async () => {
    port = await freePort();
    service = await KillableService.start({
      environment: { ...JOURNAL_ENV, SMTP_JOURNAL_PORT: String(port) },
    });
    user = await service.user();
    accountId = await user.connect('killed-0@sandbox.mailroom.test');
    const { body } = await user.api.put(`/api/journal/${accountId}`);
    address = body.address as string;
  });

  afterAll(() => service?.close());

  /** Sends a message and holds the process up between the commit of the mail and its answer. */
  const sendHeldUp = async (subject: string): Promise<{ answer: Promise<unknown>; client: SmtpClient }> => {
    await service.query('BEGIN');
    await service.query('SELECT 1 FROM journal_addresses FOR UPDATE');
    const client = await SmtpClient.open(port);
    const answer = client.send('alice@example.com', [address], letter(subject)).then(
      ({ code }) => code,
      () => 'closed',
    );
    await waitFor('the mail to be committed', async () => {
      const [row] = await service.query<{ mails: string }>(
        'SELECT count(*) AS mails FROM archived_mails WHERE subject = $1',
        [subject],
      );
      return row!.mails === '1';
    });
    return { answer, client };
  };

  it('should not double a message that is sent again after a kill before the answer', async () => {
    const { answer } = await sendHeldUp('Killed');
    await service.kill();
    await service.query('ROLLBACK');
    expect(await answer).toBe('closed');
    await service.begin();
    const again = await SmtpClient.open(port);
    expect((await again.send('alice@example.com', [address], letter('Killed'))).code).toBe(250);
    again.destroy();
    const { body } = await user.api.get(`/api/archive/${accountId}/mails`);
    expect(body.total).toBe(1);
    const figures = await user.api.get(`/api/journal/${accountId}`);
    // The database may still have counted the first attempt: it did not hear that the process was gone.
    expect(figures.body).toMatchObject({ duplicates: 1 });
  });

  it('should answer a message that is being archived when it is asked to stop', async () => {
    const { answer } = await sendHeldUp('Stopped');
    const idle = await SmtpClient.open(port);
    const stopped = service.stop();
    expect(await idle.next()).toMatchObject({ code: 421 });
    await expect(SmtpClient.open(port)).rejects.toThrow();
    await service.query('ROLLBACK');
    expect(await answer).toBe(250);
    expect(await stopped).toBe(0);
    await service.begin();
    const { body } = await user.api.get(`/api/archive/${accountId}/mails?q=Stopped`);
    expect(body.total).toBe(1);
  });
});
