import { KillableService } from '../support/killable-service';
import { allAttacks } from '../support/tenancy/attacks';
import { TENANCY_ENVIRONMENT } from '../support/tenancy/tenancy-host';
import { TenancyTrial } from '../support/tenancy/tenancy-trial';

/** Seeding a large archive, and what fails is waited for. */
const TRIAL_MS = 300_000;

describe('One user against another', () => {
  let service: KillableService;
  let trial: TenancyTrial;

  beforeEach(async () => {
    service = await KillableService.start({ environment: TENANCY_ENVIRONMENT, leases: 'real' });
    trial = await TenancyTrial.begin(service);
  });

  afterEach(async () => {
    await trial?.close();
    await service?.close();
  });

  it.each(allAttacks().map((attack) => [attack.name, attack] as const))(
    'should hold against %s',
    async (_name, attack) => {
      const comparisons = await trial.under(attack);
      expect(comparisons.filter(({ holds }) => !holds)).toEqual([]);
    },
    TRIAL_MS,
  );
});
