import type { EmbeddedCredentials } from '../credentials';
import type { ServerHome } from './server-home';

/** What a private server needs to start. */
export interface ServerStart {
  home: ServerHome;
  /** Folder under the data directory that this process owns. */
  privateFolder: string;
  credentials: EmbeddedCredentials;
  durable: boolean;
  log: (line: string) => void;
}

export interface RunningServer {
  url: string;
  stop(): Promise<void>;
}

/** A server that another process has started. */
export interface FoundServer {
  /** Connection string. */
  url(credentials: EmbeddedCredentials): string;
}
