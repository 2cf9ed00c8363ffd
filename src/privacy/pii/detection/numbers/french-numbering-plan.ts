/** Numbers of metropolitan France as dialled inside the country, nine digits after the 0 (ARCEP numbering plan). */
const NATIONAL = /^(?:1\d|2[02-57-9]|26[239]|3\d|4[1-9]|5[0-8]|59[046]|6\d|7[3-9]|80|81|82|84|89|9[1-9])/;

/** Countries of France overseas: what their numbers begin with, and how long they are. */
const OVERSEAS: Readonly<Record<string, { readonly begins: RegExp; readonly length: number }>> = {
  '262': { begins: /^(?:26[239]|639|69[23]|9)/, length: 9 },
  '590': { begins: /^(?:590|69[01]|9)/, length: 9 },
  '594': { begins: /^(?:594|694|9)/, length: 9 },
  '596': { begins: /^(?:596|69[67]|9)/, length: 9 },
  '508': { begins: /^[45]/, length: 6 },
  '687': { begins: /^[2-57-9]/, length: 6 },
  '689': { begins: /^(?:4|8[79])/, length: 8 },
};

/** Digits of a number after its country code. */
export const nationalLength = (country: string): number =>
  country === '33' ? 9 : (OVERSEAS[country]?.length ?? 0);

/**
 * Whether the plan has such a number.
 * @param country `33` or a code of France overseas
 * @param digits those after the country code, without the 0 dialled inside the country
 */
export function isInPlan(country: string, digits: string): boolean {
  if (digits.length !== nationalLength(country) || new Set(digits.slice(1)).size === 1) return false;
  return country === '33' ? NATIONAL.test(digits) : (OVERSEAS[country]?.begins.test(digits) ?? false);
}
