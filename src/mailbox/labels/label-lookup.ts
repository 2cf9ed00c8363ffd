import type { MailboxLabel } from '../../providers/port/mailbox-provider.port';

export type NamedLabel = Pick<MailboxLabel, 'id' | 'name' | 'type'>;

/** Labels that every mailbox has. Their names are their ids, and no other label can have them. */
const SYSTEM_LABELS: readonly NamedLabel[] = [
  'INBOX', 'SENT', 'DRAFT', 'SPAM', 'TRASH', 'UNREAD', 'STARRED', 'IMPORTANT', 'CHAT', 'CATEGORY_PERSONAL',
  'CATEGORY_SOCIAL', 'CATEGORY_PROMOTIONS', 'CATEGORY_UPDATES', 'CATEGORY_FORUMS',
].map((id) => ({ id, name: id, type: 'system' })); // prettier-ignore

/** Finds labels of a mailbox by id, or by name in any case. */
export class LabelLookup {
  /** Lookup of only the labels that every mailbox has. */
  static readonly SYSTEM = new LabelLookup([]);

  private readonly byId = new Map<string, NamedLabel>();
  private readonly byName = new Map<string, NamedLabel>();

  private constructor(labels: readonly NamedLabel[]) {
    for (const label of [...SYSTEM_LABELS, ...labels]) {
      this.byId.set(label.id, label);
      this.byName.set(label.name.normalize('NFC').toLowerCase(), label);
    }
  }

  static of(labels: readonly NamedLabel[]): LabelLookup {
    return new LabelLookup(labels);
  }

  findById(id: string): NamedLabel | undefined {
    return this.byId.get(id);
  }

  /** Finds a label. An id has precedence over a name. */
  find(idOrName: string): NamedLabel | undefined {
    return this.byId.get(idOrName) ?? this.byName.get(idOrName.trim().normalize('NFC').toLowerCase());
  }
}
