import { StagedBatch } from './staged-batch';

describe('StagedBatch', () => {
  function stage(fails = false): { sut: StagedBatch<string, number>; steps: string[] } {
    const steps: string[] = [];
    const sut = new StagedBatch<string, number>({
      commit: async (details) => {
        steps.push(`commit ${details}`);
        if (fails) throw new Error('refused');
        return 'written';
      },
      abandon: async () => void steps.push('abandon'),
    });
    return { sut, steps };
  }

  it('should write the rows with the details that are known by then', async () => {
    const { sut, steps } = stage();
    expect(await sut.commit(7)).toBe('written');
    expect(steps).toEqual(['commit 7']);
  });

  it('should delete the files once', async () => {
    const { sut, steps } = stage();
    await sut.abandon();
    await sut.abandon();
    expect(steps).toEqual(['abandon']);
  });

  it.each([
    ['committed', false],
    ['refused', true],
  ])('should not touch the files of a batch that was %s', async (_how, fails) => {
    const { sut, steps } = stage(fails);
    await sut.commit(1).catch((error: unknown) => expect(error).toEqual(new Error('refused')));
    await sut.abandon();
    expect(steps).toEqual(['commit 1']);
  });

  it('should not be committed after its end', async () => {
    const { sut, steps } = stage();
    await sut.abandon();
    await expect(sut.commit(1)).rejects.toThrow('ended');
    expect(steps).toEqual(['abandon']);
  });
});
