import type { UploadProgress } from '../src/index';
import { json, problem, type Reply, ScriptedService } from './scripted-service';

const ACCOUNT = '01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d';
const ID = '01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4e';
const UPLOADS = `/api/import/${ACCOUNT}/uploads`;
const CREATE = `POST ${UPLOADS}`;
const READ = `GET ${UPLOADS}/${ID}`;
const SEND = `PATCH ${UPLOADS}/${ID}`;
const COMPLETE = `POST ${UPLOADS}/${ID}/complete`;

const SIZE = 1_000;
const CHUNK = 300;
const BYTES = Uint8Array.from({ length: SIZE }, (_, index) => index % 251);
const lost = (): never => {
  throw new TypeError('fetch failed');
};

describe('uploadFile', () => {
  let service: ScriptedService;
  /** What the service has of the file. */
  let arrived: Uint8Array;

  const shown = (): Response =>
    json({
      id: ID,
      filename: 'mail.mbox',
      size: SIZE,
      offset: arrived.length,
      chunkBytes: CHUNK,
      expires_at: '2026-01-01T00:00:00.000Z',
    });
  const keep = (bytes: Uint8Array): void => {
    arrived = Uint8Array.from([...arrived, ...bytes]);
  };
  /** Takes what the last request sends, if it begins where it has to. */
  const take = async (): Promise<Response> => {
    const request = service.of(SEND).at(-1)!;
    if (Number(request.headers.get('upload-offset')) !== arrived.length)
      return problem(409, 'upload-offset-wrong', { 'upload-offset': String(arrived.length) });
    keep(new Uint8Array(await request.clone().arrayBuffer()));
    return shown();
  };
  const offsets = (): number[] => service.of(SEND).map(({ headers }) => Number(headers.get('upload-offset')));

  beforeEach(() => {
    arrived = new Uint8Array();
    service = new ScriptedService()
      .on(CREATE, shown)
      .on(READ, shown)
      .on(SEND, take)
      .on(COMPLETE, json({ jobId: 'import_mbox-1' }, 202));
  });

  const upload = (
    options: Parameters<ReturnType<ScriptedService['client']>['uploadFile']>[2] = {},
    content = new Blob([BYTES]),
  ): Promise<{ jobId: string }> =>
    service.client().uploadFile(ACCOUNT, { content, filename: 'mail.mbox' }, options);
  const sending = (...replies: Reply[]): void => void service.on(SEND, ...replies);

  it('should send a file in chunks, report progress, and start the import', async () => {
    const told: UploadProgress[] = [];
    expect(await upload({ onProgress: (progress) => told.push(progress) })).toEqual({
      jobId: 'import_mbox-1',
    });
    expect(await service.of(CREATE)[0]!.json()).toEqual({ filename: 'mail.mbox', size: SIZE });
    expect(arrived).toEqual(BYTES);
    expect(told.map(({ sent }) => sent)).toEqual([0, 300, 600, 900, 1_000]);
    expect(told[0]).toEqual({ uploadId: ID, sent: 0, size: SIZE });
  });

  it('should continue with the first missing byte when a connection is lost', async () => {
    sending(
      take,
      () => {
        keep(BYTES.subarray(300, 350));
        return lost();
      },
      take,
    );
    await upload();
    expect(offsets()).toEqual([0, 300, 350, 650, 950]);
    expect(arrived).toEqual(BYTES);
  });

  it('should continue where it was, and refuse another file', async () => {
    keep(BYTES.subarray(0, 700));
    await upload({ uploadId: ID });
    expect(service.of(CREATE)).toHaveLength(0);
    expect(offsets()).toEqual([700]);
    expect(arrived).toEqual(BYTES);
    const other = upload({ uploadId: ID }, new Blob([BYTES.subarray(1)]));
    await expect(other).rejects.toThrow('begun with a file of 1000 bytes, not of 999');
  });

  it('should continue at the offset that the service reports', async () => {
    sending(() => {
      keep(BYTES.subarray(0, 123));
      return problem(409, 'upload-offset-wrong', { 'upload-offset': '123' });
    }, take);
    await upload();
    expect(offsets()[1]).toBe(123);
    expect(arrived).toEqual(BYTES);
  });

  it('should wait until another request no longer writes to it, as long as the response says', async () => {
    sending(problem(409, 'upload-busy'), problem(429, 'too-many-requests', { 'retry-after': '0' }), take);
    await upload();
    expect(offsets().slice(0, 3)).toEqual([0, 0, 0]);
    expect(arrived).toEqual(BYTES);
  });

  it('should give up on a chunk after the usual number of attempts, and reset the count for the next', async () => {
    sending(lost, lost, take, lost, lost, take);
    await upload();
    expect(arrived).toEqual(BYTES);
    arrived = new Uint8Array();
    sending(lost);
    const sent = service.of(SEND).length;
    await expect(upload()).rejects.toThrow('fetch failed');
    expect(service.of(SEND)).toHaveLength(sent + 3);
    sending(problem(507, 'insufficient-storage'));
    await expect(upload()).rejects.toMatchObject({ status: 507 });
    expect(service.of(SEND)).toHaveLength(sent + 4);
  });

  it('should stop when it is aborted, and keep the uploaded part', async () => {
    const abortion = new AbortController();
    const onProgress = ({ sent }: UploadProgress): void => {
      if (sent === 600) abortion.abort(new Error('Paused'));
    };
    await expect(upload({ signal: abortion.signal, onProgress })).rejects.toThrow('Paused');
    expect(arrived).toHaveLength(600);
    expect(service.of(COMPLETE)).toHaveLength(0);
  });

  it('should not mistake an unreadable file for a lost connection', async () => {
    const content = new Blob([BYTES]);
    const unreadable = { arrayBuffer: () => Promise.reject(new TypeError('Gone')) } as unknown as Blob;
    content.slice = () => unreadable;
    await expect(upload({}, content)).rejects.toThrow('Gone');
    expect(service.of(SEND)).toHaveLength(0);
  });

  it('should complete again when the response is lost', async () => {
    service.on(COMPLETE, lost, json({ jobId: 'import_mbox-1' }, 202));
    expect(await upload()).toEqual({ jobId: 'import_mbox-1' });
    const [first, second] = service.of(COMPLETE).map(({ headers }) => headers.get('idempotency-key'));
    expect(first).toBe(second);
  });
});
