import { EgressRefused, HostUnknown } from '../../../platform/egress/egress-guard';
import {
  EndlessListing,
  explainFailure,
  ObjectStoreAnswer,
  ObjectStoreProtocolError,
} from './object-store-failure';

const answer = (status: number, code = '', region = '', retryAfterMs = 0): ObjectStoreAnswer =>
  new ObjectStoreAnswer(status, code, region, retryAfterMs);

describe('explainFailure', () => {
  it.each([
    [answer(403, 'SignatureDoesNotMatch'), 'refused', 'secretAccessKey'],
    [answer(403, 'InvalidAccessKeyId'), 'refused', 'accessKeyId'],
    [answer(401), 'refused', 'accessKeyId'],
    [answer(403, 'AccessDenied'), 'refused', 'bucket'],
    [answer(403), 'refused', 'bucket'],
    [answer(403, 'RequestTimeTooSkewed'), 'refused', 'endpoint'],
    [answer(400, 'AuthorizationHeaderMalformed'), 'refused', 'region'],
    [answer(301), 'refused', 'region'],
    [answer(302), 'refused', 'endpoint'],
    [answer(404, 'NoSuchBucket'), 'no-bucket', 'bucket'],
    [answer(404, 'NoSuchKey'), 'no-object', 'bucket'],
    [answer(404), 'no-object', 'bucket'],
    [new ObjectStoreAnswer(404, '', '', 0, true), 'refused', 'endpoint'],
    [new ObjectStoreAnswer(301, '', '', 0, true), 'refused', 'endpoint'],
    [new ObjectStoreAnswer(503, '', '', 0, true), 'unavailable', 'endpoint'],
    [answer(404, 'NoSuchUpload'), 'no-upload', 'bucket'],
    [answer(409, 'BucketAlreadyOwnedByYou'), 'bucket-exists', 'bucket'],
    [answer(416, 'InvalidRange'), 'out-of-range', 'bucket'],
    [answer(503, 'SlowDown'), 'unavailable', 'endpoint'],
    [answer(429), 'unavailable', 'endpoint'],
    [answer(408), 'unavailable', 'endpoint'],
    [answer(500, 'InternalError'), 'unavailable', 'endpoint'],
    [answer(500), 'unavailable', 'endpoint'],
    [answer(502), 'unavailable', 'endpoint'],
    [answer(504), 'unavailable', 'endpoint'],
    [answer(501, 'NotImplemented'), 'refused', 'endpoint'],
    [answer(400, 'BadDigest'), 'unavailable', 'endpoint'],
    [answer(507), 'full', 'endpoint'],
    [answer(403, 'QuotaExceeded'), 'full', 'endpoint'],
    [answer(418), 'refused', 'endpoint'],
    [answer(400, 'SomethingNew'), 'refused', 'endpoint'],
    [new HostUnknown(), 'unavailable', 'endpoint'],
    [new EgressRefused('no'), 'refused', 'endpoint'],
    [new ObjectStoreProtocolError('no'), 'refused', 'endpoint'],
    [new EndlessListing('no'), 'endless', 'endpoint'],
    [{ code: 'ECONNREFUSED' }, 'unavailable', 'endpoint'],
    [{ code: 'ECONNRESET' }, 'unavailable', 'endpoint'],
    [{ code: 'ETIMEDOUT' }, 'unavailable', 'endpoint'],
    [{ code: 'CERT_HAS_EXPIRED' }, 'refused', 'endpoint'],
    [{ code: 'ERR_TLS_CERT_ALTNAME_INVALID' }, 'refused', 'endpoint'],
    [{ code: 'EPROTO' }, 'refused', 'endpoint'],
    [{ code: 'HPE_INVALID_CONSTANT' }, 'refused', 'endpoint'],
    [{ name: 'InvalidXMLError' }, 'refused', 'endpoint'],
  ])('should explain %j', (error, kind, about) => {
    expect(explainFailure(error)).toMatchObject({ kind, about });
  });

  it('should report the region of a bucket', () => {
    const failure = explainFailure(answer(400, 'AuthorizationHeaderMalformed', 'eu-west-1'));
    expect(failure?.reason).toBe('the bucket is in another region (eu-west-1)');
  });

  it('should keep the wait that the store requests', () => {
    expect(explainFailure(answer(503, 'SlowDown', '', 7_000))?.retryAfterMs).toBe(7_000);
  });

  it.each([new TypeError('ours'), undefined, 'text', { code: 'ENOSPC' }])(
    'should not explain %p',
    (error) => {
      expect(explainFailure(error)).toBeNull();
    },
  );
});
