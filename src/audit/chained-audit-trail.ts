import { Injectable, Logger } from '@nestjs/common';
import { AuditDetails, AuditedAct, AuditTrail } from '../access/audit-trail.port';
import { storableJson, storableText } from '../common/database/column-values';
import { newId } from '../common/database/ids';
import { Transaction, Transactions } from '../common/database/transactions';
import { currentRequest } from '../common/http/request-context';
import { currentLogContext } from '../common/logging/log-context';
import { AuditEntriesRepository } from './audit-entries.repository';
import type { AuditActorKind } from './audit-entry.entity';
import { AuditHashes, AuditHead, isBlank, microseconds, NewAuditEntry } from './audit-hashes';

/** Who acts where neither a request nor a job says so. */
export abstract class UnattendedActor {
  abstract readonly kind: 'service' | 'operator';
}

type Acting = Pick<NewAuditEntry, 'actorKind' | 'actorId' | 'address' | 'requestId' | 'apiKeyId' | 'jobId'>;

/** An entry of this action says that the end of the record was not as it had been left. */
export const END_REFUSED = 'audit.end-refused';

const NOBODY = { actorId: null, address: null, requestId: null, apiKeyId: null, jobId: null } as const;

/** Entries in one row after another, each with a keyed hash over itself and the one before. */
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
    // Directly before the commit: everybody who records something waits for whoever holds the end of the record.
    if (transaction) transaction.beforeCommit(() => this.append(entry, transaction));
    else await this.transactions.run((alone) => this.append(entry, alone));
  }

  async recordRefusal(act: Omit<AuditedAct, 'outcome'>): Promise<void> {
    try {
      await this.record({ ...act, outcome: 'failure' });
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
      ...this.whoActs(act),
      userId: act.userId,
      accountId: act.accountId ?? null,
      targetType: act.target?.type ?? null,
      targetId: act.target ? cut(act.target.id, 128) : null,
      // As it comes back from the database.
      details: JSON.parse(storableJson(act.details ?? {})) as AuditDetails,
    };
  }

  private async append(entry: Omit<NewAuditEntry, 'sequence'>, transaction: Transaction): Promise<void> {
    const head = await this.entries.lockHead(transaction);
    const end = this.hashes.isHead(head) ? head : await this.endNotAsLeft(head, transaction);
    await this.follow(end, entry, transaction);
  }

  /**
   * The end is blank, altered, or of another `ENCRYPTION_KEY`. Nobody is locked out for it; that the record was touched
   * here stays in it for ever, as an entry of its own.
   */
  private async endNotAsLeft(head: AuditHead, transaction: Transaction): Promise<AuditHead> {
    const last = await this.entries.last(transaction);
    if (isBlank(head) && !last) return head;
    this.logger.error('The end of the audit log is not as it was left; see npm run cli -- audit:verify');
    const end = last && last.sequence >= head.sequence ? { ...head, ...last } : head;
    const refused = this.entryOf({ action: END_REFUSED, userId: null, outcome: 'failure', byService: true });
    return this.follow(end, refused, transaction);
  }

  private async follow(
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

  private whoActs({ actorId, byService, jobId }: AuditedAct): Acting {
    const context = currentLogContext();
    // A job may run in the wake of the request that started it; it is not that request.
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
    const unasked = byService || this.unattended.kind === 'operator';
    const person = unasked ? undefined : (actorId ?? (context.jobId ? context.userId : undefined));
    if (person) return { ...job, actorKind: 'user', actorId: person };
    return { ...job, actorKind: byService ? 'service' : this.unattended.kind };
  }
}

/** @returns at most so many characters, as a `varchar` takes them */
const cut = (text: string, characters: number): string => storableText(text.slice(0, characters));
