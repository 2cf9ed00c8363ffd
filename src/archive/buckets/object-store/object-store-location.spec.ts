import { isBucketName, normalizeEndpoint } from './object-store-location';

describe('normalizeEndpoint', () => {
  it.each([
    ['https://s3.eu-central-1.amazonaws.com', 'https://s3.eu-central-1.amazonaws.com'],
    ['HTTP://Store.Example:9000/', 'http://store.example:9000'],
    ['https://store.example:443', 'https://store.example'],
    ['http://store.example:80/', 'http://store.example'],
    ['http://[::1]:9000', 'http://[::1]:9000'],
    ['http://192.168.0.5:9000', 'http://192.168.0.5:9000'],
    ['http://2130706433', 'http://127.0.0.1'],
    ['http://minio_1:9000', 'http://minio_1:9000'],
  ])('should bring %s into the form %s', (text, endpoint) => {
    expect(normalizeEndpoint(text)).toBe(endpoint);
    expect(normalizeEndpoint(endpoint)).toBe(endpoint);
  });

  it.each([
    '',
    'store.example:9000',
    'ftp://store.example',
    'file:///etc/passwd',
    'http://',
    'http://user@store.example',
    'http://user:pw@store.example',
    'http://store.example/bucket',
    'http://store.example?x',
    'http://store.example/#x',
    'http://store.example:0',
    'http://store.example:99999',
    'http://store example',
    'http://store.example\\@evil.example',
    'http://-store.example',
    'http://st!ore.example',
  ])('should refuse %j', (text) => {
    expect(normalizeEndpoint(text)).toBeNull();
  });
});

describe('isBucketName', () => {
  it.each(['abc', 'mailroom-archives', 'my.bucket.1', '1-2', 'x'.repeat(63)])('should accept %s', (name) => {
    expect(isBucketName(name)).toBe(true);
  });

  it.each([
    '',
    'ab',
    'x'.repeat(64),
    'Upper',
    'under_score',
    '-start',
    'end-',
    '.start',
    'end.',
    'a..b',
    'a.-b',
    'a-.b',
    '192.168.1.1',
    'xn--bucket',
    'bucket-s3alias',
    'with/slash',
    'with space',
    'bücket',
  ])('should refuse %j', (name) => {
    expect(isBucketName(name)).toBe(false);
  });
});
