import { Injectable, PipeTransform } from '@nestjs/common';
import { MessageNotFound, PartNotFound } from '../providers/provider-errors';

/** Message ids are the provider's and opaque, but all of them are short tokens without spaces or slashes. */
export const MESSAGE_ID = /^[\w.:~=+@-]{1,64}$/;

/** `:messageId` — no message has an id of another form. */
@Injectable()
export class MessageIdPipe implements PipeTransform<string, string> {
  transform(id: string): string {
    if (!MESSAGE_ID.test(id)) throw new MessageNotFound();
    return id;
  }
}

/** `:partId` — likewise for the parts of a message. */
@Injectable()
export class PartIdPipe implements PipeTransform<string, string> {
  transform(id: string): string {
    if (!MESSAGE_ID.test(id)) throw new PartNotFound();
    return id;
  }
}
