import { plainToInstance } from 'class-transformer';
import { validate } from 'class-validator';
import { StartBulkOperationDto } from './bulk-operation.dto';

const wrongFields = async (body: object): Promise<string[]> =>
  (await validate(plainToInstance(StartBulkOperationDto, body))).map(({ property }) => property);

describe('StartBulkOperationDto', () => {
  it.each([
    [{ action: 'trash', messageIds: ['a1'] }],
    [{ action: 'label', messageIds: ['a1'], labelId: 'Label_1' }],
    [{ action: 'mark_read', messageIds: ['a1', 'a1'], labelId: 7 }],
    [{ action: 'delete', messageIds: Array.from({ length: 50_000 }, (_, index) => `id${index}`) }],
  ])('should accept a valid body', async (body) => {
    expect(await wrongFields(body)).toEqual([]);
  });

  it.each([
    ['no body', {}, ['action', 'messageIds']],
    ['unknown action', { action: 'explode', messageIds: ['a'] }, ['action']],
    ['empty list', { action: 'trash', messageIds: [] }, ['messageIds']],
    ['no list', { action: 'trash', messageIds: 'a' }, ['messageIds']],
    ['too many', { action: 'trash', messageIds: Array(50_001).fill('a') }, ['messageIds']],
    ['ids that are not strings', { action: 'trash', messageIds: ['a', 7] }, ['messageIds']],
    ['absurd ids', { action: 'trash', messageIds: ['a b'] }, ['messageIds']],
    ['endless ids', { action: 'trash', messageIds: ['a'.repeat(65)] }, ['messageIds']],
    ['label without labelId', { action: 'label', messageIds: ['a'] }, ['labelId']],
    ['unlabel with an empty labelId', { action: 'unlabel', messageIds: ['a'], labelId: '' }, ['labelId']],
    ['labelId that is not text', { action: 'label', messageIds: ['a'], labelId: ['x'] }, ['labelId']],
  ])('should refuse %s', async (_case, body, fields) => {
    expect(await wrongFields(body)).toEqual(fields);
  });
});
