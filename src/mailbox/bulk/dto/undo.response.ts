import { ApiProperty } from '@nestjs/swagger';
import { UNDO_REFUSALS } from '../undo.errors';
import type { UndoRefusal } from '../undo.errors';

/** Whether a job can be undone, and what that is about. */
export class UndoResponse {
  /** @example true */
  undoable: boolean;
  /** Why not; null when it can be undone. */
  @ApiProperty({ type: String, enum: [...UNDO_REFUSALS, null], nullable: true, example: 'already-undone' })
  reason: UndoRefusal | null;
  /** Until when it can be undone; null when nothing is known of its changes. */
  @ApiProperty({ type: String, format: 'date-time', nullable: true, example: '2025-12-20T09:30:00.000Z' })
  until: string | null;
  /** Messages the job itself has changed. */
  @ApiProperty({ type: 'integer', example: 4_780 })
  messages: number;
  /** Calls of the provider that change something, at most. */
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
