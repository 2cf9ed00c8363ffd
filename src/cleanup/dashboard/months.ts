/** Months of a time zone; a month is a number, the months since the year 0. */
export class Months {
  private readonly format: Intl.DateTimeFormat;

  /** @param timeZone its IANA name */
  constructor(timeZone: string) {
    this.format = new Intl.DateTimeFormat('en', {
      timeZone,
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    });
  }

  monthOf(instant: Date): number {
    const valueOf = this.partsOf(instant);
    return valueOf('year') * 12 + valueOf('month') - 1;
  }

  /** The first instant of a month. */
  startOf(month: number): Date {
    const wanted = Date.UTC(Math.floor(month / 12), month % 12);
    // The offset is computed a second time at the instant found, where it may differ.
    const near = wanted - this.offsetAt(new Date(wanted));
    return new Date(wanted - this.offsetAt(new Date(near)));
  }

  /** Offset of the time zone from UTC, in milliseconds. */
  private offsetAt(instant: Date): number {
    const valueOf = this.partsOf(instant);
    const shown = Date.UTC(
      valueOf('year'),
      valueOf('month') - 1,
      valueOf('day'),
      valueOf('hour'),
      valueOf('minute'),
      valueOf('second'),
    );
    return shown - instant.getTime();
  }

  private partsOf(instant: Date): (type: Intl.DateTimeFormatPartTypes) => number {
    const parts = this.format.formatToParts(instant);
    return (type) => Number(parts.find((part) => part.type === type)?.value);
  }
}

/** Name of a month, e.g. `2025-11`. */
export function monthName(month: number): string {
  const year = String(Math.floor(month / 12)).padStart(4, '0');
  return `${year}-${String((month % 12) + 1).padStart(2, '0')}`;
}
