import { ApiProperty } from '@nestjs/swagger';
import type { MailboxLabel } from '../../../providers/port/mailbox-provider.port';

export class LabelResponse {
  /** The provider's id of the label.
   * @example Label_12 */
  id: string;
  /** Name of the label.
   * @example Receipts */
  name: string;
  /** System labels are the provider's and cannot be deleted. */
  @ApiProperty({ enum: ['system', 'user'], example: 'user' })
  type: 'system' | 'user';
  /** Messages with the label; null when not requested. */
  @ApiProperty({ type: 'integer', nullable: true, example: 120 })
  messagesTotal: number | null;
  /** Unread messages with the label; null when not requested. */
  @ApiProperty({ type: 'integer', nullable: true, example: 4 })
  messagesUnread: number | null;
}

export function toLabelResponse(label: MailboxLabel): LabelResponse {
  const { id, name, type, messagesTotal, messagesUnread } = label;
  return { id, name, type, messagesTotal, messagesUnread };
}
