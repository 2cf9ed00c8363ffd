import dns from 'node:dns';
import { setMaxListeners } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import { join } from 'node:path';
import { DnsServer } from '../../../support/dns/dns-server';
import { areThreadsFree, POOL_THREADS } from '../../../support/free-threads';
import type { AppConfig } from '../../../../src/platform/config/app-config';
import { HostResolver, LookupFailure } from '../../../../src/platform/egress/host-resolver';

const USER = 'user';

describe('HostResolver', () => {
  let server: DnsServer;
  let directory: string;

  const resolver = (): HostResolver => {
    const sut = new HostResolver({ egress: { dnsServers: [server.address] } } as unknown as AppConfig);
    Object.assign(sut.files, { hosts: join(directory, 'hosts'), resolver: join(directory, 'resolv.conf') });
    return sut;
  };
  const write = (file: string, text: string): void => writeFileSync(join(directory, file), text);

  beforeEach(async () => {
    server = await DnsServer.start();
    directory = mkdtempSync(join(os.tmpdir(), 'mailroom-names-'));
  });

  afterEach(() => {
    jest.restoreAllMocks();
    server.close();
    rmSync(directory, { recursive: true });
  });

  it('should find addresses of both kinds, without the system’s resolver', async () => {
    const system = jest.spyOn(dns, 'lookup');
    server.on('both.example', '2001:db8::7', '192.0.2.7', '192.0.2.8');
    server.on('six.example', '2001:db8::7');
    expect((await resolver().resolve('both.example', USER)).sort()).toEqual([
      '192.0.2.7',
      '192.0.2.8',
      '2001:db8::7',
    ]);
    expect(await resolver().resolve('six.example', USER)).toEqual(['2001:db8::7']);
    expect(system).not.toHaveBeenCalled();
  });

  it.each([
    ['IPv4', ['192.0.2.7', '2001:db8::7']],
    ['IPv6', ['2001:db8::7', '192.0.2.7']],
  ])('should prefer the only kind of address that a machine has: %s', async (family, expected) => {
    jest.spyOn(os, 'networkInterfaces').mockReturnValue({
      eth0: [{ family, internal: false }],
      lo: [{ family: 'IPv4', internal: true }],
    } as never);
    server.on('both.example', '2001:db8::7', '192.0.2.7');
    expect(await resolver().resolve('both.example', USER)).toEqual(expected);
  });

  it('should resolve names of the hosts file from there, and localhost from nowhere else', async () => {
    write('hosts', '10.1.2.3 store.inside\n');
    server.on('store.inside', '192.0.2.7');
    expect(await resolver().resolve('store.inside', USER)).toEqual(['10.1.2.3']);
    expect((await resolver().resolve('localhost', USER)).sort()).toEqual(['127.0.0.1', '::1']);
    expect([...server.asked]).toEqual([]);
  });

  it('should prefer the hosts file to DNS, and notice its changes', async () => {
    server.on('moved.example', '192.0.2.7');
    const sut = resolver();
    expect(await sut.resolve('moved.example', USER)).toEqual(['192.0.2.7']);
    write('hosts', '10.1.2.3 moved.example\n');
    expect(await sut.resolve('moved.example', USER)).toEqual(['10.1.2.3']);
    write('hosts', '10.1.2.4 moved.example\n');
    expect(await sut.resolve('moved.example', USER)).toEqual(['10.1.2.4']);
  });

  it('should look for short names in the search domains', async () => {
    write('resolv.conf', 'search a.test b.test\n');
    server.on('store.b.test', '10.1.2.3');
    expect(await resolver().resolve('store', USER)).toEqual(['10.1.2.3']);
    expect([...server.asked]).toEqual(['store.a.test', 'store.b.test']);
  });

  it.each([
    ['nowhere.example', 'ENOTFOUND'],
    ['empty.example', 'ENODATA'],
    ['a..b', 'EBADNAME'],
    ['x'.repeat(300), 'EBADNAME'],
  ])('should fail for %s with %s, without the system’s resolver', async (host, code) => {
    const system = jest.spyOn(dns, 'lookup');
    server.on('empty.example');
    await expect(resolver().resolve(host, USER)).rejects.toMatchObject({ code });
    expect(system).not.toHaveBeenCalled();
  });

  it('should fail in time for a name that never gets an answer', async () => {
    server.ignore('silent.example');
    await expect(resolver().resolve('silent.example', USER)).rejects.toThrow(LookupFailure);
  });

  it('should not wait for the second kind of address once the first is there', async () => {
    server.on('half.example', '192.0.2.7');
    server.ignore('half.example', 6);
    expect(await resolver().resolve('half.example', USER)).toEqual(['192.0.2.7']);
  });

  it('should stop at once when its signal aborts, whether it is queued or querying', async () => {
    server.ignore('*.silent.example');
    const sut = resolver();
    const stop = new AbortController();
    const all = Array.from({ length: 6 }, (_, at) =>
      sut.resolve(`n${at}.silent.example`, USER, stop.signal).catch((error: unknown) => error),
    );
    while (server.asked.size < 4) await new Promise((resolve) => setImmediate(resolve));
    const reason = new Error('enough');
    stop.abort(reason);
    for (const outcome of await Promise.all(all)) expect(outcome).toBe(reason);
    expect(server.asked.size).toBe(4);
    await expect(sut.resolve('n7.silent.example', USER, stop.signal)).rejects.toBe(reason);
  });

  it('should keep every thread free for files while 50 names get no answer', async () => {
    server.ignore('*.silent.example');
    server.on('quick.example', '192.0.2.7');
    const sut = resolver();
    const stop = new AbortController();
    setMaxListeners(0, stop.signal);
    const silent = Array.from({ length: 50 }, (_, at) =>
      sut.resolve(`n${at}.silent.example`, `user ${at}`, stop.signal).catch((error: unknown) => error),
    );
    while (server.asked.size < 50) await new Promise((resolve) => setImmediate(resolve));

    expect(POOL_THREADS).toBeGreaterThanOrEqual(4);
    expect(await areThreadsFree()).toBe(true);
    expect(await areThreadsFree(POOL_THREADS + 1)).toBe(false);
    expect(await sut.resolve('quick.example', USER)).toEqual(['192.0.2.7']);
    const reason = new Error('over');
    stop.abort(reason);
    for (const outcome of await Promise.all(silent)) expect(outcome).toBe(reason);
  });

  it('should query 128 names at a time, for all users together', async () => {
    server.ignore('*.silent.example');
    const sut = resolver();
    const stop = new AbortController();
    setMaxListeners(0, stop.signal);
    const all = Array.from({ length: 160 }, (_, at) =>
      sut.resolve(`n${at}.silent.example`, `user ${at % 40}`, stop.signal).catch(() => undefined),
    );
    while (server.asked.size < 128) await new Promise((resolve) => setImmediate(resolve));
    const marker = new dns.promises.Resolver();
    marker.setServers([server.address]);
    for (let round = 0; round < 10; round += 1)
      await expect(marker.resolve4('marker.example')).rejects.toMatchObject({ code: 'ENOTFOUND' });
    expect([...server.asked].filter((name) => name !== 'marker.example')).toHaveLength(128);
    stop.abort(new Error('over'));
    await Promise.all(all);
  });

  it('should answer a user at once while another user’s names get no answer', async () => {
    server.ignore('*.silent.example');
    server.on('quick.example', '192.0.2.7');
    const sut = resolver();
    const stop = new AbortController();
    setMaxListeners(0, stop.signal);
    const hostile = Array.from({ length: 300 }, (_, at) =>
      sut.resolve(`n${at}.silent.example`, 'hostile', stop.signal).catch((error: unknown) => error),
    );
    expect(await sut.resolve('quick.example', USER)).toEqual(['192.0.2.7']);
    const silent = [...server.asked].filter((name) => name !== 'quick.example');
    expect(silent.length).toBeLessThanOrEqual(4);
    stop.abort(new Error('over'));
    const outcomes = await Promise.all(hostile);
    expect(outcomes.filter((outcome) => outcome instanceof LookupFailure)).toHaveLength(300 - 4 - 256);
  });
});
