import { MapiProperties } from './mapi-properties';

/** An attachment: bytes, an embedded message, or neither (a link, an OLE object that is no mail). */
export interface MapiAttachment {
  readonly properties: MapiProperties;
  readonly data: Buffer | null;
  readonly message: MapiMessage | null;
}

/** A message as Outlook keeps it: properties, recipients and attachments. */
export interface MapiMessage {
  readonly properties: MapiProperties;
  readonly recipients: readonly MapiProperties[];
  readonly attachments: readonly MapiAttachment[];
}

/** Sets the codepage of a message's strings that are not Unicode. @param outer codepage of the message it lies in */
export function settleCodepage({ properties, recipients, attachments }: MapiMessage, outer?: number): void {
  const codepage =
    properties.readNumber('messageCodepage') ?? outer ?? properties.readNumber('internetCodepage') ?? 1252;
  // UTF-16 is the codepage of messages whose strings are Unicode.
  const usable = codepage === 1200 ? 1252 : codepage;
  properties.codepage = usable;
  for (const recipient of recipients) recipient.codepage = usable;
  for (const attachment of attachments) {
    attachment.properties.codepage = usable;
    if (attachment.message) settleCodepage(attachment.message, usable);
  }
}
