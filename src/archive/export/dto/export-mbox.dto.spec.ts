import { plainToInstance } from 'class-transformer';
import { validate } from 'class-validator';
import { v7 } from 'uuid';
import { ExportMboxDto } from './export-mbox.dto';

const wrongFields = async (body: object): Promise<string[]> =>
  (await validate(plainToInstance(ExportMboxDto, body))).map(({ property }) => property);
const ids = (length: number): { mailIds: string[] } => ({ mailIds: Array.from({ length }, () => v7()) });

describe('ExportMboxDto', () => {
  it('should accept all mails of the account, or 1 to 50,000 of them', async () => {
    for (const body of [{}, { mailIds: null }, ids(1), ids(50_000)])
      expect(await wrongFields(body)).toEqual([]);
    for (const body of [ids(0), ids(50_001), { mailIds: ['x'] }])
      expect(await wrongFields(body)).toEqual(['mailIds']);
  });
});
