import { type Attack, newAttacker } from './attack';
import type { TenancyHost } from './tenancy-host';
import { type ActionName, type Times, USUAL_ACTIONS, Victim } from './victim';

/** The factor by which one user may slow another's work at most. */
export const MAX_FACTOR = 5;
/** On top, for a machine that does other things as well. */
export const NOISE_MS = 300;
/** Medians of so many. */
const ROUNDS = 5;

export interface Comparison {
  readonly attack: string;
  readonly action: ActionName;
  readonly aloneMs: number;
  /** NaN when it has only failed. */
  readonly underMs: number;
  readonly slowestMs: number;
  readonly failures: readonly string[];
  /** It does not fail, and takes no more than it may. */
  readonly holds: boolean;
}

/** Takes a user's times alone and under an attack by another user of the same service. */
export class TenancyTrial {
  private readonly alone = new Map<ActionName, Times>();

  private constructor(
    private readonly host: TenancyHost,
    private readonly victim: Victim,
    private readonly rounds: number,
    private readonly noiseMs: number,
  ) {}

  static async begin(
    host: TenancyHost,
    { rounds = ROUNDS, noiseMs = NOISE_MS }: { rounds?: number; noiseMs?: number } = {},
  ): Promise<TenancyTrial> {
    return new TenancyTrial(host, await Victim.settle(host), rounds, noiseMs);
  }

  /** @throws when an unattacked operation fails, or the attack does not start */
  async under(attack: Attack): Promise<Comparison[]> {
    const actions = [...USUAL_ACTIONS, ...attack.aims];
    const attacker = await newAttacker(this.host);
    await this.takeAlone(actions.filter((action) => !this.alone.has(action)));
    let under: Map<ActionName, Times>;
    try {
      await attack.start(attacker);
      under = await this.victim.times(actions, this.rounds);
    } finally {
      await attack.stop();
    }
    return actions.map((action) =>
      this.compared(attack.name, action, this.alone.get(action)!, under.get(action)!),
    );
  }

  private async takeAlone(actions: readonly ActionName[]): Promise<void> {
    // The first time nothing is compiled and cached.
    failNot(await this.victim.times(actions, 1));
    const alone = await this.victim.times(actions, this.rounds);
    failNot(alone);
    for (const [action, times] of alone) this.alone.set(action, times);
  }

  private compared(attack: string, action: ActionName, alone: Times, under: Times): Comparison {
    const aloneMs = median(alone.ms);
    const underMs = median(under.ms);
    const { failures } = under;
    const holds = failures.length === 0 && underMs <= MAX_FACTOR * aloneMs + this.noiseMs;
    return { attack, action, aloneMs, underMs, slowestMs: Math.max(...under.ms), failures, holds };
  }

  close(): Promise<void> {
    return this.victim.close();
  }
}

function failNot(times: ReadonlyMap<ActionName, Times>): void {
  for (const [action, { failures }] of times)
    if (failures.length > 0) throw new Error(`${action} fails alone: ${failures.join('; ')}`);
}

function median(values: readonly number[]): number {
  return [...values].sort((one, other) => one - other)[Math.floor(values.length / 2)] ?? NaN;
}
