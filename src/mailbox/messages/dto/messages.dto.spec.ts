import { plainToInstance } from 'class-transformer';
import { validate } from 'class-validator';
import { GetMessagesDto, ListMessagesQuery } from './messages.dto';

const wrongFields = async (instance: object): Promise<string[]> =>
  (await validate(instance)).map(({ property }) => property);

describe('ListMessagesQuery', () => {
  it.each([
    [{}, 50],
    [{ maxResults: '7' }, 7],
    [{ maxResults: '500' }, 500],
    [{ maxResults: '501' }, 500],
    [{ maxResults: '1000000' }, 500],
  ])('should read %j as %i results', async (query, maxResults) => {
    const instance = plainToInstance(ListMessagesQuery, query);
    expect(await wrongFields(instance)).toEqual([]);
    expect(instance.maxResults).toBe(maxResults);
  });

  it.each([
    [{ maxResults: '0' }, ['maxResults']],
    [{ maxResults: '-1' }, ['maxResults']],
    [{ maxResults: '1.5' }, ['maxResults']],
    [{ maxResults: 'many' }, ['maxResults']],
    [{ q: ['a', 'b'] }, ['q']],
    [{ q: 'x'.repeat(2_001) }, ['q']],
    [{ pageToken: '' }, ['pageToken']],
  ])('should refuse %j', async (query, fields) => {
    expect(await wrongFields(plainToInstance(ListMessagesQuery, query))).toEqual(fields);
  });
});

describe('GetMessagesDto', () => {
  const ids = (count: number): string[] => Array.from({ length: count }, (_, index) => `id${index}`);

  it.each([1, 100])('should accept %i ids', async (count) => {
    expect(await wrongFields(plainToInstance(GetMessagesDto, { ids: ids(count) }))).toEqual([]);
  });

  it.each([
    ['none', []],
    ['101', ids(101)],
    ['text', 'id1'],
    ['numbers', [1]],
    ['spaces', ['a b']],
    ['null', null],
  ])('should refuse %s', async (_case, given) => {
    expect(await wrongFields(plainToInstance(GetMessagesDto, { ids: given }))).toEqual(['ids']);
  });
});
