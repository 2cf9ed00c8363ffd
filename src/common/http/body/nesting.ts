/** Deeper than any body a route takes; whatever walks through one later goes this far down the stack and no further. */
export const MAX_NESTING = 32;

/** Whether arrays and objects lie in each other deeper than `levels`. */
export function isNestedDeeperThan(levels: number, value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return levels === 0 || Object.values(value).some((part) => isNestedDeeperThan(levels - 1, part));
}
