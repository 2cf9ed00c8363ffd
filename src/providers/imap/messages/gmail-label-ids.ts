import { Injectable } from '@nestjs/common';
import { Transactions } from '../../../platform/database/transactions';
import { isSystemLabel, SYSTEM_LABEL_IDS } from './gmail-label-names';
import { ImapFoldersRepository } from '../store/imap-folders.repository';
import type { ImapFolderEntity } from '../store/imap-index.entity';

/** Finds ids of labels by their names in X-GM-LABELS. */
@Injectable()
export class GmailLabelIds {
  constructor(
    private readonly folders: ImapFoldersRepository,
    private readonly transactions: Transactions,
  ) {}

  /**
   * Returns a function from names to ids. Labels of the messages that have no folder, because the user hides them from
   * IMAP, are added first.
   */
  async loadLookup(
    accountId: string,
    messages: Iterable<{ readonly labels: readonly string[] }>,
  ): Promise<(labels: readonly string[]) => string[]> {
    const names = new Set<string>();
    for (const { labels } of messages) for (const name of labels) if (!isSystemLabel(name)) names.add(name);
    const ids = names.size === 0 ? new Map<string, string>() : await this.ensureUserLabels(accountId, names);
    return (labels) => {
      const found = labels.map((name) =>
        isSystemLabel(name) ? SYSTEM_LABEL_IDS[name.toLowerCase()] : ids.get(name),
      );
      return [...new Set(found.filter((id) => id !== null && id !== undefined))].sort();
    };
  }

  private async ensureUserLabels(
    accountId: string,
    names: ReadonlySet<string>,
  ): Promise<Map<string, string>> {
    const ids = idsByPath(await this.folders.list(accountId));
    const unknown = [...names].filter((name) => !ids.has(name));
    if (unknown.length === 0) return ids;
    const labels = unknown.map((path) => ({
      path,
      delimiter: '/',
      role: 'user' as const,
      roleSource: 'server' as const,
      problem: null,
    }));
    await this.transactions.runRepeatable((transaction) =>
      this.folders.addListed(accountId, labels, transaction),
    );
    return idsByPath(await this.folders.list(accountId));
  }
}

const idsByPath = (folders: readonly ImapFolderEntity[]): Map<string, string> =>
  new Map(
    folders.flatMap(({ path, role, labelId }) =>
      role === 'user' && labelId !== null ? [[path, labelId] as const] : [],
    ),
  );
