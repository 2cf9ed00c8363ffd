/** The name of the `number`-th mail of a Message-ID. */
export const addNumber = (name: string, number: number): string =>
  number === 1 ? name : `${name}#${number}`;

/**
 * For each name a number, two or more, that is free after one that is used. Found by doubling and halving: a program
 * may have given all of its thousands of mails one id.
 * @param areInUse those of some numbered names that are used
 */
export async function findFreeNumbers(
  names: readonly string[],
  areInUse: (numberedNames: readonly string[]) => Promise<ReadonlySet<string>>,
): Promise<Map<string, number>> {
  const ranges = new Map(names.map((name) => [name, { used: 1, free: Infinity }]));
  for (;;) {
    const probes = [...ranges].flatMap(([name, range]) => {
      const { used, free } = range;
      if (free - used === 1) return [];
      const number = free === Infinity ? used * 2 : Math.floor((used + free) / 2);
      return [{ range, number, text: addNumber(name, number) }];
    });
    if (probes.length === 0) break;
    const inUse = await areInUse(probes.map(({ text }) => text));
    for (const { range, number, text } of probes) range[inUse.has(text) ? 'used' : 'free'] = number;
  }
  return new Map([...ranges].map(([name, { free }]) => [name, free]));
}
