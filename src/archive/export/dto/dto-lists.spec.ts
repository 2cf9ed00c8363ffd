import { plainToInstance } from 'class-transformer';
import { validate } from 'class-validator';
import { v7 } from 'uuid';
import { ExportZipDto } from './export.dto';
import { ArchiveMailsDto } from '../../mails/dto/archive.dto';

describe('lists of messages to archive or export', () => {
  it.each<[string, new () => object, string, () => string, number]>([
    ['messages to archive', ArchiveMailsDto, 'messageIds', () => 'ffffffffffffffff', 50_000],
    ['mails of a ZIP', ExportZipDto, 'mailIds', () => v7(), 10_000],
  ])('should have a minimum of one and a maximum: %s', async (_what, dto, field, item, most) => {
    const wrong = async (length: number): Promise<string[]> =>
      (await validate(plainToInstance(dto, { [field]: Array.from({ length }, item) }))).map(
        ({ property }) => property,
      );
    expect(await wrong(0)).toEqual([field]);
    expect(await wrong(1)).toEqual([]);
    expect(await wrong(most)).toEqual([]);
    expect(await wrong(most + 1)).toEqual([field]);
  });
});
