import { connect } from 'node:net';
import { join } from 'node:path';
import { ChildServer, findFreePort, findProgram } from '../../../src/platform/embedded/child-server';
import { waitFor } from '../wait';

/** A Redis of the test's own, on a port it keeps, that keeps nothing: when it starts again it is empty. */
export class OwnRedis {
  private server: ChildServer | undefined;

  private constructor(
    private readonly program: string,
    private readonly directory: string,
    private readonly port: number,
  ) {}

  static async create(directory: string): Promise<OwnRedis> {
    const program = findProgram('redis-server');
    if (!program) throw new Error('redis-server is missing');
    const redis = new OwnRedis(program, directory, await findFreePort());
    await redis.start();
    return redis;
  }

  get url(): string {
    return `redis://127.0.0.1:${this.port}`;
  }

  async start(): Promise<void> {
    const args = ['--port', String(this.port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no'];
    const account = { uid: process.getuid!(), gid: process.getgid!(), switched: false };
    const command = { program: this.program, args, account, deathSignal: 'KILL' as const };
    this.server = await ChildServer.spawn(command, join(this.directory, 'redis.log'));
    await waitFor('Redis to take connections', () => this.takesConnections());
  }

  /** SIGKILL: connections break, and what was in it is gone. */
  async kill(): Promise<void> {
    await this.server?.stop('SIGKILL', 'SIGKILL', 1_000);
  }

  private takesConnections(): Promise<boolean> {
    return new Promise((resolve) => {
      const socket = connect({ host: '127.0.0.1', port: this.port });
      socket.on('connect', () => resolve(true));
      socket.on('connect', () => socket.destroy());
      socket.on('error', () => resolve(false));
    });
  }
}
