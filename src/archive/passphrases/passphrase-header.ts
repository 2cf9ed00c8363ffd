import { applyDecorators, createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { ApiHeader } from '@nestjs/swagger';
import { isUtf8 } from 'node:buffer';
import type { Request } from 'express';
import { ValidationFailed } from '../../platform/http/domain-error';
import { ApiProblems } from '../../platform/openapi/api-problems';
import {
  EncryptionNotConfigured,
  MailUndecryptable,
  PassphraseInvalid,
  PassphrasesBusy,
  MailsEncrypted,
} from './encryption.errors';
import { MAX_PASSPHRASE_CHARACTERS } from './mail-keys';

/** The passphrase of requests without a body, or whose body is about something else. */
export const PASSPHRASE_HEADER = 'X-Archive-Passphrase';

/** RFC 8187 §3.2.1: charset, language, percent-encoded bytes. */
const EXTENDED = /^utf-8'[a-z0-9-]*'([\x21-\x7e]*)$/i;

/**
 * The passphrase in the header: its plain UTF-8 bytes, or `UTF-8''` and its percent-encoded bytes (RFC 8187) for
 * characters a header cannot carry: spaces at the ends, line breaks, and in browsers anything beyond ASCII.
 * @param values of the header, each octet one character, as Node gives them
 * @returns null if the header is absent
 * @throws ValidationFailed
 */
function passphraseIn(values: readonly string[] | undefined): string | null {
  if (values === undefined) return null;
  const [value, ...more] = values;
  if (value === undefined || value === '' || more.length > 0)
    throw buildMalformedError('must have one value');
  const passphrase = decode(value);
  if (passphrase === '') throw buildMalformedError('must not be empty');
  if ([...passphrase].length > MAX_PASSPHRASE_CHARACTERS) {
    throw buildMalformedError(`must not be longer than ${MAX_PASSPHRASE_CHARACTERS} characters`);
  }
  return passphrase;
}

function decode(value: string): string {
  const encoded = EXTENDED.exec(value)?.[1];
  if (encoded !== undefined) {
    try {
      return decodeURIComponent(encoded);
    } catch {
      throw buildMalformedError("must have UTF-8 in percent-encoding after UTF-8''");
    }
  }
  const bytes = Buffer.from(value, 'latin1');
  if (!isUtf8(bytes)) throw buildMalformedError("must be in UTF-8, or percent-encoded after UTF-8''");
  return bytes.toString('utf8');
}

const buildMalformedError = (message: string): ValidationFailed =>
  new ValidationFailed([{ field: PASSPHRASE_HEADER, message }]);

/** The passphrase that came with the request, or null: `@ArchivePassphrase() passphrase: string | null`. */
export const ArchivePassphrase = createParamDecorator(
  (_data: unknown, context: ExecutionContext): string | null =>
    passphraseIn(
      context.switchToHttp().getRequest<Request>().headersDistinct[PASSPHRASE_HEADER.toLowerCase()],
    ),
);

/** Declares the header. */
export const PassphraseHeader = (): MethodDecorator =>
  ApiHeader({
    name: PASSPHRASE_HEADER,
    required: false,
    description:
      "Needed for encrypted mail only: the passphrase in UTF-8, or `UTF-8''` and the passphrase percent-encoded (RFC 8187).",
    example: "UTF-8''correct%20horse%20battery%20staple",
  });

/** Declares the header of a route that reads encrypted mail, with its problems. */
export const TakesPassphrase = (): MethodDecorator =>
  applyDecorators(
    PassphraseHeader(),
    ApiProblems(
      new MailsEncrypted(),
      new EncryptionNotConfigured(),
      new PassphraseInvalid(),
      new PassphrasesBusy(),
      new MailUndecryptable(),
    ),
  );
