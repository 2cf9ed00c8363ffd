import { ApiProperty } from '@nestjs/swagger';
import type { RetentionWarning } from './retention-run';
import type { RetentionOutcome } from './retention-runs.service';

/** Mail a policy may have missed. */
export class RetentionWarningResponse {
  @ApiProperty({ format: 'uuid', example: '01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d' })
  policyId: string;

  /** The account whose mailbox could not be asked for its labels. */
  @ApiProperty({ format: 'uuid', example: '01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4e' })
  accountId: string;

  /** Why, e.g. `mailbox-disconnected` or `provider-unavailable`.
   * @example mailbox-disconnected */
  code: string;

  /** For people.
   * @example "The mailbox could not be asked which label is named \"Work\"." */
  message: string;
}

/** What a run has come to. */
export class RetentionRunResponse {
  /** Policies that were active. */
  @ApiProperty({ type: 'integer', example: 2 })
  policiesRun: number;

  /** Mails this very run has removed; one that two policies concern is counted once. */
  @ApiProperty({ type: 'integer', example: 1200 })
  totalDeleted: number;

  /** Mailboxes that could not be asked for their labels; mail of theirs stays until they can. */
  @ApiProperty({ type: [RetentionWarningResponse] })
  warnings: RetentionWarningResponse[];
}

export const toRetentionWarningResponse = ({
  policyId,
  accountId,
  code,
  message,
}: RetentionWarning): RetentionWarningResponse => ({ policyId, accountId, code, message });

export const toRetentionRunResponse = ({
  policiesRun,
  totalDeleted,
  warnings,
}: RetentionOutcome): RetentionRunResponse => ({
  policiesRun,
  totalDeleted,
  warnings: warnings.map(toRetentionWarningResponse),
});
