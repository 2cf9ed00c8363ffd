/** Position of a list when the person left it. */
export interface ListPlace {
  /** Pixels. */
  readonly offset: number;
  /** The row that keys act on. */
  readonly active: number;
}

/** Lists that a person comes back to; the oldest is forgotten. */
const REMEMBERED = 50;
const TOP: ListPlace = { offset: 0, active: 0 };
const places = new Map<string, ListPlace>();

/** Position of the list of this name when it was left; its top when it is new. */
export const placeOf = (name: string): ListPlace => places.get(name) ?? TOP;

/** Whether the person was in the list of this name before. */
export const hasPlace = (name: string): boolean => places.has(name);

/** Remembers where a list is, in the memory of this tab. */
export function rememberPlace(name: string, changes: Partial<ListPlace>): void {
  const place = { ...placeOf(name), ...changes };
  places.delete(name);
  places.set(name, place);
  const [oldest] = places.keys();
  if (places.size > REMEMBERED && oldest !== undefined) places.delete(oldest);
}

let isFocusWanted = false;

/** The next list that is shown takes the focus, unless something else has it by then. */
export function wantListFocus(): void {
  isFocusWanted = true;
}

/** Whether a list that is shown now is to take the focus; once. */
export function takeWantedFocus(): boolean {
  const was = isFocusWanted;
  isFocusWanted = false;
  return was;
}
