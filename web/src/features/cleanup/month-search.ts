/** A search for the mail of a month. @param month `2024-02` */
export function monthSearch(month: string): string {
  const [year, number] = month.split('-').map(Number) as [number, number];
  const next = number === 12 ? [year + 1, 1] : [year, number + 1];
  return `after:${formatFirstDay(year, number)} before:${formatFirstDay(next[0]!, next[1]!)}`;
}

const formatFirstDay = (year: number, month: number): string =>
  `${year}/${String(month).padStart(2, '0')}/01`;
