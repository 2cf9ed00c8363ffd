import { AppConfig } from '../../config/app-config';
import { EgressGuard, EgressRefused } from './egress-guard';

const guard = (allowPrivateNetworks: boolean): EgressGuard =>
  new EgressGuard({ egress: { allowPrivateNetworks } } as AppConfig);

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
    await expect(guard(false).resolve('127.0.0.1')).rejects.toThrow(EgressRefused);
    await expect(guard(false).resolve('localhost')).rejects.toThrow(EgressRefused);
    await expect(guard(true).resolve('[::1]')).resolves.toEqual({ address: '::1', family: 6 });
  });

  it('should refuse metadata addresses even when private networks are allowed', async () => {
    await expect(guard(true).resolve('169.254.169.254')).rejects.toThrow(EgressRefused);
  });

  it('should hand the pinned address to whoever connects', () => {
    const answers: unknown[] = [];
    guard(true).pinned({ address: '192.0.2.7', family: 4 })('other.example', {}, (...answer) =>
      answers.push(answer),
    );
    expect(answers).toEqual([[null, '192.0.2.7', 4]]);
  });
});
