import { SecretBox, SecretUnreadable } from '../../platform/crypto/secret-box';
import { EgressGuard } from '../../platform/egress/egress-guard';
import { ValidationFailed } from '../../platform/http/domain-error';
import { HostResolver } from '../../platform/egress/host-resolver';
import type { AppConfig } from '../../platform/config/app-config';
import { newWebhookSecret, WebhookTargets } from './webhook-target';

function targets(allowPrivateNetworks: boolean): WebhookTargets {
  const config = {
    egress: { allowPrivateNetworks, dnsServers: [] },
    secrets: { encryptionKey: Buffer.alloc(32, 7) },
  } as unknown as AppConfig;
  return new WebhookTargets(new SecretBox(config), new EgressGuard(config, new HostResolver(config)));
}

const refusal = (sut: WebhookTargets, url: string): unknown => {
  try {
    sut.check(url);
    return null;
  } catch (error) {
    return error instanceof ValidationFailed ? error.errors?.map(({ field }) => field) : error;
  }
};

describe('WebhookTargets', () => {
  it.each([
    'http://localhost:3000/',
    'http://LOCALHOST./',
    'http://a.localhost/',
    'http://127.0.0.1/',
    'http://2130706433/',
    'http://0x7f.1/',
    'http://[::1]/',
    'http://[::ffff:10.0.0.1]/',
    'https://192.168.0.4:8443/topic',
  ])('should refuse %s only where private networks are denied', (url) => {
    expect(refusal(targets(false), url)).toEqual(['url']);
    expect(refusal(targets(true), url)).toBeNull();
  });

  it.each(['http://169.254.169.254/', 'http://[fd00:ec2::254]/', 'http://0.0.0.0/', 'http://[fe80::1]/'])(
    'should refuse %s everywhere',
    (url) => {
      for (const allowed of [true, false]) expect(refusal(targets(allowed), url)).toEqual(['url']);
    },
  );

  it.each(['https://example.org/', 'https://93.184.216.34/', 'http://localhost.example.org/'])(
    'should accept %s',
    (url) => {
      expect(refusal(targets(false), url)).toBeNull();
    },
  );

  it('should open what it sealed, for the same webhook only', () => {
    const [sut, id] = [targets(false), 'one'];
    const target = { url: 'https://example.org/', secret: newWebhookSecret() };
    const sealedTarget = sut.seal(target, id);
    expect(sut.open({ id, type: 'generic', sealedTarget })).toEqual({ type: 'generic', ...target });
    const copied = { id: 'another', type: 'generic', sealedTarget } as const;
    expect(() => sut.open(copied)).toThrow(SecretUnreadable);
    expect(sut.openIfReadable(copied)).toBeNull();
  });
});
