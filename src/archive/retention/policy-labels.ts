import { Injectable } from '@nestjs/common';
import { ArchivedLabel, ArchivedMailsService } from '../mails/archived-mails.service';
import { DomainError } from '../../platform/http/domain-error';
import { CallOptions, MailboxProviders } from '../../providers/port/mailbox-provider.port';
import type { MailboxLabel } from '../../providers/port/mailbox-provider.port';
import { LabelLookup, NamedLabel } from '../../mailbox/labels/label-lookup';
import { MailboxAccountsService } from '../../mailbox/accounts/mailbox-accounts.service';

/**
 * Short names of categories, for mailboxes without a label of that name. `personal` is not among them: users often
 * give a label that name, and once that label is deleted the name would match half the archive.
 */
const CATEGORIES = ['PROMOTIONS', 'SOCIAL', 'UPDATES', 'FORUMS'];

/** A name without case, Unicode form, and the backslash that IMAP writes before system labels. */
const foldName = (name: string): string => name.trim().replace(/^\\/, '').normalize('NFC').toLowerCase();

/** Names of a system label in the provider's exports, which do not use ids. */
function exportedNames({ id }: NamedLabel): string[] {
  if (id === 'DRAFT') return ['drafts'];
  return id.startsWith('CATEGORY_') ? [`category ${foldName(id.slice('CATEGORY_'.length))}`] : [];
}

/** Whether only the mailbox can tell which label a policy names. */
export function needsProviderLabels(label: string, archived: readonly ArchivedLabel[]): boolean {
  if (LabelLookup.SYSTEM.find(label)) return false;
  return !archived.some(({ value, isId }) => isId && value === label);
}

/**
 * The labels of archived mails that the label of a policy names: an exact id, or a name in any case. An id takes
 * precedence over a name, a system label over the user's, and the user's label over the short name of a category.
 * @param mailbox the labels of the mailbox; null: not requested, or unavailable: names then match imported mail only
 * @returns an empty list when the policy matches no mail
 */
export function resolveLabels(
  label: string,
  archived: readonly ArchivedLabel[],
  mailbox: readonly NamedLabel[] | null,
): string[] {
  const system = LabelLookup.SYSTEM.find(label);
  if (system) return selectHeld(archived, [system.id], [system.id, ...exportedNames(system)]);
  const isKnownId = archived.some(({ value, isId }) => isId && value === label);
  if (isKnownId || mailbox?.some(({ id }) => id === label)) return selectHeld(archived, [label], []);
  const own = (mailbox ?? []).filter(({ name }) => foldName(name) === foldName(label)).map(({ id }) => id);
  const category = CATEGORIES.find((name) => foldName(name) === foldName(label));
  if (mailbox && own.length === 0 && category) return resolveLabels(`CATEGORY_${category}`, archived, null);
  return selectHeld(archived, own, [label]);
}

function selectHeld(
  archived: readonly ArchivedLabel[],
  ids: readonly string[],
  names: readonly string[],
): string[] {
  const wanted = new Set(names.map(foldName));
  return archived
    .filter(({ value, isId }) => ids.includes(value) || (!isId && wanted.has(foldName(value))))
    .map(({ value }) => value);
}

/** The labels of a mailbox, or the error because of which they are not known. */
type MailboxAnswer = { readonly labels: readonly MailboxLabel[] } | { readonly problem: DomainError };

/** Labels of archived mails that the label of a policy names. */
export interface MeantLabels {
  /** Labels as mails have them; null: the policy has no label and matches any mail. */
  readonly labels: readonly string[] | null;
  /**
   * Error because of which the mailbox could not be asked; `labels` then holds only certain matches: the exact id, and the
   * names that imported mail carries. null: none.
   */
  readonly problem: DomainError | null;
}

/** Resolves labels during one run: it reads each archive once and asks each mailbox once. */
export class RunLabels {
  private readonly archived = new Map<string, Promise<readonly ArchivedLabel[]>>();
  private readonly answers = new Map<string, Promise<MailboxAnswer>>();

  constructor(
    private readonly userId: string,
    private readonly options: CallOptions,
    private readonly archives: ArchivedMailsService,
    private readonly accounts: MailboxAccountsService,
    private readonly providers: MailboxProviders,
  ) {}

  /** @param label of a policy */
  async resolve(label: string | null, accountId: string): Promise<MeantLabels> {
    if (label === null) return { labels: null, problem: null };
    const archived = await computeOnce(this.archived, accountId, () =>
      this.archives.labelsOf(this.userId, accountId),
    );
    if (archived.length === 0 || !needsProviderLabels(label, archived)) {
      return { labels: resolveLabels(label, archived, null), problem: null };
    }
    const answer = await computeOnce(this.answers, accountId, () => this.ask(accountId));
    if ('problem' in answer) {
      return { labels: resolveLabels(label, archived, null), problem: answer.problem };
    }
    return { labels: resolveLabels(label, archived, answer.labels), problem: null };
  }

  private async ask(accountId: string): Promise<MailboxAnswer> {
    try {
      const account = await this.accounts.requireUsable(this.userId, accountId);
      return { labels: await this.providers.forAccount(account).listLabels(this.options) };
    } catch (error) {
      this.options.signal?.throwIfAborted();
      if (error instanceof DomainError) return { problem: error };
      throw error;
    }
  }
}

function computeOnce<T>(memory: Map<string, Promise<T>>, key: string, look: () => Promise<T>): Promise<T> {
  const known = memory.get(key);
  if (known) return known;
  const looked = look();
  memory.set(key, looked);
  return looked;
}

/** Resolves the labels of policies. */
@Injectable()
export class PolicyLabels {
  constructor(
    private readonly archives: ArchivedMailsService,
    private readonly accounts: MailboxAccountsService,
    private readonly providers: MailboxProviders,
  ) {}

  /** Resolves labels for one run or preview, which asks each mailbox at most once. */
  beginRun(userId: string, options: CallOptions): RunLabels {
    return new RunLabels(userId, options, this.archives, this.accounts, this.providers);
  }
}
