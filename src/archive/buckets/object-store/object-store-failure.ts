import { EgressRefused, HostUnknown } from '../../../platform/egress/egress-guard';

/**
 * The kind of a failure: `unavailable` may pass; `refused` lasts until a user changes the configuration; `endless` is a
 * listing that makes no progress; the others name what is missing or does not fit.
 */
export type FailureKind =
  | 'unavailable'
  | 'refused'
  | 'no-object'
  | 'no-bucket'
  | 'no-upload'
  | 'bucket-exists'
  | 'out-of-range'
  | 'endless'
  | 'full';

/** The part of a configuration that a failure is about. */
export type ConfigurationPart = 'endpoint' | 'region' | 'bucket' | 'accessKeyId' | 'secretAccessKey';

/** A failure of an object store. Never contains its response. */
export class ObjectStoreFailure extends Error {
  /** @param reason for people, a clause such as `it refuses connections` */
  constructor(
    readonly kind: FailureKind,
    readonly reason: string,
    readonly about: ConfigurationPart = 'endpoint',
    readonly retryAfterMs = 0,
    cause?: unknown,
  ) {
    super(reason, { cause });
    this.name = 'ObjectStoreFailure';
  }
}

/** An error response, reduced to the parts that may be shown. */
export class ObjectStoreAnswer extends Error {
  constructor(
    readonly status: number,
    /** The store's error code, e.g. `SlowDown`; empty when there is none. */
    readonly code: string,
    /** The region of the bucket according to the store; empty if unknown. */
    readonly region: string,
    readonly retryAfterMs: number,
    /** Whether the body is not an error document: another server may have answered. */
    readonly isForeign = false,
  ) {
    super(`The object store answered ${status} ${code}`);
  }
}

/** The store made no progress within the time limit. */
export class ObjectStoreTimeout extends Error {
  readonly code = 'ETIMEDOUT';
}

/** The response violates the protocol. */
export class ObjectStoreProtocolError extends Error {}

/** A listing makes no progress, or leaves its order. */
export class EndlessListing extends ObjectStoreProtocolError {}

type Verdict = readonly [kind: FailureKind, reason: string, about?: ConfigurationPart];

const NOT_A_STORE = 'it does not answer like an object store';
const OVERLOADED: Verdict = ['unavailable', 'it is overloaded'];
const WRONG_REGION: Verdict = ['refused', 'the bucket is in another region', 'region'];
const FORBIDDEN: Verdict = ['refused', 'this access key may not do that in the bucket', 'bucket'];
const DAMAGED: Verdict = ['unavailable', 'data was damaged on its way to it'];
const FULL: Verdict = ['full', 'it has no space left'];

const ANSWERS: Readonly<Record<string, Verdict>> = {
  SlowDown: OVERLOADED,
  ServiceUnavailable: OVERLOADED,
  TooManyRequests: OVERLOADED,
  RequestLimitExceeded: OVERLOADED,
  RequestTimeout: ['unavailable', 'it does not answer in time'],
  OperationAborted: ['unavailable', 'it is busy with the same object'],
  BadDigest: DAMAGED,
  IncompleteBody: DAMAGED,
  XAmzContentSHA256Mismatch: DAMAGED,
  InvalidAccessKeyId: ['refused', 'it does not know the access key', 'accessKeyId'],
  SignatureDoesNotMatch: ['refused', 'the secret access key is wrong', 'secretAccessKey'],
  RequestTimeTooSkewed: ['refused', 'its clock and the clock of this service differ too much'],
  AuthorizationHeaderMalformed: WRONG_REGION,
  PermanentRedirect: WRONG_REGION,
  IllegalLocationConstraintException: WRONG_REGION,
  InvalidLocationConstraint: ['refused', 'it has no such region', 'region'],
  AccessDenied: FORBIDDEN,
  AllAccessDisabled: FORBIDDEN,
  AccountProblem: FORBIDDEN,
  NoSuchBucket: ['no-bucket', 'the bucket does not exist', 'bucket'],
  InvalidBucketName: ['refused', 'it does not accept the name of the bucket', 'bucket'],
  BucketAlreadyOwnedByYou: ['bucket-exists', 'the bucket exists already', 'bucket'],
  BucketAlreadyExists: ['bucket-exists', 'a bucket of this name belongs to somebody else', 'bucket'],
  TooManyBuckets: ['refused', 'it allows no further bucket', 'bucket'],
  NoSuchKey: ['no-object', 'the object does not exist', 'bucket'],
  NoSuchUpload: ['no-upload', 'the upload does not exist', 'bucket'],
  InvalidRange: ['out-of-range', 'the object is shorter than that', 'bucket'],
  QuotaExceeded: FULL,
  XMinioStorageFull: FULL,
  XMinioAdminBucketQuotaExceeded: FULL,
};

