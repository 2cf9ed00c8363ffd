import { Injectable, PipeTransform } from '@nestjs/common';
import { ValidationFailed } from '../../common/http/domain-error';
import { isMailAddress } from '../mail-address';

/** `:senderEmail` — a bare address, given on in lower case. @throws ValidationFailed */
@Injectable()
export class SenderAddressPipe implements PipeTransform<string, string> {
  transform(address: string): string {
    if (isMailAddress(address)) return address.toLowerCase();
    throw new ValidationFailed([{ field: 'senderEmail', message: 'senderEmail must be a mail address' }]);
  }
}
