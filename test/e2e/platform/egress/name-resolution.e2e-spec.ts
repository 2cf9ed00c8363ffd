import dns from 'node:dns';
import { HostResolver } from '../../../../src/platform/egress/host-resolver';
import { startTestApp, TestApp } from '../../../support/app';
import { ArchiveFixture } from '../../../support/archive/archive-fixture';
import { DnsServer } from '../../../support/dns/dns-server';
import { areThreadsFree } from '../../../support/free-threads';
import { TestObjectStore } from '../../../support/object-store/object-store';
import { answer, WebhookReceiver } from '../../../support/webhooks/receiver';
import { WebhookFixture } from '../../../support/webhooks/webhook-fixture';

const SILENT = 50;
const TEST = '/api/storage/test-objstore';

describe('Names of hosts that users choose', () => {
  let app: TestApp;
  let names: DnsServer;
  let receiver: WebhookReceiver;
  let store: TestObjectStore;

  const bucketAt = (endpoint: string): object => ({
    endpoint,
    region: store.region,
    bucket: 'named',
    accessKeyId: store.accessKeyId,
    secretAccessKey: store.secretAccessKey,
    forcePathStyle: true,
  });

  beforeAll(async () => {
    names = await DnsServer.start();
    names.ignore('*.silent.example');
    names.on('quick.example', '127.0.0.1');
    [app, receiver, store] = await Promise.all([
      startTestApp({ sandbox: { messages: 1 }, env: { EGRESS_DNS_SERVERS: names.address } }),
      WebhookReceiver.start(),
      TestObjectStore.start(),
    ]);
  });

  afterEach(() => jest.restoreAllMocks());

  afterAll(async () => {
    await app?.close();
    await receiver?.close();
    names?.close();
  });

  it('should not affect other users while names of one user get no answer', async () => {
    const [hostile, user] = [await app.user('hostile'), await app.user()];
    const archive = await ArchiveFixture.connect(app, user, 'reader@sandbox.mailroom.test');
    const [mailId] = await archive.insertAndArchive(
      Buffer.from('From: a@example.org\r\nSubject: still here\r\n\r\nBody\r\n'),
    );
    const webhook = await WebhookFixture.add(
      app,
      user,
      `http://quick.example:${receiver.port}${new URL(receiver.on('/quick', answer(204))).pathname}`,
    );
    const system = jest.spyOn(dns, 'lookup');
    const tests = Array.from({ length: SILENT }, (_, at) =>
      hostile.api.post(TEST, bucketAt(`http://n${at}.silent.example:9000`)),
    );
    while (![...names.asked].some((name) => name.endsWith('.silent.example')))
      await new Promise((resolve) => setImmediate(resolve));

    expect(await areThreadsFree()).toBe(true);
    expect((await user.api.post(`/api/webhooks/${webhook.id}/test`)).body).toEqual({ success: true });
    const mail = await user.api.get(`${archive.path}/mails/${mailId}`);
    expect([mail.status, mail.body.subject]).toEqual([200, 'still here']);
    const { port } = new URL(store.endpoint);
    expect((await user.api.post(TEST, bucketAt(`http://quick.example:${port}`))).body).toMatchObject({
      success: true,
    });

    for (const { status, body } of await Promise.all(tests))
      expect([status, body.success]).toEqual([200, false]);
    const asked = system.mock.calls.map(([host]) => host);
    expect(asked.filter((host) => host.endsWith('.example'))).toEqual([]);
  });

  it('should report that a host name cannot be resolved', async () => {
    const user = await app.user();
    const { status, body } = await user.api.post(TEST, bucketAt('http://nowhere.example:9000'));
    expect([status, body.success]).toEqual([200, false]);
    expect(body.error).toMatch(/host name cannot be resolved/);
  });

  it('should look up a name for its owner', async () => {
    const user = await app.user();
    const lookups = jest.spyOn(app.app.get(HostResolver), 'resolve');
    await user.api.post(TEST, bucketAt('http://nowhere.example:9000'));
    expect(new Set(lookups.mock.calls.map(([host, userId]) => `${host} ${userId}`))).toEqual(
      new Set([`nowhere.example ${user.id}`]),
    );
  });
});
