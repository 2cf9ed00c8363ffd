import { BadRequestException, NotFoundException, PayloadTooLargeException } from '@nestjs/common';
import { ResourceNotFound } from './domain-error';
import { toDomainError } from './to-domain-error';

const withFields = (fields: object): Error => Object.assign(new Error('secret detail'), fields);

describe('toDomainError', () => {
  it.each([
    [new ResourceNotFound('mail'), 404, 'mail-not-found'],
    [new NotFoundException(), 404, 'not-found'],
    [new PayloadTooLargeException(), 413, 'payload-too-large'],
    [new BadRequestException('Unexpected token } in JSON'), 400, 'malformed-json'],
    [withFields({ status: 400, type: 'entity.parse.failed' }), 400, 'malformed-json'],
    [withFields({ status: 413, type: 'entity.too.large' }), 413, 'payload-too-large'],
    [withFields({ status: 415, type: 'charset.unsupported' }), 415, 'unsupported-media-type'],
    [withFields({ code: 'ECONNREFUSED' }), 503, 'service-unavailable'],
    [withFields({ code: '57P01' }), 503, 'service-unavailable'],
    [withFields({ code: '57014' }), 503, 'service-unavailable'],
    [withFields({ name: 'MaxRetriesPerRequestError' }), 503, 'service-unavailable'],
    [withFields({ code: '23505' }), 500, 'internal-error'],
    ['a string', 500, 'internal-error'],
    [undefined, 500, 'internal-error'],
  ])('should turn %s into %i %s', (thrown, status, code) => {
    const sut = toDomainError(thrown);
    expect([sut.status, sut.code]).toEqual([status, code]);
    expect(sut.detail).not.toContain('secret');
  });
});
