import { json, problem, ScriptedService } from './scripted-service';

const ACCOUNT = '01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d';
const UPLOAD = `POST /api/import/${ACCOUNT}/mbox`;
const BYTES = Uint8Array.from({ length: 1_000 }, (_, index) => index % 256);

async function* pieces(): AsyncGenerator<Uint8Array> {
  yield BYTES.subarray(0, 400);
  yield BYTES.subarray(400);
}

describe('uploads', () => {
  let service: ScriptedService;

  beforeEach(() => {
    service = new ScriptedService().on(UPLOAD, json({ jobId: 'import_mbox-1' }, 202));
  });

  it.each([
    ['bytes', () => BYTES, 'upload'],
    ['a file', () => new File([BYTES], 'mine.mbox'), 'mine.mbox'],
    ['a named blob', () => ({ content: new Blob([BYTES]), filename: 'all "mail".mbox' }), 'all "mail".mbox'],
    ['a stream', () => new Blob([BYTES]).stream() as ReadableStream<Uint8Array>, 'upload'],
    ['pieces', () => ({ content: pieces(), filename: 'naïve "a".mbox' }), 'naïve "a".mbox'],
  ])('should send %s as the file of a form', async (_what, file, filename) => {
    const { jobId } = await service
      .client()
      .import.importMbox({ accountId: ACCOUNT, body: { file: file() } });
    expect(jobId).toBe('import_mbox-1');
    const sent = (await service.of(UPLOAD)[0]!.formData()).get('file') as File;
    expect(sent.name).toBe(filename);
    expect(new Uint8Array(await sent.arrayBuffer())).toEqual(BYTES);
  });

  it.each([
    ['bytes', BYTES],
    ['a blob', new Blob([BYTES], { type: 'application/mbox' })],
  ])('should send %s unchanged', async (_what, body) => {
    const uploadId = ACCOUNT;
    const chunk = `PATCH /api/import/${ACCOUNT}/uploads/${uploadId}`;
    service.on(chunk, json({ id: uploadId, offset: 1_010 }));
    const mailroom = service.client();
    const { offset } = await mailroom.import.uploadChunk({
      accountId: ACCOUNT,
      uploadId,
      uploadOffset: 10,
      body,
    });
    expect(offset).toBe(1_010);
    const [sent] = service.of(chunk);
    expect(sent!.headers.get('upload-offset')).toBe('10');
    expect(sent!.headers.get('content-type')).toBe('application/octet-stream');
    expect(new Uint8Array(await sent!.arrayBuffer())).toEqual(BYTES);
  });

  it('should retry only bodies that can be read again', async () => {
    const tokens = ['a', 'b', 'c', 'd'];
    const credentials = { accessToken: () => tokens.shift()! };
    service.on(UPLOAD, problem(401, 'unauthorized'), json({ jobId: 'import_mbox-1' }, 202));
    const mailroom = service.client({ credentials });
    await mailroom.import.importMbox({ accountId: ACCOUNT, body: { file: BYTES } });
    expect(service.of(UPLOAD)).toHaveLength(2);
    service.on(UPLOAD, problem(401, 'unauthorized'));
    const streamed = mailroom.import.importMbox({ accountId: ACCOUNT, body: { file: pieces() } });
    await expect(streamed).rejects.toMatchObject({ status: 401 });
    expect(service.of(UPLOAD)).toHaveLength(3);
  });
});
