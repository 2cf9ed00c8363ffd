/** A range of issuer numbers with the lengths its cards have. */
interface IssuerRange {
  readonly low: string;
  readonly high: string;
  readonly lengths: readonly number[];
  /** Cards nobody issues without saying so: taken only when the text speaks of a card. */
  readonly isRare?: boolean;
}

const range = (low: string, high: string, lengths: readonly number[], isRare?: boolean): IssuerRange => ({
  low,
  high,
  lengths,
  isRare,
});

/** ISO/IEC 7812 issuer ranges with the lengths in use; the first that fits counts. */
const RANGES: readonly IssuerRange[] = [
  range('4', '4', [16]),
  range('4', '4', [13, 18, 19], true),
  range('51', '55', [16]),
  range('2221', '2720', [16]),
  range('34', '34', [15]),
  range('37', '37', [15]),
  range('300', '305', [14, 16, 19], true),
  range('36', '36', [14, 16, 19], true),
  range('38', '39', [14, 16, 19], true),
  range('6011', '6011', [16]),
  range('644', '649', [16]),
  range('65', '65', [16]),
  range('6011', '6011', [19], true),
  range('644', '649', [19], true),
  range('65', '65', [19], true),
  range('3528', '3589', [16]),
  range('3528', '3589', [17, 18, 19], true),
  range('2131', '2131', [15, 16], true),
  range('1800', '1800', [15, 16], true),
  range('2200', '2204', [16], true),
  range('62', '62', [16]),
  range('62', '62', [14, 15, 17, 18, 19], true),
  range('81', '81', [16], true),
  range('50', '50', [12, 13, 14, 15, 16, 17, 18, 19], true),
  range('56', '59', [12, 13, 14, 15, 16, 17, 18, 19], true),
  range('60', '69', [12, 13, 14, 15, 16, 17, 18, 19], true),
  range('9792', '9792', [16], true),
];

/** Whether an issuer has numbers that begin and are as long as this one; `rare` needs more to be believed. */
export function issuerOf(digits: string): 'known' | 'rare' | null {
  for (const { low, high, lengths, isRare } of RANGES) {
    const prefix = digits.slice(0, low.length);
    if (prefix >= low && prefix <= high && lengths.includes(digits.length)) return isRare ? 'rare' : 'known';
  }
  return null;
}
