import type { Client } from 'pg';

/** Advisory locks of the service have other numbers. */
const LOCK = 714_004;

/** The points at which jobs are held: whenever they note their progress or end, or only at the end. */
export type HeldAt = 'any checkpoint' | 'the end';

const WRITES: Readonly<Record<HeldAt, string>> = {
  'any checkpoint': `NEW.checkpoint IS DISTINCT FROM OLD.checkpoint
               OR (NEW.completed_at IS NOT NULL AND OLD.completed_at IS NULL)`,
  'the end': 'NEW.completed_at IS NOT NULL AND OLD.completed_at IS NULL',
};

/** Holds up jobs, by their kind, whichever process runs them. */
export class HeldJobs {
  private constructor(
    private readonly session: Client,
    private readonly kinds: Set<string>,
  ) {}

  /**
   * Holds jobs of these kinds. The trigger stays in the database, which the next spec of the worker uses as well: it waits for
   * locks that only `HeldJobs` takes.
   * @param session a connection that is used for nothing else
   */
  static async hold(session: Client, kinds: readonly string[], at: HeldAt): Promise<HeldJobs> {
    for (const kind of kinds) await session.query('SELECT pg_advisory_lock($1, hashtext($2))', [LOCK, kind]);
    await session.query(
      `CREATE OR REPLACE FUNCTION hold_job() RETURNS trigger LANGUAGE plpgsql AS
         $$ BEGIN PERFORM pg_advisory_xact_lock_shared(${LOCK}, hashtext(NEW.type)); RETURN NEW; END $$`,
    );
    await session.query(
      `CREATE OR REPLACE TRIGGER hold_job BEFORE UPDATE ON jobs FOR EACH ROW
         WHEN (${WRITES[at]})
         EXECUTE FUNCTION hold_job()`,
    );
    return new HeldJobs(session, new Set(kinds));
  }

  /** Kinds that were not let on yet. */
  get left(): readonly string[] {
    return [...this.kinds];
  }

  /** Kinds of which a job is held up at the moment. */
  async waiting(): Promise<string[]> {
    return [...new Set((await this.waiters()).map(({ kind }) => kind))];
  }

  /**
   * After their process was killed: lets jobs of these kinds on from now on. What the dead one was about to write is
   * given up, which PostgreSQL would carry out, as it has not heard of its end.
   */
  async letOn(kinds: readonly string[]): Promise<void> {
    for (const { pid } of await this.waiters())
      await this.session.query('SELECT pg_terminate_backend($1, 5000)', [pid]);
    for (const kind of kinds) {
      await this.session.query('SELECT pg_advisory_unlock($1, hashtext($2))', [LOCK, kind]);
      this.kinds.delete(kind);
    }
  }

  private async waiters(): Promise<{ pid: number; kind: string }[]> {
    const { rows } = await this.session.query<{ pid: number; kind: string }>(
      `SELECT pid, kind FROM pg_locks
       JOIN unnest($2::text[]) AS held (kind) ON objid = (hashtext(kind)::bigint & 4294967295)::oid
       WHERE locktype = 'advisory' AND classid = $1 AND NOT granted
         AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`,
      [LOCK, this.left],
    );
    return rows;
  }
}
