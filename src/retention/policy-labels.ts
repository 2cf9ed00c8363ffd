import { Injectable } from '@nestjs/common';
import { ArchivedLabel, ArchivedMailsRepository } from '../archive/archived-mails.repository';
import { DomainError } from '../common/http/domain-error';
import { CallOptions, MailboxProviders } from '../mail-provider/mailbox-provider.port';
import type { MailboxLabel } from '../mail-provider/mailbox-provider.port';
import { LabelLookup, NamedLabel } from '../mailbox/label-lookup';
import { MailboxAccountsService } from '../mailbox/mailbox-accounts.service';

/**
 * Short names of categories, for mailboxes that have no label of that name themselves. `personal` is none: it is too
 * good a name for a label of one's own, and once that label is deleted it would stand for half the archive.
 */
const CATEGORIES = ['PROMOTIONS', 'SOCIAL', 'UPDATES', 'FORUMS'];

/** Any case, any Unicode form; IMAP writes system labels with a backslash. */
const folded = (name: string): string => name.trim().replace(/^\\/, '').normalize('NFC').toLowerCase();

/** As exports of the provider name system labels, beside their ids. */
function exportedNames({ id }: NamedLabel): string[] {
  if (id === 'DRAFT') return ['drafts'];
  return id.startsWith('CATEGORY_') ? [`category ${folded(id.slice('CATEGORY_'.length))}`] : [];
}

/** Whether only the mailbox itself can say what the label of a policy stands for. */
export function needsProviderLabels(label: string, archived: readonly ArchivedLabel[]): boolean {
  if (LabelLookup.SYSTEM.find(label)) return false;
  return !archived.some(({ value, isId }) => isId && value === label);
}

/**
 * Which labels of archived mails the label of a policy stands for: an id exactly, else a name in any case. An id comes
 * before a name, a system label before one of the user, a label of the user before the short name of a category.
 * @param mailbox the labels of the mailbox; null: it was not asked, or cannot be: names are those of imported mail then
 * @returns none when the label means nothing: no mail is meant
 */
export function labelsMeant(
  label: string,
  archived: readonly ArchivedLabel[],
  mailbox: readonly NamedLabel[] | null,
): string[] {
  const system = LabelLookup.SYSTEM.find(label);
  if (system) return held(archived, [system.id], [system.id, ...exportedNames(system)]);
  const isKnownId = archived.some(({ value, isId }) => isId && value === label);
  if (isKnownId || mailbox?.some(({ id }) => id === label)) return held(archived, [label], []);
  const own = (mailbox ?? []).filter(({ name }) => folded(name) === folded(label)).map(({ id }) => id);
  const category = CATEGORIES.find((name) => folded(name) === folded(label));
  if (mailbox && own.length === 0 && category) return labelsMeant(`CATEGORY_${category}`, archived, null);
  return held(archived, own, [label]);
}

function held(
  archived: readonly ArchivedLabel[],
  ids: readonly string[],
  names: readonly string[],
): string[] {
  const wanted = new Set(names.map(folded));
  return archived
    .filter(({ value, isId }) => ids.includes(value) || (!isId && wanted.has(folded(value))))
    .map(({ value }) => value);
}

/** What the mailbox answers, or why it cannot be asked. */
type MailboxAnswer = { readonly labels: readonly MailboxLabel[] } | { readonly problem: DomainError };

/** Labels of archived mails that the label of a policy stands for. */
export interface MeantLabels {
  /** null: the policy has no label, any mail is meant. */
  readonly labels: readonly string[] | null;
  /**
   * Why the mailbox could not be asked; `labels` are then those that are certain: the exact id, and the names that
   * imported mail carries.
   */
  readonly problem: DomainError | null;
}

/** Labels in the course of one run: each archive is looked through once, each mailbox asked once. */
export class RunLabels {
  private readonly archived = new Map<string, Promise<readonly ArchivedLabel[]>>();
  private readonly answers = new Map<string, Promise<MailboxAnswer>>();

  constructor(
    private readonly userId: string,
    private readonly options: CallOptions,
    private readonly archives: ArchivedMailsRepository,
    private readonly accounts: MailboxAccountsService,
    private readonly providers: MailboxProviders,
  ) {}

  /** @param label of a policy */
  async meant(label: string | null, accountId: string): Promise<MeantLabels> {
    if (label === null) return { labels: null, problem: null };
    const archived = await once(this.archived, accountId, () =>
      this.archives.labelsOf(this.userId, accountId),
    );
    if (archived.length === 0 || !needsProviderLabels(label, archived)) {
      return { labels: labelsMeant(label, archived, null), problem: null };
    }
    const answer = await once(this.answers, accountId, () => this.ask(accountId));
    if ('problem' in answer) {
      return { labels: labelsMeant(label, archived, null), problem: answer.problem };
    }
    return { labels: labelsMeant(label, archived, answer.labels), problem: null };
  }

  private async ask(accountId: string): Promise<MailboxAnswer> {
    try {
      const account = await this.accounts.usable(this.userId, accountId);
      return { labels: await this.providers.forAccount(account).listLabels(this.options) };
    } catch (error) {
      this.options.signal?.throwIfAborted();
      if (error instanceof DomainError) return { problem: error };
      throw error;
    }
  }
}

function once<T>(memory: Map<string, Promise<T>>, key: string, look: () => Promise<T>): Promise<T> {
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
    private readonly archives: ArchivedMailsRepository,
    private readonly accounts: MailboxAccountsService,
    private readonly providers: MailboxProviders,
  ) {}

  /** For one run or preview, which asks each mailbox at most once. */
  forRun(userId: string, options: CallOptions): RunLabels {
    return new RunLabels(userId, options, this.archives, this.accounts, this.providers);
  }
}
