import { startTestApp, TestApp } from '../../../support/app';
import { ServiceProcess } from '../../../support/service-process';
import { waitFor } from '../../../support/wait';
import { WebhookFixture } from '../../../support/webhooks/webhook-fixture';
import { answer, isSigned, WebhookReceiver } from '../../../support/webhooks/receiver';

/** Events happen in one process, which sends nothing, and are told by another, which is killed. */
describe('Webhook deliveries of a killed service', () => {
  let app: TestApp;
  let receiver: WebhookReceiver;
  let service: ServiceProcess | undefined;

  beforeAll(async () => {
    receiver = await WebhookReceiver.start();
    app = await startTestApp({ sandbox: { messages: 1 }, env: { ROLE: 'api' } });
  });

  afterAll(async () => {
    await service?.stop();
    await app?.close();
    await receiver?.close();
  });

  it('should be sent again with the same id, whether they were waiting or in flight', async () => {
    const user = await app.user();
    let killed = false;
    const refusing = await WebhookFixture.add(
      app,
      user,
      receiver.on('/refusing', (response, request) => answer(killed ? 200 : 503)(response, request)),
    );
    const hanging = await WebhookFixture.add(
      app,
      user,
      receiver.on('/hanging', (response) => {
        if (killed) response.writeHead(200).end();
      }),
    );
    // The third of the hanging webhook has to wait for the two before it.
    for (let times = 0; times < 3; times += 1) await refusing.dispatchJobEnd(times);

    service = await ServiceProcess.start({ ...app.env, ROLE: 'worker' });
    await waitFor('two to hang', () => receiver.at('/hanging').length === 2);
    await waitFor('the others to wait', async () =>
      (await refusing.deliveries()).every(({ attempts }) => attempts.length === 1),
    );
    await service.kill();
    killed = true;

    // Nobody need wait for the lease of the dead, nor for the time of the next attempt.
    await app.dataSource.query(
      `UPDATE webhook_deliveries SET next_attempt_at = now(),
         lease_until = CASE WHEN lease_token IS NOT NULL THEN now() END WHERE status = 'pending'`,
    );
    service = await ServiceProcess.start({ ...app.env, ROLE: 'worker' });
    for (const webhook of [refusing, hanging]) {
      const rows = await webhook.ended(3);
      expect(rows.map(({ status }) => status)).toEqual(['delivered', 'delivered', 'delivered']);
    }
    for (const { attempts } of await refusing.deliveries()) {
      expect(attempts).toMatchObject([{ status: 503 }, { status: 200 }]);
    }
    const outcomes = (await hanging.deliveries()).map(({ attempts }) =>
      attempts.map(({ status, error }) => error ?? status).join(),
    );
    expect(outcomes.sort()).toEqual(['200', 'lost,200', 'lost,200']);
    const ids = (path: string): string[] =>
      receiver.at(path).map(({ headers }) => String(headers['webhook-id']));
    expect(ids('/refusing')).toHaveLength(6);
    expect(new Set(ids('/refusing')).size).toBe(3);
    expect(ids('/hanging')).toHaveLength(5);
    expect(new Set(ids('/hanging')).size).toBe(3);
    expect(receiver.at('/hanging').every((request) => isSigned(request, hanging.secret))).toBe(true);
  });
});
