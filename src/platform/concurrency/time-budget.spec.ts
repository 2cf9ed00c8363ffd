import { TimeBudget } from './time-budget';

describe('TimeBudget', () => {
  let clock = 0;
  const now = (): number => clock;
  const usedUp = (): Error => new Error('used up');
  const lasting = (ms: number) => async (): Promise<string> => {
    clock += ms;
    return 'done';
  };

  it('should count only the time that was spent', async () => {
    const sut = new TimeBudget(100, usedUp, null, now);
    expect(await sut.spend(lasting(60))).toBe('done');
    clock += 1_000;
    expect(sut.leftMs).toBe(40);
  });

  it('should let running work finish, and start nothing more', async () => {
    const sut = new TimeBudget(100, usedUp, null, now);
    expect(await sut.spend(lasting(500))).toBe('done');
    const work = jest.fn(lasting(1));
    await expect(sut.spend(work)).rejects.toThrow('used up');
    expect(work).not.toHaveBeenCalled();
  });

  it('should count failures as well', async () => {
    const sut = new TimeBudget(100, usedUp, null, now);
    const failing = async (): Promise<never> => {
      clock += 70;
      throw new Error('away');
    };
    await expect(sut.spend(failing)).rejects.toThrow('away');
    expect(sut.leftMs).toBe(30);
  });

  it('should be used up when its parent is', async () => {
    const whole = new TimeBudget(100, usedUp, null, now);
    const [one, other] = [0, 1].map(() => new TimeBudget(80, usedUp, whole, now));
    await one!.spend(lasting(80));
    expect([one!.leftMs, other!.leftMs, whole.leftMs]).toEqual([0, 20, 20]);
    await other!.spend(lasting(20));
    await expect(other!.spend(lasting(1))).rejects.toThrow('used up');
  });

  it('should never be used up without a limit', async () => {
    const sut = new TimeBudget(Infinity, usedUp, null, now);
    await sut.spend(lasting(1e9));
    expect(sut.leftMs).toBe(Infinity);
  });
});
