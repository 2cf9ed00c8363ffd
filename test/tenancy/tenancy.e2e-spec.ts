import type { DnsServer } from '../support/dns/dns-server';
import { KillableService } from '../support/killable-service';
import { readPace } from '../support/run/pace';
import { EventStreams } from '../support/tenancy/attacks/floods';
import { HangingReceivers, SilentNames } from '../support/tenancy/attacks/hosts';
import { FilledArchiveQueue } from '../support/tenancy/attacks/queues';
import { startDns, tenancyEnvironment, tenancyHost } from '../support/tenancy/tenancy-host';
import { NOISE_MS, TenancyTrial } from '../support/tenancy/tenancy-trial';

/** Fewer than at night. */
const ROUNDS = 3;

/** A sample of `tenancy.nightly-spec.ts`, of attacks that leave nothing behind, on one service. */
describe('One user against another', () => {
  let dns: DnsServer;
  let service: KillableService;
  let trial: TenancyTrial;

  beforeAll(async () => {
    dns = await startDns();
    service = await KillableService.start({ environment: tenancyEnvironment(dns), leases: 'real' });
    trial = await TenancyTrial.begin(tenancyHost(service, dns), {
      rounds: ROUNDS,
      noiseMs: NOISE_MS * readPace(),
    });
  });

  afterAll(async () => {
    await trial?.close();
    await service?.close();
    dns?.close();
  });

  it.each(
    [new HangingReceivers(), new SilentNames(), new FilledArchiveQueue(), new EventStreams()].map(
      (attack) => [attack.name, attack] as const,
    ),
  )('should be protected against %s', async (_name, attack) => {
    const comparisons = await trial.under(attack);
    expect(comparisons.filter(({ holds }) => !holds)).toEqual([]);
  });
});
