import type { InsertOptions, SandboxMailbox } from '../types';
import { ApiError } from '../http/api-error';
import { ABSENT } from './history-log';
import type { Mailbox } from './mailbox';

/** A mailbox as tests see it. */
export function mailboxAccess(mailbox: Mailbox): SandboxMailbox {
  return {
    email: mailbox.email,
    get historyId() {
      return String(mailbox.history.current);
    },
    ids: () => [...mailbox.newestFirst()].map((number) => mailbox.idOf(number)),
    raw: (id) => mailbox.rawOf(mailbox.require(id)),
    snippet: (id) => mailbox.snippetOf(mailbox.require(id)),
    labels: (id) => [...mailbox.labelsOf(mailbox.require(id))],
    threadId: (id) => mailbox.threadIdOf(mailbox.require(id)),
    internalDate: (id) => new Date(mailbox.dateOf(mailbox.require(id))),
    insert(raw: Buffer | string, options: InsertOptions = {}) {
      const number = mailbox.add({
        source: { bytes: typeof raw === 'string' ? Buffer.from(raw, 'utf8') : raw },
        labelIds: options.labelIds ?? ['INBOX', 'UNREAD'],
        internalDate: (options.internalDate ?? new Date()).getTime(),
        threadId: options.threadId,
      });
      return mailbox.idOf(number);
    },
    changeLabels(ids, { add = [], remove = [] }) {
      for (const label of [...add, ...remove]) {
        if (mailbox.labels.idOf(label) !== label) throw ApiError.invalidArgument(`Invalid label: ${label}`);
      }
      const change = mailbox.labelSets.createChange(add, remove);
      for (const id of typeof ids === 'string' ? [ids] : ids)
        mailbox.changeLabels(mailbox.require(id), change);
    },
    remove: (id) => mailbox.remove(mailbox.require(id)),
    received: (label) => [
      ...new Set(
        [...mailbox.history.since(0)].flatMap(({ message, before, after }) => {
          const has = (set: number): boolean => set !== ABSENT && mailbox.labelSets.get(set).has(label);
          return has(after) && !has(before) ? [mailbox.idOf(message)] : [];
        }),
      ),
    ],
    expireHistory: () => mailbox.history.expire(),
  };
}
