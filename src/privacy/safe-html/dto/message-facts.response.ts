import { ApiProperty } from '@nestjs/swagger';
import {
  ANSWERS,
  type Answer,
  type EventTime,
  FREQUENCIES,
  type Frequency,
  type Invitation,
  INVITATION_METHODS,
  type InvitationMethod,
  type Recurrence,
} from '../../../platform/mime/calendar/invitations';
import type { Protection } from '../../../platform/mime/smime/protection';

const STATES = ['intact', 'altered', 'unchecked'] as const;
const REASONS = ['no-signer', 'no-certificate', 'unknown-algorithm', 'unreadable'] as const;

/** A signature of a mail by S/MIME. */
export class SignatureResponse {
  /**
   * `intact`: digest and signature fit the content and the certificate in the mail, which is not compared with any authority;
   * `altered`: they do not fit; `unchecked`: they could not be compared.
   */
  @ApiProperty({ enum: STATES, example: 'intact' })
  state: (typeof STATES)[number];

  /** Why the signature could not be checked; `null` when it was. */
  @ApiProperty({ enum: [...REASONS, null], nullable: true, example: null, type: String })
  reason: (typeof REASONS)[number] | null;

  /** Name in the certificate of the signer; `null` without one. */
  @ApiProperty({ type: String, nullable: true, example: 'Nora Feld' })
  signer: string | null;

  /**
   * E-mail addresses in that certificate.
   * @example ["nora@sender.example"]
   */
  addresses: string[];

  /** Name of the certificate's issuer. */
  @ApiProperty({ type: String, nullable: true, example: 'Example CA' })
  issuer: string | null;

  /**
   * Whether the certificate names itself as its issuer, so that no authority stands behind it.
   * @example false
   */
  selfSigned: boolean;

  /**
   * Whether the signature is made with an algorithm for which forgeries are known (MD5, SHA-1).
   * @example false
   */
  weak: boolean;

  /**
   * Whether the certificate has the address that the mail names as its sender.
   * @example true
   */
  ofSender: boolean;
}

/** S/MIME around a mail, or around one of its parts. */
export class ProtectionResponse {
  /**
   * Whether content is encrypted, which only the recipient's key opens.
   * @example false
   */
  encrypted: boolean;

  /**
   * Whether all of the mail is protected, not only one of its parts.
   * @example true
   */
  coversMail: boolean;

  /** The signatures, none when it is encrypted. */
  @ApiProperty({ type: [SignatureResponse] })
  signatures: SignatureResponse[];
}

/** When an event begins or ends. */
export class EventTimeResponse {
  /**
   * Date, and time unless it is of a whole day, as clocks at the event show it.
   * @example "2024-06-03T10:00:00"
   */
  local: string;

  /** The same in UTC; `null` for whole days, times that hold in every zone, and zones that are not known. */
  @ApiProperty({ type: String, nullable: true, example: '2024-06-03T08:00:00Z' })
  instant: string | null;

  /** Zone of the event as it names it; `null` without one. */
  @ApiProperty({ type: String, nullable: true, example: 'Europe/Paris' })
  zone: string | null;
}

/** A person of an event. */
export class ParticipantResponse {
  /**
   * Empty when only the address is given.
   * @example "Nora Feld"
   */
  name: string;

  /** @example "nora@sender.example" */
  address: string;
}

/** A person who is invited. */
export class AttendeeResponse extends ParticipantResponse {
  /** `none`: no answer yet. */
  @ApiProperty({ enum: ANSWERS, example: 'accepted' })
  answer: Answer;

  /** @example false */
  optional: boolean;
}

/** The rule by which an event repeats. */
export class RecurrenceResponse {
  @ApiProperty({ enum: FREQUENCIES, example: 'weekly' })
  frequency: Frequency;

  /**
   * Every so many days, weeks, months or years.
   * @example 1
   */
  @ApiProperty({ type: 'integer' })
  interval: number;

  /** Number of events; `null`: no such limit. */
  @ApiProperty({ type: 'integer', nullable: true, example: null })
  count: number | null;

  /** Date of the last event; `null`: no such limit. */
  @ApiProperty({ type: String, nullable: true, example: '2024-12-31' })
  until: string | null;

  /**
   * Days of the week, with the number of the week in a month where there is one.
   * @example ["MO"]
   */
  weekdays: string[];

  /**
   * Whether there are rules beside these.
   * @example false
   */
  partial: boolean;
}

/** An event that came with a mail (iCalendar). */
export class MailInvitationResponse {
  /** The purpose of the mail (RFC 5546); `null` when it does not say so. */
  @ApiProperty({ enum: [...INVITATION_METHODS, null], nullable: true, example: 'request', type: String })
  method: InvitationMethod | null;

  /** @example "Planning" */
  title: string;

  /** @example "Room 3" */
  location: string;

  @ApiProperty({ type: EventTimeResponse, nullable: true })
  start: EventTimeResponse | null;

  /** The end; of whole days, the day after the last one. */
  @ApiProperty({ type: EventTimeResponse, nullable: true })
  end: EventTimeResponse | null;

  /** @example false */
  allDay: boolean;

  /** @example false */
  cancelled: boolean;

  /**
   * Whether an earlier version was sent.
   * @example false
   */
  update: boolean;

  @ApiProperty({ type: ParticipantResponse, nullable: true })
  organizer: ParticipantResponse | null;

  /** At most 200. */
  @ApiProperty({ type: [AttendeeResponse] })
  attendees: AttendeeResponse[];

  @ApiProperty({ type: RecurrenceResponse, nullable: true })
  recurrence: RecurrenceResponse | null;
}

export const toProtectionResponse = (protection: Protection | null): ProtectionResponse | null =>
  protection && {
    encrypted: protection.isEncrypted,
    coversMail: protection.coversMessage,
    signatures: protection.signatures.map((signature) => ({
      state: signature.state,
      reason: signature.reason,
      signer: signature.signer,
      addresses: [...signature.addresses],
      issuer: signature.issuer,
      selfSigned: signature.isSelfSigned,
      weak: signature.isWeak,
      ofSender: signature.isOfSender,
    })),
  };

const toEventTimeResponse = (time: EventTime | null): EventTimeResponse | null =>
  time && { local: time.local, instant: time.instant, zone: time.zone };

const toRecurrenceResponse = (recurrence: Recurrence | null): RecurrenceResponse | null =>
  recurrence && {
    frequency: recurrence.frequency,
    interval: recurrence.interval,
    count: recurrence.count,
    until: recurrence.until,
    weekdays: [...recurrence.weekdays],
    partial: recurrence.isPartial,
  };

export const toInvitationResponse = (invitation: Invitation): MailInvitationResponse => ({
  method: invitation.method,
  title: invitation.title,
  location: invitation.location,
  start: toEventTimeResponse(invitation.start),
  end: toEventTimeResponse(invitation.end),
  allDay: invitation.isAllDay,
  cancelled: invitation.isCancelled,
  update: invitation.isUpdate,
  organizer: invitation.organizer && {
    name: invitation.organizer.name,
    address: invitation.organizer.address,
  },
  attendees: invitation.attendees.map(({ name, address, answer, isOptional }) => ({
    name,
    address,
    answer,
    optional: isOptional,
  })),
  recurrence: toRecurrenceResponse(invitation.recurrence),
});
