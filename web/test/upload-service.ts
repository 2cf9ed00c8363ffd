import { vi } from 'vitest';

const CHUNK = 4;

interface Kept {
  readonly filename: string;
  readonly size: number;
  bytes: number[];
}

/** A service that takes uploads in chunks of four bytes. */
export class UploadService {
  readonly kept = new Map<string, Kept>();
  readonly imported: string[] = [];
  /** Chunks that have begun are answered when this is resolved. */
  gate: Promise<void> = Promise.resolve();
  isAway = false;
  private lastId = 0;

  readonly fetch = vi.fn((request: Request) => this.answer(request));

  text(id: string): string {
    return String.fromCharCode(...(this.kept.get(id)?.bytes ?? []));
  }

  private async answer(request: Request): Promise<Response> {
    if (this.isAway) throw new TypeError('Failed to fetch');
    const [id = '', isComplete] = new URL(request.url).pathname.split('/uploads')[1]!.split('/').slice(1);
    if (id === '') return request.method === 'GET' ? Response.json(this.all()) : this.create(request);
    const upload = this.kept.get(id);
    if (!upload) return problem(404, 'upload-not-found');
    if (request.method === 'DELETE') return this.delete(id);
    if (isComplete) return this.complete(id, upload);
    if (request.method === 'PATCH') {
      await this.gate;
      request.signal.throwIfAborted();
      upload.bytes.push(...new Uint8Array(await request.arrayBuffer()));
    }
    return Response.json(shown(id, upload));
  }

  private async create(request: Request): Promise<Response> {
    const id = `upload-${(this.lastId += 1)}`;
    this.kept.set(id, { ...((await request.json()) as { filename: string; size: number }), bytes: [] });
    return Response.json(shown(id, this.kept.get(id)!), { status: 201 });
  }

  private complete(id: string, { filename }: Kept): Response {
    this.imported.push(filename);
    return Response.json({ jobId: `import_mbox-${id}` }, { status: 202 });
  }

  private delete(id: string): Response {
    this.kept.delete(id);
    return new Response(null, { status: 204 });
  }

  private all(): object[] {
    return [...this.kept].map(([id, upload]) => shown(id, upload));
  }
}

const problem = (status: number, code: string): Response =>
  Response.json({ status, code, detail: 'D.', requestId: 'r-1' }, { status });

const shown = (id: string, { filename, size, bytes }: Kept): object => ({
  id,
  filename,
  size,
  offset: bytes.length,
  chunkBytes: CHUNK,
  expires_at: '2026-01-01T00:00:00.000Z',
});
