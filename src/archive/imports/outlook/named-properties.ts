/** A property that data files and messages number anew, by its set and its number in it (MS-OXPROPS). */
interface NamedProperty {
  /** GUID of the set, as its bytes are stored. */
  readonly set: string;
  readonly number: number;
}

const APPOINTMENT = '0220060000000000c000000000000046';
const MEETING = '90dad86e0b451b1098da00aa003f1305';

/** Named properties of meetings, by identifiers of this service, which no other property that is read has. */
export const NAMED_PROPERTIES: Readonly<Record<number, NamedProperty>> = {
  0xf001: { set: APPOINTMENT, number: 0x8201 },
  0xf002: { set: APPOINTMENT, number: 0x8208 },
  0xf003: { set: APPOINTMENT, number: 0x820d },
  0xf004: { set: APPOINTMENT, number: 0x820e },
  0xf005: { set: APPOINTMENT, number: 0x8215 },
  0xf006: { set: APPOINTMENT, number: 0x8223 },
  0xf007: { set: MEETING, number: 0x0003 },
  0xf008: { set: MEETING, number: 0x0023 },
};

const IDENTIFIERS = new Map(
  Object.entries(NAMED_PROPERTIES).map(([id, { set, number }]) => [`${set}:${number}`, Number(id)]),
);

/** The identifier that this service gives a named property; null: it is not read. */
export const identifierOfName = (set: Buffer, number: number): number | null =>
  IDENTIFIERS.get(`${set.toString('hex')}:${number}`) ?? null;
