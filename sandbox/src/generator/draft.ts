import type { MessageFacts } from '../mime/message-facts';
import { displayPerson, encodeDate, encodePeople, encodePerson, encodeText } from './header-writer';
import type { Kind } from './layout';
import type { MimeNode } from './mime-writer';
import type { Person } from './people';
import type { Random } from './random';

/** The data that a kind of message is composed from; a pure function of (seed, index) and the mailbox's end date. */
export interface Composition {
  readonly index: number;
  readonly kind: Kind;
  /** Number of messages of the kind that came before. */
  readonly ordinal: number;
  /** Epoch milliseconds. */
  readonly date: number;
  readonly me: Person;
  readonly fromMe: boolean;
  /** Equal for all messages of a thread. */
  readonly threadSeed: number;
  readonly messageId: string;
  /** Message ids of the thread so far, oldest first. */
  readonly ancestors: readonly string[];
  /** Bytes of content wanted beyond the natural size; 0 when no mean size was asked for. */
  readonly fill: number;
  /** An independent stream of random numbers: text must not depend on whether anything else was drawn before. */
  random(purpose: string): Random;
}

/** A message before its bytes: searches need only the facts, so the body is made on demand. */
export interface Draft {
  headers(): readonly string[];
  /** Absent when they are whatever a reader makes of the bytes (awkward mail). */
  readonly facts?: MessageFacts;
  body(): MimeNode;
  /** A last change to the bytes, for mail that no well-behaved writer produces. */
  finish?(raw: Buffer): Buffer;
}

export interface Envelope {
  readonly from: Person;
  readonly to: readonly Person[];
  readonly cc?: readonly Person[];
  readonly subject: string;
  readonly list?: string;
  /** Further header lines, ready to send. */
  readonly extra?: readonly string[];
  readonly offsetHours?: number;
  /** Names of attachments, and whether they make the message one `has:attachment` finds. */
  readonly attachmentNames?: readonly string[];
  readonly onlyInlineImages?: boolean;
}

/** The header lines every ordinary message has, trace headers included. */
export function headerLines(composition: Composition, envelope: Envelope): string[] {
  const { me, date, messageId, ancestors, fromMe } = composition;
  const lines: string[] = [];
  if (!fromMe) {
    const host = envelope.from.address.split('@')[1] ?? 'unknown.example';
    lines.push(
      `Delivered-To: ${me.address}`,
      `Received: by mx.sandbox.example with SMTP id ${messageId.slice(0, 12)};\r\n        ${encodeDate(date, -8)}`,
      `Return-Path: <${envelope.from.address}>`,
      `Received: from mail.${host} (mail.${host}. [192.0.2.${1 + (composition.index % 250)}])\r\n        by mx.sandbox.example with ESMTPS id ${messageId.slice(-12)}\r\n        for <${me.address}>;\r\n        ${encodeDate(date - 2000, -8)}`,
      `Authentication-Results: mx.sandbox.example;\r\n       dkim=pass header.i=@${host} header.s=s1;\r\n       spf=pass smtp.mailfrom=${envelope.from.address};\r\n       dmarc=pass header.from=${host}`,
    );
  }
  lines.push(
    `From: ${encodePerson(envelope.from)}`,
    `To: ${encodePeople(envelope.to)}`,
    ...(envelope.cc && envelope.cc.length > 0 ? [`Cc: ${encodePeople(envelope.cc)}`] : []),
    `Subject: ${encodeText(envelope.subject)}`,
    `Date: ${encodeDate(date - 4000, envelope.offsetHours ?? 0)}`,
    `Message-ID: <${messageId}>`,
  );
  const parent = ancestors.at(-1);
  if (parent !== undefined) {
    lines.push(`In-Reply-To: <${parent}>`, `References: ${ancestors.map((id) => `<${id}>`).join('\r\n ')}`);
  }
  lines.push(...(envelope.extra ?? []), 'MIME-Version: 1.0');
  return lines;
}

export function factsFor(composition: Composition, envelope: Envelope): MessageFacts {
  const names = envelope.attachmentNames ?? [];
  return {
    from: displayPerson(envelope.from),
    to: envelope.to.map(displayPerson).join(', '),
    cc: (envelope.cc ?? []).map(displayPerson).join(', '),
    bcc: '',
    subject: envelope.subject,
    replyTo: '',
    deliveredTo: composition.fromMe ? '' : composition.me.address,
    list: envelope.list ?? '',
    messageId: composition.messageId,
    attachmentNames: names,
    hasAttachment: names.length > 0 && !envelope.onlyInlineImages,
  };
}

export function draftOf(composition: Composition, envelope: Envelope, body: () => MimeNode): Draft {
  return { headers: () => headerLines(composition, envelope), facts: factsFor(composition, envelope), body };
}
