import { collectMessageIds } from '../../../providers/port/listed-message-ids';
import { Injectable } from '@nestjs/common';
import type { CallOptions, MailboxProvider } from '../../../providers/port/mailbox-provider.port';
import { ArchiveWritesRepository } from '../writing/archive-writes.repository';
import type { ArchiveMailsDto } from '../dto/archive.dto';
import type { FailedMessages } from './failed-messages';

const LOOKUP_BATCH = 5_000;

/** The messages a job has to archive, and those archived before: by others (`skipped`) or by an earlier attempt. */
export interface ArchivePlan {
  readonly todo: readonly string[];
  readonly skipped: number;
  readonly doneBefore: { readonly mails: number; readonly bytes: number };
}

/** Turns a request into the list of messages to fetch. */
@Injectable()
export class ArchivePlanner {
  constructor(private readonly repository: ArchiveWritesRepository) {}

  /** The ids requested, each once. A query is listed to its end first: pages shift while a mailbox changes. */
  async select(
    payload: ArchiveMailsDto,
    provider: MailboxProvider,
    options: CallOptions,
  ): Promise<ReadonlySet<string>> {
    if (payload.messageIds) return new Set(payload.messageIds);
    return collectMessageIds(provider, { query: payload.query ?? undefined }, options);
  }

  /**
   * @param startedAt database instant of the job's first attempt: mail archived since then is the job's own work
   * @param options.failed messages an earlier attempt could not archive
   */
  async plan(
    accountId: string,
    selected: ReadonlySet<string>,
    options: { startedAt: string; failed: Pick<FailedMessages, 'has'>; differential: boolean },
  ): Promise<ArchivePlan> {
    const todo: string[] = [];
    const doneBefore = { mails: 0, bytes: 0 };
    let skipped = 0;
    const ids = [...selected].filter((id) => !options.failed.has(id));
    for (let at = 0; at < ids.length; at += LOOKUP_BATCH) {
      const batch = ids.slice(at, at + LOOKUP_BATCH);
      const found = await this.repository.findArchived(accountId, batch, options.startedAt);
      const states = new Map(found.map((state) => [state.messageId, state]));
      for (const id of batch) {
        const state = states.get(id);
        if (state?.isRecent) {
          doneBefore.mails += 1;
          doneBefore.bytes += state.sizeBytes;
        } else if (state && (options.differential || state.isEncrypted)) {
          skipped += 1;
        } else {
          todo.push(id);
        }
      }
    }
    return { todo, skipped, doneBefore };
  }
}
