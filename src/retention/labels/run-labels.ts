import { DomainError } from '../../common/http/domain-error';
import type { MailboxAccountsService } from '../../mailbox/accounts/mailbox-accounts.service';
import type {
  CallOptions,
  MailboxLabel,
  MailboxProviders,
} from '../../mailbox/providers/mailbox-provider.port';
import type { ArchivedLabelsRepository } from './archived-labels.repository';
import { ArchivedLabel, isForMailboxToSay, labelsMeant } from './policy-label';

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
    private readonly archives: ArchivedLabelsRepository,
    private readonly accounts: MailboxAccountsService,
    private readonly providers: MailboxProviders,
  ) {}

  /** @param label of a policy */
  async meant(label: string | null, accountId: string): Promise<MeantLabels> {
    if (label === null) return { labels: null, problem: null };
    const archived = await once(this.archived, accountId, () => this.archives.list(this.userId, accountId));
    if (archived.length === 0 || !isForMailboxToSay(label, archived)) {
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
