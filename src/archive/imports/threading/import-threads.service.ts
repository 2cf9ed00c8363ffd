import { Injectable } from '@nestjs/common';
import { Transaction, Transactions } from '../../../platform/database/transactions';
import { Conversations, LinkedMessage, findConversations } from './conversations';
import { ImportThreadsRepository } from './import-threads.repository';
import { messageReferences, ThreadedMessage } from './message-references';
import { shareConversation, SUBJECT_NEIGHBOURS, SubjectTraits, subjectTraits } from './shared-subject';

interface Threaded extends Conversations {
  readonly traits: readonly (SubjectTraits | null)[];
}

/**
 * Finds the conversation of imported messages: by In-Reply-To and References, else by subject and participants. A
 * handful of statements for a batch, whatever its size.
 *
 * Mail archived from the provider is looked for when mail is imported, not the other way round: a mail that was imported
 * before the one it answers was archived from the provider stays a separate conversation until a mail that names
 * that one is imported, also when it is a duplicate. Importing the same file or folder again joins them.
 */
@Injectable()
export class ImportThreadsService {
  constructor(
    private readonly repository: ImportThreadsRepository,
    private readonly transactions: Transactions,
  ) {}

  /**
   * Thread ids in the order of the messages, which may belong to each other. The same messages get the same threads
   * in a later call, whether or not they are archived by then.
   */
  async assign(accountId: string, messages: readonly ThreadedMessage[]): Promise<string[]> {
    if (messages.length === 0) return [];
    const { threads } = await this.transactions.run((transaction) =>
      this.findThreads(
        accountId,
        messages,
        messages.map(() => null),
        transaction,
      ),
    );
    return [...threads];
  }

  /**
   * Records the keys by which later messages find archived ones, and joins conversations that turn out to be one (a reply
   * that was imported before the mail it answers). Call it when messages have been archived. A repeated call changes
   * nothing, so that passing duplicates as well makes up for a crash. It is durable with the caller's next commit.
   * @param messageIds names of the mails in the archive, see `ImportIdentities`
   */
  async recordArchived(accountId: string, messageIds: readonly string[]): Promise<void> {
    if (messageIds.length === 0) return;
    await this.transactions.run(async (transaction) => {
      if (!(await this.repository.lockArchive(accountId, transaction))) return;
      const mails = await this.repository.findArchivedMessages(accountId, messageIds, transaction);
      if (mails.length === 0) return;
      const { traits, moved, found } = await this.findThreads(
        accountId,
        mails,
        mails.map(({ threadId }) => threadId),
        transaction,
      );
      await this.repository.moveThreads(accountId, moved, transaction);
      await this.repository.rememberThreads(accountId, found, transaction);
      const subjects = mails.flatMap(({ id }, position) => {
        const entry = traits[position];
        return entry ? [{ ...entry, mailId: id }] : [];
      });
      await this.repository.rememberSubjects(accountId, subjects, transaction);
    });
  }

  private async findThreads(
    accountId: string,
    messages: readonly ThreadedMessage[],
    currentThreads: readonly (string | null)[],
    transaction: Transaction,
  ): Promise<Threaded> {
    await this.repository.tuneTransaction(transaction);
    const ownAddress = await this.repository.findOwnAddress(accountId, transaction);
    const linked: LinkedMessage[] = messages.map((message, position) => ({
      ...messageReferences(accountId, message),
      currentThread: currentThreads[position] ?? null,
    }));
    const traits = messages.map((message, position) =>
      subjectTraits(message, ownAddress, (linked[position] as LinkedMessage).references.length > 0),
    );
    const ids = new Map(linked.flatMap((message) => [...message.ids]));
    const keys = new Set([...ids.keys(), ...linked.map(({ own }) => own)]);
    const threads = await this.repository.threadsOf(accountId, [...keys], transaction);
    const bySourceId = await this.repository.sourceThreadsOf(accountId, [...ids.values()], transaction);
    const sourceThreads = new Map(
      [...ids].flatMap(([key, id]): [string, string][] => {
        const thread = bySourceId.get(id);
        return thread === undefined ? [] : [[key, thread]];
      }),
    );
    const bySubject = await this.repository.findSharingSubjects(accountId, traits, transaction);
    const known = { threads, sourceThreads, bySubject, pairs: findPairsBySubject(traits) };
    return { ...findConversations(linked, known), traits };
  }
}

/** Pairs of messages of a batch that belong together by their subject, compared with their neighbours in time. */
function findPairsBySubject(traits: readonly (SubjectTraits | null)[]): [number, number][] {
  const bySubject = new Map<string, [number, SubjectTraits][]>();
  traits.forEach((entry, position) => {
    if (!entry) return;
    const same = bySubject.get(entry.subjectKey);
    if (same) same.push([position, entry]);
    else bySubject.set(entry.subjectKey, [[position, entry]]);
  });
  const pairs: [number, number][] = [];
  for (const same of bySubject.values()) {
    same.sort(([, one], [, other]) => one.date.getTime() - other.date.getTime());
    same.forEach(([position, entry], index) => {
      for (const [neighbour, other] of same.slice(index + 1, index + 1 + SUBJECT_NEIGHBOURS)) {
        if (shareConversation(entry, other)) pairs.push([position, neighbour]);
      }
    });
  }
  return pairs;
}
