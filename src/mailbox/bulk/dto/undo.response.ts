import { ApiProperty } from '@nestjs/swagger';
import { UNDO_REFUSALS } from '../undo.errors';
import type { UndoRefusal } from '../undo.errors';

/** Whether a job can be undone, and the extent of the undo. */
export class UndoResponse {
  /** @example true */
  undoable: boolean;
  /** Reason for which the job cannot be undone; null when it can. */
  @ApiProperty({ type: String, enum: [...UNDO_REFUSALS, null], nullable: true, example: 'already-undone' })
  reason: UndoRefusal | null;
  /** Time until which the job can be undone; null when its changes are not known. */
  @ApiProperty({ type: String, format: 'date-time', nullable: true, example: '2025-12-20T09:30:00.000Z' })
  until: string | null;
  /** Messages that the job itself has changed. */
  @ApiProperty({ type: 'integer', example: 4_780 })
  messages: number;
  /** Most changing calls of the provider that the undo needs. */
  @ApiProperty({ type: 'integer', example: 6 })
  calls: number;
  /** The job that undoes it or has undone it; null when there is none. */
  @ApiProperty({ type: String, nullable: true, example: 'undo_changes-43' })
  undoneBy: string | null;
}

export class UndoStartedResponse {
  /** Id of the job; see `GET /api/jobs/{jobId}`.
   * @example undo_changes-43 */
  jobId: string;
  /** Confirmation to show to the user.
   * @example "Undo started: 4,780 messages" */
  message: string;
}
