/** The offset of a time zone from UTC. */
export interface ReadZone {
  readonly minutes: number;
  /** Why the offset may be wrong, in words; null when it is certain. */
  readonly doubt: string | null;
}

/** Hours of the zone names of RFC 822 §5.1, and of names that no other zone has. */
const ZONE_HOURS: Readonly<Record<string, number>> = {
  ut: 0, utc: 0, gmt: 0, z: 0, wet: 0, west: 1, bst: 1, cet: 1, cest: 2, met: 1, mest: 2, mez: 1, mesz: 2, eet: 2, eest: 3,
  msk: 3, msd: 4, sast: 2, pkt: 5, wib: 7, hkt: 8, sgt: 8, pht: 8, awst: 8, jst: 9, kst: 9, acst: 9.5, acdt: 10.5, aest: 10,
  aedt: 11, nzst: 12, nzdt: 13, brt: -3, nst: -3.5, ndt: -2.5, adt: -3, edt: -4, est: -5, cdt: -5, cst: -6, mdt: -6, mst: -7,
  pdt: -7, pst: -8, akdt: -8, akst: -9, hst: -10,
}; // prettier-ignore
/** Names that several zones have, with the most frequent one. */
const AMBIGUOUS_HOURS: Readonly<Record<string, number>> = { ast: -4, ist: 5.5 };

const NUMBER = /(?:^|[\sa-z])([+-])(\d{1,2})(?::?(\d{2}))?(?![\d:])/;
const NAME = /^[a-z]+/;
const SUMMER = /^[a-z]+ dst\b/;
const NOTHING = /^(?:\W|_)*$/;

/**
 * Reads the time zone of a date: `+0200`, `GMT+2`, `EST`, `MET DST`. A number says more than a name beside it.
 * @param text lower case, what stands around the day and the time
 */
export function zoneOf(text: string): ReadZone {
  const number = NUMBER.exec(text);
  if (number) {
    const [, sign, hours, minutes = '0'] = number;
    const offset = Number(hours) * 60 + Number(minutes);
    // RFC 5322 §3.3: the last two digits are minutes. The zones of the world reach from -12:00 to +14:00.
    if (offset > 14 * 60 || Number(minutes) > 59)
      return { minutes: 0, doubt: 'its time zone does not exist' };
    return { minutes: sign === '-' ? -offset : offset, doubt: null };
  }
  if (NOTHING.test(text)) return { minutes: 0, doubt: 'it has no time zone' };
  const name = NAME.exec(text)?.[0] ?? '';
  const hours = Object.hasOwn(ZONE_HOURS, name) ? ZONE_HOURS[name] : undefined;
  if (hours !== undefined) return { minutes: (hours + (SUMMER.test(text) ? 1 : 0)) * 60, doubt: null };
  const guess = Object.hasOwn(AMBIGUOUS_HOURS, name) ? AMBIGUOUS_HOURS[name] : undefined;
  if (guess !== undefined) return { minutes: guess * 60, doubt: 'its time zone has several meanings' };
  return { minutes: 0, doubt: 'its time zone is not known' };
}
