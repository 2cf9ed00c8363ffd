import { parseJobReference } from './job-record';

describe('parseJobReference', () => {
  it.each([
    ['bulk_operation-42', { kind: 'bulk_operation', number: 42 }],
    ['01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d', { id: '01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d' }],
    ['bulk_operation', null],
    ['-42', null],
    ['bulk_operation-', null],
    ['bulk_operation--1', null],
    ['bulk_operation-1e9', null],
    ['bulk_operation-9999999999999999', null],
    ["x' OR 1=1-1", null],
    ['', null],
  ])('should read %j', (text, reference) => {
    expect(parseJobReference(text)).toEqual(reference);
  });
});
