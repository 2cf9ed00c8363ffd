import { collectMessageIds } from '../../../providers/port/listed-message-ids';
import { Injectable } from '@nestjs/common';
import { ResourceNotFound, ValidationFailed } from '../../../platform/http/domain-error';
import type { CoverageClass } from '../ledger/coverage-figures';
import {
  type CoveredMessage,
  CoverageRepository,
  type LedgerHead,
  type LedgerOverview,
  type MessagePosition,
} from '../ledger/coverage.repository';
import { MailboxProviders } from '../../../providers/port/mailbox-provider.port';
import { MailboxAccountsService } from '../../../mailbox/accounts/mailbox-accounts.service';
import { RemovalForecast } from '../../../archive/retention/removal-forecast';
import { CoverageOff, TooManyMessages } from './coverage.errors';
import { type DeletionVerdict, judgeDeletion } from './deletable';
import { type AskDeletableDto, type ListCoveredQuery, MAX_ASKED } from '../dto/coverage.dto';
import type { KnownMessage } from '../dto/coverage.response';

/** A copy that a policy deletes sooner is no reason to delete its message. */
const KEPT_DAYS = 30;

/**
 * Reads the coverage of a mailbox from its ledger. Every method throws ArchiveWithoutMailbox, or CoverageOff when there is no
 * ledger. See ADR 71.
 */
@Injectable()
export class CoverageService {
  constructor(
    private readonly coverage: CoverageRepository,
    private readonly accounts: MailboxAccountsService,
    private readonly providers: MailboxProviders,
    private readonly policies: RemovalForecast,
  ) {}

  async getOverview(userId: string, accountId: string): Promise<LedgerOverview> {
    await this.accounts.requireMailbox(userId, accountId);
    return assertOn(await this.coverage.findOverview(userId, accountId));
  }

  async list(
    userId: string,
    accountId: string,
    query: ListCoveredQuery,
  ): Promise<{ messages: CoveredMessage[]; next: string | null }> {
    const { exclusion = null, reason = null } = query;
    const wanted = classOf(query);
    const after = query.after === undefined ? null : positionOf(query.after);
    await this.getOverview(userId, accountId);
    const filter = { class: wanted, exclusion, reason };
    const { messages, next } = await this.coverage.findPage(accountId, filter, after, query.limit);
    return { messages, next: next && textOf(next) };
  }

  /** @throws ResourceNotFound for a message that neither the mailbox nor the archive has */
  async find(userId: string, accountId: string, messageId: string): Promise<KnownMessage> {
    await this.getOverview(userId, accountId);
    const message = await this.coverage.find(accountId, messageId);
    if (message) return message;
    const mail = await this.coverage.findArchived(accountId, messageId);
    if (!mail) throw new ResourceNotFound('message');
    return {
      messageId,
      class: null,
      exclusion: null,
      reason: null,
      attempts: 0,
      nextTryAt: null,
      mailId: mail.id,
      verifiedOn: null,
      labels: mail.labels,
    };
  }

  /**
   * Which messages may be deleted from the mailbox. The mailbox is asked only for the messages of a query.
   * @param signal ends the search when the client is gone
   * @throws TooManyMessages; for a query, MailboxDisconnected, ReauthRequired, the provider taxonomy
   */
  async listDeletable(
    userId: string,
    accountId: string,
    asked: AskDeletableDto,
    signal: AbortSignal,
  ): Promise<{ head: LedgerHead; verdicts: DeletionVerdict[] }> {
    if (asked.messageIds != null && asked.query != null) {
      throw new ValidationFailed([{ field: 'query', message: 'query and messageIds exclude each other' }]);
    }
    await this.getOverview(userId, accountId);
    const ids = asked.messageIds
      ? [...new Set(asked.messageIds)]
      : await this.listMatching(userId, accountId, asked.query!, signal);
    if (ids.length > MAX_ASKED) throw new TooManyMessages();
    const { head, messages } = await this.coverage.findEvidence(userId, accountId, ids);
    const wouldRemove = await this.policies.forecastRemovals(KEPT_DAYS, userId, accountId);
    const known = assertOn(head);
    return { head: known, verdicts: messages.map((message) => judgeDeletion(message, known, wouldRemove)) };
  }

  private async listMatching(
    userId: string,
    accountId: string,
    query: string,
    signal: AbortSignal,
  ): Promise<string[]> {
    const provider = this.providers.forAccount(await this.accounts.requireUsable(userId, accountId));
    const ids = await collectMessageIds(provider, { query }, { priority: 'interactive', signal }, MAX_ASKED);
    return [...ids];
  }
}

function assertOn<T extends LedgerHead>(head: T | null): T {
  if (!head || head.mode === 'off') throw new CoverageOff();
  return head;
}

/** @throws ValidationFailed for filters that exclude each other */
function classOf({ class: asked, exclusion, reason }: ListCoveredQuery): CoverageClass | null {
  const implied = new Map<CoverageClass, string>();
  if (exclusion !== undefined) implied.set('excluded', 'exclusion');
  if (reason !== undefined) implied.set('failed', 'reason');
  for (const [of, field] of implied) {
    if ((asked && asked !== of) || implied.size > 1)
      throw new ValidationFailed([{ field, message: `${field} is of messages of the class ${of} only` }]);
  }
  return asked ?? [...implied.keys()][0] ?? null;
}

const textOf = ({ verifiedOn, messageId }: MessagePosition): string =>
  Buffer.from(`${verifiedOn} ${messageId}`).toString('base64url');

/** @throws ValidationFailed */
function positionOf(after: string): MessagePosition {
  const [, verifiedOn, messageId] =
    /^(-infinity|\d{4}-\d{2}-\d{2}) ([\w.:~=+@-]{1,64})$/.exec(Buffer.from(after, 'base64url').toString()) ??
    [];
  if (verifiedOn === undefined || messageId === undefined || isNoDay(verifiedOn)) {
    throw new ValidationFailed([{ field: 'after', message: 'after must be the `next` of an answer' }]);
  }
  return { verifiedOn, messageId };
}

function isNoDay(day: string): boolean {
  const date = new Date(`${day}T00:00:00Z`);
  return day !== '-infinity' && (Number.isNaN(date.getTime()) || !date.toISOString().startsWith(day));
}
