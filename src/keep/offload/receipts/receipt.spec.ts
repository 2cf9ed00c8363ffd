import { createHash } from 'node:crypto';
import { isSignatureOf, keyIdOf, newKeyPair, signatureOf } from '../keys/signatures';
import { isSigned, itemLine, parseStatement, PlanDigest, RECEIPT_FORMAT } from './receipt';

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

describe('Signatures', () => {
  const pair = newKeyPair();

  it('should be valid for the text and its key, and for nothing else', () => {
    const signature = signatureOf('Grüße', pair.privateKey);
    expect(isSignatureOf('Grüße', pair.publicKey, signature)).toBe(true);
    expect(isSignatureOf('Grüsse', pair.publicKey, signature)).toBe(false);
    expect(isSignatureOf('Grüße', newKeyPair().publicKey, signature)).toBe(false);
    const forged = Buffer.from(signature, 'base64');
    forged[0]! ^= 1;
    expect(isSignatureOf('Grüße', pair.publicKey, forged.toString('base64'))).toBe(false);
    expect(isSignatureOf('Grüße', pair.publicKey, '')).toBe(false);
  });

  it('should identify keys by their public halves', () => {
    expect(pair.keyId).toMatch(/^[0-9a-f]{32}$/);
    expect(keyIdOf(pair.publicKey)).toBe(pair.keyId);
    expect(newKeyPair().keyId).not.toBe(pair.keyId);
  });

  it('should be refused for other kinds of keys', () => {
    const rsa = `-----BEGIN PUBLIC KEY-----
MFwwDQYJKoZIhvcNAQEBBQADSwAwSAJBALyB4aVTU8GhQmQGYGRgn8pUHUoSLYRZ
J7QyJ0VQfXxX7mLUDmDGqb0BBrVUpk3XN7DJYRM3C1s8bxMsZfZGRmcCAwEAAQ==
-----END PUBLIC KEY-----`;
    expect(isSigned({ statement: 'a', signature: 'AA==', keyId: '' }, rsa)).toBe(false);
  });
});

describe('PlanDigest', () => {
  it('should be the SHA-256 of lines that a person could write', () => {
    const sut = new PlanDigest();
    sut.add({ messageId: 'm1', sha256: 'aa', size: 12 });
    sut.add({ messageId: 'm2', sha256: 'bb', size: 3 });
    expect(sut.digest()).toBe(sha256('m1 aa 12\nm2 bb 3\n'));
    expect(new PlanDigest().digest()).toBe(sha256(''));
  });
});

describe('itemLine', () => {
  it('should have its fields in one order, whatever other fields there are', () => {
    const item = {
      trashedAt: '3',
      position: 7,
      comparedAt: null,
      verifiedAt: '1',
      mailId: 'mail',
      size: 5,
      sha256: 'aa',
      messageIdHeader: '<a@x.test>',
      messageId: 'm',
    };
    expect(itemLine(item)).toBe(
      '{"messageId":"m","messageIdHeader":"<a@x.test>","sha256":"aa","size":5,"mailId":"mail","verifiedAt":"1","comparedAt":null,"trashedAt":"3"}\n',
    );
  });
});

describe('parseStatement', () => {
  it('should accept only statements', () => {
    expect(parseStatement(JSON.stringify({ format: RECEIPT_FORMAT }))).toEqual({ format: RECEIPT_FORMAT });
    expect(parseStatement(JSON.stringify({ format: 'another' }))).toBeNull();
    expect(parseStatement('null')).toBeNull();
    expect(parseStatement('{')).toBeNull();
  });
});
