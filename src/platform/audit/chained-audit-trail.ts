import { END_REFUSED } from './chain-check';
import { Injectable, Logger } from '@nestjs/common';
import { AuditDetails, AuditedAct, AuditTrail } from '../access/audit-trail.port';
import { storableJson, storableText } from '../database/column-values';
import { runWithoutClient } from '../database/database-use';
import { newId } from '../crypto/ids';
import { Transaction, Transactions } from '../database/transactions';
import { currentRequest } from '../http/request-context';
import { currentLogContext } from '../logging/log-context';
import { AuditEntriesRepository } from './audit-entries.repository';
import type { AuditActorKind } from './audit-entry.entity';
import { AuditHashes, AuditHead, isBlank, microseconds, NewAuditEntry } from './audit-hashes';

/** The actor where neither a request nor a job names one. */
export abstract class UnattendedActor {
  abstract readonly kind: 'service' | 'operator';
}

type Actor = Pick<NewAuditEntry, 'actorKind' | 'actorId' | 'address' | 'requestId' | 'apiKeyId' | 'jobId'>;

const NOBODY = { actorId: null, address: null, requestId: null, apiKeyId: null, jobId: null } as const;

/** Chains entries: each has a keyed hash over itself and the entry before. */
@Injectable()
export class ChainedAuditTrail extends AuditTrail {
  private readonly logger = new Logger(AuditTrail.name);

  constructor(
    private readonly entries: AuditEntriesRepository,
    private readonly hashes: AuditHashes,
    private readonly transactions: Transactions,
    private readonly unattended: UnattendedActor,
  ) {
    super();
  }

  async record(act: AuditedAct, transaction?: Transaction): Promise<void> {
    const entry = this.entryOf(act);
    // Directly before the commit: everything else that records an act waits for the transaction that holds the head.
    if (transaction) transaction.beforeCommit(() => this.append(entry, transaction));
    else await this.transactions.run((alone) => this.append(entry, alone));
  }

  async recordRefusal(act: Omit<AuditedAct, 'outcome'>): Promise<void> {
    try {
      // A client that guesses cannot keep it out of the log by closing the connection.
      await runWithoutClient(() => this.record({ ...act, outcome: 'failure' }));
    } catch (error) {
      this.logger.error(error, `${act.action} could not be recorded`);
    }
  }

  private entryOf(act: AuditedAct): Omit<NewAuditEntry, 'sequence'> {
    return {
      id: newId(),
      occurredAt: new Date(),
      action: act.action,
      outcome: act.outcome ?? 'success',
      ...this.actorOf(act),
      userId: act.userId,
      accountId: act.accountId ?? null,
      targetType: act.target?.type ?? null,
      targetId: act.target ? cut(act.target.id, 128) : null,
      // Has the form in which the database returns it, so that it hashes the same.
      details: JSON.parse(storableJson(act.details ?? {})) as AuditDetails,
    };
  }

  private async append(entry: Omit<NewAuditEntry, 'sequence'>, transaction: Transaction): Promise<void> {
    const head = await this.entries.lockHead(transaction);
    const end = this.hashes.isHead(head) ? head : await this.recordAlteredHead(head, transaction);
    await this.appendAfter(end, entry, transaction);
  }

  /**
   * Records that the head is blank, altered, or of another `ENCRYPTION_KEY`. The service goes on working; a separate
   * entry shows for good that the log was altered here.
   */
  private async recordAlteredHead(head: AuditHead, transaction: Transaction): Promise<AuditHead> {
    const last = await this.entries.findLast(transaction);
    if (isBlank(head) && !last) return head;
    this.logger.error('The end of the audit log was altered; check it with npm run cli -- audit:verify');
    const end = last && last.sequence >= head.sequence ? { ...head, ...last } : head;
    const refused = this.entryOf({ action: END_REFUSED, userId: null, outcome: 'failure', byService: true });
    return this.appendAfter(end, refused, transaction);
  }

  private async appendAfter(
    end: AuditHead,
    entry: Omit<NewAuditEntry, 'sequence'>,
    transaction: Transaction,
  ): Promise<AuditHead> {
    const next: NewAuditEntry = { ...entry, sequence: end.sequence + 1 };
    const hash = this.hashes.ofEntry({ ...next, occurredAt: microseconds(next.occurredAt) }, end.hash);
    const mac = this.hashes.ofHead({ sequence: next.sequence, hash });
    const head: AuditHead = { sequence: next.sequence, hash, mac };
    await this.entries.append(next, head, transaction);
    return head;
  }

  private actorOf({ actorId, byService, jobId }: AuditedAct): Actor {
    const context = currentLogContext();
    // A job may run in the async context of the request that started it, but does not act for that request.
    const current = context.jobId ? undefined : currentRequest();
    if (current) {
      const { request, requestId } = current;
      const userId = actorId ?? request.user?.id ?? null;
      const apiKeyId = request.user?.apiKey?.id ?? null;
      const actorKind: AuditActorKind = apiKeyId ? 'api-key' : userId ? 'user' : 'anonymous';
      const address = request.ip ? cut(request.ip, 64) : null;
      return { ...NOBODY, actorKind, actorId: userId, address, requestId, apiKeyId, jobId: jobId ?? null };
    }
    const job = { ...NOBODY, jobId: jobId ?? context.jobId ?? null };
    const isUnattended = byService || this.unattended.kind === 'operator';
    const person = isUnattended ? undefined : (actorId ?? (context.jobId ? context.userId : undefined));
    if (person) return { ...job, actorKind: 'user', actorId: person };
    return { ...job, actorKind: byService ? 'service' : this.unattended.kind };
  }
}

/** Cuts the text to what a `varchar` of so many characters takes. */
const cut = (text: string, characters: number): string => storableText(text.slice(0, characters));
