/** A property that data files and messages number anew, by its set and its number or text in it (MS-OXPROPS). */
interface NamedProperty {
  /** GUID of the set, as its bytes are stored. */
  readonly set: string;
  readonly name: number | string;
}

const APPOINTMENT = '0220060000000000c000000000000046';
/** PS_PUBLIC_STRINGS, the set of names that are texts. */
export const PUBLIC_STRINGS = '2903020000000000c000000000000046';
const MEETING = '90dad86e0b451b1098da00aa003f1305';

/** Named properties of meetings and the categories of items, by identifiers of this service, which no other property that is read has. */
export const NAMED_PROPERTIES: Readonly<Record<number, NamedProperty>> = {
  0xf001: { set: APPOINTMENT, name: 0x8201 },
  0xf002: { set: APPOINTMENT, name: 0x8208 },
  0xf003: { set: APPOINTMENT, name: 0x820d },
  0xf004: { set: APPOINTMENT, name: 0x820e },
  0xf005: { set: APPOINTMENT, name: 0x8215 },
  0xf006: { set: APPOINTMENT, name: 0x8223 },
  0xf007: { set: MEETING, name: 0x0003 },
  0xf008: { set: MEETING, name: 0x0023 },
  0xf009: { set: PUBLIC_STRINGS, name: 'Keywords' },
};

const IDENTIFIERS = new Map(
  Object.entries(NAMED_PROPERTIES).map(([id, { set, name }]) => [`${set}:${name}`, Number(id)]),
);

/** The identifier that this service gives a named property; null: it is not read. */
export const identifierOfName = (set: Buffer, name: number | string): number | null =>
  IDENTIFIERS.get(`${set.toString('hex')}:${name}`) ?? null;
