import { ApiError } from '../http/api-error';

export interface Label {
  readonly id: string;
  readonly name: string;
  readonly type: 'system' | 'user';
  readonly messageListVisibility?: string;
  readonly labelListVisibility?: string;
  readonly color?: unknown;
}

const SYSTEM_LABELS = [
  'CHAT', 'SENT', 'INBOX', 'IMPORTANT', 'TRASH', 'DRAFT', 'SPAM', 'CATEGORY_FORUMS', 'CATEGORY_UPDATES',
  'CATEGORY_PERSONAL', 'CATEGORY_PROMOTIONS', 'CATEGORY_SOCIAL', 'STARRED', 'UNREAD',
] as const; // prettier-ignore
/** Labels only the provider sets. */
const IMMUTABLE = new Set(['CHAT', 'SENT', 'DRAFT']);
const RESERVED_NAMES = new Set([
  ...SYSTEM_LABELS.map((name) => name.toLowerCase()),
  'drafts',
  'muted',
  'snoozed',
  'starred',
  'all mail',
]);
const MAX_NAME_LENGTH = 225;

export interface LabelInput {
  readonly name?: string;
  readonly messageListVisibility?: string;
  readonly labelListVisibility?: string;
  readonly color?: unknown;
}

/** The labels of one mailbox. */
export class LabelRegistry {
  private readonly labels = new Map<string, Label>();
  private nextId: number;

  constructor(userLabels: readonly { id: string; name: string }[]) {
    for (const name of SYSTEM_LABELS) this.labels.set(name, { id: name, name, type: 'system' });
    for (const label of userLabels) this.labels.set(label.id, { ...label, type: 'user' });
    this.nextId = userLabels.length + 1;
  }

  list(): Label[] {
    return [...this.labels.values()];
  }

  get(id: string): Label {
    const label = this.labels.get(id);
    if (label === undefined) throw ApiError.notFound();
    return label;
  }

  isUserLabel(id: string): boolean {
    return this.labels.get(id)?.type === 'user';
  }

  /** By id, by name in any case, or by the form searches use (`/`, `&` and spaces as `-`). */
  idOf(name: string): string | undefined {
    if (this.labels.has(name)) return name;
    const wanted = searchForm(name);
    return this.list().find(
      (label) =>
        searchForm(label.name) === wanted || (label.type === 'system' && label.id.toLowerCase() === wanted),
    )?.id;
  }

  /** Throws 400 `Invalid label: x` unless the label exists and may be set and removed by users. */
  requireMutable(id: string): void {
    if (!this.labels.has(id) || IMMUTABLE.has(id)) throw ApiError.invalidArgument(`Invalid label: ${id}`);
  }

  create(input: LabelInput): Label {
    const name = this.checkName(input.name, undefined);
    const label: Label = { ...withoutUndefined(input), id: `Label_${this.nextId++}`, name, type: 'user' };
    this.labels.set(label.id, label);
    return label;
  }

  /** `replace` (PUT) drops what the input leaves out, otherwise it is kept (PATCH). */
  update(id: string, input: LabelInput, replace: boolean): Label {
    const label = this.get(id);
    if (label.type === 'system') throw ApiError.invalidArgument('Invalid update request');
    const name = input.name === undefined && !replace ? label.name : this.checkName(input.name, id);
    const updated: Label = { ...(replace ? {} : label), ...withoutUndefined(input), id, name, type: 'user' };
    this.labels.set(id, updated);
    return updated;
  }

  delete(id: string): void {
    if (this.get(id).type === 'system') throw ApiError.invalidArgument('Invalid delete request');
    this.labels.delete(id);
  }

  private checkName(input: string | undefined, ownId: string | undefined): string {
    const name = typeof input === 'string' ? input.trim() : '';
    if (name === '' || name.length > MAX_NAME_LENGTH || RESERVED_NAMES.has(name.toLowerCase())) {
      throw ApiError.invalidArgument('Invalid label name');
    }
    const taken = this.list().some(
      (label) => label.id !== ownId && label.name.toLowerCase() === name.toLowerCase(),
    );
    if (taken) throw new ApiError(409, 'aborted', 'Label name exists or conflicts');
    return name;
  }
}

function searchForm(name: string): string {
  return name.toLowerCase().replace(/[\s/&]+/g, '-');
}

function withoutUndefined(input: LabelInput): LabelInput {
  const { messageListVisibility, labelListVisibility, color } = input;
  return {
    ...(messageListVisibility === undefined ? {} : { messageListVisibility }),
    ...(labelListVisibility === undefined ? {} : { labelListVisibility }),
    ...(color === undefined ? {} : { color }),
  };
}
