import { type FieldError, ValidationFailed } from '../../platform/http/domain-error';
import type { ConfigurationPart, ObjectStoreFailure } from './object-store/object-store-failure';

const FIELDS: Readonly<Record<ConfigurationPart, string>> = {
  endpoint: 'objstoreEndpoint',
  region: 'objstoreRegion',
  bucket: 'objstoreBucket',
  accessKeyId: 'objstoreAccessKeyId',
  secretAccessKey: 'objstoreSecretAccessKey',
};

/** The object store refuses a configuration; names the field at fault. */
export class ConfigurationRefused extends ValidationFailed {
  constructor({ about, reason }: ObjectStoreFailure) {
    const error: FieldError = { field: FIELDS[about], message: `the object store cannot be used: ${reason}` };
    super([error]);
  }
}
