import { freePort } from '../../test/support/service-process';
import { SmtpClient } from '../../test/support/journal/smtp-client';
import { BenchEnvironment, setStage } from '../bench-environment';
import { cpuPerItem, cpuTimes } from '../cpu-times';
import { against, type Figure, quantile } from '../report';
import { messagesOf } from './import.bench';

/** Durable messages a second. */
const GOAL = 200;
const AVERAGE_BYTES = 20 * 1024;
/** Connections and the messages that they send together. */
const ROUNDS = [
  [10, 3_000],
  [50, 6_000],
] as const;

/**
 * Messages that mail servers copy by SMTP: each connection sends its next message when the one before was answered, so each
 * answer is one of a message that is synced and committed.
 */
export async function benchSmtp(environment: BenchEnvironment): Promise<Figure[]> {
  const port = await freePort();
  const stage = await setStage(
    environment,
    { messages: 1 },
    {
      SMTP_JOURNAL_PORT: String(port),
      SMTP_JOURNAL_DOMAIN: 'archive.test',
      SMTP_JOURNAL_ALLOWED_NETWORKS: '127.0.0.1',
    },
  );
  const { service, sandbox, user, accountId } = stage;
  try {
    const { body } = await user.api.put(`/api/journal/${accountId}`);
    const address = body.address as string;
    const messages = messagesOf(
      ROUNDS.reduce((sum, [, count]) => sum + count, 0),
      AVERAGE_BYTES,
    );
    const figures: Figure[] = [];
    let sent = 0;
    for (const [connections, count] of ROUNDS) {
      // Made before, so that the making of messages is not measured.
      const raws = Array.from({ length: count }, () => toRaw(messages.next().value as string[]));
      const bytes = raws.reduce((sum, raw) => sum + raw.length, 0);
      service.resetPeak();
      const before = service.memory().now;
      const cpuBefore = cpuTimes(service.pid, sandbox.pid);
      const startedAt = performance.now();
      const waits = await sendAll(port, address, raws, connections);
      const seconds = (performance.now() - startedAt) / 1000;
      const cpu = cpuPerItem(cpuBefore, cpuTimes(service.pid, sandbox.pid), count);
      sent += count;
      const figuresOfAccount = await user.api.get(`/api/journal/${accountId}`);
      if (figuresOfAccount.body.received !== sent)
        throw new Error(`${sent} messages were answered 250, ${figuresOfAccount.body.received} are archived`);
      const rate = count / seconds;
      const { peak } = service.memory();
      figures.push({
        work: `SMTP, ${connections} connections: ${count} messages, ${(bytes / count / 1024).toFixed(0)} KiB each`,
        measured:
          `${rate.toFixed(0)} msg/s, p50 ${quantile(waits, 0.5).toFixed(0)} / p99 ${quantile(waits, 0.99).toFixed(0)} ms, ` +
          `peak RSS ${peak.toFixed(0)} MiB (${before.toFixed(0)} before), ${against(rate, GOAL)}; ${cpu}`,
        budget: `≥ ${GOAL} msg/s, < 400 MB`,
        met: rate >= GOAL && peak < 381,
      });
    }
    return figures;
  } finally {
    await stage.stop();
  }
}

/** @returns milliseconds from MAIL FROM to the answer of each message */
async function sendAll(
  port: number,
  address: string,
  raws: readonly Buffer[],
  connections: number,
): Promise<number[]> {
  const left = raws.values();
  const waits: number[] = [];
  const work = async (): Promise<void> => {
    const client = await SmtpClient.open(port);
    for (const raw of left) {
      const startedAt = performance.now();
      const answer = await client.send('sender@example.com', [address], raw);
      if (answer.code !== 250) throw new Error(`A message was answered ${answer.code} ${answer.text}`);
      waits.push(performance.now() - startedAt);
    }
    client.destroy();
  };
  await Promise.all(Array.from({ length: connections }, work));
  return waits;
}

/** The message without its From_ line. */
const toRaw = (lines: string[]): Buffer =>
  Buffer.from(`${lines.slice(1).join('\n').replaceAll('\n', '\r\n')}\r\n`);
