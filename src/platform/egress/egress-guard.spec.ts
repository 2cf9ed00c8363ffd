import type { AppConfig } from '../config/app-config';
import { EgressGuard, EgressRefused, HostUnknown } from './egress-guard';
import type { HostResolver } from './host-resolver';

const USER = 'user';

const guard = (
  allowPrivateNetworks: boolean,
  addresses: HostResolver['resolve'] = async () => [],
): EgressGuard =>
  new EgressGuard({ egress: { allowPrivateNetworks } } as AppConfig, { resolve: addresses } as HostResolver);

describe('EgressGuard', () => {
  it.each([
    'file:///etc/passwd',
    'ftp://example.org',
    'javascript:alert(1)',
    'no url',
    'https://user:pw@example.org/',
  ])('should refuse %s as an address', (url) => {
    expect(() => guard(true).checkUrl(url)).toThrow(EgressRefused);
  });

  it('should refuse private addresses when they are denied, and pin the checked one when allowed', async () => {
    await expect(guard(false).resolve('127.0.0.1', USER)).rejects.toThrow(EgressRefused);
    await expect(guard(false, async () => ['127.0.0.1', '::1']).resolve('localhost', USER)).rejects.toThrow(
      EgressRefused,
    );
    await expect(guard(true).resolve('[::1]', USER)).resolves.toEqual({ address: '::1', family: 6 });
  });

  it('should refuse metadata addresses even when private networks are allowed', async () => {
    await expect(guard(true).resolve('169.254.169.254', USER)).rejects.toThrow(EgressRefused);
  });

  it.each([['127.0.0.1'], ['10.0.0.1'], ['169.254.169.254'], ['93.184.216.34', '10.0.0.1'], ['::1']])(
    'should never connect to %s for untrusted requests',
    async (...addresses) => {
      const sut = guard(true, async () => addresses);
      await expect(sut.resolvePublic('pictures.example', USER)).rejects.toThrow(EgressRefused);
      await expect(guard(true).resolvePublic(addresses.at(-1)!, USER)).rejects.toThrow(EgressRefused);
    },
  );

  it.each(['22', '25', '8080', '8443', '6379'])(
    'should not connect to port %s for untrusted requests',
    async (port) => {
      const to = guard(true).resolvePublic('93.184.216.34', USER, undefined, port);
      await expect(to).rejects.toThrow('Only ports 80 and 443');
    },
  );

  it.each(['', '80', '443'])('should connect to port "%s" for untrusted requests', async (port) => {
    const to = await guard(true).resolvePublic('93.184.216.34', USER, undefined, port);
    expect(to.address).toBe('93.184.216.34');
  });

  it('should connect to public addresses for untrusted requests', async () => {
    const sut = guard(false, async () => ['93.184.216.34']);
    await expect(sut.resolvePublic('pictures.example', USER)).resolves.toMatchObject({
      address: '93.184.216.34',
    });
  });

  it('should refuse a name if any of its addresses is denied', async () => {
    const sut = guard(true, async () => ['93.184.216.34', '169.254.169.254']);
    await expect(sut.resolve('both.example', USER)).rejects.toThrow(EgressRefused);
    const [error] = await new Promise<unknown[]>((resolve) =>
      sut.createLookup(USER)('both.example', { all: true }, (...answer) => resolve(answer)),
    );
    expect(error).toBeInstanceOf(EgressRefused);
  });

  it('should return addresses in the format that sockets request, on behalf of the user', async () => {
    const asked: unknown[] = [];
    const sut = guard(true, async (host, userId) => {
      asked.push([host, userId]);
      return ['93.184.216.34', '2001:4860::7'];
    });
    const answer = (all: boolean): Promise<unknown[]> =>
      new Promise((resolve) =>
        sut.createLookup(USER)('a.example', { all }, (...answers) => resolve(answers)),
      );
    expect(await answer(false)).toEqual([null, '93.184.216.34', 4]);
    expect(await answer(true)).toEqual([
      null,
      [
        { address: '93.184.216.34', family: 4 },
        { address: '2001:4860::7', family: 6 },
      ],
    ]);
    expect(asked).toEqual([
      ['a.example', USER],
      ['a.example', USER],
    ]);
  });

  it('should report an unknown name when the look-up fails, and propagate an abort', async () => {
    const failing = guard(true, () => Promise.reject(new Error('ENOTFOUND')));
    await expect(failing.resolve('a.example', USER)).rejects.toThrow(HostUnknown);
    const reason = new Error('enough');
    await expect(failing.resolve('a.example', USER, AbortSignal.abort(reason))).rejects.toBe(reason);
  });

  it('should answer every look-up of a pinned connection with its address', () => {
    const answers: unknown[] = [];
    guard(true).createPinnedLookup({ address: '93.184.216.34', family: 4 })(
      'other.example',
      {},
      (...answer) => answers.push(answer),
    );
    expect(answers).toEqual([[null, '93.184.216.34', 4]]);
  });
});
