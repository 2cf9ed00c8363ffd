import { ValidateBy } from 'class-validator';
import { isIP } from 'node:net';
import { domainToASCII } from 'node:url';

/** RFC 1035, section 2.3.4, as text. */
export const MAX_HOST = 253;
const LABEL = /^[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?$/;

/**
 * A host as it is resolved and compared with certificates: lower case, international names in their ASCII form (RFC
 * 5891), IPv6 addresses without brackets; null for what is neither name nor address.
 */
export function normalizedHost(text: string): string | null {
  const bare = /^\[.*\]$/.test(text) ? text.slice(1, -1) : text;
  if (isIP(bare)) return bare.toLowerCase();
  if (text.length > MAX_HOST || /[^\p{L}\p{M}\p{N}._-]/u.test(text)) return null;
  const name = domainToASCII(text).replace(/\.$/, '');
  return name.length <= MAX_HOST && name.split('.').every((label) => LABEL.test(label)) ? name : null;
}

/** A host name or an IP address, without port, path or user. */
export const IsHost = (): PropertyDecorator =>
  ValidateBy({
    name: 'isHost',
    validator: {
      validate: (value: unknown) => typeof value === 'string' && normalizedHost(value) !== null,
      defaultMessage: () => '$property must be a host name or an IP address',
    },
  });
