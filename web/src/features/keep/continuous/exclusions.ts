const MIB = 1024 * 1024;

/** The exclusions of a mailbox as a form shows them. */
export interface ExclusionFields {
  readonly spam: boolean;
  readonly trash: boolean;
  readonly drafts: boolean;
  /** In MiB; an empty field: any size. */
  readonly largerThan: number | string;
  /** In days; an empty field: at once. */
  readonly youngerThan: number | string;
  /** Addresses, or `@` and a domain. */
  readonly senders: readonly string[];
  /** Exclusions that the form has no field for: they stay as they are. */
  readonly others: readonly string[];
}

const PLACES = ['spam', 'trash', 'drafts'] as const;

/** @param exclusions as the service has them, e.g. `sender:@news.example` */
export function fieldsOf(exclusions: readonly string[]): ExclusionFields {
  const valueOf = (type: string): string | undefined =>
    exclusions.find((exclusion) => exclusion.startsWith(`${type}:`))?.slice(type.length + 1);
  const larger = Number(valueOf('larger_than'));
  const younger = /^(\d+)d$/.exec(valueOf('younger_than') ?? '');
  const isShown = (exclusion: string): boolean =>
    (PLACES as readonly string[]).includes(exclusion) ||
    exclusion.startsWith('sender:') ||
    exclusion.startsWith('larger_than:') ||
    /^younger_than:\d+d$/.test(exclusion);
  return {
    spam: exclusions.includes('spam'),
    trash: exclusions.includes('trash'),
    drafts: exclusions.includes('drafts'),
    largerThan: larger > 0 ? Math.round((larger / MIB) * 100) / 100 : '',
    youngerThan: younger ? Number(younger[1]) : '',
    senders: exclusions.flatMap((exclusion) => (exclusion.startsWith('sender:') ? [exclusion.slice(7)] : [])),
    others: exclusions.filter((exclusion) => !isShown(exclusion)),
  };
}

/** Exclusions for the service; the first that matches a message is the one that counts. */
export function exclusionsOf(fields: ExclusionFields): string[] {
  const { largerThan, youngerThan, senders, others } = fields;
  return [
    ...PLACES.filter((place) => fields[place]),
    ...(typeof largerThan === 'number' && largerThan > 0
      ? [`larger_than:${Math.round(largerThan * MIB)}`]
      : []),
    ...(typeof youngerThan === 'number' && youngerThan > 0 ? [`younger_than:${youngerThan}d`] : []),
    ...senders.map((sender) => `sender:${sender.trim().toLowerCase()}`),
    ...others,
  ];
}

/** An address, or `@` and a domain. */
export const isSender = (text: string): boolean => /^[^\s@]*@[^\s@]+\.[^\s@]+$/.test(text.trim());
