import { randomBytes } from 'node:crypto';
import { SECRET_PREFIX } from '../formats/generic';

/** Standard Webhooks takes 24 to 64. */
const SECRET_BYTES = 32;

/** A new secret, `whsec_<base64>`. */
export const newWebhookSecret = (): string => SECRET_PREFIX + randomBytes(SECRET_BYTES).toString('base64');
