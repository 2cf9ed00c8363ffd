import { Injectable } from '@nestjs/common';
import { AuditedAct, AuditTrail } from '../common/audit/audit-trail.port';
import { SecretBox } from '../common/crypto/secret-box';
import { newId } from '../common/database/ids';
import { Transaction, Transactions } from '../common/database/transactions';
import { currentRequest } from '../common/http/request-context';
import { currentLogContext } from '../common/logging/log-context';
import { AuditEntriesRepository, AuditHead, NewAuditEntry } from './audit-entries.repository';
import type { AuditActorKind } from './audit-entry.entity';
import { entryText } from './entry-text';

type Acting = Pick<NewAuditEntry, 'actorKind' | 'actorId' | 'address' | 'requestId'>;

/** Entries in one row after another, each with a keyed hash over itself and the one before. */
@Injectable()
export class ChainedAuditTrail extends AuditTrail {
  constructor(
    private readonly entries: AuditEntriesRepository,
    private readonly transactions: Transactions,
    private readonly secrets: SecretBox,
  ) {
    super();
  }

  async record(act: AuditedAct, transaction?: Transaction): Promise<void> {
    const acting = whoActs(act);
    const occurredAt = new Date();
    const append = async (within: Transaction): Promise<void> => {
      const head = await this.entries.lockHead(within);
      const entry: NewAuditEntry = {
        sequence: head.sequence + 1,
        id: newId(),
        occurredAt,
        action: act.action,
        outcome: act.outcome ?? 'success',
        ...acting,
        userId: act.userId,
        accountId: act.accountId ?? null,
        targetType: act.target?.type ?? null,
        targetId: act.target?.id ?? null,
        details: act.details ?? {},
      };
      await this.entries.append(entry, this.hashOf(entry, head), within);
    };
    // Directly before the commit: everybody who records something waits for whoever holds the end of the record.
    if (transaction) transaction.beforeCommit(() => append(transaction));
    else await this.transactions.run(append);
  }

  private hashOf(entry: NewAuditEntry, { hash }: AuditHead): Buffer {
    return Buffer.from(this.secrets.fingerprint(entryText(entry, hash), 'audit'), 'hex');
  }
}

function whoActs({ actorId }: AuditedAct): Acting {
  const current = currentRequest();
  if (current) {
    const { request, requestId } = current;
    const userId = actorId ?? request.user?.id ?? null;
    const kind: AuditActorKind = userId ? 'user' : 'anonymous';
    return { actorKind: kind, actorId: userId, address: request.ip ?? null, requestId };
  }
  const jobOwner = actorId ?? currentLogContext().userId ?? null;
  return { actorKind: jobOwner ? 'user' : 'service', actorId: jobOwner, address: null, requestId: null };
}
