import type { DnsServer } from '../support/dns/dns-server';
import { KillableService } from '../support/killable-service';
import { readPace } from '../support/run/pace';
import { allAttacks } from '../support/tenancy/attacks';
import { startDns, tenancyEnvironment, tenancyHost } from '../support/tenancy/tenancy-host';
import { NOISE_MS, TenancyTrial } from '../support/tenancy/tenancy-trial';

/** Seeding a large archive, and what fails is waited for. */
const TRIAL_MS = 300_000;

describe('One user against another', () => {
  let dns: DnsServer;
  let service: KillableService;
  let trial: TenancyTrial;

  beforeEach(async () => {
    dns = await startDns();
    service = await KillableService.start({ environment: tenancyEnvironment(dns), leases: 'real' });
    trial = await TenancyTrial.begin(tenancyHost(service, dns), { noiseMs: NOISE_MS * readPace() });
  });

  afterEach(async () => {
    await trial?.close();
    await service?.close();
    dns?.close();
  });

  it.each(allAttacks().map((attack) => [attack.name, attack] as const))(
    'should be protected against %s',
    async (_name, attack) => {
      const comparisons = await trial.under(attack);
      expect(comparisons.filter(({ holds }) => !holds)).toEqual([]);
    },
    TRIAL_MS,
  );
});
