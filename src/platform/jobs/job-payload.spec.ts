import { IsArray, IsOptional, IsString } from 'class-validator';
import { defineJob } from './job-definition';
import { JobQueue } from './job-queue';
import { validatePayload } from './job-payload';

class SamplePayload {
  @IsArray() @IsString({ each: true }) ids: string[];
  @IsOptional() @IsString() note?: string;
}

const Sample = defineJob('sample_payload', { queue: JobQueue.Maintenance, payload: SamplePayload });

describe('validatePayload', () => {
  it('should return an instance of the class without unknown fields', async () => {
    const payload = await validatePayload(Sample, { ids: ['a'], extra: 1 });
    expect(payload).toBeInstanceOf(SamplePayload);
    expect({ ...payload }).toEqual({ ids: ['a'] });
  });

  it('should name the wrong fields', async () => {
    await expect(validatePayload(Sample, { ids: 'a', note: 7 })).rejects.toMatchObject({
      code: 'validation-failed',
      errors: [{ field: 'ids' }, { field: 'note' }],
    });
  });

  it('should not modify its input', async () => {
    const given = { ids: ['a'], extra: 1 };
    await validatePayload(Sample, given);
    expect(given).toEqual({ ids: ['a'], extra: 1 });
  });
});