const STATUSES: Readonly<Record<number, Verdict>> = {
  301: WRONG_REGION,
  401: ['refused', 'it does not accept the access key', 'accessKeyId'],
  403: FORBIDDEN,
  404: ['no-object', 'the object does not exist', 'bucket'],
  408: ['unavailable', 'it does not answer in time'],
  416: ['out-of-range', 'the object is shorter than that', 'bucket'],
  429: OVERLOADED,
  499: ['unavailable', 'it ended the request'],
  501: ['refused', 'it cannot do what is needed'],
  503: OVERLOADED,
  507: FULL,
};

const NETWORK: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'it refuses connections',
  ECONNRESET: 'it closed the connection',
  ECONNABORTED: 'it closed the connection',
  EPIPE: 'it closed the connection',
  ETIMEDOUT: 'it does not answer in time',
  ESOCKETTIMEDOUT: 'it does not answer in time',
  EHOSTUNREACH: 'there is no way to its address',
  ENETUNREACH: 'there is no way to its address',
  EHOSTDOWN: 'there is no way to its address',
  EADDRNOTAVAIL: 'there is no way to its address',
};

const CERTIFICATES: Readonly<Record<string, string>> = {
  CERT_HAS_EXPIRED: 'its TLS certificate has expired',
  ERR_TLS_CERT_ALTNAME_INVALID: 'its TLS certificate is for another host',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'its TLS certificate is not trusted',
  SELF_SIGNED_CERT_IN_CHAIN: 'its TLS certificate is not trusted',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'its TLS certificate is not trusted',
  UNABLE_TO_GET_ISSUER_CERT: 'its TLS certificate is not trusted',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'its TLS certificate is not trusted',
  CERT_NOT_YET_VALID: 'its TLS certificate is not valid yet',
  CERT_REVOKED: 'its TLS certificate has been revoked',
};

/**
 * Converts an error of a call to an object store.
 * @returns null for errors that do not come from the store
 */
export function explainFailure(error: unknown): ObjectStoreFailure | null {
  if (error instanceof ObjectStoreFailure) return error;
  if (error instanceof HostUnknown) return failure('unavailable', 'its host name cannot be resolved', error);
  if (error instanceof EgressRefused) {
    return failure('refused', 'its address is one this service does not connect to', error);
  }
  if (error instanceof ObjectStoreAnswer) return explainAnswer(error);
  if (error instanceof EndlessListing)
    return failure('endless', 'its listing does not come to an end', error);
  if (error instanceof ObjectStoreProtocolError) return failure('refused', NOT_A_STORE, error);
  // Errors of Node itself and of the client library: not always instances of this realm's Error.
  const { code, name } = (error ?? {}) as { code?: unknown; name?: unknown };
  const text = typeof code === 'string' ? code : '';
  if (NETWORK[text]) return failure('unavailable', NETWORK[text], error);
  if (CERTIFICATES[text]) return failure('refused', CERTIFICATES[text], error);
  if (text === 'EPROTO' || text.startsWith('ERR_SSL_') || text.startsWith('ERR_TLS_')) {
    return failure('refused', 'there is no TLS connection to be had at its address', error);
  }
  if (text.startsWith('HPE_') || name === 'InvalidXMLError' || name === 'S3Error') {
    return failure('refused', NOT_A_STORE, error);
  }
  return null;
}

function explainAnswer(answer: ObjectStoreAnswer): ObjectStoreFailure {
  const [kind, reason, about] = judgeAnswer(answer);
  const where = about === 'region' && answer.region ? `${reason} (${answer.region})` : reason;
  return new ObjectStoreFailure(kind, where, about, answer.retryAfterMs, answer);
}

function judgeAnswer({ status, code, isForeign }: ObjectStoreAnswer): Verdict {
  // A web server's "not found" and "moved" are not about objects and regions: they do not mean that mail is missing.
  const isTold = !isForeign || (status !== 301 && status !== 404);
  const known = ANSWERS[code] ?? (isTold ? STATUSES[status] : undefined);
  if (known) return known;
  if (status >= 500) return ['unavailable', `it reports a fault of its own (${status})`];
  if (status >= 300 && status < 400) return ['refused', 'it redirects to another address'];
  return code ? ['refused', `it refuses the request (${code})`] : ['refused', NOT_A_STORE];
}

function failure(kind: FailureKind, reason: string, cause: unknown): ObjectStoreFailure {
  return new ObjectStoreFailure(kind, reason, 'endpoint', 0, cause);
}
