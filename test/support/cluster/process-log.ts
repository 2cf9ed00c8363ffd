import { closeSync, openSync, readFileSync } from 'node:fs';

export interface LogLine {
  readonly level: string;
  readonly msg: string;
  readonly context?: string;
  readonly err?: {
    readonly type: string;
    readonly message: string;
    readonly stack?: string;
    readonly code?: string;
  };
}

/** The output of a process: lines of its log, and all the rest. */
export class ProcessLog {
  private constructor(
    private readonly file: string,
    readonly descriptor: number,
  ) {}

  static open(file: string): ProcessLog {
    return new ProcessLog(file, openSync(file, 'a'));
  }

  close(): void {
    closeSync(this.descriptor);
  }

  /** Lines of this level; what is no line of the log, such as the last words of a crash, has the level `none`. */
  lines(...levels: readonly string[]): LogLine[] {
    return readFileSync(this.file, 'utf8')
      .split('\n')
      .filter((line) => line !== '')
      .map(parsed)
      .filter(({ level }) => levels.includes(level));
  }
}

function parsed(line: string): LogLine {
  try {
    return JSON.parse(line) as LogLine;
  } catch {
    return { level: 'none', msg: line };
  }
}
