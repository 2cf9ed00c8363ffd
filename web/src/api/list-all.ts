/**
 * All values of a union of the interface, in the order given: `listAll<Color>({ red: true, blue: true })`. While one is
 * missing, the compiler names it.
 */
export const listAll = <T extends string>(values: Readonly<Record<T, true>>): readonly T[] =>
  Object.keys(values) as T[];
