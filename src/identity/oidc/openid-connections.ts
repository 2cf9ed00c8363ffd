import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import type { Duplex } from 'node:stream';

/** Far more than metadata, keys, tokens and claims have together. */
const MAX_BYTES = 4 * 1024 * 1024;

/**
 * The connections to the provider for one sign-in. They end with it, or when more arrives than an honest provider sends:
 * the OpenID library reads responses of any length into memory.
 */
export class OpenIdConnections {
  private readonly agents = {
    'http:': new HttpAgent({ keepAlive: true }),
    'https:': new HttpsAgent({ keepAlive: true }),
  };
  private received = 0;

  constructor() {
    for (const agent of Object.values<HttpAgent>(this.agents)) {
      const connect = agent.createConnection.bind(agent);
      agent.createConnection = (options, callback): ReturnType<typeof connect> =>
        this.limitBytes(connect(options, callback));
    }
  }

  /** Whether the connections were ended because too much arrived. */
  get overflowed(): boolean {
    return this.received > MAX_BYTES;
  }

  agentFor({ protocol }: URL): HttpAgent {
    return protocol === 'https:' ? this.agents['https:'] : this.agents['http:'];
  }

  end(): void {
    for (const agent of Object.values(this.agents)) agent.destroy();
  }

  private limitBytes<T extends Duplex | null | undefined>(connection: T): T {
    connection?.on('data', (bytes: Buffer) => {
      this.received += bytes.length;
      if (this.overflowed) connection.destroy();
    });
    return connection;
  }
}
