import { ApiProperty } from '@nestjs/swagger';
import { ENVELOPE_KINDS, type EnvelopeKind, type MailEnvelope } from '../mail-envelope';

/** Sender and recipients of a copied message, beyond what its header says. */
export class MailEnvelopeResponse {
  /** `message`: it came as it was sent; `report`: in a journal report of Exchange, out of which it was unwrapped;
   * `unreadable-report`: it is a journal report that could not be unwrapped, as it came. */
  @ApiProperty({ enum: ENVELOPE_KINDS, enumName: 'MailEnvelopeKind', example: 'report' })
  kind: EnvelopeKind;

  @ApiProperty({ type: String, nullable: true, example: 'alice@example.com' })
  sender: string | null;

  /** @example ["bob@example.com"] */
  to: string[];

  /** @example [] */
  cc: string[];

  /** Recipients of blind copies, which the header does not show.
   * @example ["carol@example.com"] */
  bcc: string[];

  /** Recipients of whom the envelope does not say which kind they are.
   * @example [] */
  recipients: string[];
}

export const toMailEnvelopeResponse = ({
  kind,
  sender,
  to,
  cc,
  bcc,
  recipients,
}: MailEnvelope): MailEnvelopeResponse => ({
  kind,
  sender,
  to: [...to],
  cc: [...cc],
  bcc: [...bcc],
  recipients: [...recipients],
});
