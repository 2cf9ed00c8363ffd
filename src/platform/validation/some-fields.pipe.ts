import { ArgumentMetadata, Injectable, PipeTransform } from '@nestjs/common';
import { DomainError } from '../http/domain-error';

export class NoFields extends DomainError {
  constructor() {
    super({ code: 'no-fields', status: 400, detail: 'The body holds no field this route can change.' });
  }
}

/** For PUT and PATCH bodies whose fields are all optional: a body without any known field is a mistake. */
@Injectable()
export class SomeFieldsPipe implements PipeTransform {
  transform<T>(value: T, metadata: ArgumentMetadata): T {
    if (metadata.type !== 'body') return value;
    const given = Object.values(value ?? {}).some((field) => field !== undefined);
    if (given) return value;
    throw new NoFields();
  }
}
